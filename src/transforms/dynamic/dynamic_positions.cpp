// Run-time sizes in ops that bring elements to places: what is not meant is sorted to the end or
// sent outside, and positions stay within what is meant. Part of resolve_dynamic_shapes.
#include "transforms/dynamic/dynamic_positions.h"

#include "transforms/build.h"
#include "transforms/dynamic/dynamic_masks.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

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
  if (!any_dynamic(sizes, sorted)) return with_sizes(s, on_bounds(s, i), sizes);
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
    if (s.has(i.operands[k]) || any_dynamic(updates, numbers.update_window_dims)) return kNone;
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
  const bool is_wide = s.r.type(indices) == kU32 || hlo::type_bits(s.r.type(indices)) > 32;
  indices = convert(s.r, indices, is_wide ? kS64 : kS32);
  masked.operands[count] = s.masked(indices, own, constant(s.r, number(s.r.type(indices), -1)),
                                    counting(static_cast<int64_t>(own.size())));
  return on_bounds(s, masked);
}

// --- slices at run-time positions are clamped to what is meant ---

// A list of places is taken apart.
void take_starts_apart(Bounded& s, Instruction& i, size_t first) {
  const InstructionId list = i.operands[first];
  if (s.r.shape(list).rank() == 0) return;
  i.operands.resize(first);
  for (int64_t d = 0; d < s.r.shape(list).dimensions[0]; ++d)
    i.operands.push_back(reshape(s.r, slice(s.r, list, 0, d, d + 1), {}));
}

void clamp_starts(Bounded& s, Instruction& i, size_t first, const Dimensions& lengths) {
  take_starts_apart(s, i, first);
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
  if (s.has(i.operands[1])) return kNone;
  Instruction clamped = i;
  clamp_starts(s, clamped, 2, lengths);
  return s.with(on_bounds(s, clamped), s.of(i.operands[0]));
}

constexpr DynamicRule position_rules[] = {
    {Opcode::kSort, dynamic_sort},
    {Opcode::kGather, dynamic_gather},
    {Opcode::kScatter, dynamic_scatter},
    {Opcode::kDynamicSlice, dynamic_slice},
    {Opcode::kDynamicUpdateSlice, dynamic_update_slice},
};

}  // namespace

InstructionId resolve_positions(Rewriter& r, SizeMap& sizes, const Instruction& instruction) {
  return apply_rules(position_rules, r, sizes, instruction);
}

}  // namespace hlocc::transforms
