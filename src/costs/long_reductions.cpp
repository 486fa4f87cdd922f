// See long_reductions.h.
#include "costs/long_reductions.h"

#include <algorithm>

namespace hlocc::costs {
namespace {

// A thread alone with more steps than that is what others wait for. A launch more costs as much as
// some thousand steps.
constexpr int64_t kLong = 4096;
// With as many threads as that a device is busy.
constexpr int64_t kManyThreads = 4096;
// Steps of a partial result, and partial results of a result, that are worth a thread.
constexpr int64_t kFewestSteps = 64, kMostParts = 1024;

}  // namespace

int64_t partial_results(const Target& target, int64_t results, int64_t steps) {
  if (target.style != KernelStyle::kSimt || steps <= kLong || results > kManyThreads / 4) return 1;
  return std::clamp(kManyThreads / std::max<int64_t>(results, 1), int64_t{1},
                    std::min(kMostParts, steps / kFewestSteps));
}

int64_t even_partial_results(const Target& target, int64_t results, int64_t steps) {
  int64_t parts = partial_results(target, results, steps);
  while (steps % parts != 0) --parts;
  // Few parts are no way out of a long reduction.
  return parts < 4 ? 1 : parts;
}

}  // namespace hlocc::costs
