// Parts of arrays: slice, pad, concatenate, dynamic-slice and -update-slice, simple reductions.
#include <algorithm>

#include "ops/reducer.h"
#include "transforms/build.h"
#include "transforms/simplify/simplify_rules.h"

namespace hlocc::transforms {
namespace {

// --- slice ---

InstructionId slice_simpler(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  if (hlo::same_dimensions(r.shape(x), i.shape)) return x;
  if (r[x].opcode != Opcode::kSlice) return kNone;
  const auto& inner = r[x].get<hlo::SliceAttributes>();
  hlo::SliceAttributes both = i.get<hlo::SliceAttributes>();
  for (size_t d = 0; d < both.starts.size(); ++d) {
    both.starts[d] = inner.starts[d] + both.starts[d] * inner.strides[d];
    both.strides[d] *= inner.strides[d];
    both.limits[d] = i.shape.dimensions[d] == 0
                         ? both.starts[d]
                         : both.starts[d] + (i.shape.dimensions[d] - 1) * both.strides[d] + 1;
  }
  return r.add(Opcode::kSlice, {r[x].operands[0]}, std::move(both));
}

// Along dimensions that the broadcast made there is nothing to slice.
InstructionId slice_of_broadcast(Rewriter& r, const Instruction& i) {
  const Instruction inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kBroadcast) return kNone;
  const Dimensions mapping = inner.get<hlo::DimensionsAttributes>().dimensions;
  const auto& outer = i.get<hlo::SliceAttributes>();
  InstructionId x = inner.operands[0];
  if (!mapping.empty())
    x = r.add(Opcode::kSlice, {x},
              hlo::SliceAttributes{permuted(outer.starts, mapping), permuted(outer.limits, mapping),
                                   permuted(outer.strides, mapping)});
  return broadcast(r, x, i.shape.dimensions, mapping);
}

InstructionId slice_of_concatenate(Rewriter& r, const Instruction& i) {
  const Instruction inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kConcatenate) return kNone;
  const int64_t dimension = inner.get<hlo::DimensionsAttributes>().dimensions[0];
  hlo::SliceAttributes part = i.get<hlo::SliceAttributes>();
  int64_t start = 0;
  for (InstructionId operand : inner.operands) {
    const int64_t limit = start + r.shape(operand).dimensions[dimension];
    if (part.starts[dimension] >= start && part.limits[dimension] <= limit) {
      part.starts[dimension] -= start;
      part.limits[dimension] -= start;
      return r.add(Opcode::kSlice, {operand}, std::move(part));
    }
    start = limit;
  }
  return kNone;
}

// --- pad ---

InstructionId pad_simpler(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0], value = i.operands[1];
  const auto& dimensions = i.get<hlo::PadAttributes>().dimensions;
  const auto all = [&](auto holds) {
    return std::all_of(dimensions.begin(), dimensions.end(), holds);
  };
  if (all([](const auto& d) { return d == hlo::PaddingDimension{}; })) return x;
  if (r.shape(x).element_count() == 0) return broadcast(r, value, i.shape.dimensions);
  const std::optional<Literal> filled = splat_value(r, x), with = splat_value(r, value);
  if (filled && with && *filled == *with) return broadcast(r, value, i.shape.dimensions);
  if (!all([](const auto& d) { return d.low <= 0 && d.high <= 0 && d.interior == 0; }))
    return kNone;
  // Only cropping.
  Dimensions starts, limits;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    starts.push_back(-dimensions[d].low);
    limits.push_back(r.shape(x).dimensions[d] + dimensions[d].high);
  }
  return slice(r, x, starts, limits);
}

InstructionId pad_of_pad(Rewriter& r, const Instruction& i) {
  const Instruction inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kPad || inner.operands[1] != i.operands[1]) return kNone;
  std::vector<hlo::PaddingDimension> both = inner.get<hlo::PadAttributes>().dimensions;
  for (size_t d = 0; d < both.size(); ++d) {
    const hlo::PaddingDimension& outer = i.get<hlo::PadAttributes>().dimensions[d];
    // A crop and a fill don't add up, nor do gaps between what was filled.
    if (outer.interior != 0 || both[d].low < 0 || both[d].high < 0) return kNone;
    both[d].low += outer.low;
    both[d].high += outer.high;
    if (both[d].low < 0 || both[d].high < 0) return kNone;
  }
  return pad(r, inner.operands[0], inner.operands[1], std::move(both));
}

// --- concatenate ---

