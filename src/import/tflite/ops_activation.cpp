// Functions of one array that networks have behind their layers: relu and its kin, logistic, tanh,
// hard swish, elu. 8-bit kernels of the curved ones are tables here.
#include <algorithm>
#include <cmath>

#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/tables.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// One operand and one result of its element type; integers have scales.
Status require_unary(const Op& op, int operands = 1) {
  HLOCC_TRY(op.require(operands, operands));
  if (element_type(op.out().type) != op.type(0)) return op.unsupported_types();
  if (!is_quantized_type(op.type(0))) return {};
  HLOCC_TRY(op.require_quantized(op.in(0)));
  return op.require_quantized(op.out());
}

// x of one scale as integers of another.
InstructionId rescaled(const Op& op, InstructionId x, Multiplier by) {
  return multiplied(op.b, without_zero(op.b, x, op.in(0).zero_point()), {by});
}

// Relus between `low` and `high` (infinity: no bound).
Status relu_between(const Op& op, float low, float high) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op));
  const InstructionId x = op.value(0);
  if (op.type(0) == kF32)
    return op.set(std::isinf(high) ? b.with(Opcode::kMaximum, x, low) : b.clamp(x, low, high));
  if (!is_quantized_type(op.type(0))) return op.unsupported_types();
  const Tensor &in = op.in(0), &out = op.out();
  Limits limits = limits_of(op.type(0));
  const auto at = [&](float value) { return rounded(value / out.scale(), out.zero_point()); };
  limits.low = std::max(limits.low, at(low));
  if (!std::isinf(high)) limits.high = std::min(limits.high, at(high));
  const Multiplier by = quantize_multiplier(static_cast<double>(in.scale() / out.scale()));
  return op.set(requantized(b, rescaled(op, x, by), out.zero_point(), limits, op.type(0)));
}

// The radius beyond which a kernel gives the ends of its range.
int32_t input_radius(int integer_bits, int left_shift) {
  const double most =
      ((1 << integer_bits) - 1) * static_cast<double>(int64_t{1} << (31 - integer_bits));
  return static_cast<int32_t>(std::floor(std::ldexp(most, -left_shift)));
}

// logistic or tanh of 8-bit integers: a fixed-point number with four integer bits, the function
// with none, and `fraction` bits of that.
std::function<int32_t(int32_t)> curve(const Tensor& in, int32_t (*function)(int32_t, int),
                                      int fraction, int32_t out_zero) {
  const Multiplier by = quantize_multiplier(static_cast<double>(in.scale()) * (1 << 27));
  const int32_t radius = input_radius(4, by.shift), zero = in.zero_point();
  return [=](int32_t value) {
    const int32_t x = value - zero;
    if (x <= -radius) return INT8_MIN;
    if (x >= radius) return INT8_MAX;
    return rounding_shift(function(multiply(x, by), 4), 31 - fraction) + out_zero;
  };
}

// By what 16-bit kernels multiply x.
std::optional<WordScale> word_scale(float scale, int most_left_shift) {
  const float log = std::log(scale) * (1.0f / std::log(2.0f));
  const float whole = std::round(log);
  const int left = 12 + static_cast<int>(whole);
  if (std::abs(log - whole) < 1e-3f && left >= 0 && left <= most_left_shift)
    return WordScale{3 << left, 0};
  double factor = static_cast<double>(scale) * 4096.0 * 3.0;
  WordScale out;
  for (; factor <= 32767.0 / 2.0 && out.shift <= 30; ++out.shift) factor *= 2.0;
  if (factor > INT16_MAX || out.shift > 30) return std::nullopt;
  out.factor = static_cast<int32_t>(factor);
  return out;
}

// logistic (fraction 9) or tanh (fraction 8) of 16-bit integers.
Status curved_words(const Op& op, bool is_tanh) {
  Builder& b = op.b;
  const Tensor &in = op.in(0), &out = op.out();
  const std::optional<WordScale> by = word_scale(in.scale(), is_tanh ? 1 : 0);
  if (!by || in.zero_point() != 0 || out.zero_point() != 0 || out.scale() != 1.0f / 32768)
    return op.unsupported("a scale or zero point that 16-bit kernels do not take");
  return op.set(curve_of_words(b, op.value(0), *by, is_tanh));
}

