// See tables.h.
#include "import/tflite/tables.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/fixed_point.h"

namespace hlocc::import::tflite {
namespace {

// The curve of logistic or tanh between the values. |x| has `fraction` bits behind the number of a
// value; gives values of as many bits more than 16, and `most` beyond the table.
InstructionId logistic_between(Builder& b, InstructionId magnitude, int fraction, int64_t most) {
  using enum PrimitiveType;
  const std::vector<int64_t> values = {
#include "import/tflite/logistic_words.def"
  };
  const InstructionId table = b.constant(literal_of(kS32, values, {256}));
  const InstructionId number = b.with(Opcode::kShiftRightArithmetic, magnitude, fraction);
  const InstructionId place = b.with(Opcode::kMinimum, number, 254);
  const InstructionId base = b.lookup(table, place);
  const InstructionId next = b.lookup(table, b.with(Opcode::kAdd, place, 1));
  const InstructionId rest = b.with(Opcode::kAnd, magnitude, (1 << fraction) - 1);
  const InstructionId rise =
      b.binary(Opcode::kMultiply, rest, b.binary(Opcode::kSubtract, next, base));
  const InstructionId curve =
      b.binary(Opcode::kAdd, b.with(Opcode::kShiftLeft, base, fraction), rise);
  return b.select(b.compare(number, b.like(number, 255), hlo::Direction::kLt), curve,
                  b.like(curve, static_cast<double>(most)));
}

}  // namespace

InstructionId mapped_bytes(Builder& b, InstructionId x,
                           const std::function<int32_t(int32_t)>& function) {
  std::vector<int64_t> table;
  for (int32_t value = INT8_MIN; value <= INT8_MAX; ++value)
    table.push_back(std::clamp<int32_t>(function(value), INT8_MIN, INT8_MAX));
  const InstructionId indices = b.with(Opcode::kAdd, b.convert(x, PrimitiveType::kS32), -INT8_MIN);
  return b.lookup(b.constant(literal_of(PrimitiveType::kS8, table, {256})), indices);
}

std::function<int32_t(int32_t)> through_reals(const Tensor& in, const Tensor& out,
                                              float (*function)(float)) {
  const float scale = in.scale(), inverse = 1.0f / out.scale();
  const int32_t zero = in.zero_point(), out_zero = out.zero_point();
  return [=](int32_t value) {
    const float real = scale * static_cast<float>(value - zero);
    const float scaled = std::round(function(real) * inverse);
    return rounded(static_cast<double>(scaled + static_cast<float>(out_zero)));
  };
}

WordTable WordTable::of(float low, float high, float (*function)(float)) {
  constexpr int kSteps = 512;
  const float step = (high - low) / kSteps, half_step = step / 2, inverse = 32768;
  const auto clamped = [](float x) {
    return static_cast<int64_t>(std::min(std::max(x, -32768.0f), 32767.0f));
  };
  WordTable table;
  for (int i = 0; i < kSteps; ++i) {
    const float at = low + static_cast<float>(i) * step;
    const float here = std::round(function(at) * inverse);
    const float next = function(low + static_cast<float>(i + 1) * step) * inverse;
    const float between = std::round((next + here) / 2);
    const float middle = std::round(function(at + half_step) * inverse);
    table.values_.push_back(clamped(here - std::round((between - middle) / 2)));
  }
  table.values_.push_back(clamped(std::round(function(high) * inverse)));
  return table;
}

InstructionId WordTable::lookup(Builder& b, InstructionId x) const {
  using enum PrimitiveType;
  const auto count = static_cast<int64_t>(values_.size());
  const InstructionId table = b.constant(literal_of(kS32, values_, {count}));
  const InstructionId place =
      b.with(Opcode::kAdd, b.with(Opcode::kShiftRightArithmetic, x, 7), 256);
  const InstructionId base = b.lookup(table, place);
  const InstructionId next = b.lookup(table, b.with(Opcode::kAdd, place, 1));
  const InstructionId slope = b.binary(Opcode::kSubtract, next, base);
  const InstructionId rise = b.binary(Opcode::kMultiply, slope, b.with(Opcode::kAnd, x, 127));
  const InstructionId delta =
      b.with(Opcode::kShiftRightArithmetic, b.with(Opcode::kAdd, rise, 64), 7);
  return b.binary(Opcode::kAdd, base, delta);
}

InstructionId curve_of_words(Builder& b, InstructionId x, WordScale by, bool is_tanh) {
  using enum PrimitiveType;
  x = b.with(Opcode::kMultiply, b.convert(x, kS32), by.factor);
  if (by.shift > 0)
    x = b.with(Opcode::kShiftRightArithmetic, b.with(Opcode::kAdd, x, 1 << (by.shift - 1)),
               by.shift);
  const InstructionId magnitude = b.unary(Opcode::kAbs, x);
  const InstructionId curve = is_tanh ? logistic_between(b, magnitude, 8, 0xffff << 8)
                                      : logistic_between(b, magnitude, 9, 0x7fff << 10);
  // f(-x) is 1 - f(x), or -f(x); rounded by one bit more than is dropped.
  const int drop = is_tanh ? 8 : 10;
  const int64_t half = is_tanh ? 1 << 7 : 1 << 9, centre = is_tanh ? 1 << 23 : 0;
  const int64_t mirror = is_tanh ? 1 << 23 : 1 << 25;
  const InstructionId above = b.with(Opcode::kAdd, curve, static_cast<double>(half - centre));
  const InstructionId below =
      b.binary(Opcode::kSubtract, b.like(curve, static_cast<double>(mirror + half - 1)), curve);
  const InstructionId y = b.select(b.compare(x, b.like(x, 0), hlo::Direction::kGe), above, below);
  return b.convert(b.with(Opcode::kShiftRightArithmetic, y, drop), kS16);
}

}  // namespace hlocc::import::tflite
