// See scaled_right.h.
#include "lowering/contraction/scaled_right.h"

#include <algorithm>
#include <cstring>

#include "costs/weights.h"
#include "hlo/dimensions.h"
#include "support/product.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::ValueId;
using kernel::Values;

namespace {

bool is_inner(const Emitter& e, InstructionId id, Opcode opcode) {
  return !e.group().is_external(id) && e.instruction(id).opcode == opcode;
}

// Conversions of known integers.
bool is_whole(const Emitter& e, InstructionId id) {
  if (!is_inner(e, id, Opcode::kConvert)) return false;
  const InstructionId from = e.instruction(id).operands[0];
  return e.group().is_external(from) && hlo::is_integer(e.shape(from).element_type);
}

// Scales of one number for all steps of a group: dimensions [steps, columns] or [groups, group,
// columns].
bool is_scales(const Emitter& e, InstructionId id) {
  if (!is_inner(e, id, Opcode::kBroadcast)) return false;
  const int64_t steps = e.shape(id).rank() - 2;
  return !hlo::contains(e.instruction(id).get<hlo::DimensionsAttributes>().dimensions, steps);
}

}  // namespace

MadePanel::MadePanel(Emitter& e, kernel::Scalar type, hlo::Dimensions sizes,
                     const std::vector<ColumnRun>& runs, Load load)
    : e_(e), sizes_(std::move(sizes)), load_(std::move(load)) {
  int64_t widest = 0;
  for (const ColumnRun& run : runs) widest = std::max(widest, run.step());
  buffer_ = e.scratch("panel", type, product(sizes_) * widest);
}

void MadePanel::make(const Affine& column, const ColumnRun& run) const {
  const int64_t inner = sizes_.back(),
                several = e_.target().options.for_size() || inner % 4 != 0 ? 1 : 4;
  hlo::Dimensions outer = sizes_;
  outer.pop_back();
  e_.loop_over(outer, [&](const std::vector<Affine>& at) {
    Affine first;
    for (size_t d = 0; d < outer.size(); ++d) first = first.times(outer[d]).plus(at[d]);
    const auto make_step = [&](const Affine& last) {
      std::vector<Affine> step = at;
      step.push_back(last);
      for (int v = 0; v < run.vectors; ++v) {
        const int64_t beside = int64_t{v} * run.lanes;
        e_.b.store(buffer_, first.times(inner).plus(last).times(run.step()).plus(beside),
                   load_(step, column.plus(beside), run.lanes));
      }
    };
    e_.loop(
        inner,
        [&](const Affine& last) {
          for (int64_t n = 0; n < several; ++n) make_step(last.plus(n));
        },
        several);
  });
}

ValueId MadePanel::load(const Tile& tile, const Affine& step, int vector) const {
  const int64_t width = int64_t{tile.vectors} * tile.lanes;
  return e_.b.load(buffer_, step.times(width).plus(int64_t{vector} * tile.lanes), tile.lanes);
}

std::optional<ScaledRight> ScaledRight::of(const Emitter& e, InstructionId right,
                                           kernel::Scalar sum) {
  if (e.scalar(e.shape(right)) != sum) return std::nullopt;
  ScaledRight out;
  out.depth_ = out.group_ = e.shape(right).dimensions[0];
  if (is_inner(e, right, Opcode::kReshape)) {
    right = e.instruction(right).operands[0];
    const hlo::Dimensions& sizes = e.shape(right).dimensions;
    if (sizes.size() != 3 || sizes[0] * sizes[1] != out.depth_) return std::nullopt;
    out.by_groups_ = true;
    out.group_ = sizes[1];
  }
  if (!is_inner(e, right, Opcode::kMultiply)) return std::nullopt;
  for (const int side : {0, 1}) {
    out.whole_ = e.instruction(right).operands[static_cast<size_t>(side)];
    out.scales_ = e.instruction(right).operands[static_cast<size_t>(1 - side)];
    if (is_whole(e, out.whole_) && is_scales(e, out.scales_)) return out;
  }
  return std::nullopt;
}

Index ScaledRight::place(Emitter& e, const Affine& step, const Affine& column, int lanes) const {
  if (!by_groups_) return Index{{step, column}}.along(1, lanes);
  const auto [group, of_group] = e.divmod(step, group_);
  return Index{{group, of_group, column}}.along(2, lanes);
}

void ScaledRight::look_up(Emitter& e) {
  const InstructionId bytes = e.instruction(whole_).operands[0];
  if (!e.nibbles_of(bytes) || !costs::looks_nibbles_up(e.target()) ||
      e.shape(whole_).element_type != hlo::PrimitiveType::kF32)
    return;
  const int64_t from = e.shape(bytes).element_type == hlo::PrimitiveType::kS4 ? 8 : 0;
  std::vector<std::byte> pairs(sizeof(float) * 512);
  for (int64_t n = 0; n < 512; ++n) {
    const int64_t nibble = n % 2 == 0 ? n / 2 % 16 : n / 32;
    const auto value = static_cast<float>((nibble + from) % 16 - from);
    std::memcpy(pairs.data() + n * static_cast<int64_t>(sizeof(float)), &value, sizeof(float));
  }
  table_ = e.derived_constant("pairs", kernel::Scalar::kF32, std::move(pairs), 8);
}

ValueId ScaledRight::whole(Emitter& e, const Affine& step, const Affine& column, int lanes) const {
  if (table_ != kernel::kNone) {
    const InstructionId bytes = e.instruction(whole_).operands[0];
    const auto [byte, half] =
        e.divmod(e.position(e.shape(bytes), place(e, step, column, lanes)), 2);
    if (half.is_constant()) {
      const ValueId pair =
          e.b.convert(e.b.load(*e.nibbles_of(bytes), byte), kernel::Scalar::kIndex);
      return e.b.load(table_, Affine::of(pair, 2).plus(half));
    }
  }
  return e.element(whole_, place(e, step, column, lanes)).re;
}

Accumulators ScaledRight::accumulate(Emitter& e, const Tile& tile, Accumulators acc,
                                     const Sums& sums) const {
  return e.loop(0, depth_ / group_, 1, std::move(acc), [&](Affine n, std::span<const ValueId> in) {
    const Affine first = n.times(group_);
    const Accumulators of_group = sums(first, group_);
    Values out(in.begin(), in.end());
    for (int v = 0; v < tile.vectors; ++v) {
      const Affine column = tile.column.plus(int64_t{v} * tile.lanes);
      const ValueId scale = e.element(scales_, place(e, first, column, tile.lanes)).re;
      for (int r = 0; r < tile.rows; ++r) {
        ValueId& total = out[r * tile.vectors + v];
        total = multiply_accumulate(e, total, of_group[r * tile.vectors + v], scale);
      }
    }
    return out;
  });
}

}  // namespace hlocc::lowering