Status curved(const Op& op, Opcode of_reals, int32_t (*function)(int32_t, int), int fraction,
              int32_t out_zero) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op));
  if (op.type(0) == kF32) return op.set(b.math(of_reals, op.value(0)));
  if (op.type(0) == kS16) return curved_words(op, of_reals == Opcode::kTanh);
  if (op.type(0) != kS8) return op.unsupported_types();
  const double scaled = static_cast<double>(op.in(0).scale()) * (1 << 27);
  if (scaled < 1 || scaled > INT32_MAX) return op.unsupported("a scale beyond what kernels take");
  if (op.out().zero_point() != out_zero || op.out().scale() != std::ldexp(1.0f, -fraction))
    return op.unsupported("a result whose scale or zero point is not the function's");
  return op.set(mapped_bytes(b, op.value(0), curve(op.in(0), function, fraction, out_zero)));
}

// 16-bit saturating steps of the hard swish kernel.
int32_t high_multiply_16(int32_t a, int32_t b) {
  if (a == INT16_MIN && b == INT16_MIN) return INT16_MAX;
  const int32_t product = a * b, nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return (product + nudge) / (1 << 15);
}
int32_t saturated_16(int64_t x) {
  return static_cast<int32_t>(std::clamp<int64_t>(x, INT16_MIN, INT16_MAX));
}
int32_t upper_half(Multiplier by) {
  return by.factor >= INT32_MAX - (1 << 15) ? INT16_MAX : (by.factor + (1 << 15)) >> 16;
}

std::function<int32_t(int32_t)> hard_swish_of_bytes(const Tensor& in, const Tensor& out) {
  const float fine = (1.0f / 128.0f) * in.scale(), reluish_scale = 3.0f / 32768.0f;
  const Multiplier to_out = quantize_multiplier(static_cast<double>(fine / out.scale()));
  const Multiplier to_relu = quantize_multiplier(static_cast<double>(fine / reluish_scale));
  const int32_t zero = in.zero_point(), out_zero = out.zero_point();
  return [=](int32_t value) {
    const auto x = static_cast<int16_t>((value - zero) * 128);
    const int32_t before_shift = high_multiply_16(x, upper_half(to_out));
    int32_t relu = x;
    if (to_relu.shift > 0) relu = saturated_16(static_cast<int64_t>(relu) << (to_relu.shift - 1));
    relu = high_multiply_16(relu, upper_half(to_relu));
    if (to_relu.shift > 0) relu = saturated_16(static_cast<int64_t>(relu) << 1);
    if (to_relu.shift < 0) relu = rounding_shift(relu, -to_relu.shift);
    // From 0 to 1, in 15 bits: the product needs no saturation.
    relu = (relu + (1 << 15)) >> 1;
    const int32_t product = relu * before_shift / (1 << 15);
    return rounding_shift(product, -to_out.shift) + out_zero;
  };
}

float elu_of(float x) { return x < 0.0f ? std::exp(x) - 1.0f : x; }

}  // namespace

Status relu(const Op& op) { return relu_between(op, 0, INFINITY); }
Status relu_n1_to_1(const Op& op) { return relu_between(op, -1, 1); }
Status relu_0_to_1(const Op& op) { return relu_between(op, 0, 1); }

Status relu6(const Op& op) {
  if (op.inputs() != 1 || op.type(0) != kS8) return relu_between(op, 0, 6);
  HLOCC_TRY(require_unary(op));
  // The kernel compares without rescaling.
  const Tensor& in = op.in(0);
  if (in.scale() != op.out().scale() || in.zero_point() != op.out().zero_point())
    return op.unsupported("a result of another scale than the operand");
  const int32_t zero = in.zero_point();
  const int32_t six = std::clamp<int32_t>(rounded(6.0f / in.scale(), zero), INT8_MIN, INT8_MAX);
  return op.set(op.b.clamp(op.value(0), zero, six));
}

