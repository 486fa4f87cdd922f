// See moved_runs.h.
#include "planning/moved_runs.h"

namespace hlocc::planning {

std::vector<MovedRun> moved_runs(const kernel::Join& join, const std::vector<Place>& places) {
  std::vector<MovedRun> moved;
  const Place& to = places[static_cast<size_t>(join.to)];
  int64_t at = 0;
  for (const kernel::Join::Run& run : join.runs) {
    const Place& from = places[static_cast<size_t>(run.from)];
    if (from.region != to.region || from.offset + run.offset != to.offset + at)
      moved.push_back({run.from, run.offset, at, run.bytes});
    at += run.bytes;
  }
  return moved;
}

}  // namespace hlocc::planning
