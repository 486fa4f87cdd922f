// The element types in which contractions of mixed types are computed. HLO lets dot, convolution
// and ragged-dot take operands of any two types and give any third: the operands meet in the wider
// of their types, or in the result's where that holds all of its values; what that gives is
// converted to the result's type. Interpreter and transforms both ask here.
//
//   bf16 x s8 -> f32     s8 is converted to f32
//   f32 x f32 -> s32     a dot of f32, converted to s32
//   s8 x s32 -> s32      nothing to convert: integers of any width meet, as do floats
#pragma once
#include "hlo/primitive_type.h"

namespace hlocc::ops {

using hlo::PrimitiveType;

// What each operand is converted to, and the type of the contraction of those; its result is
// converted to the stated one.
struct ContractionTypes {
  PrimitiveType lhs, rhs, result;
  bool operator==(const ContractionTypes&) const = default;
};
ContractionTypes contraction_types(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result);

// The type in which two meet: complex before real, floats before integers, range before precision,
// then width.
PrimitiveType higher_precision(PrimitiveType a, PrimitiveType b);

// The type in which an operand of scaled-dot meets its scale, and one side the other.
PrimitiveType scaling_type(PrimitiveType a, PrimitiveType b);

}  // namespace hlocc::ops
