// The product of sizes, 1 of none: how many elements a box of these dimensions has.
#pragma once
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>

namespace hlocc {

inline int64_t product(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace hlocc
