// Whether a chip whose memories are known can hold what was planned for it.
#pragma once
#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

// An error that names the bytes that are missing: of RAM for arena and instance, of flash for the
// weights. Stack, code and everything else of the firmware come on top.
Status check_capacity(const kernel::Signature& signature, const planning::Plan& plan,
                      const Target& target);

}  // namespace hlocc::driver
