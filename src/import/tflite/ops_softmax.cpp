// SOFTMAX along the last dimension.
#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/tables.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// Each row's value in every place of x.
InstructionId spread_rows(Builder& b, InstructionId rows, InstructionId x) {
  return b.broadcast(rows, b.sizes(x), counting(b.rank(x) - 1));
}

InstructionId softmax_of_floats(const Op& op, InstructionId x, float beta) {
  Builder& b = op.b;
  const int64_t last = b.rank(x) - 1;
  const InstructionId most = b.reduce(Opcode::kMaximum, x, {last});
  InstructionId shifted = b.binary(Opcode::kSubtract, x, spread_rows(b, most, x));
  if (beta != 1) shifted = b.with(Opcode::kMultiply, shifted, beta);
  const InstructionId powers = b.math(Opcode::kExp, shifted);
  const InstructionId sum = b.reduce(Opcode::kAdd, powers, {last});
  return b.binary(Opcode::kDivide, powers, spread_rows(b, sum, x));
}

// exp(-d * scale) of differences d from 0 to 255, with no integer bits and with twelve; from
// `least` on all is 0.
struct ExpTables {
  std::vector<int64_t> exact, summed;
  int64_t least = 0;
};

ExpTables exp_tables(float scale, float beta) {
  // Differences are scaled to five integer bits.
  const double real = std::min(static_cast<double>(beta) * scale * (1 << 26), 2147483647.0);
  const Multiplier by = quantize_multiplier(real);
  const double reach = 31.0 * (1 << 26) / static_cast<double>(int64_t{1} << by.shift);
  const auto most = static_cast<int64_t>(std::floor(reach));
  ExpTables out;
  out.least = most + 1;
  for (int64_t d = 0; d < 256; ++d) {
    const bool counts = d <= most;
    const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(-d) << by.shift);
    const int32_t value = counts ? exp_of_negative(high_multiply(shifted, by.factor), 5) : 0;
    out.exact.push_back(value);
    out.summed.push_back(counts ? rounding_shift(value, 12) : 0);
  }
  return out;
}

struct Reciprocal {
  InstructionId scale, bits_over_unit;
};
// gemmlowp's 1 / x of x > 0 with twelve integer bits, by three of Newton's steps.
Reciprocal reciprocal(Builder& b, InstructionId x) {
  const InstructionId headroom = b.unary(Opcode::kClz, x);
  const InstructionId bits = b.binary(Opcode::kSubtract, b.like(headroom, 12), headroom);
  const InstructionId shifted =
      b.binary(Opcode::kShiftLeft, b.convert(x, kU32), b.convert(headroom, kU32));
  const InstructionId rest = b.convert(b.with(Opcode::kSubtract, shifted, 2147483648.0), kS32);
  // Half of 1 + rest, rounded; not negative.
  const InstructionId sum = b.with(Opcode::kAdd, b.convert(rest, kS64), 2147483648.0);
  const InstructionId half = b.convert(b.with(Opcode::kDivide, sum, 2), kS32);
  const auto multiply = [&](InstructionId p, InstructionId q) { return fixed_product(b, p, q); };
  InstructionId y = b.with(Opcode::kAdd, multiply(half, b.like(half, -1010580540)), 1515870810);
  for (int i = 0; i < 3; ++i) {
    const InstructionId part = multiply(half, y);
    const InstructionId one_minus = b.binary(Opcode::kSubtract, b.like(part, 1 << 29), part);
    y = b.binary(Opcode::kAdd, y, saturating_left(b, multiply(y, one_minus), 2));
  }
  return {saturating_left(b, y, 1), bits};
}

// What kernels ask for: probabilities in all of the result's range, and a scale that is not tiny.
Status check_scales(const Op& op, float beta) {
  for (const Tensor* tensor : {&op.in(0), &op.out()}) HLOCC_TRY(op.require_quantized(*tensor));
  const bool from_byte = op.type(0) == kS8, to_byte = element_type(op.out().type) == kS8;
  const float unit = to_byte ? 1.0f / 256 : from_byte ? 1.0f / 65536 : 1.0f / 32768;
  const int32_t least = to_byte ? INT8_MIN : from_byte ? INT16_MIN : 0;
  if (std::abs(op.out().scale() - unit) > unit * 1e-3f || op.out().zero_point() != least)
    return op.unsupported("a result whose scale or zero point is not that of probabilities");
  if (from_byte && static_cast<double>(beta) * op.in(0).scale() * (1 << 26) <= 1)
    return op.unsupported("a scale so small that all differences vanish");
  return {};
}

