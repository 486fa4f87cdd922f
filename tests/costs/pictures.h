// Convolutions of pictures with two spatial dimensions, and the site that costs are asked of: what
// tests of algorithms and of their plans change one fact at a time.
#pragma once
#include <cstring>

#include "costs/convolution.h"

namespace hlocc::tests {

// A convolution of pictures, features last on all sides.
struct Picture {
  hlo::ConvolutionAttributes attributes;
  hlo::Shape input, filter, output;
  kernel::Scalar sum = kernel::Scalar::kF32;
  bool known = true, finite = true, filter_in_memory = true, input_in_memory = true;
  bool masks_pass = true, pixels_count = true, elements_count = true;
  int64_t stored = 0;
};

struct PictureSize {
  int64_t inputs = 8, outputs = 8, taps = 3, side = 12, groups = 1;
  hlo::PrimitiveType type = hlo::PrimitiveType::kF32;
};

inline Picture picture(const PictureSize& s) {
  Picture p;
  p.attributes.window.dimensions = {{.size = s.taps}, {.size = s.taps}};
  p.attributes.input_feature = p.attributes.output_feature = 3;
  p.attributes.kernel_input_feature = 2, p.attributes.kernel_output_feature = 3;
  p.attributes.input_spatial = p.attributes.output_spatial = {1, 2};
  p.attributes.kernel_spatial = {0, 1};
  p.attributes.feature_group_count = s.groups;
  p.input = hlo::Shape::array(s.type, {1, s.side + s.taps - 1, s.side + s.taps - 1, s.inputs});
  p.filter = hlo::Shape::array(s.type, {s.taps, s.taps, s.inputs / s.groups, s.outputs});
  const bool bytes = s.type == hlo::PrimitiveType::kS8;
  p.output =
      hlo::Shape::array(bytes ? hlo::PrimitiveType::kS32 : s.type, {1, s.side, s.side, s.outputs});
  if (bytes) p.sum = kernel::Scalar::kS32;
  return p;
}

template <typename Ask>
auto of_site(const Picture& p, const Ask& ask) {
  const hlo::Module module;
  hlo::Literal filter = hlo::Literal::zeros(p.filter);
  if (!p.finite) std::memset(filter.mutable_bytes().data(), 0xff, filter.bytes().size());
  return ask({.form = {p.attributes, p.input, p.filter, p.output},
              .sum = p.sum,
              .module = module,
              .filter = p.known ? &filter : nullptr,
              .filter_in_memory = p.filter_in_memory,
              .input_in_memory = p.input_in_memory,
              .masks_pass = p.masks_pass,
              .pixels_count = p.pixels_count,
              .elements_count = p.elements_count,
              .stored = p.stored});
}

inline hlo::WindowDimension& window_down(Picture& p) { return p.attributes.window.dimensions[0]; }
inline hlo::WindowDimension& window_along(Picture& p) { return p.attributes.window.dimensions[1]; }

}  // namespace hlocc::tests
