// convolution as input [batch, spatial..., feature], kernel [spatial..., in, out], output [batch,
// spatial..., feature]; no reversed windows (the kernel is reversed instead), no batch groups (they
// become feature groups), zeros padded on beforehand become the window's own padding, which no
// kernel has to read, and an input with zeros between its elements is convolved without them.
#include <algorithm>

#include "ops/window_math.h"
#include "transforms/build.h"
#include "transforms/canonicalize/contractions.h"

namespace hlocc::transforms {
namespace {

using hlo::ConvolutionAttributes;

Dimensions layout_order(int64_t first, const Dimensions& middle,
                        std::initializer_list<int64_t> last) {
  Dimensions all{first};
  all.insert(all.end(), middle.begin(), middle.end());
  all.insert(all.end(), last);
  return all;
}

// The numbers of the canonical form for so many spatial dimensions.
void set_canonical_numbers(ConvolutionAttributes& a, int64_t spatial) {
  a.input_batch = a.output_batch = 0;
  a.input_feature = a.output_feature = spatial + 1;
  a.kernel_input_feature = spatial;
  a.kernel_output_feature = spatial + 1;
  a.kernel_spatial = counting(spatial);
  a.input_spatial.clear();
  for (int64_t d = 0; d < spatial; ++d) a.input_spatial.push_back(d + 1);
  a.output_spatial = a.input_spatial;
}

bool is_all_zero_bits(const Rewriter& r, InstructionId id) {
  const std::optional<Literal> value = splat_value(r, id);
  if (!value) return false;
  const auto bytes = value->bytes();
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// Takes a pad with zeros of spatial dimensions into the window; gives the new input, or kNone.
InstructionId absorb_padding(const Rewriter& r, InstructionId input, ConvolutionAttributes& a) {
  const Instruction& pad = r[input];
  if (pad.opcode != Opcode::kPad || !is_all_zero_bits(r, pad.operands[1])) return kNone;
  std::optional<hlo::Window> window = ops::window_with_pad(a, pad.get<hlo::PadAttributes>());
  if (!window) return kNone;
  a.window = *std::move(window);
  return pad.operands[0];
}

// [groups * n, spatial..., c] as [n, spatial..., groups * c]: output features of group g see batch
// group g.
InstructionId batch_groups_as_features(Rewriter& r, InstructionId input, int64_t groups) {
  const Dimensions sizes = r.shape(input).dimensions;
  const int64_t rank = static_cast<int64_t>(sizes.size());
  Dimensions split{groups, sizes[0] / groups};
  split.insert(split.end(), sizes.begin() + 1, sizes.end());
  Dimensions order;
  for (int64_t d = 1; d < rank; ++d) order.push_back(d);
  order.push_back(0);
  order.push_back(rank);
  Dimensions merged = sizes;
  merged[0] /= groups;
  merged[rank - 1] *= groups;
  return reshape(r, transpose(r, reshape(r, input, split), order), merged);
}

}  // namespace

InstructionId canonical_convolution(Rewriter& r, const Instruction& convolution) {
  const ConvolutionAttributes& given = convolution.get<ConvolutionAttributes>();
  const int64_t spatial = static_cast<int64_t>(given.input_spatial.size());
  ConvolutionAttributes a = given;
  InstructionId input = convolution.operands[0], kernel = convolution.operands[1];
  if (const InstructionId unpadded = absorb_padding(r, input, a); unpadded != kNone)
    input = unpadded;
  input = transpose(r, input, layout_order(a.input_batch, a.input_spatial, {a.input_feature}));
  Dimensions kernel_order = a.kernel_spatial;
  kernel_order.push_back(a.kernel_input_feature);
  kernel_order.push_back(a.kernel_output_feature);
  kernel = transpose(r, kernel, kernel_order);
  Dimensions reversed;
  for (int64_t i = 0; i < spatial; ++i) {
    if (a.window.dimensions[i].window_reversal) reversed.push_back(i);
    a.window.dimensions[i].window_reversal = false;
  }
  kernel = reverse(r, kernel, reversed);
  if (a.batch_group_count > 1) {
    input = batch_groups_as_features(r, input, a.batch_group_count);
    a.feature_group_count = a.batch_group_count;
    a.batch_group_count = 1;
  }
  const Dimensions result_order =
      layout_order(a.output_batch, a.output_spatial, {a.output_feature});
  set_canonical_numbers(a, spatial);
  const Shape shape = Shape::array(convolution.shape.element_type,
                                   permuted(convolution.shape.dimensions, result_order));
  InstructionId result = convolution_without_dilation(r, shape, input, kernel, a);
  if (result == kNone) {
    // Operands move where the attributes change.
    if (a == given) return kNone;
    result = r.add(hlo::make(Opcode::kConvolution, shape, {input, kernel}, std::move(a)));
  }
  return transpose(r, result, inverse_permutation(result_order));
}

}  // namespace hlocc::transforms
