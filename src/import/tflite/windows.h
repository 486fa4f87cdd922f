// Windows over feature maps of batch, rows, columns and channels: what convolutions and pools
// share.
#pragma once
#include "import/tflite/op.h"

namespace hlocc::import::tflite {

// Padding's numbers.
enum PaddingKind { kSame, kValid };

struct WindowSide {
  int64_t in = 0, size = 1, stride = 1, dilation = 1;
};

// The window along one side of the map; kStructure where sizes are not positive or it does not fit.
Result<hlo::WindowDimension> window_side(const Op& op, const WindowSide& side, int padding);

// Padded at rows and columns with a value of x's type; windows then have no padding.
InstructionId padded(Builder& b, InstructionId x, double value, hlo::WindowDimension& rows,
                     hlo::WindowDimension& columns);

}  // namespace hlocc::import::tflite