Status leaky_relu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op));
  const InstructionId x = op.value(0);
  const float alpha = op.options.number<float>(schema::LeakyReluOptions::alpha);
  const InstructionId is_positive =
      b.compare(x, b.like(x, op.type(0) == kF32 ? 0 : op.in(0).zero_point()), Direction::kGe);
  if (op.type(0) == kF32)
    return op.set(b.select(is_positive, x, b.with(Opcode::kMultiply, x, alpha)));
  if (!is_quantized_type(op.type(0))) return op.unsupported_types();
  const Tensor &in = op.in(0), &out = op.out();
  const Multiplier as_is = quantize_multiplier(static_cast<double>(in.scale() / out.scale()));
  const Multiplier by_alpha =
      quantize_multiplier(static_cast<double>(in.scale() * alpha / out.scale()));
  const InstructionId y = b.select(is_positive, rescaled(op, x, as_is), rescaled(op, x, by_alpha));
  return op.set(requantized(b, y, out.zero_point(), limits_of(op.type(0)), op.type(0)));
}

Status prelu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op, 2));
  if (op.type(1) != op.type(0)) return op.unsupported_types();
  const InstructionId x = op.value(0), alpha = b.broadcast_to(op.value(1), b.sizes(x));
  if (op.type(0) == kF32)
    return op.set(b.select(b.compare(x, b.like(x, 0), Direction::kGe), x,
                           b.binary(Opcode::kMultiply, x, alpha)));
  if (op.type(0) != kS8) return op.unsupported_types();
  HLOCC_TRY(op.require_quantized(op.in(1)));
  const double in = op.in(0).scale(), slope = op.in(1).scale(), out = op.out().scale();
  const InstructionId above = without_zero(b, x, op.in(0).zero_point());
  const InstructionId product =
      b.binary(Opcode::kMultiply, above, without_zero(b, alpha, op.in(1).zero_point()));
  const InstructionId y = b.select(b.compare(above, b.like(above, 0), Direction::kGe),
                                   multiplied(b, above, {quantize_multiplier(in / out)}),
                                   multiplied(b, product, {quantize_multiplier(in * slope / out)}));
  return op.set(requantized(b, y, op.out().zero_point(), limits_of(kS8), kS8));
}

Status logistic(const Op& op) { return curved(op, Opcode::kLogistic, logistic_of, 8, INT8_MIN); }
Status tanh(const Op& op) { return curved(op, Opcode::kTanh, tanh_of, 7, 0); }

Status hard_swish(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op));
  const InstructionId x = op.value(0);
  if (op.type(0) == kF32) {
    const InstructionId relu = b.clamp(b.with(Opcode::kAdd, x, 3), 0, 6);
    const InstructionId product = b.binary(Opcode::kMultiply, x, relu);
    return op.set(b.with(Opcode::kDivide, product, 6));
  }
  if (op.type(0) != kS8) return op.unsupported_types();
  const float fine = (1.0f / 128.0f) * op.in(0).scale();
  constexpr float kReluScale = 3.0f / 32768.0f;
  if (quantize_multiplier(static_cast<double>(fine / op.out().scale())).shift > 0 ||
      quantize_multiplier(static_cast<double>(fine / kReluScale)).shift > 15)
    return op.unsupported("a result's scale so small that the kernel would overflow");
  return op.set(mapped_bytes(b, x, hard_swish_of_bytes(op.in(0), op.out())));
}

Status elu(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(require_unary(op));
  const InstructionId x = op.value(0);
  if (op.type(0) == kF32)
    return op.set(
        b.select(b.compare(x, b.like(x, 0), Direction::kLt), b.math(Opcode::kExpm1, x), x));
  if (op.type(0) != kS8) return op.unsupported_types();
  return op.set(mapped_bytes(b, x, through_reals(op.in(0), op.out(), elu_of)));
}

}  // namespace hlocc::import::tflite::ops
