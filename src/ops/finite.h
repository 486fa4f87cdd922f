// Whether known numbers may meet a zero that the program does not have: an infinity or NaN would
// make one of it.
#pragma once
#include "hlo/literal.h"

namespace hlocc::ops {

// All elements of an f32 literal are finite; false for other types.
bool is_finite(const hlo::Literal& literal);

}  // namespace hlocc::ops
