// Quantised numbers, with ONNX Runtime's rounding: to even where two integers are equally near.
#include <cmath>

#include "hlo/small_float.h"
#include "import/onnx/convolution.h"
#include "import/onnx/matrix.h"
#include "import/onnx/ops.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

struct Limits {
  double low, high;
};

bool is_quantised(PrimitiveType type) {
  return hlo::is_integer(type) && hlo::type_bits(type) <= 16;
}

Limits limits_of(PrimitiveType type) {
  const int bits = hlo::type_bits(type);
  if (hlo::is_signed(type)) return {-std::ldexp(1, bits - 1), std::ldexp(1, bits - 1) - 1};
  return {0, std::ldexp(1, bits) - 1};
}

// A scale or a zero point in every place of x: one, one for each index along an axis, or one for
// each block of indices.
Result<InstructionId> spread(const Op& op, InstructionId of, InstructionId x, int64_t given_axis,
                             int64_t block) {
  Builder& b = op.b;
  const Dimensions sizes = b.sizes(x), own = b.sizes(of);
  if (b.shape(of).element_count() == 1) return b.broadcast(b.reshape(of, {}), sizes, {});
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(given_axis, static_cast<int64_t>(sizes.size())));
  if (block == 0) {
    if (own.size() != 1 || own[0] != sizes[axis])
      return op.wrong(
          cat("scales or zero points ", b.shape(of), " for axis ", axis, " of ", b.shape(x)));
    return b.broadcast(of, sizes, {axis});
  }
  Dimensions spread_sizes = own, mapping = counting(static_cast<int64_t>(own.size())), all = own;
  Dimensions wanted = sizes;
  if (block > 0) wanted[axis] = ceil_div(sizes[axis], block);
  if (own != wanted || block < 1 || block > sizes[axis])
    return op.wrong(cat("blocks of ", block, " and scales ", b.shape(of), " for ", b.shape(x)));
  for (int64_t& d : mapping)
    if (d > axis) ++d;
  spread_sizes.insert(spread_sizes.begin() + axis + 1, block);
  all[axis] *= block;
  const InstructionId repeated = b.reshape(b.broadcast(of, spread_sizes, mapping), all);
  return b.slice(repeated, axis, 0, sizes[axis]);
}

// round(x) + zero, within the type's limits; x is f32.
InstructionId saturated(Builder& b, InstructionId x, std::optional<InstructionId> zero,
                        PrimitiveType type) {
  InstructionId y = b.unary(Opcode::kRoundNearestEven, x);
  if (zero) y = b.binary(Opcode::kAdd, y, b.convert(*zero, b.type(x)));
  const Limits limits = limits_of(type);
  y = b.clamp(y, limits.low, limits.high);
  if (hlo::type_bits(type) == 4) y = b.convert(y, hlo::is_signed(type) ? kS8 : kU8);
  return b.convert(y, type);
}

InstructionId cut_to_narrow_float(Builder& b, InstructionId x, PrimitiveType type, bool saturates) {
  const hlo::FloatFormat* format = hlo::small_float_format(type);
  if (!saturates || format == nullptr) return b.convert(x, type);
  const double most = hlo::small_to_float(*format, format->max_finite());
  return b.convert(b.clamp(x, -most, most), type);
}

// An operand of a product as 32-bit integers without its zero point, which is one or one for each
// index along an axis (of the last but `from_end` dimensions).
Result<InstructionId> without_zero(const Op& op, int operand, int zero, int64_t axis) {
  Builder& b = op.b;
  const InstructionId x = b.convert(op.value(operand), kS32);
  if (!is_quantised(op.type(operand))) return op.unsupported_types();
  if (!op.has(zero)) return x;
  if (op.type(zero) != op.type(operand)) return op.unsupported_types();
  if (const std::optional<Literal> known = op.known(zero);
      known && known->element_count() == 1 && hlo::integer_at(*known, 0) == 0)
    return x;
  const InstructionId z = b.convert(op.value(zero), kS32);
  HLOCC_TRY_ASSIGN(const InstructionId all, spread(op, z, x, axis, 0));
  return b.binary(Opcode::kSubtract, x, all);
}

// An accumulator by the product of two scales over a third.
Result<InstructionId> requantised(const Op& op, InstructionId sum, int64_t axis, int first,
                                  int second, int last, int zero) {
  Builder& b = op.b;
  if (!hlo::is_float(op.type(first))) return op.unsupported_types();
  // One scale for all, or one for each index of the second operand's.
  const auto number = [&](int operand) {
    const InstructionId one = b.convert(b.reshape(op.value(operand), {}), kF32);
    return b.broadcast(one, op.sizes(second), {});
  };
  const InstructionId product =
      b.binary(Opcode::kMultiply, number(first), b.convert(op.value(second), kF32));
  const InstructionId scale = b.binary(Opcode::kDivide, product, number(last));
  HLOCC_TRY_ASSIGN(const InstructionId by, spread(op, scale, sum, axis, 0));
  const InstructionId y = b.binary(Opcode::kMultiply, b.convert(sum, kF32), by);
  const InstructionId z = b.broadcast(b.reshape(op.value(zero), {}), b.sizes(y), {});
  return saturated(b, y, z, op.type(zero));
}

}  // namespace

