// int64 arithmetic that reports overflow: sizes come from files, and a wrapped size is a wrong
// program or a crash. No value means that the exact result does not fit.
#pragma once
#include <cstdint>
#include <optional>

namespace hlocc {

inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<int64_t> checked_subtract(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}

inline std::optional<int64_t> checked_multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace hlocc
