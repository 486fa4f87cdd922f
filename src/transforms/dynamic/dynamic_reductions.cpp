// Run-time sizes in ops that combine elements: what is not meant is masked by what changes nothing.
// Part of resolve_dynamic_shapes.
#include "transforms/dynamic/dynamic_reductions.h"

#include "ops/reducer.h"
#include "transforms/build.h"
#include "transforms/dynamic/dynamic_masks.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// --- reduce ---

// Any reducer, told by one more operand which elements are meant: (f(a, e), true) if both are, else
// the one that is.
ComputationId masked_reducer(Module& module, ComputationId reducer,
                             const std::vector<PrimitiveType>& types) {
  std::vector<Shape> shapes;
  for (int side = 0; side < 2; ++side) {
    for (PrimitiveType type : types) shapes.push_back(Shape::scalar(type));
    shapes.push_back(Shape::scalar(kPred));
  }
  return new_computation(
      module, "masked_reducer", shapes, [&](Rewriter& r, const std::vector<InstructionId>& p) {
        const size_t n = types.size();
        std::vector<InstructionId> arguments(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(n));
        arguments.insert(arguments.end(), p.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                         p.end() - 1);
        const InstructionId combined = r.inline_computation(reducer, arguments), left = p[n],
                            right = p[2 * n + 1];
        const InstructionId both = binary(r, Opcode::kAnd, left, right);
        std::vector<InstructionId> results;
        for (size_t k = 0; k < n; ++k) {
          const InstructionId value = r.shape(combined).is_tuple()
                                          ? element(r, combined, static_cast<int64_t>(k))
                                          : combined;
          results.push_back(select(r, both, value, select(r, left, p[k], p[n + 1 + k])));
        }
        results.push_back(binary(r, Opcode::kOr, left, right));
        return tuple(r, std::move(results));
      });
}

// A reduction that leaves out what is not meant along `dimensions`; its result has `sizes`. Plain
// reducers see their identity there.
InstructionId masked_reduction(Bounded& s, const Instruction& i, const Sizes& own,
                               const Dimensions& dimensions, const Sizes& sizes) {
  if (!any_dynamic(own, dimensions)) return with_sizes(s, on_bounds(s, i), sizes);
  const size_t count = i.operands.size() / 2;
  Instruction masked = i;
  const std::optional<Opcode> plain = ops::plain_reducer(s.r.module().computations[i.called[0]]);
  if (plain) {
    if (const std::optional<Literal> identity = ops::identity_of(*plain, s.r.type(i.operands[0]))) {
      masked.operands[0] = s.masked(i.operands[0], own, constant(s.r, *identity), dimensions);
      return with_sizes(s, on_bounds(s, masked), sizes);
    }
  }
  std::vector<PrimitiveType> types;
  for (size_t k = 0; k < count; ++k) types.push_back(s.r.type(i.operands[k]));
  masked.called = {masked_reducer(s.r.module(), i.called[0], types)};
  const InstructionId mask = s.valid(s.r.shape(i.operands[0]).dimensions, own, dimensions);
  masked.operands.insert(masked.operands.begin() + static_cast<std::ptrdiff_t>(count), mask);
  masked.operands.push_back(constant(s.r, Literal::scalar<uint8_t>(kPred, 1)));
  masked.shape = with_pred(i.shape);
  return without_last(s, s.r.add(std::move(masked)), count, i.shape.is_tuple(), sizes);
}

InstructionId dynamic_reduce(Bounded& s, const Instruction& i) {
  const Dimensions reduced = i.get<hlo::DimensionsAttributes>().dimensions;
  const Sizes own = common_sizes(s, i, i.operands.size() / 2);
  Sizes left;
  for (size_t d = 0; d < own.size(); ++d)
    if (!contains(reduced, static_cast<int64_t>(d))) left.push_back(own[d]);
  return masked_reduction(s, i, own, reduced, left);
}

// --- windows ---

InstructionId window_size(Bounded& s, InstructionId n, const hlo::WindowDimension& w) {
  if (w == hlo::WindowDimension{} || n == kNone) return n;
  const auto at_least_none = [&](InstructionId x) { return s.sizes.larger(x, s.sizes.s32(0)); };
  if (w.base_dilation > 1)
    n = at_least_none(s.add(s.sizes.multiply(s.add(n, -1), s.sizes.s32(w.base_dilation)), 1));
  const int64_t window = (w.size - 1) * w.window_dilation + 1;
  // floor((padded - window) / stride) + 1, and none if the window does not fit.
  const InstructionId room =
      at_least_none(s.add(n, w.padding_low + w.padding_high - window + w.stride));
  return w.stride == 1 ? room : s.sizes.divide(room, s.sizes.s32(w.stride));
}

