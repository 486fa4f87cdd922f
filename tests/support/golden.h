// Golden files: what a program decides, as text that stands in the test's folder. A change of a
// decision is then a difference that a reader sees and judges. HLOCC_REGENERATE=1 writes them anew.
#pragma once
#include <string>

namespace hlocc::tests {

// Fails at the first lines of `text` that differ from the file at `path` (relative to the test's
// folder).
void check_golden(const std::string& path, const std::string& text);

}  // namespace hlocc::tests
