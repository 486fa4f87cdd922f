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
// Sizes, strides, dilations and pads: products of two stay far from overflow.
inline constexpr int64_t kMostWindow = 1 << 24;
// An attribute of so many numbers, each within kMostWindow; `missing` where it isn't there.
Result<Dimensions> side_numbers(const Op& op, const char* name, size_t count, int64_t missing);
// auto_pad, a word of ONNX's.
Result<std::string> auto_pad(const Op& op);
// kernel_shape, which must be there, with as many sizes as x has spatial dimensions.
Result<Dimensions> kernel_shape(const Op& op, const Dimensions& x);

}  // namespace hlocc::import::onnx
