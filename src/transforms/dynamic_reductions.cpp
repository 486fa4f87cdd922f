// Run-time sizes in ops that combine elements or look for them: what is not meant is masked by what
// changes nothing. Part of resolve_dynamic_shapes.
#include "transforms/dynamic_reductions.h"

#include <algorithm>

#include "ops/reducer.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// The sizes of the computation being built, and masks over several dimensions at once.
struct Bounded {
  Rewriter& r;
  SizeMap& sizes;

  bool has(InstructionId id) const { return sizes.is_dynamic(id); }
  Sizes of(InstructionId id) const { return sizes.all(id); }
  InstructionId with(InstructionId id, const Sizes& own) { return sizes.note(id, own); }
  // a + b, and the smaller of two sizes, either of which may be the bound.
  InstructionId add(InstructionId a, int64_t b) { return b == 0 ? a : sizes.add(a, sizes.s32(b)); }
  InstructionId smaller(InstructionId a, InstructionId b) {
    if (a == kNone || a == b) return b;
    return b == kNone ? a : sizes.smaller(a, b);
  }
  Sizes smaller(const Sizes& a, const Sizes& b) {
    Sizes least;
    for (size_t d = 0; d < a.size(); ++d) least.push_back(smaller(a[d], b[d]));
    return least;
  }

  // pred[dimensions]: which elements are meant, looking at the given dimensions only; kNone if all
  // are.
  InstructionId valid(Dimensions dimensions, const Sizes& own, const Dimensions& only) {
    InstructionId all = kNone;
    for (int64_t d : only) {
      if (own[d] == kNone) continue;
      const InstructionId here = compare(r, iota(r, kS32, dimensions, d),
                                         broadcast(r, own[d], dimensions), hlo::Direction::kLt);
      all = all == kNone ? here : binary(r, Opcode::kAnd, all, here);
    }
    return all;
  }
  // x with a scalar (or zeros) in place of what is not meant.
  InstructionId masked(InstructionId x, const Sizes& own, InstructionId scalar,
                       const Dimensions& only) {
    const Dimensions dimensions = r.shape(x).dimensions;
    const InstructionId mask = valid(dimensions, own, only);
    return mask == kNone ? x : select(r, mask, x, broadcast(r, scalar, dimensions));
  }
  InstructionId masked_with_zeros(InstructionId x, const Sizes& own, const Dimensions& only) {
    return masked(x, own, constant(r, Literal::zeros(Shape::scalar(r.type(x)))), only);
  }
};

Shape without_dynamic(Shape shape) {
  shape.dynamic.clear();
  for (Shape& part : shape.tuple) part = without_dynamic(std::move(part));
  return shape;
}

// The instruction on arrays of the bounds, as if nothing were dynamic.
InstructionId on_bounds(Bounded& s, Instruction instruction) {
  instruction.shape = without_dynamic(std::move(instruction.shape));
  return s.r.add(std::move(instruction));
}

bool any(const Sizes& sizes, const Dimensions& dimensions) {
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [&](int64_t d) { return sizes[d] != kNone; });
}

Sizes common_sizes(Bounded& s, const Instruction& i, size_t count) {
  Sizes sizes = s.of(i.operands[0]);
  for (size_t k = 1; k < count; ++k) sizes = s.smaller(sizes, s.of(i.operands[k]));
  return sizes;
}

// Sizes that hold for every array of a tuple are told to each of its elements.
InstructionId with_sizes(Bounded& s, InstructionId id, const Sizes& sizes) {
  if (!s.r.shape(id).is_tuple()) return s.with(id, sizes);
  std::vector<InstructionId> elements;
  for (size_t k = 0; k < s.r.shape(id).tuple.size(); ++k)
    elements.push_back(s.with(element(s.r, id, static_cast<int64_t>(k)), sizes));
  return tuple(s.r, std::move(elements));
}

// The first `count` elements of a tuple that has one more, as the op's own result would be.
InstructionId without_last(Bounded& s, InstructionId id, size_t count, bool is_tuple,
                           const Sizes& sizes) {
  std::vector<InstructionId> elements;
  for (size_t k = 0; k < count; ++k)
    elements.push_back(s.with(element(s.r, id, static_cast<int64_t>(k)), sizes));
  return is_tuple ? tuple(s.r, std::move(elements)) : elements[0];
}

