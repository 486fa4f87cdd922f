// What convolutions of floats and of quantised numbers share.
#pragma once
#include "import/onnx/windows.h"

namespace hlocc::import::onnx {

// x: batch, channels, spatial; w: output channels, input channels of a group, spatial.
Result<InstructionId> convolved(const Op& op, InstructionId x, InstructionId w, PrimitiveType type);
// Of that order of dimensions.
hlo::ConvolutionAttributes convolution_of(const std::vector<hlo::WindowDimension>& sides,
                                          int64_t groups);
// y with an operand, where there is one, added to its channels.
InstructionId with_bias(const Op& op, InstructionId y, int operand);

}  // namespace hlocc::import::onnx
