// Constant tensors as literals.
#pragma once
#include "hlo/literal.h"
#include "import/tflite/model.h"

namespace hlocc::import::tflite {

// The shape of a tensor, within limits; kType for elements that HLO lacks.
Result<hlo::Shape> shape_of_tensor(const Tensor& tensor);
// The elements of a constant tensor: sparse ones filled up with zeros, INT4 one a byte.
Result<hlo::Literal> literal_of_tensor(const Tensor& tensor);

}  // namespace hlocc::import::tflite
