// Which chains of a computation become loops over rows: as few as keep memory below a limit.
#pragma once
#include <vector>

#include "target/target.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// Chains that do not meet, in their order. Arrays and windows that are alive at the same time are
// to take at most `limit` bytes, or else as little as can be; what moves least does so then.
// Arguments that must be kept are not written over.
std::vector<RowSchedule> choose_row_loops(const hlo::Module& module,
                                          const hlo::Computation& computation, int64_t limit,
                                          const Target& target);

}  // namespace hlocc::transforms
