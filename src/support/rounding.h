// Division of whole numbers that rounds one way whatever the sign, and alignment. Divisors are
// positive.
#pragma once
#include <cstdint>

namespace hlocc {

constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }
constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

// The least multiple of `alignment` that is not below `value`.
constexpr int64_t round_up(int64_t value, int64_t alignment) {
  return ceil_div(value, alignment) * alignment;
}

}  // namespace hlocc
