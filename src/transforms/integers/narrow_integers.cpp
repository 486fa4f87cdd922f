// narrow_integers: 64-bit arithmetic that only needs 32. Quantised networks multiply an accumulator
// by a fixed-point factor in s64, shift and clamp; on a 32-bit chip each of these steps is a
// handful of instructions, most of them for bits that are known. Ranges say which: what fits is
// computed in s32, factors are stored in half the bytes and widened where they are multiplied (one
// long multiplication), and shifts that differ from channel to channel become one constant shift
// after a small one of the accumulator, which a long multiplication's high word answers.
#include <algorithm>

#include "transforms/integers/integer_ranges.h"
#include "transforms/integers/quantized_step.h"
#include "transforms/integers/rewrite_each.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

const Range kNarrow = range_of_type(kS32), kWide = range_of_type(kS64);

class Narrower {
 public:
  explicit Narrower(Rewriter& r) : r_(r), ranges_(r) {}

  InstructionId visit(const Instruction& i) {
    if (i.operands.empty() || r_.shape(i.operands.back()).element_type != kS64) return kNone;
    switch (i.opcode) {
      case Opcode::kShiftRightArithmetic: return uniform_shift(i);
      case Opcode::kMultiply:
        if (const InstructionId narrow = in_32_bits(i); narrow != kNone) return narrow;
        return long_multiply(i);
      case Opcode::kAdd:
      case Opcode::kSubtract:
      case Opcode::kNegate:
      case Opcode::kMaximum:
      case Opcode::kMinimum:
      case Opcode::kClamp:
      case Opcode::kSelect:
      case Opcode::kCompare: return in_32_bits(i);
      default: return kNone;
    }
  }

 private:
  bool fits(InstructionId id) { return ranges_.of(id).within(kNarrow); }

  // The value, which fits, as s32; free for constants and for what was widened from s32.
  InstructionId narrowed(InstructionId id) {
    const Instruction i = r_[id];
    if (i.shape.element_type != kS64) return id;
    if (const Literal* value = constant_value(r_, id))
      return constant(r_, converted_elements(*value, kS32));
    if (i.opcode == Opcode::kConvert) return convert(r_, i.operands[0], kS32);
    if (i.opcode == Opcode::kBroadcast)
      return broadcast(r_, narrowed(i.operands[0]), i.shape.dimensions,
                       i.get<hlo::DimensionsAttributes>().dimensions);
    if (i.opcode == Opcode::kReshape)
      return reshape(r_, narrowed(i.operands[0]), i.shape.dimensions);
    return convert(r_, id, kS32);
  }

  // True for what narrowed() gives without work.
  bool is_narrow_already(InstructionId id) const {
    while (r_[id].opcode == Opcode::kBroadcast || r_[id].opcode == Opcode::kReshape)
      id = r_[id].operands[0];
    return r_[id].opcode == Opcode::kConstant || r_[id].opcode == Opcode::kConvert;
  }

  // Operands and result fit: the same op on s32, widened again for users of s64.
  InstructionId in_32_bits(const Instruction& i) {
    const bool is_compare = i.opcode == Opcode::kCompare;
    if (!ranges_.of(i).within(kNarrow)) return kNone;
    for (InstructionId operand : i.operands)
      if (!fits(operand)) return kNone;
    Instruction narrow = i;
    for (InstructionId& operand : narrow.operands) operand = narrowed(operand);
    if (is_compare) return r_.add(std::move(narrow));
    narrow.shape.element_type = kS32;
    return convert(r_, r_.add(std::move(narrow)), kS64);
  }

  // Both factors fit s32: written as widened s32, so that backends see a long multiplication.
  InstructionId long_multiply(const Instruction& i) {
    bool changed = false;
    Instruction product = i;
    for (InstructionId& operand : product.operands) {
      if (!fits(operand)) return kNone;
      if (r_[operand].opcode == Opcode::kConvert || !is_narrow_already(operand)) continue;
      if (splat_value(r_, operand)) continue;
      operand = convert(r_, narrowed(operand), kS64);
      changed = true;
    }
    return changed ? r_.add(std::move(product)) : kNone;
  }

  // (a * b + c) >> s with s from smin to smax is ((a << (smax - s)) * b + (c << (smax - s))) >>
  // smax, if nothing overflows.
  InstructionId uniform_shift(const Instruction& i) {
    const std::optional<ChannelConstant> by = channel_constant(r_, i.operands[1]);
    if (!by || by->is_one()) return kNone;
    const Range shifts = ranges_.of(i.operands[1]);
    if (shifts.low < 0 || shifts.high > 62 || shifts.high - shifts.low > 16) return kNone;
    const Instruction sum = r_[i.operands[0]];
    const bool has_offset = sum.opcode == Opcode::kAdd;
    const InstructionId product = has_offset ? sum.operands[0] : i.operands[0];
    if (r_[product].opcode != Opcode::kMultiply) return kNone;
    InstructionId a = r_[product].operands[0], b = r_[product].operands[1];
    if (channel_constant(r_, a)) std::swap(a, b);
    const __int128 scale = __int128{1} << static_cast<int>(shifts.high - shifts.low);
    const Range factor = ranges_.of(a), scaled{factor.low * scale, factor.high * scale},
                other = ranges_.of(b);
    if (!scaled.within(kNarrow) || !other.within(kNarrow)) return kNone;
    const int64_t last = static_cast<int64_t>(shifts.high);
    InstructionId offset = kNone;
    if (has_offset) {
      const std::optional<ChannelConstant> c = channel_constant(r_, sum.operands[1]);
      const Range room{kWide.low / 4, kWide.high / 4};
      const Range c_range = ranges_.of(sum.operands[1]);
      if (!c || !Range{c_range.low * scale, c_range.high * scale}.within(room)) return kNone;
      if (!c->lies_along(*by)) return kNone;
      Literal moved = converted_elements(by->values, kS64);
      for (int64_t at = 0; at < by->count(); ++at)
        moved.mutable_data<int64_t>()[at] = c->whole(at) << (last - by->whole(at));
      offset = broadcast_constant(r_, moved, i.shape.dimensions, by->mapping);
    }
    // As a multiplication: a shift would have to guard against amounts that only we know to be
    // small.
    Literal powers = converted_elements(by->values, kS32);
    for (int32_t& power : powers.mutable_data<int32_t>()) power = 1 << (last - power);
    const InstructionId moved_a =
        binary(r_, Opcode::kMultiply, narrowed(a),
               broadcast_constant(r_, powers, i.shape.dimensions, by->mapping));
    InstructionId value =
        binary(r_, Opcode::kMultiply, convert(r_, moved_a, kS64), convert(r_, narrowed(b), kS64));
    if (has_offset) value = binary(r_, Opcode::kAdd, value, offset);
    return binary(r_, Opcode::kShiftRightArithmetic, value,
                  splat(r_, Literal::scalar(kS64, last), i.shape.dimensions));
  }

  Rewriter& r_;
  IntegerRanges ranges_;
};

}  // namespace

Status narrow_integers(hlo::Module& module, const PassContext& context) {
  HLOCC_TRY(rewrite_each<Narrower>(module));
  return simplify(module, context);
}

}  // namespace hlocc::transforms