Status softmax_of_bytes(const Op& op, float beta) {
  Builder& b = op.b;
  HLOCC_TRY(check_scales(op, beta));
  const InstructionId x = op.value(0);
  const int64_t last = b.rank(x) - 1;
  const ExpTables tables = exp_tables(op.in(0).scale(), beta);
  const InstructionId wide = b.convert(x, kS32);
  const InstructionId most = b.convert(b.reduce(Opcode::kMaximum, x, {last}), kS32);
  const InstructionId difference = b.binary(Opcode::kSubtract, spread_rows(b, most, wide), wide);
  const auto looked_up = [&](const std::vector<int64_t>& table) {
    return b.lookup(b.constant(literal_of(kS32, table, {256})), difference);
  };
  const InstructionId sum = b.reduce(Opcode::kAdd, looked_up(tables.summed), {last});
  const Reciprocal one_over = reciprocal(b, sum);
  const InstructionId scaled =
      fixed_product(b, spread_rows(b, one_over.scale, wide), looked_up(tables.exact));
  const PrimitiveType type = *element_type(op.out().type);
  const int64_t bits = hlo::type_bits(type), low = -(int64_t{1} << (bits - 1));
  // Rounded by at least one place: all numbers are positive.
  const InstructionId by =
      spread_rows(b, b.with(Opcode::kAdd, one_over.bits_over_unit, 31 - bits), wide);
  const InstructionId half_bit =
      b.binary(Opcode::kShiftRightArithmetic, scaled, b.with(Opcode::kSubtract, by, 1));
  const InstructionId rounded =
      b.binary(Opcode::kAdd, b.binary(Opcode::kShiftRightArithmetic, scaled, by),
               b.with(Opcode::kAnd, half_bit, 1));
  const InstructionId out = b.clamp(b.with(Opcode::kAdd, rounded, low), low, -low - 1);
  const InstructionId counts =
      b.compare(difference, b.like(difference, tables.least), Direction::kLt);
  return op.set(b.convert(b.select(counts, out, b.like(out, low)), type));
}

Status softmax_of_words(const Op& op, float beta) {
  Builder& b = op.b;
  HLOCC_TRY(check_scales(op, beta));
  const InstructionId x = op.value(0);
  const int64_t last = b.rank(x) - 1;
  const InstructionId wide = b.convert(x, kS32);
  const InstructionId most = b.convert(b.reduce(Opcode::kMaximum, x, {last}), kS32);
  const InstructionId difference = b.binary(Opcode::kSubtract, wide, spread_rows(b, most, wide));
  // From -10 to 0 over all of 16 bits.
  const double rescale =
      static_cast<double>(op.in(0).scale()) * static_cast<double>(beta) / (10.0 / 65535.0);
  const InstructionId scaled = multiplied(b, difference, {quantize_multiplier(rescale)});
  const InstructionId centred =
      b.clamp(b.with(Opcode::kAdd, scaled, INT16_MAX), INT16_MIN, INT16_MAX);
  const auto exp_table = WordTable::of(-10, 0, [](float value) { return std::exp(value); });
  const InstructionId powers = exp_table.lookup(b, centred);
  const InstructionId sum = b.reduce(Opcode::kAdd, powers, {last});
  // 1 / sum of a sum brought to [1, 2): the bits behind the first one, 16 of them.
  const InstructionId headroom = b.unary(Opcode::kClz, sum);
  const InstructionId normal = b.binary(Opcode::kShiftLeft, b.convert(sum, kS64),
                                        b.convert(b.with(Opcode::kSubtract, headroom, 1), kS64));
  const InstructionId bits = b.convert(
      b.with(Opcode::kShiftRightArithmetic, b.with(Opcode::kAdd, normal, 1 << 13), 14), kS32);
  const InstructionId place =
      b.clamp(b.with(Opcode::kSubtract, bits, (1 << 15) + (1 << 16)), INT16_MIN, INT16_MAX);
  const auto inverse_table = WordTable::of(0, 1, [](float value) { return 1.0f / (1.0f + value); });
  const InstructionId inverse = spread_rows(b, inverse_table.lookup(b, place), wide);
  const InstructionId by =
      spread_rows(b, b.binary(Opcode::kSubtract, b.like(headroom, 31), headroom), wide);
  const InstructionId half =
      b.binary(Opcode::kShiftLeft, b.like(by, 1), b.with(Opcode::kSubtract, by, 1));
  const InstructionId product =
      b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, powers, inverse), half);
  const InstructionId out = b.binary(Opcode::kShiftRightArithmetic, product, by);
  return op.set(b.convert(b.clamp(out, 0, INT16_MAX), kS16));
}

}  // namespace

Status log_softmax(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const InstructionId x = op.value(0);
  if (b.rank(x) < 1) return op.wrong("the operand has no dimension");
  if (op.type(0) != kF32) return op.unsupported_types();
  const int64_t last = b.rank(x) - 1;
  const InstructionId most = b.reduce(Opcode::kMaximum, x, {last});
  const InstructionId shifted = b.binary(Opcode::kSubtract, x, spread_rows(b, most, x));
  const InstructionId sum = b.reduce(Opcode::kAdd, b.math(Opcode::kExp, shifted), {last});
  return op.set(b.binary(Opcode::kSubtract, shifted, spread_rows(b, b.math(Opcode::kLog, sum), x)));
}

Status softmax(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  const float beta = op.options.number<float>(schema::SoftmaxOptions::beta);
  if (op.b.rank(op.value(0)) < 1) return op.wrong("the operand has no dimension");
  if (!(beta > 0) || !std::isfinite(beta)) return op.wrong("beta is no positive number");
  const PrimitiveType x = op.type(0), y = element_type(op.out().type).value_or(kTuple);
  if (x == kF32) return op.set(softmax_of_floats(op, op.value(0), beta));
  if (x == kS8 && (y == kS8 || y == kS16)) return softmax_of_bytes(op, beta);
  if (x == kS16 && y == kS16) return softmax_of_words(op, beta);
  return op.unsupported_types();
}

}  // namespace hlocc::import::tflite::ops
