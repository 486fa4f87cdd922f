// ADD and its kin: two arrays that NumPy's rule broadcasts.
#include <algorithm>
#include <cmath>

#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

struct Operands {
  InstructionId a, b;
  PrimitiveType type;
};

// Both of one type and of the result's sizes.
Result<Operands> operands_of(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  Builder& b = op.b;
  const auto sizes = broadcast_sizes(op.sizes(0), op.sizes(1));
  if (b.failure()) return *b.failure();
  if (!sizes)
    return op.wrong(
        cat("operands of shapes ", b.shape(op.value(0)), " and ", b.shape(op.value(1))));
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  return Operands{b.broadcast_to(op.value(0), *sizes), b.broadcast_to(op.value(1), *sizes),
                  op.type(0)};
}

int activation_of(const Op& op) {
  return op.options.number<int8_t>(schema::BinaryOptions::activation);
}

Status set_plain(const Op& op, Opcode opcode, const Operands& x) {
  Builder& b = op.b;
  const InstructionId y = b.binary(opcode, x.a, x.b);
  if (hlo::is_float(x.type)) {
    HLOCC_TRY_ASSIGN(const InstructionId out, activated(op, y, activation_of(op)));
    return op.set(out);
  }
  if (activation_of(op) != kNoActivation) return op.unsupported("an activation on plain integers");
  return op.set(y);
}

Status require_scales(const Op& op) {
  for (const Tensor* tensor : {&op.in(0), &op.in(1), &op.out()})
    HLOCC_TRY(op.require_quantized(*tensor));
  return {};
}

// Both sides with bits to spare, brought to twice the greater scale, then to the result's.
Status add_quantized(const Op& op, Opcode opcode, const Operands& x) {
  Builder& b = op.b;
  HLOCC_TRY(require_scales(op));
  const int left = x.type == kS16 ? 15 : 20;
  const double first = op.in(0).scale(), second = op.in(1).scale(), out = op.out().scale();
  const double twice = 2 * std::max(first, second), result = twice / ((1 << left) * out);
  if (result >= 1) return op.unsupported("a result's scale so small that the sum overflows");
  const auto scaled = [&](InstructionId side, const Tensor& tensor, double real) {
    const InstructionId shifted = b.with(
        Opcode::kShiftLeft, without_zero(b, b.convert(side, kS32), tensor.zero_point()), left);
    return multiplied(b, shifted, {quantize_multiplier(real)});
  };
  const InstructionId sum =
      b.binary(opcode, scaled(x.a, op.in(0), first / twice), scaled(x.b, op.in(1), second / twice));
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op, activation_of(op), op.out()));
  return op.set(requantized(b, multiplied(b, sum, {quantize_multiplier(result)}),
                            op.out().zero_point(), limits, x.type));
}

// As XNNPACK adds bytes: both by factors of 21 bits, rounded once, halves up.
Status add_rounded_once(const Op& op, Opcode opcode, const Operands& x) {
  Builder& b = op.b;
  HLOCC_TRY(require_scales(op));
  const Tensor &left = op.in(0), &right = op.in(1), &out = op.out();
  const float first = left.scale() / out.scale(), second = right.scale() / out.scale();
  const float greater = std::max(first, second);
  if (greater < 0x1p-10f || greater >= 0x1p9f)
    return op.unsupported("scales that XNNPACK does not take");
  const int shift = 20 - std::ilogb(greater);
  const auto factor = [&](float scale) { return std::lrint(std::ldexp(scale, shift)); };
  const int64_t a = factor(first), c = opcode == Opcode::kAdd ? factor(second) : -factor(second);
  const int64_t bias = (int64_t{1} << (shift - 1)) - a * left.zero_point() - c * right.zero_point();
  const auto scaled = [&](InstructionId side, int64_t by) {
    return b.with(Opcode::kMultiply, b.convert(side, kS32), static_cast<double>(by));
  };
  const InstructionId sum =
      b.binary(Opcode::kAdd, b.with(Opcode::kAdd, scaled(x.a, a), static_cast<double>(bias)),
               scaled(x.b, c));
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op, activation_of(op), out));
  return op.set(requantized(b, b.with(Opcode::kShiftRightArithmetic, sum, shift), out.zero_point(),
                            limits, kS8));
}

