// dot as [M, K] x [K, N], or [B, M, K] x [B, K, N] with all batch dimensions merged. A variable
// right side that lies as [B, N, K] stays so (rhs_contracting is the last dimension): both sides
// are then read along K. One that a transpose brings there is brought to [B, K, N] instead, which
// costs no more and lets many rows share what they read; so is one that many rows read for the
// depth of the product, on chips with caches. A matrix times a vector is the vector times the
// transposed matrix, so that weights are always on the right.
#include <algorithm>

#include "costs/dot.h"
#include "costs/fusion.h"
#include "costs/reduction_lanes.h"
#include "transforms/build.h"
#include "transforms/canonicalize/contractions.h"

namespace hlocc::transforms {
namespace {

// One operand with its dimensions by role.
struct Side {
  InstructionId value;
  Dimensions batch, free, contracting;

  static Side of(const Rewriter& r, InstructionId value, const Dimensions& batch,
                 const Dimensions& contracting) {
    Side side{value, batch, {}, contracting};
    for (int64_t d = 0; d < r.shape(value).rank(); ++d)
      if (!contains(batch, d) && !contains(contracting, d)) side.free.push_back(d);
    return side;
  }
  int64_t size(const Rewriter& r, const Dimensions& role) const {
    return product(permuted(r.shape(value).dimensions, role));
  }
};

// The operand's batch dimensions, then the others in this order.
Dimensions order_of(const Side& side, const Dimensions& first, const Dimensions& second) {
  return joined(joined(side.batch, first), second);
}

// True if taking the dimensions in that order moves no bytes.
bool is_in_order(const Rewriter& r, const Side& side, const Dimensions& order) {
  Dimensions others;
  for (int64_t d : order)
    if (r.shape(side.value).dimensions[d] > 1) others.push_back(d);
  return std::is_sorted(others.begin(), others.end());
}

// The operand as [batch, rows, columns], batch left out if there is none.
InstructionId matrix(Rewriter& r, const Side& side, const Dimensions& rows,
                     const Dimensions& columns) {
  Dimensions sizes;
  if (!side.batch.empty()) sizes.push_back(side.size(r, side.batch));
  sizes.push_back(side.size(r, rows));
  sizes.push_back(side.size(r, columns));
  return reshape(r, transpose(r, side.value, order_of(side, rows, columns)), sizes);
}

struct Extents {
  int64_t rows, depth, columns;
};

bool wants_rows(const Rewriter& r, InstructionId right, const Extents& size, const Target& target) {
  return r.type(right) == hlo::PrimitiveType::kF32 && !is_constant_view(r, right) &&
         costs::wants_rows(target, size.rows, size.depth, size.columns);
}

bool is_better_moved(const Rewriter& r, InstructionId right, const Extents& size,
                     const Target& target) {
  return costs::is_better_moved(target, size.rows, size.depth,
                                r[right].opcode == Opcode::kTranspose,
                                r.type(right) == hlo::PrimitiveType::kF32);
}

// A left side in f32 whose bytes are not made for this product alone.
bool lies_as_it_is(const Rewriter& r, InstructionId left) {
  return r.type(left) == hlo::PrimitiveType::kF32 && !is_constant_view(r, left) &&
         r[left].opcode != Opcode::kTranspose;
}

// A left side that lies as [K, M] is read as it is.
bool stays_turned(const Rewriter& r, InstructionId left, int64_t rows, int64_t columns,
                  const Target& target) {
  return costs::stays_turned(target, rows, columns) && lies_as_it_is(r, left);
}

bool is_canonical(const Rewriter& r, const Instruction& dot, const Target& target) {
  const auto& numbers = dot.get<hlo::DotAttributes>();
  const int rank = dot.shape.rank();
  const bool batched = rank == 3;
  if (rank != 2 && rank != 3) return false;
  const Dimensions batch = batched ? Dimensions{0} : Dimensions{};
  if (r.shape(dot.operands[0]).rank() != rank || r.shape(dot.operands[1]).rank() != rank ||
      numbers.lhs_batch != batch || numbers.rhs_batch != batch)
    return false;
  const InstructionId right = dot.operands[1];
  const Extents size{dot.shape.dimensions[rank - 2],
                     r.shape(dot.operands[0]).dimensions[numbers.lhs_contracting[0]],
                     dot.shape.dimensions[rank - 1]};
  const bool columns_first = numbers.rhs_contracting == Dimensions{rank - 2};
  if (numbers.lhs_contracting == Dimensions{rank - 2})
    return columns_first && stays_turned(r, dot.operands[0], size.rows, size.columns, target);
  if (columns_first) return !wants_rows(r, right, size, target);
  return !is_constant_view(r, right) && !is_better_moved(r, right, size, target);
}

bool is_donated(const Rewriter& r, InstructionId parameter) {
  if (!r.is_entry()) return false;
  const int64_t number = r[parameter].get<hlo::ParameterAttributes>().number;
  return std::ranges::any_of(r.module().aliases,
                             [&](const hlo::Alias& alias) { return alias.parameter == number; });
}

// A right side in state that few rows read: fusion leaves it where it lies (fuse_groups.cpp) if its
// rows stay whole.
bool is_read_in_place(const Rewriter& r, InstructionId right, const Extents& size,
                      const Target& target) {
  if (!costs::reads_state_in_place(target, size.rows)) return false;
  for (;; right = r[right].operands[0]) {
    switch (r[right].opcode) {
      case Opcode::kTranspose:
      case Opcode::kSlice:
      case Opcode::kDynamicSlice:
      case Opcode::kReshape:
      case Opcode::kScatter:
      case Opcode::kDynamicUpdateSlice: continue;
      case Opcode::kGetTupleElement: return r[r[right].operands[0]].opcode == Opcode::kParameter;
      case Opcode::kParameter: return is_donated(r, right);
      default: return false;
    }
  }
}

// The operand lies the other way round than its role, free dimensions before contracted ones or
// after, wants it.
bool lies_turned(const Rewriter& r, const Side& side, const Dimensions& first,
                 const Dimensions& second) {
  return !is_in_order(r, side, order_of(side, first, second)) &&
         is_in_order(r, side, order_of(side, second, first));
}

bool is_left_turned(const Rewriter& r, const Side& lhs, const Side& rhs, const Target& target) {
  return stays_turned(r, lhs.value, lhs.size(r, lhs.free), rhs.size(r, rhs.free), target) &&
         lies_turned(r, lhs, lhs.free, lhs.contracting);
}

// Both sides lie the other way round, or the right one is known and narrow, so that their product
// the other way round needs no transpose but of the result; and that is the smaller one.
bool is_better_turned(const Rewriter& r, const Side& lhs, const Side& rhs, const Target& target) {
  if (!costs::reads_turned(target) || !lies_as_it_is(r, lhs.value) ||
      !lies_turned(r, lhs, lhs.free, lhs.contracting))
    return false;
  const bool known = is_constant_view(r, rhs.value);
  return (known || lies_turned(r, rhs, rhs.contracting, rhs.free)) &&
         costs::is_better_turned(lhs.size(r, lhs.free), lhs.size(r, lhs.contracting),
                                 rhs.size(r, rhs.free), known);
}

}  // namespace

InstructionId canonical_dot(Rewriter& r, const Instruction& dot, const Target& target) {
  const auto& numbers = dot.get<hlo::DotAttributes>();
  Side lhs = Side::of(r, dot.operands[0], numbers.lhs_batch, numbers.lhs_contracting);
  Side rhs = Side::of(r, dot.operands[1], numbers.rhs_batch, numbers.rhs_contracting);
  if (lhs.size(r, lhs.contracting) == 0)
    return zeros(r, dot.shape.element_type, dot.shape.dimensions);
  hlo::PrecisionConfig precision = numbers.precision;
  // With one column, the result is the same list of numbers whichever side is called left.
  const bool one_column = rhs.size(r, rhs.free) == 1 && lhs.size(r, lhs.free) > 1;
  const bool turns = !one_column && is_better_turned(r, lhs, rhs, target);
  if (!one_column && !turns && is_canonical(r, dot, target)) return kNone;
  if (one_column || turns) {
    std::swap(lhs, rhs);
    std::ranges::reverse(precision.operand_precision);
  }
  const int64_t batched = lhs.batch.empty() ? 0 : 1;
  // Never where it turns: what is left then is known, or lies as it is read.
  const bool as_rows = is_left_turned(r, lhs, rhs, target);
  const Extents size{lhs.size(r, lhs.free), lhs.size(r, lhs.contracting), rhs.size(r, rhs.free)};
  const bool lies_as_columns = !is_in_order(r, rhs, order_of(rhs, rhs.contracting, rhs.free)) &&
                               is_in_order(r, rhs, order_of(rhs, rhs.free, rhs.contracting));
  const bool keeps_rows = !rhs.contracting.empty() &&
                          rhs.contracting.back() == r.shape(rhs.value).rank() - 1 &&
                          is_read_in_place(r, rhs.value, size, target);
  const bool as_columns = !as_rows && !is_constant_view(r, rhs.value) &&
                          (wants_rows(r, rhs.value, size, target) || keeps_rows ||
                           (lies_as_columns && !is_better_moved(r, rhs.value, size, target)));
  const InstructionId left = as_rows ? matrix(r, lhs, lhs.contracting, lhs.free)
                                     : matrix(r, lhs, lhs.free, lhs.contracting);
  const InstructionId right = as_columns ? matrix(r, rhs, rhs.free, rhs.contracting)
                                         : matrix(r, rhs, rhs.contracting, rhs.free);
  hlo::DotAttributes plain;
  if (batched) plain.lhs_batch = plain.rhs_batch = {0};
  plain.lhs_contracting = {as_rows ? batched : batched + 1};
  plain.rhs_contracting = {as_columns ? batched + 1 : batched};
  plain.precision = precision;
  Dimensions sizes;
  if (batched) sizes.push_back(r.shape(left).dimensions[0]);
  sizes.push_back(r.shape(left).dimensions[as_rows ? batched + 1 : batched]);
  sizes.push_back(r.shape(right).dimensions[as_columns ? batched : batched + 1]);
  const Shape shape = Shape::array(dot.shape.element_type, sizes);
  InstructionId result = r.add(hlo::make(Opcode::kDot, shape, {left, right}, plain));
  if (turns) result = transpose(r, result, batched ? Dimensions{0, 2, 1} : Dimensions{1, 0});
  return reshape(r, result, dot.shape.dimensions);
}

}  // namespace hlocc::transforms
