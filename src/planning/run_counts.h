// How often each step of a program runs. What decides about loops and branches, counters and what
// is computed of them, is followed with their values; all else is only counted.
#pragma once
#include <map>
#include <optional>

#include "kernel/program.h"

namespace hlocc::planning {

// By step of `steps`, the program's or its plan's, at any depth; branches that are never taken have
// none. A step counts once for each iteration, and has no number where a loop around it ends by
// what is not known here (or hangs on so many steps that they are not followed). Of a branch whose
// selector is not known both sides count.
std::map<const kernel::Step*, std::optional<int64_t>> run_counts(const kernel::Program& program,
                                                                 const kernel::Steps& steps);

}  // namespace hlocc::planning
