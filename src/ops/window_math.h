// Sizes of padded, dilated and windowed dimensions, the arithmetic behind pad, reduce-window and
// convolution. All of it is exact in int64: no value means that the size does not fit, which only a
// malformed file brings about.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "hlo/attributes.h"
#include "support/result.h"

namespace hlocc::ops {

// n elements with dilation - 1 gaps between neighbours: (n - 1) * dilation + 1, 0 for none.
std::optional<int64_t> dilated_size(int64_t n, int64_t dilation);

// A dimension of `n` after pad: low + high + n + (n - 1) * interior; may be negative where edges
// crop too much.
std::optional<int64_t> padded_size(int64_t n, const hlo::PaddingDimension& padding);

// Base-dilated and padded size of a windowed dimension; may be negative.
std::optional<int64_t> padded_base_size(int64_t n, const hlo::WindowDimension& window);

// Number of window positions along a dimension of size n: 0 where the window does not fit. Fails
// with kAttribute for sizes, strides and dilations below 1, with kLimit on overflow.
Result<int64_t> window_output_size(int64_t n, const hlo::WindowDimension& window);

// Output positions whose whole window lies inside an input of that extent: [first, last) of the
// `output` positions. Without base dilation.
std::pair<int64_t, int64_t> windows_inside(const hlo::WindowDimension& window, int64_t input,
                                           int64_t output);

// The window of a convolution that takes its input as it was before that pad; none if the pad
// reaches batches or features, or would put gaps between what it has added.
std::optional<hlo::Window> window_with_pad(const hlo::ConvolutionAttributes& convolution,
                                           const hlo::PadAttributes& pad);

// Each position sees one element, at its own index.
bool is_trivial(const hlo::WindowDimension& window);

}  // namespace hlocc::ops
