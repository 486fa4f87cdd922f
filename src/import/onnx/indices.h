// Indices that are computed when the model runs: counted from the front, and elements taken by
// them.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx {

// 32-bit indices of a dimension of `size`: those below zero count from its end.
InstructionId from_front(Builder& b, InstructionId indices, int64_t size);
// The row-major place of each element of x that `indices`, of x's rank, name along `axis`; they
// count from the front.
InstructionId flat_places(Builder& b, const Dimensions& x, InstructionId indices, int64_t axis);
// Elements of x as GatherElements takes them.
InstructionId elements_along(Builder& b, InstructionId x, InstructionId indices, int64_t axis);
// x with dimension `axis` last, and the permutation that undoes it.
InstructionId with_last(Builder& b, InstructionId x, int64_t axis);
Dimensions from_last(int64_t rank, int64_t axis);

}  // namespace hlocc::import::onnx