// Beyond the end lies padding, which no window sees.
InstructionId dynamic_reduce_window(Bounded& s, const Instruction& i) {
  const auto& window = i.get<hlo::WindowAttributes>().window.dimensions;
  const Sizes own = common_sizes(s, i, i.operands.size() / 2);
  Sizes to;
  Dimensions wide;
  for (size_t d = 0; d < own.size(); ++d) {
    to.push_back(window_size(s, own[d], window[d]));
    if (!(window[d] == hlo::WindowDimension{})) wide.push_back(static_cast<int64_t>(d));
  }
  return masked_reduction(s, i, own, wide, to);
}

// --- contractions: zeros add nothing; both sides are masked, as infinity times zero is not zero
// ---

InstructionId dynamic_dot(Bounded& s, const Instruction& i) {
  const auto& numbers = i.get<hlo::DotAttributes>();
  Sizes lhs = s.of(i.operands[0]), rhs = s.of(i.operands[1]), to;
  for (size_t k = 0; k < numbers.lhs_contracting.size(); ++k) {
    InstructionId &a = lhs[numbers.lhs_contracting[k]], &b = rhs[numbers.rhs_contracting[k]];
    a = b = s.smaller(a, b);
  }
  for (size_t k = 0; k < numbers.lhs_batch.size(); ++k)
    to.push_back(s.smaller(lhs[numbers.lhs_batch[k]], rhs[numbers.rhs_batch[k]]));
  const auto add_free = [&](const Sizes& sizes, const Dimensions& batch,
                            const Dimensions& contracting) {
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
      if (!contains(batch, d) && !contains(contracting, d)) to.push_back(sizes[d]);
  };
  add_free(lhs, numbers.lhs_batch, numbers.lhs_contracting);
  add_free(rhs, numbers.rhs_batch, numbers.rhs_contracting);
  Instruction masked = i;
  masked.operands[0] = s.masked_with_zeros(i.operands[0], lhs, numbers.lhs_contracting);
  masked.operands[1] = s.masked_with_zeros(i.operands[1], rhs, numbers.rhs_contracting);
  return s.with(on_bounds(s, masked), to);
}

InstructionId dynamic_convolution(Bounded& s, const Instruction& i) {
  const auto& conv = i.get<hlo::ConvolutionAttributes>();
  Sizes input = s.of(i.operands[0]), kernel = s.of(i.operands[1]),
        to(i.shape.dimensions.size(), kNone);
  const bool grouped = conv.feature_group_count > 1 || conv.batch_group_count > 1;
  const bool features = input[conv.input_feature] != kNone ||
                        kernel[conv.kernel_input_feature] != kNone ||
                        kernel[conv.kernel_output_feature] != kNone;
  if (grouped && (features || (conv.batch_group_count > 1 && input[conv.input_batch] != kNone)))
    return kNone;
  if (any_dynamic(kernel, conv.kernel_spatial)) return kNone;
  InstructionId &a = input[conv.input_feature], &b = kernel[conv.kernel_input_feature];
  a = b = s.smaller(a, b);
  to[conv.output_batch] = input[conv.input_batch];
  to[conv.output_feature] = kernel[conv.kernel_output_feature];
  Dimensions wide{conv.input_feature};
  const Dimensions narrow{conv.kernel_input_feature};
  for (size_t d = 0; d < conv.input_spatial.size(); ++d) {
    wide.push_back(conv.input_spatial[d]);
    to[conv.output_spatial[d]] =
        window_size(s, input[conv.input_spatial[d]], conv.window.dimensions[d]);
  }
  Instruction masked = i;
  masked.operands[0] = s.masked_with_zeros(i.operands[0], input, wide);
  masked.operands[1] = s.masked_with_zeros(i.operands[1], kernel, narrow);
  return s.with(on_bounds(s, masked), to);
}

constexpr DynamicRule reduction_rules[] = {
    {Opcode::kReduce, dynamic_reduce},
    {Opcode::kReduceWindow, dynamic_reduce_window},
    {Opcode::kDot, dynamic_dot},
    {Opcode::kConvolution, dynamic_convolution},
};

}  // namespace

InstructionId resolve_reduction(Rewriter& r, SizeMap& sizes, const Instruction& instruction) {
  return apply_rules(reduction_rules, r, sizes, instruction);
}

}  // namespace hlocc::transforms
