// What the sizes of a ragged dot's groups belong to.
#pragma once
#include "hlo/attributes.h"

namespace hlocc::ops {

using hlo::Dimensions;

// The dimensions of the left operand for which group sizes of more than one dimension state sizes
// of their own, in their order: batch dimensions, then those of the ragged one's kind (free or
// contracting) in front of it; where the ragged one is a batch dimension, the batch dimensions in
// front of it.
Dimensions group_prefix(const hlo::RaggedDotAttributes& attributes, int64_t lhs_rank);

}  // namespace hlocc::ops