Status quantize_linear(const Op& op) {
  Builder& b = op.b;
  InstructionId x = op.value(0);
  const int64_t axis = op.integer("axis", 1), block = op.integer("block_size");
  const bool saturates = op.flag("saturate", true);
  const auto output = element_type(op.integer("output_dtype"));
  const auto precision = element_type(op.integer("precision"));
  const PrimitiveType type = op.has(2) ? op.type(2) : output.value_or(kU8);
  if (hlo::is_pred(op.type(0)) || !hlo::is_float(op.type(1))) return op.unsupported_types();
  const PrimitiveType inside = precision && hlo::is_float(*precision) ? *precision : op.type(1);
  x = b.convert(x, inside);
  HLOCC_TRY_ASSIGN(const InstructionId scale,
                   spread(op, b.convert(op.value(1), inside), x, axis, block));
  InstructionId y = b.binary(Opcode::kDivide, x, scale);
  if (hlo::is_float(type)) {
    // A zero of the sum has no sign.
    if (op.has(2)) {
      HLOCC_TRY_ASSIGN(const InstructionId zero,
                       spread(op, b.convert(op.value(2), inside), x, axis, block));
      y = b.binary(Opcode::kAdd, y, zero);
    }
    return op.set(cut_to_narrow_float(b, y, type, saturates));
  }
  if (!is_quantised(type)) return op.unsupported_types();
  if (!op.has(2)) return op.set(saturated(b, y, std::nullopt, type));
  // Zero points of 16 bits need more than half floats have.
  const InstructionId wide = inside == kF64 ? y : b.convert(y, kF32);
  HLOCC_TRY_ASSIGN(const InstructionId zero,
                   spread(op, b.convert(op.value(2), b.type(wide)), x, axis, block));
  return op.set(saturated(b, wide, zero, type));
}

Status dequantize_linear(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const int64_t axis = op.integer("axis", 1), block = op.integer("block_size");
  const auto output = element_type(op.integer("output_dtype"));
  const PrimitiveType from = op.type(0),
                      to = output && hlo::is_float(*output) ? *output : op.type(1);
  if (!hlo::is_float(op.type(1)) || hlo::is_pred(from)) return op.unsupported_types();
  InstructionId whole = hlo::is_float(from) ? b.convert(x, op.type(1)) : b.convert(x, kS32);
  if (op.has(2)) {
    HLOCC_TRY_ASSIGN(const InstructionId zero,
                     spread(op, b.convert(op.value(2), b.type(whole)), x, axis, block));
    whole = b.binary(Opcode::kSubtract, whole, zero);
  }
  HLOCC_TRY_ASSIGN(const InstructionId scale, spread(op, op.value(1), x, axis, block));
  return op.set(b.convert(b.binary(Opcode::kMultiply, b.convert(whole, op.type(1)), scale), to));
}

Status dynamic_quantize_linear(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  if (op.type(0) != kF32) return op.unsupported_types();
  const Dimensions all = counting(b.rank(x));
  const InstructionId low = b.with(Opcode::kMinimum, b.reduce(Opcode::kMinimum, x, all), 0);
  const InstructionId high = b.with(Opcode::kMaximum, b.reduce(Opcode::kMaximum, x, all), 0);
  const InstructionId scale = b.with(Opcode::kDivide, b.binary(Opcode::kSubtract, high, low), 255);
  const InstructionId place = b.binary(Opcode::kDivide, b.unary(Opcode::kNegate, low), scale);
  const InstructionId zero = b.unary(Opcode::kRoundNearestEven, b.clamp(place, 0, 255));
  const InstructionId spread_scale = b.broadcast(scale, b.sizes(x), {});
  op.set(0, saturated(b, b.binary(Opcode::kDivide, x, spread_scale),
                      b.broadcast(zero, b.sizes(x), {}), kU8));
  op.set(1, scale);
  op.set(2, b.convert(zero, kU8));
  return {};
}

Status mat_mul_integer(const Op& op) {
  HLOCC_TRY_ASSIGN(const InstructionId x, without_zero(op, 0, 2, op.rank(0) - 2));
  HLOCC_TRY_ASSIGN(const InstructionId y, without_zero(op, 1, 3, op.rank(1) - 1));
  HLOCC_TRY_ASSIGN(const InstructionId sum, matrix_product(op, x, y, kS32));
  return op.set(sum);
}

Status q_linear_mat_mul(const Op& op) {
  HLOCC_TRY_ASSIGN(const InstructionId x, without_zero(op, 0, 2, op.rank(0) - 2));
  HLOCC_TRY_ASSIGN(const InstructionId y, without_zero(op, 3, 5, op.rank(3) - 1));
  HLOCC_TRY_ASSIGN(const InstructionId sum, matrix_product(op, x, y, kS32));
  if (op.b.shape(op.value(1)).element_count() != 1)
    return op.unsupported("a scale for each row of the first operand");
  HLOCC_TRY_ASSIGN(const InstructionId out, requantised(op, sum, op.b.rank(sum) - 1, 1, 4, 6, 7));
  return op.set(out);
}

Status conv_integer(const Op& op) {
  HLOCC_TRY_ASSIGN(const InstructionId x, without_zero(op, 0, 2, 1));
  HLOCC_TRY_ASSIGN(const InstructionId w, without_zero(op, 1, 3, 0));
  HLOCC_TRY_ASSIGN(const InstructionId sum, convolved(op, x, w, kS32));
  return op.set(sum);
}

Status q_linear_conv(const Op& op) {
  HLOCC_TRY_ASSIGN(const InstructionId x, without_zero(op, 0, 2, 1));
  HLOCC_TRY_ASSIGN(const InstructionId w, without_zero(op, 3, 5, 0));
  HLOCC_TRY_ASSIGN(const InstructionId sum, convolved(op, x, w, kS32));
  HLOCC_TRY_ASSIGN(const InstructionId out, requantised(op, with_bias(op, sum, 8), 1, 1, 4, 6, 7));
  return op.set(out);
}

}  // namespace hlocc::import::onnx::ops