// Whether an operator of bytes is XNNPACK's.
bool is_by_xnnpack(const Op& op, const Operands& x) {
  return op.rounding() == Rounding::kXnnpack && x.type == kS8 && !op.out().was_unsigned;
}

Status add_or_subtract(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (is_by_xnnpack(op, x)) return add_rounded_once(op, opcode, x);
  return is_quantized_type(x.type) ? add_quantized(op, opcode, x) : set_plain(op, opcode, x);
}

// The difference of both sides at twice the greater scale, squared.
Status squared_quantized(const Op& op, const Operands& x) {
  Builder& b = op.b;
  HLOCC_TRY(require_scales(op));
  const int left = x.type == kS16 ? 0 : 7;
  const double first = op.in(0).scale(), second = op.in(1).scale(), out = op.out().scale();
  const double twice = 2 * std::max(first, second);
  const auto scaled = [&](InstructionId side, const Tensor& tensor, double real) {
    InstructionId whole = without_zero(b, side, tensor.zero_point());
    if (left > 0) whole = b.with(Opcode::kShiftLeft, whole, left);
    return multiplied(b, whole, {quantize_multiplier(real)});
  };
  const InstructionId difference = b.binary(Opcode::kSubtract, scaled(x.a, op.in(0), first / twice),
                                            scaled(x.b, op.in(1), second / twice));
  const InstructionId square = b.binary(Opcode::kMultiply, difference, difference);
  const Multiplier by = quantize_multiplier(twice * twice / ((1 << (2 * left)) * out));
  return op.set(requantized(b, multiplied(b, square, {by}), op.out().zero_point(),
                            limits_of(x.type), x.type));
}

Status multiply_quantized(const Op& op, const Operands& x) {
  Builder& b = op.b;
  HLOCC_TRY(require_scales(op));
  const Multiplier by = quantize_multiplier(static_cast<double>(op.in(0).scale()) *
                                            static_cast<double>(op.in(1).scale()) /
                                            static_cast<double>(op.out().scale()));
  const InstructionId product =
      b.binary(Opcode::kMultiply, without_zero(b, x.a, op.in(0).zero_point()),
               without_zero(b, x.b, op.in(1).zero_point()));
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op, activation_of(op), op.out()));
  if (is_by_xnnpack(op, x)) {
    const float scale = op.in(0).scale() * op.in(1).scale() / op.out().scale();
    return op.set(rescaled_even(b, product, {scale}, 0, op.out().zero_point(), limits));
  }
  return op.set(
      requantized(b, multiplied(b, product, {by}), op.out().zero_point(), limits, x.type));
}

// Integers of one scale are compared as they are.
Status require_one_scale(const Op& op) {
  for (int i = 0; i < op.inputs(); ++i)
    if (op.in(i).scale() != op.out().scale() || op.in(i).zero_point() != op.out().zero_point())
      return op.unsupported("operands and result of different scales");
  return {};
}

Status greater_or_less(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (is_quantized_type(x.type)) HLOCC_TRY(require_one_scale(op));
  return op.set(op.b.binary(opcode, x.a, x.b));
}

// 8-bit integers at eight bits more than their scales have.
Status compared(const Op& op, hlo::Direction direction) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kS8) return op.set(b.compare(x.a, x.b, direction));
  const auto scaled = [&](InstructionId side, const Tensor& tensor) {
    const InstructionId whole = without_zero(b, side, tensor.zero_point());
    return multiplied(b, b.with(Opcode::kShiftLeft, whole, 8),
                      {quantize_multiplier(static_cast<double>(tensor.scale()))});
  };
  for (const int i : {0, 1}) {
    HLOCC_TRY(op.require_quantized(op.in(i)));
    if (op.in(i).scale() >= 1) return op.unsupported("a scale of 1 or more");
  }
  return op.set(b.compare(scaled(x.a, op.in(0)), scaled(x.b, op.in(1)), direction));
}

Status logical(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kPred) return op.unsupported_types();
  return op.set(op.b.binary(opcode, x.a, x.b));
}

