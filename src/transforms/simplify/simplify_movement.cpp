// Views of views: broadcast, reshape, transpose, reverse, copies. The canonical forms are: a
// broadcast has an operand without dimensions of size 1 and an ascending mapping; what only moves
// dimensions of size 1 is a reshape.
#include <algorithm>

#include "hlo/small_float.h"
#include "transforms/build.h"
#include "transforms/simplify/simplify_rules.h"

namespace hlocc::transforms {
namespace {

const Dimensions& mapping_of(const Instruction& instruction) {
  return instruction.get<hlo::DimensionsAttributes>().dimensions;
}

// Positions of the dimensions that are not 1.
Dimensions positions_of_others(const Dimensions& dimensions) {
  Dimensions positions;
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] > 1) positions.push_back(static_cast<int64_t>(i));
  return positions;
}

InstructionId copy(Rewriter&, const Instruction& i) { return i.operands[0]; }

// --- broadcast ---

InstructionId broadcast_canonical(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  const Dimensions mapping = mapping_of(i);
  const Dimensions sizes = r.shape(x).dimensions;
  if (sizes == i.shape.dimensions && is_counting(mapping)) return x;
  if (const Dimensions others = positions_of_others(sizes); others.size() != sizes.size())
    return broadcast(r, reshape(r, x, without_ones(sizes)), i.shape.dimensions,
                     permuted(mapping, others));
  if (std::is_sorted(mapping.begin(), mapping.end())) return kNone;
  Dimensions order = counting(static_cast<int64_t>(mapping.size()));
  std::ranges::sort(order, {}, [&](int64_t d) { return mapping[d]; });
  return broadcast(r, transpose(r, x, order), i.shape.dimensions, permuted(mapping, order));
}

InstructionId broadcast_of_broadcast(Rewriter& r, const Instruction& i) {
  const Instruction& inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kBroadcast) return kNone;
  return broadcast(r, inner.operands[0], i.shape.dimensions,
                   permuted(mapping_of(i), mapping_of(inner)));
}

// --- reshape ---

InstructionId reshape_simpler(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  if (r.shape(x).dimensions == i.shape.dimensions) return x;
  if (r[x].opcode == Opcode::kReshape) return reshape(r, r[x].operands[0], i.shape.dimensions);
  return kNone;
}

// A reshape that only inserts or removes ones moves the mapping of a broadcast; one of a broadcast
// scalar, its sizes.
InstructionId reshape_of_broadcast(Rewriter& r, const Instruction& i) {
  const Instruction& inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kBroadcast) return kNone;
  const InstructionId x = inner.operands[0];
  if (r.shape(x).dimensions.empty()) return broadcast(r, x, i.shape.dimensions);
  if (without_ones(inner.shape.dimensions) != without_ones(i.shape.dimensions)) return kNone;
  const Dimensions from = positions_of_others(inner.shape.dimensions),
                   to = positions_of_others(i.shape.dimensions);
  Dimensions mapping;
  for (int64_t dimension : mapping_of(inner)) {
    const auto at = std::find(from.begin(), from.end(), dimension);
    if (at == from.end()) return kNone;
    mapping.push_back(to[at - from.begin()]);
  }
  return broadcast(r, x, i.shape.dimensions, mapping);
}

// --- transpose ---

InstructionId transpose_simpler(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  const Dimensions permutation = mapping_of(i);
  if (is_counting(permutation)) return x;
  // Only dimensions of size 1 change places.
  Dimensions others;
  for (int64_t dimension : permutation)
    if (r.shape(x).dimensions[dimension] > 1) others.push_back(dimension);
  if (std::is_sorted(others.begin(), others.end())) return reshape(r, x, i.shape.dimensions);
  if (r[x].opcode == Opcode::kTranspose)
    return transpose(r, r[x].operands[0], permuted(mapping_of(r[x]), permutation));
  return kNone;
}

