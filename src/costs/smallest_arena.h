// What --optimize=ram gives for time.
#pragma once
#include <cstdint>

namespace hlocc::costs {

// The smallest arena is wanted, but not at any price: a plan that is more than a tenth slower than
// the plan as it comes counts as a fifth larger than it is. Expected cycles grow less than those of
// a chip, where tiles of few rows have more of what is not counted: 6.5 % are 13.5 % instructions
// (kws int8 on Cortex-M4F, a row at a time).
inline double bytes_that_count(int64_t arena, double cycles, double plain_cycles) {
  constexpr double kMostSlower = 1.06, kTooSlow = 1.2;
  const bool is_slow = plain_cycles > 0 && cycles > kMostSlower * plain_cycles;
  return static_cast<double>(arena) * (is_slow ? kTooSlow : 1);
}

}  // namespace hlocc::costs
