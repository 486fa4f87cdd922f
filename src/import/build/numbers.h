// Literals from plain numbers, for readers of other formats.
#pragma once
#include <vector>

#include "hlo/literal.h"

namespace hlocc::import {

// A scalar. Integers must hold the number; floats are rounded to the type (f16 and bf16 from f32).
hlo::Literal literal_of(hlo::PrimitiveType type, double value);
// Integers of an integer type that holds them, row-major.
hlo::Literal literal_of(hlo::PrimitiveType type, const std::vector<int64_t>& values,
                        const hlo::Dimensions& sizes);
// All elements of an array of integers or pred.
std::vector<int64_t> integers_of(const hlo::Literal& literal);

}  // namespace hlocc::import
