// Custom operators of audio front ends: energies of frequencies joined to channels, their roots and
// logarithms, noise taken from them, and gain.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "import/build/numbers.h"
#include "import/tflite/custom_options.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// Of the numbers that stand in for all channels' widths.
constexpr int64_t kMostWeights = 1 << 20;

Status require_channels(const Op& op, PrimitiveType type) {
  HLOCC_TRY(op.require_rank(0, 1));
  if (op.type(0) != type) return op.unsupported_types();
  return {};
}

// Which frequencies make a channel, and with which weights. One channel more than there are: what
// is below the first only gives to it.
struct Bank {
  Dimensions sizes;  // of all numbers: a channel's in a row, filled up with weights of 0
  std::vector<int64_t> places, weights, unweights;
};

Result<Bank> read_bank(const Op& op, int64_t channels) {
  std::vector<std::vector<int64_t>> tables;
  for (int i = 1; i < 6; ++i) {
    HLOCC_TRY(op.require_rank(i, 1));
    if (op.type(i) != kS16) return op.unsupported_types();
    HLOCC_TRY_ASSIGN(std::vector<int64_t> values, op.integers(i, "a table of the filter bank"));
    tables.push_back(std::move(values));
  }
  const auto& [weights, unweights, starts, weight_starts, widths] =
      std::tie(tables[0], tables[1], tables[2], tables[3], tables[4]);
  const int64_t rows = channels + 1, frequencies = op.sizes(0)[0];
  for (const auto* table : {&starts, &weight_starts, &widths})
    if (static_cast<int64_t>(table->size()) < rows)
      return op.wrong("a table is shorter than num_channels + 1");
  int64_t width = 1;
  for (int64_t i = 0; i < rows; ++i) width = std::max(width, widths[i]);
  if (width * rows > kMostWeights) return op.unsupported("a filter bank of more than 2^20 numbers");
  Bank bank;
  bank.sizes = {rows, width};
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t used = std::max<int64_t>(widths[i], 0);
    const auto most = static_cast<int64_t>(std::min(weights.size(), unweights.size()));
    if (used > 0 && (starts[i] < 0 || starts[i] + used > frequencies || weight_starts[i] < 0 ||
                     weight_starts[i] + used > most))
      return op.wrong(cat("channel ", i, " reaches beyond its frequencies or weights"));
    for (int64_t j = 0; j < width; ++j) {
      bank.places.push_back(j < used ? starts[i] + j : 0);
      bank.weights.push_back(j < used ? weights[weight_starts[i] + j] : 0);
      bank.unweights.push_back(j < used ? unweights[weight_starts[i] + j] : 0);
    }
  }
  return bank;
}

// The square root of u64, rounded, of at most 32 bits; of u32 numbers of at most 16.
InstructionId rounded_root(Builder& b, InstructionId x) {
  const Dimensions sizes = b.sizes(x);
  const double highest = 4611686018427387904.0;  // 2^62
  const auto iteration = [&](InstructionId, const std::vector<InstructionId>& state) {
    const InstructionId rest = state[0], root = state[1], bit = state[2];
    const InstructionId bits = b.broadcast(bit, sizes, {});
    const InstructionId tried = b.binary(Opcode::kAdd, root, bits);
    const InstructionId fits = b.compare(rest, tried, Direction::kGe);
    const InstructionId half = b.with(Opcode::kShiftRightLogical, root, 1);
    return std::vector<InstructionId>{
        b.select(fits, b.binary(Opcode::kSubtract, rest, tried), rest),
        b.select(fits, b.binary(Opcode::kAdd, half, bits), half),
        b.with(Opcode::kShiftRightLogical, bit, 2)};
  };
  const std::vector<InstructionId> done =
      b.loop(32, {x, b.like(x, 0), b.number(kU64, highest)}, iteration);
  const InstructionId up = b.compare(done[0], done[1], Direction::kGt);
  const InstructionId root = b.binary(Opcode::kAdd, done[1], b.convert(up, kU64));
  const InstructionId is_short = b.compare(x, b.like(x, 4294967296.0), Direction::kLt);
  const InstructionId most = b.select(is_short, b.like(x, 65535), b.like(x, 4294967295.0));
  return b.convert(b.binary(Opcode::kMinimum, root, most), kU32);
}

