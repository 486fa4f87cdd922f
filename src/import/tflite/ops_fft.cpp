// Custom operators of spectra: what scales samples, transforms them, and takes their energy.
#include <algorithm>

#include "import/tflite/custom_options.h"
#include "import/tflite/kiss_fft.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

// The length of a transform that is read.
Result<int64_t> fft_length(const Op& op) {
  const PrimitiveType type = op.type(0);
  if (type != kS16 && type != kS32 && type != kF32) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t length, options.integer("fft_length", 4, 1 << 16));
  if (length % 2 != 0) return op.wrong("fft_length is odd");
  if (!fft_radices(length / 2))
    return op.unsupported(cat("fft_length ", length, " has a factor above 5"));
  if (op.b.rank(op.value(0)) < 1) return op.wrong("the operand has no dimension");
  if (op.b.shape(op.value(0)).element_count() == 0) return op.wrong("the operand has no elements");
  return length;
}

// Pairs of a real and an imaginary part along the last dimension, and back.
InstructionId interleaved(Builder& b, ComplexArrays x) {
  const int64_t outer = b.size(x.re, 0), count = b.size(x.re, 1);
  return b.reshape(
      b.concatenate({b.reshape(x.re, {outer, count, 1}), b.reshape(x.im, {outer, count, 1})}, 2),
      {outer, 2 * count});
}
ComplexArrays apart(Builder& b, InstructionId x, int64_t count) {
  const int64_t outer = b.shape(x).element_count() / (2 * count);
  const InstructionId pairs = b.reshape(x, {outer, count, 2});
  const auto part = [&](int64_t i) {
    return b.reshape(b.slice(pairs, 2, i, i + 1), {outer, count});
  };
  return {part(0), part(1)};
}

// The greatest magnitude of s16 elements as a kernel finds it, in s32: it starts anew behind an
// element of -32768, whose magnitude wraps, and takes negative elements that rise from there as
// magnitudes.
InstructionId greatest_magnitude(Builder& b, InstructionId x) {
  const int64_t count = b.size(x, 0);
  const InstructionId wide = b.convert(x, kS32), place = b.iota(kS32, {count}, 0);
  const InstructionId before =
      b.slice(b.concatenate({b.number(kS32, INT16_MIN, {1}), wide}, 0), 0, 0, count);
  const auto greatest = [&](InstructionId which, InstructionId values, double none) {
    return b.reduce(Opcode::kMaximum, b.select(which, values, b.like(values, none)), {0});
  };
  const auto spread = [&](InstructionId scalar) { return b.broadcast(scalar, {count}, {}); };
  const InstructionId is_least = b.compare(wide, b.like(wide, INT16_MIN), Direction::kEq);
  const InstructionId last_least = greatest(is_least, place, -1);
  // The first element behind it that ends the rise.
  const InstructionId rises =
      b.binary(Opcode::kAnd, b.compare(wide, b.like(wide, 0), Direction::kLt),
               b.compare(wide, before, Direction::kGt));
  const InstructionId is_rising =
      b.binary(Opcode::kOr, rises, b.compare(place, spread(last_least), Direction::kLe));
  const InstructionId first = b.reduce(
      Opcode::kMinimum, b.select(is_rising, b.like(place, static_cast<double>(count)), place), {0});
  const InstructionId begin = b.select(b.compare(last_least, b.like(last_least, 0), Direction::kLt),
                                       b.like(first, 0), first);
  const InstructionId counts = b.compare(place, spread(begin), Direction::kGe);
  // -1 where none counts: a negative number has all bits.
  return greatest(counts, b.unary(Opcode::kAbs, wide), -1);
}

}  // namespace

Status signal_fft_auto_scale(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1, 2));
  HLOCC_TRY(op.require_rank(0, 1));
  if (op.type(0) != kS16) return op.unsupported_types();
  if (op.sizes(0)[0] < 1) return op.wrong("the operand has no elements");
  const InstructionId most = greatest_magnitude(b, op.value(0));
  // Bits above the magnitude, but the sign's; of 0 a kernel says that all are taken.
  const InstructionId free = b.with(Opcode::kSubtract, b.unary(Opcode::kClz, most), 17);
  const InstructionId scale = b.select(b.compare(most, b.like(most, 0), Direction::kEq),
                                       b.like(free, 0), b.with(Opcode::kMaximum, free, 0));
  const InstructionId x = b.convert(op.value(0), kS32);
  const InstructionId shifted = b.binary(Opcode::kShiftLeft, x, b.broadcast(scale, b.sizes(x), {}));
  HLOCC_TRY(op.set(b.convert(shifted, kS16)));
  return op.set(scale, 1);
}

Status signal_rfft(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY_ASSIGN(const int64_t length, fft_length(op));
  const int64_t inner = op.sizes(0).back();
  if (inner > length) return op.wrong("has more samples than fft_length");
  const int64_t outer = b.shape(op.value(0)).element_count() / inner;
  InstructionId x = b.reshape(op.value(0), {outer, inner});
  if (inner < length) x = b.concatenate({x, b.number(b.type(x), 0, {outer, length - inner})}, 1);
  if (b.type(x) != kF32) return op.set(interleaved(b, fixed_rfft(b, x, length)));
  const InstructionId spectra =
      b.add(Opcode::kFft, {x}, hlo::FftAttributes{hlo::FftType::kRfft, {length}});
  return op.set(interleaved(b, {b.unary(Opcode::kReal, spectra), b.unary(Opcode::kImag, spectra)}));
}

Status signal_irfft(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY_ASSIGN(const int64_t length, fft_length(op));
  const int64_t count = length / 2 + 1;
  if (op.sizes(0).back() != 2 * count) return op.wrong("has other sizes than its fft_length");
  const ComplexArrays spectra = apart(b, op.value(0), count);
  if (b.type(spectra.re) != kF32) return op.set(fixed_irfft(b, spectra, length));
  const InstructionId x = b.add(Opcode::kFft, {b.add(Opcode::kComplex, {spectra.re, spectra.im})},
                                hlo::FftAttributes{hlo::FftType::kIrfft, {length}});
  return op.set(x);
}

// Of the places from start_index to end_index; what lies outside no kernel writes: zeros.
Status signal_energy(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(op.require_rank(0, 1));
  if (op.type(0) != kS16) return op.unsupported_types();
  const int64_t count = op.sizes(0)[0] / 2;
  if (op.out().shape.size() != 1) return op.wrong("the result has not one dimension");
  const int64_t size = op.out().shape[0];
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t end, options.integer("end_index", 1, std::min(count, size)));
  HLOCC_TRY_ASSIGN(const int64_t start, options.integer("start_index", 0, end - 1));
  const ComplexArrays all = apart(b, b.slice(op.value(0), 0, 0, 2 * count), count);
  const auto square = [&](InstructionId x) {
    const InstructionId wide = b.convert(b.slice(b.reshape(x, {count}), 0, start, end), kS32);
    return b.binary(Opcode::kMultiply, wide, wide);
  };
  const InstructionId energy =
      b.convert(b.binary(Opcode::kAdd, square(all.re), square(all.im)), kU32);
  return op.set(b.pad(energy, b.number(kU32, 0), {{start, size - end, 0}}));
}

}  // namespace hlocc::import::tflite::ops
