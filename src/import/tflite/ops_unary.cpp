// Functions of one array that are one instruction or few: signs, roots, rounding, types.
#include <cmath>

#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/tables.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

// One operand of reals (or of plain integers, where `integers` may be), the result of its type.
Status require_reals(const Op& op, bool integers = false) {
  HLOCC_TRY(op.require(1, 1));
  const PrimitiveType type = op.type(0);
  const bool is_plain = integers && (type == kS32 || type == kS64);
  if ((type != kF32 && !is_plain) || element_type(op.out().type) != type)
    return op.unsupported_types();
  return {};
}

Status math_of(const Op& op, Opcode opcode) {
  HLOCC_TRY(require_reals(op));
  return op.set(op.b.math(opcode, op.value(0)));
}

Status plain(const Op& op, Opcode opcode, bool integers = false) {
  HLOCC_TRY(require_reals(op, integers));
  return op.set(op.b.unary(opcode, op.value(0)));
}

bool is_integer_tensor(PrimitiveType type) {
  return type == kS8 || type == kS16 || type == kS32 || type == kU8;
}

}  // namespace

Status exp(const Op& op) { return math_of(op, Opcode::kExp); }
Status log(const Op& op) { return math_of(op, Opcode::kLog); }
Status sqrt(const Op& op) { return math_of(op, Opcode::kSqrt); }
Status sin(const Op& op) { return math_of(op, Opcode::kSin); }
Status cos(const Op& op) { return math_of(op, Opcode::kCos); }
Status floor(const Op& op) { return plain(op, Opcode::kFloor); }
Status ceil(const Op& op) { return plain(op, Opcode::kCeil); }
Status sign(const Op& op) { return plain(op, Opcode::kSign, true); }
Status neg(const Op& op) { return plain(op, Opcode::kNegate, true); }

// To even where two are equally near.
Status round(const Op& op) { return plain(op, Opcode::kRoundNearestEven); }

Status square(const Op& op) {
  HLOCC_TRY(require_reals(op));
  return op.set(op.b.binary(Opcode::kMultiply, op.value(0), op.value(0)));
}

Status logical_not(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  if (op.type(0) != kPred) return op.unsupported_types();
  return op.set(op.b.unary(Opcode::kNot, op.value(0)));
}

Status gelu(const Op& op) {
  HLOCC_TRY(require_reals(op));
  return op.set(op.b.gelu(op.value(0), op.options.flag(schema::GeluOptions::approximate)));
}

Status cast(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  const std::optional<PrimitiveType> to = element_type(op.out().type);
  if (!to || !hlo::is_array_type(*to) || hlo::is_complex(*to) || hlo::is_complex(op.type(0)))
    return op.unsupported_types();
  return op.set(op.b.convert(op.value(0), *to));
}

Status dequantize(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  if (op.out().type != 0) return op.unsupported_types();
  const PrimitiveType type = op.type(0);
  if (type == kF16 || type == kBF16) return op.set(b.convert(op.value(0), kF32));
  if (!is_integer_tensor(type) || type == kS32) return op.unsupported_types();
  const Tensor& in = op.in(0);
  HLOCC_TRY(op.require_quantized(in));
  if (in.quantization.is_per_channel()) return op.unsupported("scales by channel");
  const InstructionId whole = without_zero(b, op.value(0), in.zero_point());
  return op.set(b.with(Opcode::kMultiply, b.convert(whole, kF32), in.scale()));
}

Status quantize(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const Tensor &in = op.in(0), &out = op.out();
  const PrimitiveType from = op.type(0), to = element_type(out.type).value_or(kTuple);
  if (!is_integer_tensor(to)) return op.unsupported_types();
  HLOCC_TRY(op.require_quantized(out));
  if (out.quantization.is_per_channel()) return op.unsupported("scales by channel");
  if (from == kF32 && to != kS32) {
    const InstructionId scaled = b.with(Opcode::kDivide, op.value(0), out.scale());
    const InstructionId whole = b.convert(b.unary(Opcode::kRoundNearestAfz, scaled), kS32);
    return op.set(requantized(b, whole, out.zero_point(), limits_of(to), to));
  }
  if (!is_integer_tensor(from)) return op.unsupported_types();
  HLOCC_TRY(op.require_quantized(in));
  const Multiplier by = quantize_multiplier(static_cast<double>(in.scale()) / out.scale());
  const InstructionId whole = without_zero(b, op.value(0), in.zero_point());
  // Equal scales: a multiplication by one.
  const InstructionId y = by == Multiplier{1 << 30, 1} ? whole : multiplied(b, whole, {by});
  return op.set(requantized(b, y, out.zero_point(), limits_of(to), to));
}

Status abs(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const PrimitiveType type = op.type(0);
  if (type != kS8 && type != kS16) return plain(op, Opcode::kAbs, true);
  const Tensor &in = op.in(0), &out = op.out();
  if (element_type(out.type) != type) return op.unsupported_types();
  HLOCC_TRY(op.require_quantized(in));
  HLOCC_TRY(op.require_quantized(out));
  InstructionId y = b.unary(Opcode::kAbs, without_zero(b, op.value(0), in.zero_point()));
  if (in.scale() != out.scale())
    y = multiplied(b, y, {quantize_multiplier(static_cast<double>(in.scale() / out.scale()))});
  return op.set(requantized(b, y, out.zero_point(), limits_of(type), type));
}

Status rsqrt(const Op& op) {
  if (op.inputs() != 1 || op.type(0) != kS8) return math_of(op, Opcode::kRsqrt);
  HLOCC_TRY(op.require(1, 1));
  const Tensor &in = op.in(0), &out = op.out();
  if (element_type(out.type) != kS8) return op.unsupported_types();
  HLOCC_TRY(op.require_quantized(in));
  HLOCC_TRY(op.require_quantized(out));
  if (in.zero_point() != INT8_MIN) return op.unsupported("numbers below zero");
  constexpr int kBits = 20;
  const Multiplier by =
      quantize_multiplier(1.0 / static_cast<double>(std::sqrt(in.scale()) * out.scale()));
  const int32_t zero = in.zero_point(), out_zero = out.zero_point();
  return op.set(mapped_bytes(op.b, op.value(0), [=](int32_t value) {
    if (value == zero) return INT8_MAX;
    const Multiplier root = inverse_square_root(value - zero);
    const int32_t inverse = multiply(1, {root.factor, root.shift + kBits});
    return multiply(inverse, {by.factor, by.shift - kBits}) + out_zero;
  }));
}

// Sparse constants are filled up when they are read.
Status densify(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  return op.set(op.value(0));
}

}  // namespace hlocc::import::tflite::ops
