// The total order of numbers, -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, as the order of
// integers: sign-magnitude codes become two's complement.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>

namespace hlocc::interpreter {

inline int32_t total_order_key(float x) {
  const int32_t code = std::bit_cast<int32_t>(x);
  return code < 0 ? code ^ INT32_MAX : code;
}
inline int64_t total_order_key(double x) {
  const int64_t code = std::bit_cast<int64_t>(x);
  return code < 0 ? code ^ INT64_MAX : code;
}
template <std::integral T>
T total_order_key(T x) {
  return x;
}

}  // namespace hlocc::interpreter
