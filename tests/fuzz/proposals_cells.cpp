// Cells of recurrent networks as quantisers write them: sums of products of dequantised bytes, a
// bias, bytes again or not, gates that are slices of them, functions, and their products as bytes.
#include "fuzz/quantized.h"

namespace hlocc::fuzz {
namespace {

using enum hlo::PrimitiveType;

Id scaled_by(Builder& b, Id x, double scale) {
  return x == kNone ? x : b.emit(Opcode::kMultiply, {x, splat(b, b.type(x), scale, b.dims(x))});
}

// Rounded to so many steps of the scale and dequantised, with bytes between.
Id quantized(Builder& b, Id x, double scale, double zero) {
  if (x == kNone) return x;
  const Dimensions dims = b.dims(x);
  x = b.emit(Opcode::kRoundNearestEven,
             {b.emit(Opcode::kDivide, {x, splat(b, kF32, scale, dims)})});
  if (zero != 0) x = b.emit(Opcode::kAdd, {x, splat(b, kF32, zero, dims)});
  return converted(b, b.emit(Opcode::kClamp, {b.scalar(kF32, -128), x, b.scalar(kF32, 127)}), kS8);
}
Id fake_quantized(Builder& b, Id x, double scale, double zero) {
  x = converted(b, quantized(b, x, scale, zero), kF32);
  if (x == kNone) return x;
  if (zero != 0) x = b.emit(Opcode::kSubtract, {x, splat(b, kF32, zero, b.dims(x))});
  return scaled_by(b, x, scale);
}

// Bytes times a scale a column, spelled by operations on constants.
Id computed_weights(Builder& b, const Dimensions& dims) {
  Literal bytes = Literal::zeros(Shape::array(kS8, dims));
  for (int64_t i = 0; i < bytes.element_count(); ++i)
    set_number(bytes, i, static_cast<double>(b.random.between(-128, 127)));
  return b.emit(Opcode::kMultiply, {converted(b, b.constant(std::move(bytes)), kF32),
                                    numbers_for(b, kF32, dims, b.random.chance(70),
                                                [&] { return power_of_two(b, 7); })});
}

Id sums_of_gates(Builder& b, int64_t rows, int64_t columns) {
  Id sum = kNone;
  for (int64_t n = b.random.between(1, 2); n > 0; --n) {
    const int64_t depth = b.random.between(1, 12);
    const Id x = dequantized(b, {rows, depth}), w = b.random.chance(50)
                                                        ? computed_weights(b, {depth, columns})
                                                        : scaled_weights(b, {depth, columns});
    const Id y = b.emit(Opcode::kDot, {x, w},
                        hlo::DotAttributes{.lhs_contracting = {1}, .rhs_contracting = {0}}, {},
                        Shape::array(kF32, {}));
    sum = sum == kNone ? y : b.emit(Opcode::kAdd, {sum, y});
  }
  if (sum != kNone && b.random.chance(70))
    sum = b.emit(Opcode::kAdd, {sum, numbers_for(b, kF32, b.dims(sum), b.random.chance(60),
                                                 [&] { return 4 * b.random.unit() - 2; })});
  return sum;
}

// A gate's columns through a function, or as they are.
Id gate(Builder& b, Id sums, int64_t number, int64_t hidden) {
  hlo::SliceAttributes slice;
  slice.starts = {0, number * hidden};
  slice.limits = {b.dims(sums)[0], (number + 1) * hidden};
  slice.strides = {1, 1};
  Id x = b.emit(Opcode::kSlice, {sums}, slice);
  const Opcode function = b.random.of(std::vector<Opcode>{Opcode::kLogistic, Opcode::kTanh});
  if (x != kNone && b.random.chance(80)) x = b.emit(function, {x}, hlo::ResultAccuracyAttributes{});
  if (x != kNone && b.random.chance(60))
    x = fake_quantized(b, x, power_of_two(b, 8), static_cast<double>(b.random.between(-128, 127)));
  if (x != kNone && b.random.chance(20))
    x = b.emit(Opcode::kSubtract, {splat(b, kF32, 1, b.dims(x)), x});
  return x;
}

Id qdq_cell(Builder& b, PrimitiveType) {
  const int64_t rows = b.random.between(1, 3), gates = b.random.between(2, 4),
                hidden = b.random.of(std::vector<int64_t>{1, 2, 3, 4, 7, 8});
  Id sums = sums_of_gates(b, rows, gates * hidden);
  if (sums != kNone && b.random.chance(60))
    sums = fake_quantized(b, sums, 0.02 + 3 * static_cast<double>(b.random.unit()),
                          static_cast<double>(b.random.between(-10, 10)));
  if (sums == kNone) return sums;
  Id y = gate(b, sums, 0, hidden);
  for (int64_t n = 1; n < gates && y != kNone; ++n) {
    const Id x = b.random.chance(25) ? dequantized(b, {rows, hidden}) : gate(b, sums, n, hidden);
    if (x == kNone) return x;
    y = b.emit(b.random.chance(60) ? Opcode::kMultiply : Opcode::kAdd, {y, x});
    if (y != kNone && b.random.chance(50)) y = fake_quantized(b, y, power_of_two(b, 6), 0);
  }
  return quantized(b, y, 0.01 + 0.1 * static_cast<double>(b.random.unit()), 0);
}

}  // namespace

void add_cells(std::vector<Proposal>& rows) { rows.push_back({"qdq_cell", 0, qdq_cell}); }

}  // namespace hlocc::fuzz
