// `verify` on this machine: a case on a platform, in a child of its own: a device that crashes or
// hangs is a failed case.
#pragma once
#include "driver/run/platforms.h"
#include "driver/verify/rules.h"
#include "driver/verify/verdict.h"
#include "target/options.h"

namespace hlocc::driver {

// Longest time that one case may take.
inline constexpr double kCaseSeconds = 300;

// `where` as prepare() of execute.h takes it.
CaseOutcome verify_here(const Case& one, const PlatformChoice& where, const Options& options,
                        double seconds = kCaseSeconds);

// The same on the JIT, and then between guards: a finding is a failed case.
CaseOutcome verify_guarded(const Case& one, const Options& options, double seconds = kCaseSeconds);

// The suite of devices/conformance/ on the platform's device, with that many random schedules.
CaseOutcome verify_streams(const PlatformChoice& where, int schedules,
                           double seconds = kCaseSeconds);

}  // namespace hlocc::driver
