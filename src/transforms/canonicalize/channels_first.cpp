// Convolutions that keep channels first. In a network the transposes of the canonical form meet
// their inverse in the next layer; a convolution without company would pay for both of its own,
// which for a 1x1 or a depthwise one take as long as the sums. A 1x1 is the product of its filter
// with the feature map, a matrix [features, pixels] as it lies; depthwise ones, and those whose
// features would leave lanes idle, have a schedule with channels first.
#include <algorithm>

#include "costs/channels_first.h"
#include "hlo/literal.h"
#include "ops/finite.h"
#include "ops/window_math.h"
#include "transforms/build.h"
#include "transforms/canonicalize/contractions.h"

namespace hlocc::transforms {
namespace {

using hlo::ConvolutionAttributes;

bool is_pointwise(const ConvolutionAttributes& a) {
  return a.feature_group_count == 1 && std::ranges::all_of(a.window.dimensions, ops::is_trivial);
}

// The literal that a filter's elements come from; null if it is not known.
const Literal* filter_literal(const Rewriter& r, InstructionId id) {
  while (r[id].opcode == Opcode::kReshape || r[id].opcode == Opcode::kTranspose)
    id = r[id].operands[0];
  return constant_value(r, id);
}

bool stays_channels_first(const Rewriter& r, const Instruction& convolution,
                          const costs::ConvolutionForm& form, const Target& target) {
  const Literal* filter = filter_literal(r, convolution.operands[1]);
  return filter != nullptr && ops::is_finite(*filter) &&
         costs::serves_channels_first(form, target) && costs::channels_first_pays(form, target);
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
  InstructionId feature_map;
  if (batch == 1) {
    feature_map = reshape(r, convolution.operands[0], {inputs, pixels});
    numbers.lhs_contracting = {1};
    numbers.rhs_contracting = {0};
  } else {
    feature_map = reshape(r, convolution.operands[0], {batch, inputs, pixels});
    filter = broadcast(r, filter, {batch, outputs, inputs}, {1, 2});
    numbers.lhs_batch = numbers.rhs_batch = {0};
    numbers.lhs_contracting = {2};
    numbers.rhs_contracting = {1};
  }
  const Shape shape =
      Shape::array(convolution.shape.element_type,
                   batch == 1 ? Dimensions{outputs, pixels} : Dimensions{batch, outputs, pixels});
  return reshape(
      r, r.add(hlo::make(Opcode::kDot, shape, {filter, feature_map}, std::move(numbers))), out);
}

}  // namespace

InstructionId channels_first_convolution(Rewriter& r, const Instruction& convolution,
                                         const Target& target) {
  const ConvolutionAttributes a = convolution.get<ConvolutionAttributes>();
  const costs::ConvolutionForm form{a, r.shape(convolution.operands[0]),
                                    r.shape(convolution.operands[1]), convolution.shape};
  if (!costs::is_channels_first(form, target)) return kNone;
  const Dimensions& in = form.input.dimensions;
  if (is_pointwise(a) &&
      costs::product_pays(target, in[2] * in[3], in[1], convolution.shape.dimensions[1]))
    return pointwise_product(r, convolution, a);
  if (!stays_channels_first(r, convolution, form, target)) return kNone;
  return r.add(convolution);
}

}  // namespace hlocc::transforms