bool is_plain_integer(PrimitiveType type) { return type == kS32 || type == kS64; }

// What a remainder whose sign is not the divisor's is short of.
InstructionId differs_in_sign(Builder& b, InstructionId rest, InstructionId divisor) {
  const InstructionId zero = b.like(rest, 0);
  const InstructionId is_rest = b.compare(rest, zero, hlo::Direction::kNe);
  const InstructionId signs_differ =
      b.compare(b.compare(rest, zero, hlo::Direction::kLt),
                b.compare(divisor, zero, hlo::Direction::kLt), hlo::Direction::kNe);
  return b.binary(Opcode::kAnd, is_rest, signs_differ);
}

}  // namespace

Status add(const Op& op) { return add_or_subtract(op, Opcode::kAdd); }
Status sub(const Op& op) { return add_or_subtract(op, Opcode::kSubtract); }

Status mul(const Op& op) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  return is_quantized_type(x.type) ? multiply_quantized(op, x)
                                   : set_plain(op, Opcode::kMultiply, x);
}

Status div(const Op& op) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kF32 && !is_plain_integer(x.type)) return op.unsupported_types();
  return set_plain(op, Opcode::kDivide, x);
}

Status maximum(const Op& op) { return greater_or_less(op, Opcode::kMaximum); }
Status minimum(const Op& op) { return greater_or_less(op, Opcode::kMinimum); }

Status squared_difference(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (is_quantized_type(x.type)) return squared_quantized(op, x);
  const InstructionId difference = b.binary(Opcode::kSubtract, x.a, x.b);
  return op.set(b.binary(Opcode::kMultiply, difference, difference));
}

Status floor_div(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  const InstructionId quotient = b.binary(Opcode::kDivide, x.a, x.b);
  if (x.type == kF32) return op.set(b.unary(Opcode::kFloor, quotient));
  if (!is_plain_integer(x.type)) return op.unsupported_types();
  const InstructionId rest = b.binary(Opcode::kRemainder, x.a, x.b);
  const InstructionId less = b.convert(differs_in_sign(b, rest, x.b), x.type);
  return op.set(b.binary(Opcode::kSubtract, quotient, less));
}

Status floor_mod(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kF32 && !is_plain_integer(x.type)) return op.unsupported_types();
  const InstructionId rest = b.binary(Opcode::kRemainder, x.a, x.b);
  return op.set(b.select(differs_in_sign(b, rest, x.b), b.binary(Opcode::kAdd, rest, x.b), rest));
}

Status pow(const Op& op) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kF32) return op.unsupported_types();
  return op.set(op.b.binary(Opcode::kPower, x.a, x.b));
}

Status atan2(const Op& op) {
  HLOCC_TRY_ASSIGN(const Operands x, operands_of(op));
  if (x.type != kF32) return op.unsupported_types();
  return op.set(op.b.binary(Opcode::kAtan2, x.a, x.b));
}

Status equal(const Op& op) { return compared(op, hlo::Direction::kEq); }
Status not_equal(const Op& op) { return compared(op, hlo::Direction::kNe); }
Status greater(const Op& op) { return compared(op, hlo::Direction::kGt); }
Status greater_equal(const Op& op) { return compared(op, hlo::Direction::kGe); }
Status less(const Op& op) { return compared(op, hlo::Direction::kLt); }
Status less_equal(const Op& op) { return compared(op, hlo::Direction::kLe); }
Status logical_and(const Op& op) { return logical(op, Opcode::kAnd); }
Status logical_or(const Op& op) { return logical(op, Opcode::kOr); }

// Sums of two operands or more, of one type and shape.
Status add_n(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, INT16_MAX));
  if (op.type(0) != kF32 && !is_plain_integer(op.type(0))) return op.unsupported_types();
  InstructionId sum = op.value(0);
  for (int i = 1; i < op.inputs(); ++i) {
    if (!op.has(i)) return op.wrong("lacks an operand");
    sum = b.binary(Opcode::kAdd, sum, op.value(i));
  }
  return op.set(sum);
}

}  // namespace hlocc::import::tflite::ops
