// What the templates of crates are filled with: the instance's layout and the leaves of each
// target's library, out of its manifest, and the test's values as Rust has them.
#pragma once
#include "driver/packages/template_text.h"
#include "driver/verify/selftest_source.h"

namespace hlocc::driver {

// `manifest`: of one model for one target, whose pointers have so many bits.
TemplateValues rust_part(const TemplateValues& manifest, int pointer_bits);
// Values of a model's test: "rust_data", "rust_inputs", "rust_checks".
TemplateValues rust_test(const SelftestParts& test, const TemplateValues& manifest);

}  // namespace hlocc::driver
