// See quantize.h.
#include "import/tflite/quantize.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

using enum PrimitiveType;
using hlo::Direction;

bool all_zero(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0; });
}

// One number for each channel, or one for all.
class Spread {
 public:
  Spread(Builder& b, Dimensions sizes, int64_t dimension)
      : b_(b), sizes_(std::move(sizes)), dimension_(dimension) {}
  InstructionId of(const std::vector<int64_t>& values, PrimitiveType type) const {
    return b_.along(values, type, sizes_, dimension_);
  }
  InstructionId of(int64_t value, PrimitiveType type) const { return of({value}, type); }

 private:
  Builder& b_;
  Dimensions sizes_;
  int64_t dimension_;
};

template <typename Function>
std::vector<int64_t> mapped(const std::vector<Multiplier>& from, Function function) {
  std::vector<int64_t> out;
  for (const Multiplier& one : from) out.push_back(function(one));
  return out;
}

// RoundingDivideByPOT, of a shift for each channel.
InstructionId rounding_divide(Builder& b, InstructionId x, const std::vector<int64_t>& by,
                              const Spread& spread) {
  if (all_zero(by)) return x;
  std::vector<int64_t> masks, halves;
  for (const int64_t shift : by) {
    masks.push_back((int64_t{1} << shift) - 1);
    halves.push_back(masks.back() >> 1);
  }
  const InstructionId rest = b.binary(Opcode::kAnd, x, spread.of(masks, kS32));
  const InstructionId is_negative = b.compare(x, b.like(x, 0), Direction::kLt);
  const InstructionId threshold =
      b.binary(Opcode::kAdd, spread.of(halves, kS32), b.convert(is_negative, kS32));
  const InstructionId up = b.convert(b.compare(rest, threshold, Direction::kGt), kS32);
  const InstructionId down = b.binary(Opcode::kShiftRightArithmetic, x, spread.of(by, kS32));
  return b.binary(Opcode::kAdd, down, up);
}

// SaturatingRoundingDoublingHighMul by factors that are not negative, which never saturates. Its
// nudge that depends on the sign, and a division that rounds to zero, come to halves rounded up.
InstructionId doubling_high_multiply(Builder& b, InstructionId x,
                                     const std::vector<int64_t>& factors, const Spread& spread) {
  const InstructionId product =
      b.binary(Opcode::kMultiply, b.convert(x, kS64), spread.of(factors, kS64));
  const InstructionId sum = b.with(Opcode::kAdd, product, 1 << 30);
  return b.convert(b.with(Opcode::kShiftRightArithmetic, sum, 31), kS32);
}

int32_t quantized(float scale, int32_t zero_point, float value) {
  return rounded(static_cast<double>(value / scale), zero_point);
}

}  // namespace

Limits limits_of(PrimitiveType type) {
  switch (type) {
    case kS8: return {INT8_MIN, INT8_MAX};
    case kU8: return {0, UINT8_MAX};
    case kS16: return {INT16_MIN, INT16_MAX};
    default: return {INT32_MIN, INT32_MAX};
  }
}

Result<Limits> activation_limits(const Op& op, int activation, const Tensor& out) {
  const Limits limits = limits_of(element_type(out.type).value_or(kS32));
  if (activation == kNoActivation) return limits;
  HLOCC_TRY(op.require_quantized(out));
  const auto at = [&](float value) { return quantized(out.scale(), out.zero_point(), value); };
  switch (activation) {
    case kRelu: return Limits{std::max(limits.low, at(0)), limits.high};
    case kRelu6: return Limits{std::max(limits.low, at(0)), std::min(limits.high, at(6))};
    case kReluN1To1: return Limits{std::max(limits.low, at(-1)), std::min(limits.high, at(1))};
    default: return op.unsupported(cat("the fused activation ", activation, " in integers"));
  }
}

Status require_same_scale(const Op& op, const Tensor& a, const Tensor& b) {
  const bool differ = a.scale() != b.scale() || a.zero_point() != b.zero_point();
  return differ && (a.type == 9 || a.type == 7)
             ? Status(op.unsupported("operands and result of different scales"))
             : Status();
}

Result<InstructionId> activated(const Op& op, InstructionId x, int activation) {
  Builder& b = op.b;
  switch (activation) {
    case kNoActivation: return x;
    case kRelu: return b.with(Opcode::kMaximum, x, 0);
    case kRelu6: return b.clamp(x, 0, 6);
    case kReluN1To1: return b.clamp(x, -1, 1);
    case kTanhActivation: return b.math(Opcode::kTanh, x);
    default: return op.unsupported(cat("the fused activation ", activation));
  }
}

