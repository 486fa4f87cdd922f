// Elementwise operators of one operand that are one instruction or few, and conversions.
#include <cmath>

#include "hlo/small_float.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

Status math_of(const Op& op, Opcode opcode) {
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  return op.set(op.b.math(opcode, op.value(0)));
}

Status plain(const Op& op, Opcode opcode, bool integers) {
  const bool fits = hlo::is_float(op.type(0)) || (integers && hlo::is_integer(op.type(0)));
  if (!fits) return op.unsupported_types();
  return op.set(op.b.unary(opcode, op.value(0)));
}

// Formats of 8 bits take their largest number for what is beyond it, unless told otherwise; that
// of 4 bits always does, and has it for NaN, too.
InstructionId cut_to_float(Builder& b, InstructionId x, PrimitiveType to, bool saturates) {
  const hlo::FloatFormat* format = hlo::small_float_format(to);
  const bool is_nibble = hlo::type_bits(to) == 4;
  const bool is_cut = is_nibble || (saturates && hlo::type_bits(to) == 8);
  if (!is_cut) return b.convert(x, to);
  const double most = hlo::small_to_float(*format, format->max_finite());
  const InstructionId inside = b.convert(b.clamp(x, -most, most), to);
  const InstructionId otherwise = is_nibble ? b.convert(b.like(x, most), to) : b.convert(x, to);
  return b.select(b.compare(x, x, Direction::kEq), inside, otherwise);
}

InstructionId cast_to(const Op& op, PrimitiveType to) {
  Builder& b = op.b;
  const bool saturates = op.flag("saturate", true);
  op.attribute("round_mode");
  InstructionId x = op.value(0);
  const PrimitiveType from = b.type(x);
  if (hlo::is_pred(to)) return b.compare(x, b.like(x, 0), Direction::kNe);
  if (hlo::is_float(to)) {
    const bool is_narrow = hlo::type_bits(to) <= 8;
    if (is_narrow && !hlo::is_float(from)) x = b.convert(x, kF32);
    return cut_to_float(b, x, to, saturates);
  }
  // Integers of 4 bits are cut at their limits, of floats; of integers higher bits are lost.
  if (hlo::type_bits(to) == 4 && hlo::is_float(from))
    x = hlo::is_signed(to) ? b.convert(b.clamp(x, -8, 7), kS8) : b.convert(b.clamp(x, 0, 15), kU8);
  return b.convert(x, to);
}

Status checked_cast(const Op& op, std::optional<PrimitiveType> to) {
  if (!to || hlo::is_complex(*to) || hlo::is_complex(op.type(0))) return op.unsupported_types();
  return op.set(cast_to(op, *to));
}

}  // namespace

Status abs(const Op& op) { return plain(op, Opcode::kAbs, true); }
Status neg(const Op& op) { return plain(op, Opcode::kNegate, true); }
Status sign(const Op& op) { return plain(op, Opcode::kSign, true); }
Status floor(const Op& op) { return plain(op, Opcode::kFloor, false); }
Status ceil(const Op& op) { return plain(op, Opcode::kCeil, false); }
// To even where two are equally near.
Status round(const Op& op) { return plain(op, Opcode::kRoundNearestEven, false); }
Status sqrt(const Op& op) { return math_of(op, Opcode::kSqrt); }
Status exp(const Op& op) { return math_of(op, Opcode::kExp); }
Status log(const Op& op) { return math_of(op, Opcode::kLog); }
Status sin(const Op& op) { return math_of(op, Opcode::kSin); }
Status cos(const Op& op) { return math_of(op, Opcode::kCos); }
Status tan(const Op& op) { return math_of(op, Opcode::kTan); }
Status asin(const Op& op) { return math_of(op, Opcode::kAsin); }
Status acos(const Op& op) { return math_of(op, Opcode::kAcos); }
Status atan(const Op& op) { return math_of(op, Opcode::kAtan); }
Status sinh(const Op& op) { return math_of(op, Opcode::kSinh); }
Status cosh(const Op& op) { return math_of(op, Opcode::kCosh); }
Status tanh(const Op& op) { return math_of(op, Opcode::kTanh); }
Status asinh(const Op& op) { return math_of(op, Opcode::kAsinh); }
Status acosh(const Op& op) { return math_of(op, Opcode::kAcosh); }
Status atanh(const Op& op) { return math_of(op, Opcode::kAtanh); }
Status erf(const Op& op) { return math_of(op, Opcode::kErf); }

Status reciprocal(const Op& op) {
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  return op.set(op.b.binary(Opcode::kDivide, op.b.like(op.value(0), 1), op.value(0)));
}

Status logical_not(const Op& op) {
  if (!hlo::is_pred(op.type(0))) return op.unsupported_types();
  return op.set(op.b.unary(Opcode::kNot, op.value(0)));
}

Status bitwise_not(const Op& op) {
  if (!hlo::is_integer(op.type(0))) return op.unsupported_types();
  return op.set(op.b.unary(Opcode::kNot, op.value(0)));
}

Status is_nan(const Op& op) {
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  return op.set(op.b.compare(op.value(0), op.value(0), Direction::kNe));
}

Status is_inf(const Op& op) {
  Builder& b = op.b;
  const bool above = op.flag("detect_positive", true), below = op.flag("detect_negative", true);
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  const InstructionId x = op.value(0);
  const auto equals = [&](double limit) { return b.compare(x, b.like(x, limit), Direction::kEq); };
  if (above && below)
    return op.set(b.compare(b.unary(Opcode::kAbs, x), b.like(x, INFINITY), Direction::kEq));
  if (above || below) return op.set(equals(above ? INFINITY : -INFINITY));
  return op.set(b.number(kPred, 0, b.sizes(x)));
}

Status identity(const Op& op) { return op.set(op.value(0)); }

Status cast(const Op& op) { return checked_cast(op, element_type(op.integer("to"))); }
Status cast_like(const Op& op) { return checked_cast(op, op.type(1)); }

// Outside of training nothing is dropped.
Status dropout(const Op& op) {
  Builder& b = op.b;
  op.attribute("seed");
  op.attribute("ratio");
  if (op.has(2)) {
    if (!b.is_one_truth(op.value(2))) return op.wrong("training_mode is no one truth value");
    const std::optional<Literal> trains = op.known(2);
    if (!trains || hlo::integer_at(*trains, 0) != 0)
      return op.unsupported("training_mode is, or may be, true")
          .note("export the model for inference");
  }
  if (op.wants(1)) op.set(1, b.number(kPred, 1, op.sizes(0)));
  return op.set(op.value(0));
}

}  // namespace hlocc::import::onnx::ops