Shape with_pred(const Shape& shape) {
  const Shape plain = without_dynamic(shape);
  std::vector<Shape> elements = plain.is_tuple() ? plain.tuple : std::vector{plain};
  elements.push_back(Shape::array(kPred, elements[0].dimensions));
  return Shape::make_tuple(std::move(elements));
}

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
  if (!any(own, dimensions)) return with_sizes(s, on_bounds(s, i), sizes);
  const size_t count = i.operands.size() / 2;
  Instruction masked = i;
  const std::optional<Opcode> plain =
      count == 1 ? ops::plain_reducer(s.r.module().computations[i.called[0]]) : std::nullopt;
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
  if (any(kernel, conv.kernel_spatial)) return kNone;
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

// --- sort: what is not meant comes last ---

ComputationId masked_comparator(Module& module, ComputationId comparator,
                                const std::vector<PrimitiveType>& types) {
  std::vector<Shape> shapes;
  for (PrimitiveType type : types) shapes.insert(shapes.end(), 2, Shape::scalar(type));
  shapes.insert(shapes.end(), 2, Shape::scalar(kPred));
  return new_computation(
      module, "masked_comparator", shapes, [&](Rewriter& r, const std::vector<InstructionId>& p) {
        const InstructionId left = p[p.size() - 2], right = p[p.size() - 1];
        const InstructionId before = r.inline_computation(comparator, {p.begin(), p.end() - 2});
        return binary(r, Opcode::kAnd, left,
                      binary(r, Opcode::kOr, unary(r, Opcode::kNot, right), before));
      });
}

InstructionId dynamic_sort(Bounded& s, const Instruction& i) {
  const size_t count = i.operands.size();
  const Dimensions sorted{i.get<hlo::SortAttributes>().dimension};
  const Sizes sizes = common_sizes(s, i, count);
  if (!any(sizes, sorted)) return with_sizes(s, on_bounds(s, i), sizes);
  Instruction masked = i;
  std::vector<PrimitiveType> types;
  for (InstructionId operand : i.operands) types.push_back(s.r.type(operand));
  masked.called = {masked_comparator(s.r.module(), i.called[0], types)};
  masked.operands.push_back(s.valid(s.r.shape(i.operands[0]).dimensions, sizes, sorted));
  masked.shape = with_pred(i.shape);
  return without_last(s, s.r.add(std::move(masked)), count, i.shape.is_tuple(), sizes);
}

// --- gather and scatter: the grid of indices may be dynamic ---

// Sizes of the dimensions of the indices but the one that holds index vectors.
Sizes grid_of(const Sizes& indices, int64_t index_vector_dim) {
  Sizes grid;
  for (size_t d = 0; d < indices.size(); ++d)
    if (static_cast<int64_t>(d) != index_vector_dim) grid.push_back(indices[d]);
  return grid;
}

InstructionId dynamic_gather(Bounded& s, const Instruction& i) {
  const auto& numbers = i.get<hlo::GatherAttributes>();
  const Sizes operand = s.of(i.operands[0]),
              grid = grid_of(s.of(i.operands[1]), numbers.index_vector_dim);
  const Dimensions bounds = s.r.shape(i.operands[0]).dimensions;
  Sizes window, to;
  for (int64_t d = 0; d < static_cast<int64_t>(operand.size()); ++d) {
    // Starts are clamped to the bound, so a dimension that is indexed must be as large as its
    // bound.
    if (operand[d] != kNone && numbers.slice_sizes[d] != bounds[d]) return kNone;
    if (!contains(numbers.collapsed_slice_dims, d) && !contains(numbers.operand_batching_dims, d))
      window.push_back(operand[d]);
  }
  size_t next_window = 0, next_grid = 0;
  for (int64_t d = 0; d < i.shape.rank(); ++d)
    to.push_back(contains(numbers.offset_dims, d) ? window[next_window++] : grid[next_grid++]);
  return s.with(on_bounds(s, i), to);
}

