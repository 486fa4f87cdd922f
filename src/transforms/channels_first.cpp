// Convolutions that keep channels first. In a network the transposes of the canonical form meet
// their inverse in the next layer; a convolution without company would pay for both of its own,
// which for a 1x1 or a depthwise one take as long as the sums. A 1x1 is the product of its filter
// with the picture, a matrix [features, pixels] as it lies; depthwise ones, and those whose
// features would leave lanes idle, have a schedule for planes of pixels.
#include <algorithm>

#include "hlo/literal.h"
#include "ops/finite.h"
#include "ops/window_math.h"
#include "transforms/build.h"
#include "transforms/contractions.h"

namespace hlocc::transforms {
namespace {

using hlo::ConvolutionAttributes;

// [batch, feature, rows, columns] on both sides.
bool has_planes(const ConvolutionAttributes& a) {
  const Dimensions spatial{2, 3};
  return a.input_batch == 0 && a.input_feature == 1 && a.input_spatial == spatial &&
         a.output_batch == 0 && a.output_feature == 1 && a.output_spatial == spatial &&
         a.batch_group_count == 1;
}

bool is_pointwise(const ConvolutionAttributes& a) {
  return a.feature_group_count == 1 &&
         std::ranges::all_of(a.window.dimensions, ops::is_trivial);
}

// The literal that a filter's elements come from; null if it is not known.
const Literal* filter_literal(const Rewriter& r, InstructionId id) {
  while (r[id].opcode == Opcode::kReshape || r[id].opcode == Opcode::kTranspose)
    id = r[id].operands[0];
  return constant_value(r, id);
}

// The share of lanes that so many neighbours fill.
double filled(int64_t count, int64_t lanes) {
  return static_cast<double>(count) / static_cast<double>((count + lanes - 1) / lanes * lanes);
}

// Lanes along rows against lanes along output features and two transposes, which take a third of a
// cycle an element.
bool planes_pay(const Rewriter& r, const Instruction& convolution, const ConvolutionAttributes& a,
                const Target& target) {
  constexpr double kPlanes = 0.8, kFeatures = 0.93, kAlong = 0.7, kWinograd = 1.8;
  constexpr int64_t kMostTaps = 25, kMostSpread = 4;
  const Dimensions in = r.shape(convolution.operands[0]).dimensions,
                   out = convolution.shape.dimensions;
  const int64_t inputs = in[1] / a.feature_group_count, outputs = out[1] / a.feature_group_count;
  if (inputs == 1 && outputs <= kMostSpread) return true;
  const hlo::WindowDimension &high = a.window.dimensions[0], &wide = a.window.dimensions[1];
  const int64_t lanes = target.lanes(32), taps = high.size * wide.size;
  if (taps > kMostTaps || inputs * taps < lanes) return false;
  const double pixels = static_cast<double>(out[2] * out[3]);
  const double cycles =
      pixels * static_cast<double>(out[1] * inputs * taps) / static_cast<double>(2 * lanes);
  const bool winograd = high.size == 3 && wide.size == 3 && high.stride == 1 &&
                        high.window_dilation == 1 && wide.window_dilation == 1 &&
                        a.feature_group_count == 1 && inputs >= lanes && outputs >= lanes;
  double rate = kFeatures * filled(outputs, lanes);
  if (winograd) rate = kWinograd;
  if (inputs >= lanes && outputs < lanes) rate = std::max(rate, kAlong);
  const double transposes =
      (pixels * static_cast<double>(out[1]) + static_cast<double>(in[1] * in[2] * in[3])) / 3;
  return cycles / (kPlanes * filled(out[3], lanes)) < cycles / rate + transposes;
}

// What lowering/convolution_planes.cpp serves, where it does so better.
bool is_planes(const Rewriter& r, const Instruction& convolution, const ConvolutionAttributes& a,
               const Target& target) {
  constexpr int64_t kLargest = 8, kMostRows = 8;
  const Literal* filter = filter_literal(r, convolution.operands[1]);
  if (filter == nullptr || !ops::is_finite(*filter)) return false;
  for (const hlo::WindowDimension& w : a.window.dimensions)
    if (w.size > kLargest || w.base_dilation != 1 || w.window_reversal || w.padding_low < 0 ||
        w.padding_low > kMostRows || w.padding_high > kMostRows)
      return false;
  return a.window.dimensions[1].stride == 1 && planes_pay(r, convolution, a, target);
}

// Pixels fill vectors only in part; two transposes take a third of a cycle an element.
bool product_pays(int64_t pixels, int64_t inputs, int64_t outputs, int64_t lanes) {
  const double product = static_cast<double>(inputs * outputs) / (2.0 * static_cast<double>(lanes));
  const double idle = static_cast<double>((pixels + lanes - 1) / lanes * lanes - pixels) /
                      static_cast<double>(pixels);
  return idle * product < static_cast<double>(inputs + outputs) / 3;
}

InstructionId pointwise_product(Rewriter& r, const Instruction& convolution,
                                const ConvolutionAttributes& a) {
  const Dimensions in = r.shape(convolution.operands[0]).dimensions,
                   out = convolution.shape.dimensions;
  const int64_t batch = in[0], inputs = in[1], outputs = out[1], pixels = in[2] * in[3];
  Dimensions order{a.kernel_output_feature, a.kernel_input_feature};
  order.insert(order.end(), a.kernel_spatial.begin(), a.kernel_spatial.end());
  InstructionId filter =
      reshape(r, transpose(r, convolution.operands[1], order), {outputs, inputs});
  hlo::DotAttributes numbers;
  numbers.precision = a.precision;
  std::reverse(numbers.precision.operand_precision.begin(),
               numbers.precision.operand_precision.end());
  InstructionId picture;
  if (batch == 1) {
    picture = reshape(r, convolution.operands[0], {inputs, pixels});
    numbers.lhs_contracting = {1};
    numbers.rhs_contracting = {0};
  } else {
    picture = reshape(r, convolution.operands[0], {batch, inputs, pixels});
    filter = broadcast(r, filter, {batch, outputs, inputs}, {1, 2});
    numbers.lhs_batch = numbers.rhs_batch = {0};
    numbers.lhs_contracting = {2};
    numbers.rhs_contracting = {1};
  }
  const Shape shape =
      Shape::array(convolution.shape.element_type,
                   batch == 1 ? Dimensions{outputs, pixels} : Dimensions{batch, outputs, pixels});
  return reshape(r, r.add(hlo::make(Opcode::kDot, shape, {filter, picture}, std::move(numbers))),
                 out);
}

}  // namespace

InstructionId channels_first_convolution(Rewriter& r, const Instruction& convolution,
                                         const Target& target) {
  const ConvolutionAttributes a = convolution.get<ConvolutionAttributes>();
  const bool suits = target.out_of_order && target.masked_vectors && !target.options.for_size() &&
                     has_planes(a) && convolution.shape.element_type == PrimitiveType::kF32 &&
                     r.type(convolution.operands[0]) == PrimitiveType::kF32 &&
                     r.type(convolution.operands[1]) == PrimitiveType::kF32 &&
                     !convolution.shape.has_dynamic_dimensions() &&
                     !r.shape(convolution.operands[0]).has_dynamic_dimensions() &&
                     convolution.shape.element_count() > 0 &&
                     r.shape(convolution.operands[1]).element_count() > 0;
  if (!suits) return kNone;
  const Dimensions in = r.shape(convolution.operands[0]).dimensions;
  if (is_pointwise(a) &&
      product_pays(in[2] * in[3], in[1], convolution.shape.dimensions[1], target.lanes(32)))
    return pointwise_product(r, convolution, a);
  if (!is_planes(r, convolution, a, target)) return kNone;
  return r.add(convolution);
}

}  // namespace hlocc::transforms
