// What --optimize=ram gives for time.
#pragma once
#include <cstdint>

namespace hlocc::costs {

// The smallest arena is wanted, but not at any price: a plan that is more than a tenth slower than
// the plan as it comes counts as a fifth larger than it is. Expected cycles grow less than those of
// a chip, where tiles of few rows have more of what is not counted: 6.5 % are 13.5 % instructions
// (kws int8 on Cortex-M4F, a row at a time). Beyond a tenth each further percent of time counts as
// a percent of bytes: a plan that takes half as long again is not as good as one that barely is too
// slow.
inline double bytes_that_count(int64_t arena, double cycles, double plain_cycles) {
  constexpr double kMostSlower = 1.06, kTooSlow = 1.2, kMuchSlower = 1.1;
  const bool is_slow = plain_cycles > 0 && cycles > kMostSlower * plain_cycles;
  if (!is_slow) return static_cast<double>(arena);
  const double beyond = cycles / plain_cycles - kMuchSlower;
  return static_cast<double>(arena) * (kTooSlow + (beyond > 0 ? beyond : 0));
}

}  // namespace hlocc::costs
