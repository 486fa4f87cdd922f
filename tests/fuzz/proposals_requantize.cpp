// Requantisation, as converters of networks spell it: an accumulator times a factor, rounded, moved
// and clamped to a narrow type; in 64 bits with a shift that may differ from channel to channel, by
// a rounding doubling high multiplication, or in f32. And two arrays of bytes, each with a scale,
// added; and sums of products of scaled bytes, all in f32.
#include <algorithm>

#include "fuzz/quantized.h"

namespace hlocc::fuzz {

using enum hlo::PrimitiveType;

Id spread(Builder& b, Id x, Dimensions dims) {
  if (x == kNone) return kNone;
  hlo::DimensionsAttributes map;
  if (b.rank(x) == 1) map.dimensions = {static_cast<int64_t>(dims.size()) - 1};
  return b.emit(Opcode::kBroadcast, {x}, map, {}, Shape::array(b.type(x), dims));
}
Id splat(Builder& b, PrimitiveType type, double value, Dimensions dims) {
  return spread(b, b.scalar(type, value), dims);
}
Id converted(Builder& b, Id x, PrimitiveType type) {
  if (x == kNone) return kNone;
  return b.emit(Opcode::kConvert, {x}, {}, {}, Shape::array(type, b.dims(x)));
}

double power_of_two(Builder& b, int64_t most) {
  return 1.0 / static_cast<double>(int64_t{1} << b.random.between(0, most));
}

Id dequantized(Builder& b, const Dimensions& dims) {
  Id x = kNone;
  if (b.random.chance(75)) {
    x = converted(b, b.value_like(b.random.chance(70) ? kS8 : kU8, dims), kF32);
  } else {
    x = b.emit(Opcode::kMultiply, {converted(b, b.value_like(kS32, dims), kF32),
                                   splat(b, kF32, power_of_two(b, 20), dims)});
    x = b.emit(Opcode::kRoundNearestEven, {x});
    x = b.emit(Opcode::kClamp, {b.scalar(kF32, -128), x, b.scalar(kF32, 127)});
  }
  if (b.random.chance(50))
    x = b.emit(Opcode::kSubtract,
               {x, splat(b, kF32, static_cast<double>(b.random.between(-128, 127)), dims)});
  return b.random.chance(80)
             ? b.emit(Opcode::kMultiply, {x, splat(b, kF32, power_of_two(b, 8), dims)})
             : b.emit(Opcode::kDivide, {x, splat(b, kF32, 1 / power_of_two(b, 8), dims)});
}

Id scaled_weights(Builder& b, const Dimensions& dims) {
  const bool each = b.random.chance(60);
  std::vector<double> scales;
  for (int64_t column = 0; column < dims[1]; ++column)
    scales.push_back(each || scales.empty() ? power_of_two(b, 7) : scales[0]);
  Literal literal = Literal::zeros(Shape::array(kF32, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i)
    set_number(literal, i,
               static_cast<double>(b.random.between(-127, 127)) *
                   scales[static_cast<size_t>(i % dims[1])]);
  return b.constant(std::move(literal));
}

namespace {

// What one spelling works on: accumulators [rows, channels].
struct Accumulator {
  Id value = kNone;
  Dimensions dims;
};

// A sum of products of bytes, a few bits, or any number.
Accumulator accumulator(Builder& b) {
  Accumulator out;
  const int64_t rows = b.random.between(1, 6),
                channels = b.random.of(std::vector<int64_t>{1, 2, 3, 4, 5, 8, 12, 16});
  out.dims = {rows, channels};
  switch (b.random.below(3)) {
    case 0: {
      const int64_t depth = b.random.between(1, 20);
      const Id x = b.value_like(kS8, {rows, depth}), w = b.value_like(kS8, {depth, channels});
      out.value = b.emit(Opcode::kDot, {x, w},
                         hlo::DotAttributes{.lhs_contracting = {1}, .rhs_contracting = {0}}, {},
                         Shape::array(kS32, {}));
      break;
    }
    case 1:
      out.value =
          b.emit(Opcode::kMultiply,
                 {converted(b, b.value_like(kS8, out.dims), kS32),
                  splat(b, kS32, static_cast<double>(b.random.between(-3000, 3000)), out.dims)});
      break;
    default: out.value = b.value_like(kS32, out.dims);
  }
  return out;
}

// ((acc * f + round) >> s) + zero: factors of 31 bits, shifts and offsets that are alike or differ,
// some of which overflow.
Id by_long_shift(Builder& b, const Accumulator& a) {
  const bool each_factor = b.random.chance(60), each_shift = b.random.chance(60);
  const int64_t low = b.random.between(15, 45),
                spread_of = b.random.of(std::vector<int64_t>{0, 1, 2, 4, 8, 17});
  const auto shift = [&] { return std::min<int64_t>(low + b.random.between(0, spread_of), 62); };
  const Id f = numbers_for(b, kS64, a.dims, each_factor, [&] {
    return b.random.between(int64_t{1} << 30, (int64_t{1} << 31) - (b.random.chance(5) ? -1 : 1));
  });
  Id y = b.emit(Opcode::kMultiply, b.random.chance(50)
                                       ? std::vector<Id>{converted(b, a.value, kS64), f}
                                       : std::vector<Id>{f, converted(b, a.value, kS64)});
  if (b.random.chance(80)) {
    const bool huge = b.random.chance(10);
    const Id round = numbers_for(b, kS64, a.dims, each_shift, [&] {
      return huge ? int64_t{1} << 62 : int64_t{1} << (shift() - 1);
    });
    y = b.emit(Opcode::kAdd, {y, round});
  }
  y = b.emit(Opcode::kShiftRightArithmetic, {y, numbers_for(b, kS64, a.dims, each_shift, shift)});
  return b.random.chance(50)
             ? y
             : b.emit(
                   Opcode::kAdd,
                   {y, splat(b, kS64, static_cast<double>(b.random.between(-128, 127)), a.dims)});
}

// High half of twice the product, rounded to nearest; then a shift to the right, rounded to
// nearest, away from zero.
Id by_high_multiply(Builder& b, const Accumulator& a) {
  const Id x = converted(b, a.value, kS64);
  const Id f = numbers_for(b, kS64, a.dims, b.random.chance(60), [&] {
    return b.random.between(int64_t{1} << 30, (int64_t{1} << 31) - 1);
  });
  const Id product = b.emit(Opcode::kMultiply, {x, f});
  const Id positive =
      b.emit(Opcode::kCompare, {product, splat(b, kS64, 0, a.dims)},
             hlo::CompareAttributes{hlo::Direction::kGe, hlo::ComparisonType::kSigned});
  const Id nudge = b.emit(Opcode::kSelect, {positive, splat(b, kS64, 0x1p30, a.dims),
                                            splat(b, kS64, 1 - 0x1p30, a.dims)});
  const Id sum = b.emit(Opcode::kAdd, {product, nudge});
  const Id high = b.random.chance(50)
                      ? b.emit(Opcode::kDivide, {sum, splat(b, kS64, 0x1p31, a.dims)})
                      : b.emit(Opcode::kShiftRightArithmetic, {sum, splat(b, kS64, 31, a.dims)});
  const Id y = converted(b, high, kS32);
  const Id by =
      numbers_for(b, kS32, a.dims, b.random.chance(50), [&] { return b.random.between(0, 12); });
  const Id one = splat(b, kS32, 1, a.dims), zero = splat(b, kS32, 0, a.dims);
  const Id mask = b.emit(Opcode::kSubtract, {b.emit(Opcode::kShiftLeft, {one, by}), one});
  const Id rest = b.emit(Opcode::kAnd, {y, mask});
  const Id negative =
      b.emit(Opcode::kCompare, {y, zero},
             hlo::CompareAttributes{hlo::Direction::kLt, hlo::ComparisonType::kSigned});
  const Id threshold = b.emit(Opcode::kAdd, {b.emit(Opcode::kShiftRightArithmetic, {mask, one}),
                                             converted(b, negative, kS32)});
  const Id above =
      b.emit(Opcode::kCompare, {rest, threshold},
             hlo::CompareAttributes{hlo::Direction::kGt, hlo::ComparisonType::kSigned});
  return b.emit(Opcode::kAdd,
                {b.emit(Opcode::kShiftRightArithmetic, {y, by}), converted(b, above, kS32)});
}

// round(acc * scale), to even or away from zero; scales are powers of two now and then, so that
// halves come up.
Id by_float(Builder& b, const Accumulator& a) {
  const bool halves = b.random.chance(50);
  const Id scale = numbers_for(b, kF32, a.dims, b.random.chance(60), [&] {
    return halves ? 1.0 / static_cast<double>(int64_t{1} << b.random.between(1, 9))
                  : (0.001 + b.random.unit()) / 64;
  });
  const Id x = b.emit(Opcode::kMultiply, {converted(b, a.value, kF32), scale});
  const Id y =
      b.emit(b.random.chance(70) ? Opcode::kRoundNearestEven : Opcode::kRoundNearestAfz, {x});
  return b.random.chance(40)
             ? y
             : b.emit(
                   Opcode::kAdd,
                   {y, splat(b, kF32, static_cast<double>(b.random.between(-128, 127)), a.dims)});
}

// (x - zx) * sx + (y - zy) * sy, rounded to even; one of the scales is a half now and then.
Id sum_of_two(Builder& b, const Accumulator& a) {
  Id sum = kNone;
  for (int side = 0; side < 2; ++side) {
    const double scale =
        b.random.chance(20) ? 0.5 : 0.05 + 1.5 * static_cast<double>(b.random.unit());
    Id x = converted(b, b.value_like(b.random.chance(80) ? kS8 : kU8, a.dims), kF32);
    x = b.emit(Opcode::kSubtract,
               {x, splat(b, kF32, static_cast<double>(b.random.between(-128, 127)), a.dims)});
    x = b.emit(Opcode::kMultiply, {x, splat(b, kF32, scale, a.dims)});
    sum = sum == kNone ? x : b.emit(Opcode::kAdd, {sum, x});
  }
  sum = b.emit(Opcode::kRoundNearestEven, {sum});
  return b.emit(Opcode::kAdd,
                {sum, splat(b, kF32, static_cast<double>(b.random.between(-128, 127)), a.dims)});
}

// Clamped and narrowed, in either order of the clamp's operands.
Id narrowed(Builder& b, Id y) {
  const PrimitiveType type = b.type(y), to = b.random.chance(70)   ? kS8
                                             : b.random.chance(50) ? kU8
                                                                   : kS16;
  const double low = to == kU8   ? 0
                     : to == kS8 ? -128
                                 : -32768,
               high = to == kU8   ? 255
                      : to == kS8 ? 127
                                  : 32767;
  const Dimensions dims = b.dims(y);
  if (b.random.chance(50)) {
    y = b.emit(Opcode::kClamp, {b.scalar(type, low), y, b.scalar(type, high)});
  } else {
    y = b.emit(Opcode::kMaximum, {splat(b, type, low, dims), y});
    y = b.emit(Opcode::kMinimum, {y, splat(b, type, high, dims)});
  }
  return converted(b, y, to);
}

// A product or a sum of dequantised bytes, with what follows up to the next bytes.
Id qdq(Builder& b, PrimitiveType) {
  const int64_t rows = b.random.between(1, 6), depth = b.random.between(1, 20),
                columns = b.random.of(std::vector<int64_t>{1, 2, 3, 4, 8, 12});
  const Id x = dequantized(b, {rows, depth});
  Id y = kNone;
  if (b.random.chance(80)) {
    const Id w = b.random.chance(80) ? scaled_weights(b, {depth, columns})
                                     : dequantized(b, {depth, columns});
    y = b.emit(Opcode::kDot, {x, w},
               hlo::DotAttributes{.lhs_contracting = {1}, .rhs_contracting = {0}}, {},
               Shape::array(kF32, {}));
  } else {
    y = b.emit(Opcode::kReduce, {x, b.scalar(kF32, 0)}, hlo::DimensionsAttributes{{1}},
               {b.binary(Opcode::kAdd, kF32)});
  }
  if (y == kNone) return y;
  const Dimensions dims = b.dims(y);
  if (b.random.chance(60))
    y = b.emit(Opcode::kAdd, {y, numbers_for(b, kF32, dims, b.random.chance(60),
                                             [&] { return 40 * b.random.unit() - 20; })});
  if (b.random.chance(40)) y = b.emit(Opcode::kMaximum, {y, splat(b, kF32, 0, dims)});
  const double scale = 0.02 + 3 * static_cast<double>(b.random.unit());
  y = b.emit(b.random.chance(50) ? Opcode::kDivide : Opcode::kMultiply,
             {y, splat(b, kF32, scale, dims)});
  y = b.emit(Opcode::kRoundNearestEven, {y});
  return y == kNone ? y : narrowed(b, y);
}

Id requantize(Builder& b, PrimitiveType) {
  const Accumulator a = accumulator(b);
  if (a.value == kNone) return kNone;
  const int64_t spelling = b.random.below(4);
  const Id y = spelling == 0   ? by_long_shift(b, a)
               : spelling == 1 ? by_high_multiply(b, a)
               : spelling == 2 ? by_float(b, a)
                               : sum_of_two(b, a);
  return y == kNone ? y : narrowed(b, y);
}

}  // namespace

void add_requantize(std::vector<Proposal>& rows) { rows.push_back({"requantize", 4, requantize}); }
void add_qdq(std::vector<Proposal>& rows) { rows.push_back({"qdq", 0, qdq}); }

}  // namespace hlocc::fuzz