// log2(1 + x) - x at 128ths of 1, in 65536ths.
InstructionId log_table(Builder& b) {
  std::vector<int64_t> values;
  for (int i = 0; i <= 128; ++i) {
    const double x = i / 128.0;
    values.push_back(static_cast<int64_t>(std::round(65536 * (std::log2(1 + x) - x))));
  }
  return b.constant(literal_of(kS32, values, {129}));
}

// The natural logarithm of u32 above 1, times `scale`, in 65536ths rounded; u32.
InstructionId fixed_log(Builder& b, InstructionId x, int64_t scale) {
  const InstructionId integer =
      b.binary(Opcode::kSubtract, b.like(x, 31), b.unary(Opcode::kClz, x));
  const InstructionId power = b.binary(Opcode::kShiftLeft, b.like(x, 1), integer);
  const InstructionId rest = b.binary(Opcode::kSubtract, x, power);
  const InstructionId is_small = b.compare(integer, b.like(x, 16), Direction::kLt);
  const auto by = [&](Opcode opcode, InstructionId shift) { return b.binary(opcode, rest, shift); };
  const InstructionId fraction = b.convert(
      b.select(is_small,
               by(Opcode::kShiftLeft, b.binary(Opcode::kSubtract, b.like(x, 16), integer)),
               by(Opcode::kShiftRightLogical, b.with(Opcode::kSubtract, integer, 16))),
      kS32);
  const InstructionId segment = b.with(Opcode::kShiftRightArithmetic, fraction, 9);
  const InstructionId table = log_table(b), low = b.lookup(table, segment);
  const InstructionId rise =
      b.binary(Opcode::kSubtract, b.lookup(table, b.with(Opcode::kAdd, segment, 1)), low);
  const InstructionId between =
      b.with(Opcode::kShiftRightArithmetic,
             b.binary(Opcode::kMultiply, rise, b.with(Opcode::kAnd, fraction, 511)), 16);
  const InstructionId behind =
      b.binary(Opcode::kAdd, b.binary(Opcode::kAdd, fraction, low), between);
  const InstructionId log2 =
      b.binary(Opcode::kAdd, b.with(Opcode::kShiftLeft, integer, 16), b.convert(behind, kU32));
  const InstructionId natural = b.with(Opcode::kMultiply, b.convert(log2, kU64), 45426);
  const auto rounded = [&](InstructionId value) {
    return b.with(Opcode::kShiftRightLogical, b.with(Opcode::kAdd, value, 32768), 16);
  };
  const InstructionId log = b.convert(rounded(natural), kU32);
  return rounded(b.with(Opcode::kMultiply, log, static_cast<double>(scale)));
}

