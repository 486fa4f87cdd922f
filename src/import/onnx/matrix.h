// Products of matrices as NumPy's matmul has them.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx {

// Of the last two dimensions; those in front broadcast, a vector is a row or a column. `type` is
// the result's.
Result<InstructionId> matrix_product(const Op& op, InstructionId x, InstructionId y,
                                     PrimitiveType type);

}  // namespace hlocc::import::onnx
