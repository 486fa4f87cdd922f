// Elementwise operators of two operands and more, which NumPy's rule broadcasts.
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

struct Pair {
  InstructionId a = 0, b = 0;
};

// Both operands of one type, at the sizes that both broadcast to.
Result<Pair> operands_of(const Op& op) {
  HLOCC_TRY_ASSIGN(const Dimensions sizes, op.common_sizes(0, 2));
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  return Pair{op.b.broadcast_to(op.value(0), sizes), op.b.broadcast_to(op.value(1), sizes)};
}

Status binary_of(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  if (hlo::is_pred(op.type(0))) return op.unsupported_types();
  return op.set(op.b.binary(opcode, pair.a, pair.b));
}

Status truth_of(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  if (!hlo::is_pred(op.type(0))) return op.unsupported_types();
  return op.set(op.b.binary(opcode, pair.a, pair.b));
}

Status bits_of(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  if (!hlo::is_integer(op.type(0))) return op.unsupported_types();
  return op.set(op.b.binary(opcode, pair.a, pair.b));
}

Status compared(const Op& op, Direction direction) {
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  return op.set(op.b.compare(pair.a, pair.b, direction));
}

// Of all operands, from the first to the last.
Result<InstructionId> folded(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const Dimensions sizes, op.common_sizes(0, op.inputs()));
  InstructionId out = op.b.broadcast_to(op.value(0), sizes);
  for (int i = 1; i < op.inputs(); ++i) {
    if (op.type(i) != op.type(0)) return op.unsupported_types();
    out = op.b.binary(opcode, out, op.b.broadcast_to(op.value(i), sizes));
  }
  return out;
}

Status fold_of(const Op& op, Opcode opcode) {
  HLOCC_TRY_ASSIGN(const InstructionId out, folded(op, opcode));
  return op.set(out);
}

}  // namespace

Status add(const Op& op) { return binary_of(op, Opcode::kAdd); }
Status sub(const Op& op) { return binary_of(op, Opcode::kSubtract); }
Status mul(const Op& op) { return binary_of(op, Opcode::kMultiply); }
Status div(const Op& op) { return binary_of(op, Opcode::kDivide); }
Status logical_and(const Op& op) { return truth_of(op, Opcode::kAnd); }
Status logical_or(const Op& op) { return truth_of(op, Opcode::kOr); }
Status logical_xor(const Op& op) { return truth_of(op, Opcode::kXor); }
Status bitwise_and(const Op& op) { return bits_of(op, Opcode::kAnd); }
Status bitwise_or(const Op& op) { return bits_of(op, Opcode::kOr); }
Status bitwise_xor(const Op& op) { return bits_of(op, Opcode::kXor); }
Status equal(const Op& op) { return compared(op, Direction::kEq); }
Status greater(const Op& op) { return compared(op, Direction::kGt); }
Status greater_or_equal(const Op& op) { return compared(op, Direction::kGe); }
Status less(const Op& op) { return compared(op, Direction::kLt); }
Status less_or_equal(const Op& op) { return compared(op, Direction::kLe); }
Status max(const Op& op) { return fold_of(op, Opcode::kMaximum); }
Status min(const Op& op) { return fold_of(op, Opcode::kMinimum); }
Status sum(const Op& op) { return fold_of(op, Opcode::kAdd); }

Status mean(const Op& op) {
  HLOCC_TRY_ASSIGN(const InstructionId total, folded(op, Opcode::kAdd));
  return op.set(op.b.with(Opcode::kDivide, total, op.inputs()));
}

Status bit_shift(const Op& op) {
  const std::string direction = op.text("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    return op.wrong(cat("direction is \"", direction, "\""));
  return bits_of(op, direction == "LEFT" ? Opcode::kShiftLeft : Opcode::kShiftRightLogical);
}

// Integers have the sign of the divisor, as Python's %, unless fmod asks for C's.
Status mod(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  const bool is_c = op.flag("fmod");
  if (hlo::is_pred(op.type(0))) return op.unsupported_types();
  if (hlo::is_float(op.type(0)) && !is_c) return op.wrong("floats need fmod");
  const InstructionId rest = b.binary(Opcode::kRemainder, pair.a, pair.b);
  if (is_c || !hlo::is_signed(op.type(0))) return op.set(rest);
  const InstructionId zero = b.like(rest, 0);
  const InstructionId differs = b.compare(b.compare(rest, zero, Direction::kLt),
                                          b.compare(pair.b, zero, Direction::kLt), Direction::kNe);
  const InstructionId is_off =
      b.binary(Opcode::kAnd, b.compare(rest, zero, Direction::kNe), differs);
  return op.set(b.select(is_off, b.binary(Opcode::kAdd, rest, pair.b), rest));
}

// The result is of the base's type. A square, the commonest power by far, is one product.
Status pow(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Dimensions sizes, op.common_sizes(0, 2));
  const InstructionId x = b.broadcast_to(op.value(0), sizes);
  InstructionId y = b.broadcast_to(op.value(1), sizes);
  const PrimitiveType type = op.type(0), other = op.type(1);
  const auto is_number = [](PrimitiveType t) { return hlo::is_integer(t) || hlo::is_float(t); };
  if (!is_number(type) || !is_number(other)) return op.unsupported_types();
  const std::optional<double> exponent = op.known_number(1);
  if (exponent == 2) return op.set(b.binary(Opcode::kMultiply, x, x));
  if (exponent == 1) return op.set(x);
  if (exponent == 0.5 && hlo::is_float(type)) return op.set(b.math(Opcode::kSqrt, x));
  if (hlo::is_integer(type) && hlo::is_float(other))
    return op.set(b.convert(b.binary(Opcode::kPower, b.convert(x, other), y), type));
  return op.set(b.binary(Opcode::kPower, x, b.convert(y, type)));
}

Status where(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Dimensions sizes, op.common_sizes(0, 3));
  if (!hlo::is_pred(op.type(0)) || op.type(1) != op.type(2)) return op.unsupported_types();
  return op.set(b.select(b.broadcast_to(op.value(0), sizes), b.broadcast_to(op.value(1), sizes),
                         b.broadcast_to(op.value(2), sizes)));
}

Status prelu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Pair pair, operands_of(op));
  const InstructionId is_below = b.compare(pair.a, b.like(pair.a, 0), Direction::kLt);
  return op.set(b.select(is_below, b.binary(Opcode::kMultiply, pair.a, pair.b), pair.a));
}

}  // namespace hlocc::import::onnx::ops
