// Which bytes of a join have to move, once all values have places.
#pragma once
#include <vector>

#include "planning/plan.h"
#include "planning/step_values.h"

namespace hlocc::planning {

struct MovedRun {
  Id from = kNone;
  int64_t from_offset = 0, to_offset = 0, bytes = 0;  // offsets in the two values
};

// In the order in which they are copied; none where all parts lie in each other.
std::vector<MovedRun> moved_runs(const kernel::Join& join, const std::vector<Place>& places);

}  // namespace hlocc::planning
