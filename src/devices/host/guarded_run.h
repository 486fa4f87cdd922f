// `verify --guard` of code for this machine: the program as HostProgram calls it, round by round,
// between guards.
#pragma once
#include "devices/host/guard.h"
#include "devices/host/host_code.h"

namespace hlocc::device {

// One record a round of kGuardRounds; `arguments` as they lie in memory, a leaf each. A touch of
// the pages around a buffer ends the process (guarded_memory.h).
Result<std::vector<GuardRecord>> run_guarded(const HostCode& code, const LinkObject& link,
                                             std::span<const std::vector<std::byte>> arguments);

}  // namespace hlocc::device