// Gain by the magnitude of the noise: polynomials of two bits' intervals each, by their table.
InstructionId gain_of(Builder& b, InstructionId noise, InstructionId table) {
  const InstructionId interval =
      b.binary(Opcode::kSubtract, b.like(noise, 32), b.unary(Opcode::kClz, noise));
  const InstructionId is_short = b.compare(interval, b.like(noise, 11), Direction::kLt);
  const InstructionId up =
      b.binary(Opcode::kShiftLeft, noise, b.binary(Opcode::kSubtract, b.like(noise, 11), interval));
  const InstructionId down =
      b.binary(Opcode::kShiftRightLogical, noise, b.with(Opcode::kSubtract, interval, 11));
  const InstructionId fraction =
      b.convert(b.with(Opcode::kAnd, b.select(is_short, up, down), 0x3ff), kS32);
  const InstructionId place = b.with(
      Opcode::kMaximum,
      b.with(Opcode::kSubtract, b.with(Opcode::kMultiply, b.convert(interval, kS32), 4), 6), 0);
  const auto at = [&](int i) {
    return b.convert(b.lookup(table, b.with(Opcode::kAdd, place, i)), kS32);
  };
  const InstructionId bent =
      b.with(Opcode::kShiftRightArithmetic, b.binary(Opcode::kMultiply, at(2), fraction), 5);
  const InstructionId slope = b.binary(Opcode::kAdd, bent, b.with(Opcode::kShiftLeft, at(1), 5));
  const InstructionId rise =
      b.with(Opcode::kShiftRightArithmetic,
             b.with(Opcode::kAdd, b.binary(Opcode::kMultiply, slope, fraction), 1 << 14), 15);
  const InstructionId far = b.convert(b.binary(Opcode::kAdd, rise, at(0)), kS16);
  const InstructionId near = b.lookup(table, b.convert(b.with(Opcode::kMinimum, noise, 2), kS32));
  return b.select(b.compare(noise, b.like(noise, 2), Direction::kLe), near, far);
}

}  // namespace

Status signal_filter_bank(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(6, 6));
  HLOCC_TRY(require_channels(op, kU32));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t channels, options.integer("num_channels", 1, INT16_MAX));
  HLOCC_TRY_ASSIGN(const Bank bank, read_bank(op, channels));
  const InstructionId energies = b.convert(
      b.take(op.value(0), b.constant(literal_of(kS32, bank.places, bank.sizes)), 0), kU64);
  const auto sums = [&](const std::vector<int64_t>& weights) {
    const InstructionId by = b.convert(b.constant(literal_of(kS64, weights, bank.sizes)), kU64);
    return b.reduce(Opcode::kAdd, b.binary(Opcode::kMultiply, energies, by), {1});
  };
  const InstructionId own = b.slice(sums(bank.weights), 0, 1, channels + 1);
  const InstructionId below = b.slice(sums(bank.unweights), 0, 0, channels);
  return op.set(b.binary(Opcode::kAdd, own, below));
}

Status signal_filter_bank_square_root(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY(require_channels(op, kU64));
  if (op.type(1) != kS32 || b.shape(op.value(1)).element_count() != 1)
    return op.wrong("the second operand is no number of bits");
  const InstructionId root = rounded_root(b, op.value(0));
  const InstructionId bits =
      b.broadcast(b.convert(b.reshape(op.value(1), Dimensions()), kU32), b.sizes(root), {});
  return op.set(b.binary(Opcode::kShiftRightLogical, root, bits));
}

Status signal_filter_bank_log(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(require_channels(op, kU32));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t bits, options.integer("input_correction_bits", 0, 31));
  HLOCC_TRY_ASSIGN(const int64_t scale, options.integer("output_scale", 0, INT32_MAX));
  const InstructionId x = b.with(Opcode::kShiftLeft, op.value(0), static_cast<double>(bits));
  const InstructionId is_more = b.compare(x, b.like(x, 1), Direction::kGt);
  // Where there is no logarithm, that of another number.
  const InstructionId log = fixed_log(b, b.with(Opcode::kMaximum, x, 2), scale);
  const InstructionId out = b.with(Opcode::kMinimum, log, INT16_MAX);
  return op.set(b.convert(b.select(is_more, out, b.like(out, 0)), kS16));
}

