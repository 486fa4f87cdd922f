// What of a depthwise convolution's window sees the image, where borders cut it.
#pragma once
#include <cstdint>
#include <vector>

#include "hlo/attributes.h"
#include "hlo/literal.h"

namespace hlocc::transforms {

// Where the image lies in a dimension of the input; beside it stand other numbers.
struct ImageRange {
  int64_t begin, end;
  auto operator<=>(const ImageRange&) const = default;
};

// A convolution that is no transposed one, the image in each of its spatial dimensions, and the
// sizes of its output.
struct SeenImage {
  const hlo::Literal& weights;
  const hlo::ConvolutionAttributes& convolution;
  std::vector<ImageRange> image;
  const hlo::Dimensions& output;
};

// For each way in which the borders cut the window, the sums of those of each output feature's
// weights that see the image.
std::vector<std::vector<int64_t>> seen_weights(const SeenImage& of);

}  // namespace hlocc::transforms