// Indices that are not meant point outside, where updates are left out.
InstructionId dynamic_scatter(Bounded& s, const Instruction& i) {
  const size_t count = (i.operands.size() - 1) / 2;
  const auto& numbers = i.get<hlo::ScatterAttributes>();
  InstructionId indices = i.operands[count];
  Sizes own = s.of(indices), grid = grid_of(own, numbers.index_vector_dim);
  for (size_t k = 0; k < count; ++k) {
    const Sizes updates = s.of(i.operands[count + 1 + k]);
    if (s.has(i.operands[k]) || any(updates, numbers.update_window_dims)) return kNone;
    size_t next = 0;
    for (int64_t d = 0; d < static_cast<int64_t>(updates.size()); ++d)
      if (!contains(numbers.update_window_dims, d))
        grid[next] = s.smaller(grid[next], updates[d]), ++next;
  }
  size_t next = 0;
  for (size_t d = 0; d < own.size(); ++d) {
    if (static_cast<int64_t>(d) != numbers.index_vector_dim)
      own[d] = grid[next++];
    else if (own[d] != kNone)
      return kNone;
  }
  Instruction masked = i;
  const bool is_wide = s.r.type(indices) == kU32 || hlo::type_bits(s.r.type(indices)) == 64;
  indices = convert(s.r, indices, is_wide ? kS64 : kS32);
  masked.operands[count] = s.masked(indices, own, constant(s.r, number(s.r.type(indices), -1)),
                                    counting(static_cast<int64_t>(own.size())));
  return on_bounds(s, masked);
}

// --- slices at run-time positions are clamped to what is meant ---

void clamp_starts(Bounded& s, Instruction& i, size_t first, const Dimensions& lengths) {
  const Sizes own = s.of(i.operands[0]);
  for (size_t d = 0; d < own.size(); ++d) {
    if (own[d] == kNone) continue;
    InstructionId& start = i.operands[first + d];
    const InstructionId room = s.sizes.larger(s.add(own[d], -lengths[d]), s.sizes.s32(0));
    start = binary(s.r, Opcode::kMinimum, start, convert(s.r, room, s.r.type(start)));
  }
}

InstructionId dynamic_slice(Bounded& s, const Instruction& i) {
  const Dimensions lengths = i.get<hlo::DynamicSliceAttributes>().sizes;
  if (i.operands.size() != 1 + lengths.size()) return kNone;
  Instruction clamped = i;
  clamp_starts(s, clamped, 1, lengths);
  Sizes to = s.of(i.operands[0]);
  // A whole dimension keeps its size, a part of it is what was asked for.
  for (size_t d = 0; d < to.size(); ++d)
    if (lengths[d] != s.r.shape(i.operands[0]).dimensions[d]) to[d] = kNone;
  return s.with(on_bounds(s, clamped), to);
}

InstructionId dynamic_update_slice(Bounded& s, const Instruction& i) {
  const Dimensions lengths = s.r.shape(i.operands[1]).dimensions;
  if (s.has(i.operands[1]) || i.operands.size() != 2 + lengths.size()) return kNone;
  Instruction clamped = i;
  clamp_starts(s, clamped, 2, lengths);
  return s.with(on_bounds(s, clamped), s.of(i.operands[0]));
}

struct Row {
  Opcode opcode;
  InstructionId (*rule)(Bounded&, const Instruction&);
};
constexpr Row rows[] = {
    {Opcode::kReduce, dynamic_reduce},
    {Opcode::kReduceWindow, dynamic_reduce_window},
    {Opcode::kDot, dynamic_dot},
    {Opcode::kConvolution, dynamic_convolution},
    {Opcode::kSort, dynamic_sort},
    {Opcode::kGather, dynamic_gather},
    {Opcode::kScatter, dynamic_scatter},
    {Opcode::kDynamicSlice, dynamic_slice},
    {Opcode::kDynamicUpdateSlice, dynamic_update_slice},
};

}  // namespace

InstructionId resolve_reduction(Rewriter& r, SizeMap& sizes, const Instruction& instruction) {
  Bounded bounded{r, sizes};
  for (const Row& row : rows)
    if (row.opcode == instruction.opcode) return row.rule(bounded, instruction);
  return kNone;
}

}  // namespace hlocc::transforms
