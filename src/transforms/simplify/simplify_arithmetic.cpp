// Exact algebra on elements.
#include <bit>
#include <cmath>

#include "ops/reducer.h"
#include "transforms/build.h"
#include "transforms/simplify/simplify_rules.h"

namespace hlocc::transforms {
namespace {

bool is_integral(PrimitiveType type) { return is_integer(type) || is_pred(type); }

bool is_one(const Rewriter& r, InstructionId id) {
  return !is_complex(r.type(id)) &&
         is_splat_of(r, id, *ops::identity_of(Opcode::kMultiply, r.type(id)));
}

// All bits clear: +0 of floats.
bool is_zero(const Rewriter& r, InstructionId id) {
  return is_splat_of(r, id, Literal::zeros(Shape::scalar(r.type(id))));
}

bool has_negative_zero(PrimitiveType type) {
  return is_float(type) && type != PrimitiveType::kF8E8M0FNU;
}

bool is_negative_zero(const Rewriter& r, InstructionId id) {
  return has_negative_zero(r.type(id)) && is_splat_of(r, id, number(r.type(id), -0.0));
}

bool is_all_ones(const Rewriter& r, InstructionId id) {
  return is_splat_of(r, id, *ops::identity_of(Opcode::kAnd, r.type(id)));
}

// One of two operands is neutral: the other one.
template <typename Neutral>
InstructionId without_neutral(const Rewriter& r, const Instruction& i, Neutral is_neutral) {
  if (is_neutral(r, i.operands[1])) return i.operands[0];
  if (is_neutral(r, i.operands[0])) return i.operands[1];
  return kNone;
}

// x + 0 is x for integers; for floats only x + -0 is, because -0 + 0 is 0.
InstructionId add(Rewriter& r, const Instruction& i) {
  return without_neutral(r, i, is_integral(i.shape.element_type) ? is_zero : is_negative_zero);
}

InstructionId subtract(Rewriter& r, const Instruction& i) {
  const PrimitiveType type = i.shape.element_type;
  if (!is_complex(type) && is_zero(r, i.operands[1])) return i.operands[0];
  if (is_integer(type) && i.operands[0] == i.operands[1]) return zeros(r, type, i.shape.dimensions);
  return kNone;
}

InstructionId multiply(Rewriter& r, const Instruction& i) {
  if (const InstructionId other = without_neutral(r, i, is_one); other != kNone) return other;
  for (InstructionId operand : i.operands)
    if (is_integral(i.shape.element_type) && is_zero(r, operand)) return operand;
  return kNone;
}

// x / 2^k is x * 2^-k, which costs a fraction of a division.
std::optional<Literal> exact_reciprocal(const Literal& scalar) {
  const auto of = [&]<typename T>(T x) -> std::optional<Literal> {
    int exponent;
    const T mantissa = std::frexp(x, &exponent);
    if (!std::isnormal(x) || std::abs(mantissa) != T(0.5) || !std::isnormal(1 / x))
      return std::nullopt;
    return Literal::scalar(scalar.type(), 1 / x);
  };
  if (scalar.type() == PrimitiveType::kF32) return of(scalar.data<float>()[0]);
  if (scalar.type() == PrimitiveType::kF64) return of(scalar.data<double>()[0]);
  return std::nullopt;
}

InstructionId divide(Rewriter& r, const Instruction& i) {
  if (is_one(r, i.operands[1])) return i.operands[0];
  const std::optional<Literal> divisor = splat_value(r, i.operands[1]);
  const std::optional<Literal> factor = divisor ? exact_reciprocal(*divisor) : std::nullopt;
  if (!factor) return kNone;
  return binary(r, Opcode::kMultiply, i.operands[0], splat(r, *factor, i.shape.dimensions));
}

InstructionId power(Rewriter& r, const Instruction& i) {
  const PrimitiveType type = i.shape.element_type;
  if (!is_float(type)) return kNone;
  const InstructionId base = i.operands[0];
  const std::optional<Literal> exponent = splat_value(r, i.operands[1]);
  if (!exponent) return kNone;
  if (*exponent == number(type, 1)) return base;
  // Both are what a correctly rounded power gives.
  if (*exponent == number(type, 2)) return binary(r, Opcode::kMultiply, base, base);
  return kNone;
}

InstructionId same_operands(const Rewriter&, const Instruction& i) {
  return i.operands[0] == i.operands[1] ? i.operands[0] : kNone;
}

// -inf is neutral to maximum (NaN still wins), +inf to minimum; for types without infinities the
// extreme number.
InstructionId extremum(Rewriter& r, const Instruction& i) {
  const auto is_neutral = [&](const Rewriter&, InstructionId id) {
    const std::optional<Literal> value = splat_value(r, id);
    return value && ops::is_identity(i.opcode, *value);
  };
  const InstructionId other = without_neutral(r, i, is_neutral);
  return other != kNone ? other : same_operands(r, i);
}

InstructionId bitwise_and(Rewriter& r, const Instruction& i) {
  for (InstructionId operand : i.operands)
    if (is_zero(r, operand)) return operand;
  const InstructionId other = without_neutral(r, i, is_all_ones);
  return other != kNone ? other : same_operands(r, i);
}

InstructionId bitwise_or(Rewriter& r, const Instruction& i) {
  for (InstructionId operand : i.operands)
    if (is_all_ones(r, operand)) return operand;
  const InstructionId other = without_neutral(r, i, is_zero);
  return other != kNone ? other : same_operands(r, i);
}

InstructionId bitwise_xor(Rewriter& r, const Instruction& i) {
  if (i.operands[0] == i.operands[1]) return zeros(r, i.shape.element_type, i.shape.dimensions);
  return without_neutral(r, i, is_zero);
}

InstructionId shift(Rewriter& r, const Instruction& i) {
  return is_zero(r, i.operands[1]) ? i.operands[0] : kNone;
}

// f(f(x)) is x.
InstructionId involution(Rewriter& r, const Instruction& i) {
  const Instruction& operand = r[i.operands[0]];
  return operand.opcode == i.opcode ? operand.operands[0] : kNone;
}

// f(f(x)) is f(x).
InstructionId idempotent(Rewriter& r, const Instruction& i) {
  return r[i.operands[0]].opcode == i.opcode && !is_complex(r.type(r[i.operands[0]].operands[0]))
             ? i.operands[0]
             : kNone;
}

// Every value of `from` is one of `to`.
bool holds_all(PrimitiveType to, PrimitiveType from) {
  using enum PrimitiveType;
  if (is_pred(from)) return is_integer(to) && hlo::type_bits(to) > 1;
  if (is_integer(from) && is_integer(to)) {
    const int spare = hlo::type_bits(to) - hlo::type_bits(from);
    return is_signed(from) == is_signed(to) ? spare >= 0 : is_unsigned(from) && spare > 0;
  }
  if (from == kF16 || from == kBF16) return to == kF32 || to == kF64;
  return from == kF32 && to == kF64;
}

InstructionId convert_back(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  if (r.type(x) == i.shape.element_type) return x;
  if (r[x].opcode != Opcode::kConvert) return kNone;
  const InstructionId inner = r[x].operands[0];
  if (!holds_all(r.type(x), r.type(inner))) return kNone;
  // Through a type that lost nothing: one convert does, where int -> float would round only once
  // anyway.
  if (r.type(inner) == i.shape.element_type) return inner;
  return is_integral(r.type(inner)) || is_float(i.shape.element_type)
             ? convert(r, inner, i.shape.element_type)
             : kNone;
}

InstructionId bitcast_convert_back(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  if (r.type(x) == i.shape.element_type) return x;
  if (r[x].opcode != Opcode::kBitcastConvert) return kNone;
  const InstructionId inner = r[x].operands[0];
  return hlo::same_dimensions_and_type(r.shape(inner), i.shape) ? inner : kNone;
}

InstructionId complex_part(Rewriter& r, const Instruction& i) {
  const InstructionId x = i.operands[0];
  const bool real = i.opcode == Opcode::kReal;
  if (r[x].opcode == Opcode::kComplex) return r[x].operands[real ? 0 : 1];
  if (is_complex(r.type(x))) return kNone;
  if (real) return x;
  // The one float without a zero.
  if (i.shape.element_type == PrimitiveType::kF8E8M0FNU) return kNone;
  return zeros(r, i.shape.element_type, i.shape.dimensions);
}

InstructionId compare_same(Rewriter& r, const Instruction& i) {
  if (i.operands[0] != i.operands[1] || !is_integral(r.type(i.operands[0]))) return kNone;
  using enum hlo::Direction;
  const hlo::Direction direction = i.get<hlo::CompareAttributes>().direction;
  const bool holds = direction == kEq || direction == kGe || direction == kLe;
  return splat(r, Literal::scalar<uint8_t>(PrimitiveType::kPred, holds), i.shape.dimensions);
}

InstructionId select_known(Rewriter& r, const Instruction& i) {
  if (i.operands[1] == i.operands[2]) return i.operands[1];
  const std::optional<Literal> pred = splat_value(r, i.operands[0]);
  if (pred) return i.operands[integer_at(*pred, 0) != 0 ? 1 : 2];
  if (r[i.operands[0]].opcode != Opcode::kNot) return kNone;
  return select(r, r[i.operands[0]].operands[0], i.operands[2], i.operands[1]);
}

constexpr SimplifyRule arithmetic_rule_rows[] = {
    {Opcode::kAdd, add},
    {Opcode::kSubtract, subtract},
    {Opcode::kMultiply, multiply},
    {Opcode::kDivide, divide},
    {Opcode::kPower, power},
    {Opcode::kMaximum, extremum},
    {Opcode::kMinimum, extremum},
    {Opcode::kAnd, bitwise_and},
    {Opcode::kOr, bitwise_or},
    {Opcode::kXor, bitwise_xor},
    {Opcode::kShiftLeft, shift},
    {Opcode::kShiftRightArithmetic, shift},
    {Opcode::kShiftRightLogical, shift},
    {Opcode::kNegate, involution},
    {Opcode::kNot, involution},
    {Opcode::kAbs, idempotent},
    {Opcode::kFloor, idempotent},
    {Opcode::kCeil, idempotent},
    {Opcode::kSign, idempotent},
    {Opcode::kConvert, convert_back},
    {Opcode::kBitcastConvert, bitcast_convert_back},
    {Opcode::kReal, complex_part},
    {Opcode::kImag, complex_part},
    {Opcode::kCompare, compare_same},
    {Opcode::kSelect, select_known},
};

}  // namespace

std::span<const SimplifyRule> arithmetic_rules() { return arithmetic_rule_rows; }

}  // namespace hlocc::transforms
