// Lists of dimension numbers and sizes, as attributes hold them, and what sizes say of a shape.
#pragma once
#include <algorithm>
#include <numeric>

#include "hlo/shape.h"

namespace hlocc::hlo {

inline bool contains(const Dimensions& dimensions, int64_t value) {
  return std::find(dimensions.begin(), dimensions.end(), value) != dimensions.end();
}

// One list after the other.
inline Dimensions joined(Dimensions first, const Dimensions& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// 0, 1, .. count - 1.
inline Dimensions counting(int64_t count) {
  Dimensions list(static_cast<size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}
inline bool is_counting(const Dimensions& dimensions) {
  return dimensions == counting(static_cast<int64_t>(dimensions.size()));
}

// The sizes that are not 1, in order: reshapes change nothing else where these stay.
inline Dimensions without_ones(Dimensions sizes) {
  std::erase(sizes, 1);
  return sizes;
}

inline bool is_one_element(const Shape& shape) {
  return shape.is_array() && shape.element_count() == 1;
}

}  // namespace hlocc::hlo
