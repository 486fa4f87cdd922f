// What softmax, losses and attention share.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx {

InstructionId softmax_along(Builder& b, InstructionId x, int64_t axis);
InstructionId log_softmax_along(Builder& b, InstructionId x, int64_t axis);

}  // namespace hlocc::import::onnx
