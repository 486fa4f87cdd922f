// Chips, numbers and convolutions drawn from a seed, the same everywhere: what no grid of sizes
// thinks of. Numbers come mostly from where bounds are: small ones, and those beside powers of two.
#pragma once
#include <string>

#include "costs/convolution.h"
#include "support/drawing.h"
#include "target/target.h"

namespace hlocc::tests {

class Draws : public Drawing {
 public:
  using Drawing::Drawing;

  // 1 to about 500.
  int64_t size();
  // A number or one of its neighbours, at least 0.
  int64_t near(int64_t number);
  // A preset, and some of its facts changed.
  Target chip();
  kernel::Scalar scalar();
};

// A convolution, and what it stands in; the site refers to it.
struct DrawnConvolution {
  hlo::ConvolutionAttributes attributes;
  hlo::Shape input, filter, output;
  hlo::Module module;
  hlo::Literal weights;
  kernel::Scalar sum = kernel::Scalar::kF32;
  bool known = true, filter_in_memory = true, input_in_memory = true, masks_pass = true,
       pixels_count = true, elements_count = true;
  int64_t stored = 0;

  costs::ConvolutionSite site() const;
};
// Mostly of pictures as networks have them, with a few facts changed.
DrawnConvolution drawn_convolution(Draws& draw);

}  // namespace hlocc::tests
