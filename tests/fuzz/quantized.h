// What generators of quantised networks share: numbers in every place, dequantised bytes, weights.
#pragma once
#include "fuzz/proposals.h"

namespace hlocc::fuzz {

// A scalar, or a vector along the last dimension, in every place. Sizes are copied: those of an
// instruction move when another one is added.
Id spread(Builder& b, Id x, Dimensions dims);
Id splat(Builder& b, PrimitiveType type, double value, Dimensions dims);
Id converted(Builder& b, Id x, PrimitiveType type);

// A constant a channel, or one for all, drawn by `draw`.
template <typename Draw>
Id numbers_for(Builder& b, PrimitiveType type, Dimensions dims, bool each, Draw draw) {
  if (!each) return splat(b, type, static_cast<double>(draw()), dims);
  Literal literal = Literal::zeros(Shape::array(type, {dims.back()}));
  for (int64_t i = 0; i < literal.element_count(); ++i)
    set_number(literal, i, static_cast<double>(draw()));
  return spread(b, b.constant(std::move(literal)), dims);
}

// 1, 1/2, ... 2^-most.
double power_of_two(Builder& b, int64_t most);
// (q - zero) * scale in f32, of bytes or of floats that were rounded and clamped to their range.
// Scales are powers of two, so that sums of products are exact in f32 as in integers.
Id dequantized(Builder& b, const Dimensions& dims);
// Bytes times a scale a column, or one for all, as floats.
Id scaled_weights(Builder& b, const Dimensions& dims);

}  // namespace hlocc::fuzz
