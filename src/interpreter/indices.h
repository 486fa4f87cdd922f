// Index operands of dynamic-slice and its relatives.
#pragma once
#include <algorithm>
#include <span>

#include "hlo/literal.h"
#include "interpreter/strided.h"

namespace hlocc::interpreter {

// An index element as int64; u64 beyond int64 is as large as can be, not negative.
inline int64_t index_at(const hlo::Literal& literal, int64_t i) {
  const int64_t value = hlo::integer_at(literal, i);
  return literal.type() == hlo::PrimitiveType::kU64 && value < 0 ? INT64_MAX : value;
}

inline int64_t clamp_index(int64_t index, int64_t highest) {
  return std::max<int64_t>(0, std::min(index, highest));
}

// Starts of a box of `sizes` inside `extents`, clamped: one scalar a dimension, or (old form) one
// vector.
inline Dimensions clamped_starts(std::span<const hlo::Literal> indices, const Dimensions& extents,
                                 const Dimensions& sizes) {
  const bool is_vector = indices.size() == 1 && indices[0].shape().rank() == 1;
  Dimensions starts;
  for (size_t d = 0; d < extents.size(); ++d) {
    const int64_t start =
        is_vector ? index_at(indices[0], static_cast<int64_t>(d)) : index_at(indices[d], 0);
    starts.push_back(clamp_index(start, extents[d] - sizes[d]));
  }
  return starts;
}

}  // namespace hlocc::interpreter