InstructionId concatenate_simpler(Rewriter& r, const Instruction& i) {
  const int64_t dimension = i.get<hlo::DimensionsAttributes>().dimensions[0];
  std::vector<InstructionId> parts;
  for (InstructionId operand : i.operands) {
    const Instruction& part = r[operand];
    if (part.shape.dimensions[dimension] == 0) continue;
    if (part.opcode == Opcode::kConcatenate &&
        part.get<hlo::DimensionsAttributes>().dimensions[0] == dimension)
      parts.insert(parts.end(), part.operands.begin(), part.operands.end());
    else
      parts.push_back(operand);
  }
  if (parts != i.operands) return concatenate(r, std::move(parts), dimension);
  if (parts.size() == 1) return parts[0];
  // All parts filled with one number.
  const std::optional<Literal> first = splat_value(r, parts[0]);
  for (InstructionId part : parts)
    if (const std::optional<Literal> other = splat_value(r, part); !other || !(*other == *first))
      return kNone;
  return splat(r, *first, i.shape.dimensions);
}

// --- slices at run-time positions ---

// Older programs give the start indices as one vector.
InstructionId scalar_starts(Rewriter& r, const Instruction& i) {
  const size_t first = i.opcode == Opcode::kDynamicSlice ? 1 : 2;
  if (i.operands.size() != first + 1 || r.shape(i.operands[first]).rank() != 1) return kNone;
  Instruction scalars = i;
  const InstructionId starts = scalars.operands.back();
  scalars.operands.pop_back();
  for (int64_t d = 0; d < r.shape(i.operands[0]).rank(); ++d)
    scalars.operands.push_back(reshape(r, slice(r, starts, 0, d, d + 1), {}));
  return r.add(std::move(scalars));
}

InstructionId dynamic_slice_known(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  const Dimensions from = r.shape(x).dimensions;
  if (from == i.shape.dimensions) return x;
  Dimensions starts, limits;
  for (size_t d = 0; d < from.size(); ++d) {
    const int64_t room = from[d] - i.shape.dimensions[d];
    const Literal* start = constant_value(r, i.operands[1 + d]);
    if (room != 0 && start == nullptr) return kNone;
    const bool huge =
        start != nullptr && start->type() == PrimitiveType::kU64 && integer_at(*start, 0) < 0;
    const int64_t at = room == 0 ? 0
                       : huge    ? room
                                 : std::clamp<int64_t>(integer_at(*start, 0), 0, room);
    starts.push_back(at);
    limits.push_back(at + i.shape.dimensions[d]);
  }
  return slice(r, x, starts, limits);
}

// The update covers everything, or nothing.
InstructionId whole_update(Rewriter& r, const Instruction& i) {
  if (hlo::same_dimensions(r.shape(i.operands[1]), i.shape)) return i.operands[1];
  return r.shape(i.operands[1]).element_count() == 0 ? i.operands[0] : kNone;
}

// --- reduce ---

// A reduction over dimensions of size 1 from the identity; only where even the sign of a zero
// survives, so not a float sum.
InstructionId reduce_of_one(Rewriter& r, const Instruction& i) {
  for (int64_t dimension : i.get<hlo::DimensionsAttributes>().dimensions)
    if (r.shape(i.operands[0]).dimensions[dimension] != 1) return kNone;
  const std::optional<Opcode> reducer = ops::plain_reducer(r.module().computations[i.called[0]]);
  const Literal* start = constant_value(r, i.operands[1]);
  if (!reducer || start == nullptr || !ops::is_identity(*reducer, *start)) return kNone;
  const PrimitiveType type = i.shape.element_type;
  if (is_complex(type) || (is_float(type) && *reducer == Opcode::kAdd)) return kNone;
  return reshape(r, i.operands[0], i.shape.dimensions);
}

constexpr SimplifyRule slicing_rule_rows[] = {
    {Opcode::kSlice, slice_simpler},
    {Opcode::kSlice, slice_of_broadcast},
    {Opcode::kSlice, slice_of_concatenate},
    {Opcode::kPad, pad_simpler},
    {Opcode::kPad, pad_of_pad},
    {Opcode::kConcatenate, concatenate_simpler},
    {Opcode::kDynamicSlice, scalar_starts},
    {Opcode::kDynamicSlice, dynamic_slice_known},
    {Opcode::kDynamicUpdateSlice, scalar_starts},
    {Opcode::kDynamicUpdateSlice, whole_update},
    {Opcode::kReduce, reduce_of_one},
};

}  // namespace

std::span<const SimplifyRule> slicing_rules() { return slicing_rule_rows; }

}  // namespace hlocc::transforms
