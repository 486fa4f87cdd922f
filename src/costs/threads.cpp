// See threads.h.
#include "costs/threads.h"

namespace hlocc::costs {
namespace {

// Threads of an operating system that spin a while before they sleep are there in half a
// microsecond (runtime_stub/hlocc_threads.h); those of a small kernel need two switches of context
// each.
struct StartRow {
  bool bare_metal, out_of_order;
  double cycles;
};
constexpr StartRow kStarts[] = {
    {true, false, 1500},
    {true, true, 3000},
    {false, false, 3000},
    {false, true, 3000},
};
// Of the whole, that has to be won: estimates are off by more than less would show.
constexpr double kLeastGain = 0.1;

}  // namespace

double cycles_to_start_threads(const Target& target) {
  for (const StartRow& row : kStarts)
    if (row.bare_metal == target.bare_metal && row.out_of_order == target.out_of_order)
      return row.cycles;
  return 0;
}

// Measured on depthwise convolutions of 16 to 64 channels, split between channels or between rows.
double cycles_of_changes(int64_t changes, const Target& target) {
  constexpr double kEach = 10;
  return target.bare_metal ? 0 : kEach * static_cast<double>(changes);
}

bool ranges_pay(double whole, double longest, const Target& target) {
  return longest + cycles_to_start_threads(target) < whole * (1 - kLeastGain);
}

}  // namespace hlocc::costs
