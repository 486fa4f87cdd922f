// Windows over feature maps of batch, channels and any number of spatial dimensions: what
// convolutions and pools share.
#pragma once
#include "import/onnx/op.h"

namespace hlocc::import::onnx {

struct Windows {
  std::vector<hlo::WindowDimension> sides;  // a spatial dimension each, with their padding
  // How far windows of ceil_mode reach beyond the padding: of padding_high.
  std::vector<int64_t> beyond;
};

// kernel_shape, strides, dilations, pads and auto_pad of an op over x, whose windows have these
// sizes. `ceil`: the last window may reach over the border.
Result<Windows> windows_of(const Op& op, const Dimensions& x, const Dimensions& sizes, bool ceil);
// The same for all dimensions of x: batch and channels have windows of one element.
hlo::Window whole_window(const Windows& windows);
// kernel_shape, which must be there, with as many sizes as x has spatial dimensions.
Result<Dimensions> kernel_shape(const Op& op, const Dimensions& x);

}  // namespace hlocc::import::onnx
