// See threads.h.
#include "costs/threads.h"

namespace hlocc::costs {
namespace {

// Threads of an operating system that spin a while before they sleep are there in a microsecond or
// two, but wait for the slowest at every start, and fetch what another core wrote; those of a small
// kernel need two switches of context each.
struct StartRow {
  bool bare_metal, out_of_order;
  double cycles;
};
constexpr StartRow kStarts[] = {
    {true, false, 1500},
    {true, true, 3000},
    {false, false, 3000},
    {false, true, 30000},
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

bool ranges_pay(double whole, double longest, const Target& target) {
  return longest + cycles_to_start_threads(target) < whole * (1 - kLeastGain);
}

}  // namespace hlocc::costs