InstructionId multiplied(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                         int64_t dimension) {
  const Spread spread(b, b.sizes(x), dimension);
  const auto left = mapped(by, [](const Multiplier& m) { return std::max(m.shift, 0); });
  const auto right = mapped(by, [](const Multiplier& m) { return std::max(-m.shift, 0); });
  if (!all_zero(left)) x = b.binary(Opcode::kShiftLeft, x, spread.of(left, kS32));
  x = doubling_high_multiply(b, x, mapped(by, [](const Multiplier& m) { return m.factor; }),
                             spread);
  return rounding_divide(b, x, right, spread);
}

InstructionId multiplied_wide(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                              int64_t dimension) {
  const Spread spread(b, b.sizes(x), dimension);
  const auto factors = mapped(by, [](const Multiplier& m) {
    return m.factor < 0x7fff0000 ? (m.factor + (1 << 15)) >> 16 : 0x7fff;
  });
  const auto shifts = mapped(by, [](const Multiplier& m) { return 15 - m.shift; });
  const auto halves =
      mapped(by, [](const Multiplier& m) { return int64_t{1} << (15 - m.shift - 1); });
  x = b.binary(Opcode::kMultiply, b.convert(x, kS64), spread.of(factors, kS64));
  x = b.binary(Opcode::kAdd, x, spread.of(halves, kS64));
  return b.convert(b.binary(Opcode::kShiftRightArithmetic, x, spread.of(shifts, kS64)), kS32);
}

InstructionId multiplied_once(Builder& b, InstructionId x, const std::vector<Multiplier>& by,
                              int64_t dimension) {
  const Spread spread(b, b.sizes(x), dimension);
  const auto factors = mapped(by, [](const Multiplier& m) { return m.factor; });
  const auto shifts = mapped(by, [](const Multiplier& m) { return 31 - m.shift; });
  const auto halves = mapped(by, [](const Multiplier& m) { return int64_t{1} << (30 - m.shift); });
  x = b.binary(Opcode::kMultiply, b.convert(x, kS64), spread.of(factors, kS64));
  x = b.binary(Opcode::kAdd, x, spread.of(halves, kS64));
  return b.convert(b.binary(Opcode::kShiftRightArithmetic, x, spread.of(shifts, kS64)), kS32);
}

InstructionId rescaled_even(Builder& b, InstructionId x, const std::vector<float>& scales,
                            int64_t dimension, int32_t zero_point, Limits limits) {
  const auto count = static_cast<int64_t>(scales.size());
  const Dimensions sizes = b.sizes(x);
  const InstructionId by =
      count == 1 ? b.number(kF32, scales[0], sizes)
                 : b.broadcast(b.constant(Literal::array<float>(kF32, {count}, scales)), sizes,
                               {dimension});
  const InstructionId scaled = b.binary(Opcode::kMultiply, b.convert(x, kF32), by);
  const InstructionId bounded = b.clamp(scaled, limits.low - zero_point, limits.high - zero_point);
  const InstructionId whole = b.convert(b.unary(Opcode::kRoundNearestEven, bounded), kS32);
  return requantized(b, whole, zero_point, limits, kS8);
}

InstructionId requantized(Builder& b, InstructionId x, int32_t zero_point, Limits limits,
                          PrimitiveType type) {
  if (zero_point != 0) x = b.with(Opcode::kAdd, x, zero_point);
  return b.convert(b.clamp(x, limits.low, limits.high), type);
}

InstructionId without_zero(Builder& b, InstructionId x, int32_t zero_point) {
  x = b.convert(x, kS32);
  return zero_point == 0 ? x : b.with(Opcode::kSubtract, x, zero_point);
}

InstructionId fixed_product(Builder& b, InstructionId x, InstructionId y) {
  const InstructionId full = b.binary(Opcode::kMultiply, b.convert(x, kS64), b.convert(y, kS64));
  const InstructionId sum = b.with(Opcode::kAdd, full, 1 << 30);
  return b.convert(b.with(Opcode::kShiftRightArithmetic, sum, 31), kS32);
}

InstructionId saturating_left(Builder& b, InstructionId x, int by) {
  const InstructionId wide = b.with(Opcode::kMultiply, b.convert(x, kS64), 1 << by);
  return b.convert(b.clamp(wide, INT32_MIN, INT32_MAX), kS32);
}

std::vector<Multiplier> output_multipliers(const Tensor& in, const Tensor& weights,
                                           const Tensor& out) {
  std::vector<Multiplier> multipliers;
  const double input = in.scale(), output = out.scale();
  for (const float scale : weights.quantization.scales)
    multipliers.push_back(quantize_multiplier(input * static_cast<double>(scale) / output));
  return multipliers;
}

}  // namespace hlocc::import::tflite
