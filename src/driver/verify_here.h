// `verify` on this machine: a case in the interpreter or in the JIT, in a child of its own.
#pragma once
#include "driver/rules.h"
#include "driver/verdict.h"
#include "target/options.h"

namespace hlocc::driver {

// Longest time that one case may take.
inline constexpr double kCaseSeconds = 300;

CaseOutcome verify_here(const Case& one, const std::string& backend, const Options& options);

}  // namespace hlocc::driver