// Noise is what stays: an average over runs, of even and odd channels by weights of their own.
Status signal_spectral_subtraction(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1, 2));
  HLOCC_TRY(require_channels(op, kU32));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  const Dimensions sizes = op.sizes(0);
  const auto weight = [&](std::string_view name) { return options.integer(name, 0, INT32_MAX); };
  HLOCC_TRY_ASSIGN(const int64_t even, weight("smoothing"));
  HLOCC_TRY_ASSIGN(const int64_t odd, weight("alternate_smoothing"));
  HLOCC_TRY_ASSIGN(const int64_t even_rest, weight("one_minus_smoothing"));
  HLOCC_TRY_ASSIGN(const int64_t odd_rest, weight("alternate_one_minus_smoothing"));
  HLOCC_TRY_ASSIGN(const int64_t least, weight("min_signal_remaining"));
  HLOCC_TRY_ASSIGN(const bool clamping, options.flag("clamping"));
  HLOCC_TRY_ASSIGN(const int64_t up, options.integer("smoothing_bits", 0, 31));
  HLOCC_TRY_ASSIGN(const int64_t down, options.integer("spectral_subtraction_bits", 0, 63));
  HLOCC_TRY_ASSIGN(const int64_t channels, options.integer("num_channels", 1, 1 << 24));
  if (channels != sizes[0]) return op.wrong("has other sizes than num_channels");
  const auto alternating = [&](int64_t first, int64_t second) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < channels; ++i) values.push_back(i % 2 == 0 ? first : second);
    return b.along(values, kU64, sizes, 0);
  };
  const auto weighted = [&](InstructionId x, InstructionId by) {
    return b.binary(Opcode::kMultiply, b.convert(x, kU64), by);
  };
  const auto shifted = [&](InstructionId x) {
    return b.convert(b.with(Opcode::kShiftRightLogical, x, static_cast<double>(down)), kU32);
  };
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const InstructionId before, op.kept("noise", Shape::array(kU32, sizes)));
  const InstructionId signal = b.with(Opcode::kShiftLeft, x, static_cast<double>(up));
  const InstructionId estimate =
      shifted(b.binary(Opcode::kAdd, weighted(signal, alternating(even, odd)),
                       weighted(before, alternating(even_rest, odd_rest))));
  const InstructionId bounded = b.binary(Opcode::kMinimum, estimate, signal);
  const InstructionId noise = clamping ? bounded : estimate;
  const InstructionId floor = shifted(weighted(x, alternating(least, least)));
  const InstructionId left =
      b.with(Opcode::kShiftRightLogical, b.binary(Opcode::kSubtract, signal, bounded),
             static_cast<double>(up));
  op.keep("noise", noise);
  HLOCC_TRY(op.set(b.binary(Opcode::kMaximum, left, floor)));
  return op.set(noise, 1);
}

Status signal_pcan(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 3));
  HLOCC_TRY(require_channels(op, kU32));
  HLOCC_TRY(op.require_rank(2, 1));
  if (op.type(1) != kU32 || op.type(2) != kS16) return op.unsupported_types();
  if (op.sizes(1) != op.sizes(0)) return op.wrong("the noise has other sizes");
  // Of 32 bits of the noise, three numbers each of four.
  if (op.sizes(2)[0] < 125) return op.wrong("the table of gains has less than 125 numbers");
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t shift, options.integer("snr_shift", 0, 63));
  const InstructionId gain = b.convert(b.convert(gain_of(b, op.value(1), op.value(2)), kS64), kU32);
  const InstructionId product =
      b.binary(Opcode::kMultiply, b.convert(op.value(0), kU64), b.convert(gain, kU64));
  const InstructionId ratio =
      b.convert(b.with(Opcode::kShiftRightLogical, product, static_cast<double>(shift)), kU32);
  // x^2 / 4 below 2, x - 1 above; from 12 bits behind the point to 6.
  const InstructionId small =
      b.with(Opcode::kShiftRightLogical, b.binary(Opcode::kMultiply, ratio, ratio), 20);
  const InstructionId great =
      b.with(Opcode::kSubtract, b.with(Opcode::kShiftRightLogical, ratio, 6), 64);
  return op.set(b.select(b.compare(ratio, b.like(ratio, 2 << 12), Direction::kLt), small, great));
}

}  // namespace hlocc::import::tflite::ops