// Transposing the smaller operand of the broadcast is cheaper, and often nothing.
InstructionId transpose_of_broadcast(Rewriter& r, const Instruction& i) {
  const Instruction& inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kBroadcast) return kNone;
  const Dimensions place = inverse_permutation(mapping_of(i));
  return broadcast(r, inner.operands[0], i.shape.dimensions, permuted(place, mapping_of(inner)));
}

// transpose(reshape(x)) where the reshape only inserts or removes ones is reshape(transpose(x)): so
// transposes meet.
InstructionId transpose_of_squeeze(Rewriter& r, const Instruction& i) {
  const Instruction& inner = r[i.operands[0]];
  if (inner.opcode != Opcode::kReshape) return kNone;
  const InstructionId x = inner.operands[0];
  if (r[x].opcode != Opcode::kTranspose) return kNone;
  const Dimensions from = positions_of_others(r.shape(x).dimensions),
                   to = positions_of_others(inner.shape.dimensions);
  if (permuted(r.shape(x).dimensions, from) != permuted(inner.shape.dimensions, to)) return kNone;
  // The dimensions of x in the order that the outer transpose gives them, ones last.
  Dimensions order;
  for (int64_t dimension : mapping_of(i)) {
    const auto at = std::find(to.begin(), to.end(), dimension);
    if (at != to.end()) order.push_back(from[at - to.begin()]);
  }
  for (int64_t dimension = 0; dimension < r.shape(x).rank(); ++dimension)
    if (!contains(order, dimension)) order.push_back(dimension);
  return reshape(r, transpose(r, x, order), i.shape.dimensions);
}

// --- reverse ---

InstructionId reverse_simpler(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  Dimensions kept;
  for (int64_t dimension : mapping_of(i)) {
    const bool constant_along =
        r[x].opcode == Opcode::kBroadcast && !contains(mapping_of(r[x]), dimension);
    if (r.shape(x).dimensions[dimension] > 1 && !constant_along) kept.push_back(dimension);
  }
  if (kept.size() != mapping_of(i).size()) return reverse(r, x, kept);
  if (r[x].opcode != Opcode::kReverse) return kNone;
  // What is reversed twice is not reversed.
  Dimensions once;
  for (int64_t dimension = 0; dimension < i.shape.rank(); ++dimension)
    if (contains(kept, dimension) != contains(mapping_of(r[x]), dimension))
      once.push_back(dimension);
  return reverse(r, r[x].operands[0], once);
}

InstructionId iota_of_one(Rewriter& r, const Instruction& i) {
  if (i.shape.dimensions[i.get<hlo::IotaAttributes>().dimension] > 1) return kNone;
  // The number 0 is no zeros in a format that has none: NaN.
  const hlo::FloatFormat* format = hlo::small_float_format(i.shape.element_type);
  if (format != nullptr && !format->has_zero) return kNone;
  return zeros(r, i.shape.element_type, i.shape.dimensions);
}

// Equal elements are one number and a broadcast: nothing to store, nothing to load.
InstructionId constant_of_equals(Rewriter& r, const Instruction& i) {
  const Literal& value = i.get<hlo::ConstantAttributes>().value;
  if (value.element_count() < 2) return kNone;
  const std::optional<Literal> scalar = equal_elements(value);
  return scalar ? splat(r, *scalar, i.shape.dimensions) : kNone;
}

constexpr SimplifyRule movement_rule_rows[] = {
    {Opcode::kConstant, constant_of_equals},
    {Opcode::kCopy, copy},
    {Opcode::kBroadcast, broadcast_canonical},
    {Opcode::kBroadcast, broadcast_of_broadcast},
    {Opcode::kReshape, reshape_simpler},
    {Opcode::kReshape, reshape_of_broadcast},
    {Opcode::kTranspose, transpose_simpler},
    {Opcode::kTranspose, transpose_of_broadcast},
    {Opcode::kTranspose, transpose_of_squeeze},
    {Opcode::kReverse, reverse_simpler},
    {Opcode::kIota, iota_of_one},
};

}  // namespace

std::span<const SimplifyRule> movement_rules() { return movement_rule_rows; }

}  // namespace hlocc::transforms
