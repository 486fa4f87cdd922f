// Elementwise ops on real values: most are one kernel op, named by the table; the rest is spelled
// out.
#include <cmath>
#include <span>

#include "lowering/emitter/index_ops.h"
#include "support/text.h"

namespace hlocc::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

struct RealRow {
  Opcode opcode;
  OpKind op;
};
constexpr RealRow real_unary_rows[] = {
    {Opcode::kAbs, OpKind::kAbs},
    {Opcode::kNegate, OpKind::kNeg},
    {Opcode::kSign, OpKind::kSign},
    {Opcode::kNot, OpKind::kNot},
    {Opcode::kCeil, OpKind::kCeil},
    {Opcode::kFloor, OpKind::kFloor},
    {Opcode::kRoundNearestAfz, OpKind::kRoundAfz},
    {Opcode::kRoundNearestEven, OpKind::kRoundEven},
    {Opcode::kPopcnt, OpKind::kPopcnt},
    {Opcode::kClz, OpKind::kClz},
    {Opcode::kExp, OpKind::kExp},
    {Opcode::kExpm1, OpKind::kExpm1},
    {Opcode::kLog, OpKind::kLog},
    {Opcode::kLog1p, OpKind::kLog1p},
    {Opcode::kSqrt, OpKind::kSqrt},
    {Opcode::kRsqrt, OpKind::kRsqrt},
    {Opcode::kCbrt, OpKind::kCbrt},
    {Opcode::kTanh, OpKind::kTanh},
    {Opcode::kLogistic, OpKind::kLogistic},
    {Opcode::kSin, OpKind::kSin},
    {Opcode::kCos, OpKind::kCos},
    {Opcode::kTan, OpKind::kTan},
    {Opcode::kErf, OpKind::kErf},
    {Opcode::kAcos, OpKind::kAcos},
    {Opcode::kAcosh, OpKind::kAcosh},
    {Opcode::kAsin, OpKind::kAsin},
    {Opcode::kAsinh, OpKind::kAsinh},
    {Opcode::kAtan, OpKind::kAtan},
    {Opcode::kAtanh, OpKind::kAtanh},
    {Opcode::kSinh, OpKind::kSinh},
    {Opcode::kCosh, OpKind::kCosh},
};
constexpr RealRow real_binary_rows[] = {
    {Opcode::kAdd, OpKind::kAdd},
    {Opcode::kSubtract, OpKind::kSub},
    {Opcode::kMultiply, OpKind::kMul},
    {Opcode::kDivide, OpKind::kDiv},
    {Opcode::kRemainder, OpKind::kRem},
    {Opcode::kMaximum, OpKind::kMax},
    {Opcode::kMinimum, OpKind::kMin},
    {Opcode::kPower, OpKind::kPow},
    {Opcode::kAnd, OpKind::kAnd},
    {Opcode::kOr, OpKind::kOr},
    {Opcode::kXor, OpKind::kXor},
    {Opcode::kShiftLeft, OpKind::kShl},
    {Opcode::kShiftRightArithmetic, OpKind::kShrArithmetic},
    {Opcode::kShiftRightLogical, OpKind::kShrLogical},
    {Opcode::kAtan2, OpKind::kAtan2},
    {Opcode::kMulhi, OpKind::kMulHi},
};

template <size_t n>
std::optional<OpKind> find(const RealRow (&rows)[n], Opcode opcode) {
  for (const RealRow& row : rows)
    if (row.opcode == opcode) return row.op;
  return std::nullopt;
}

Predicate predicate_of(hlo::Direction direction) {
  switch (direction) {
    case hlo::Direction::kEq: return Predicate::kEq;
    case hlo::Direction::kNe: return Predicate::kNe;
    case hlo::Direction::kGe: return Predicate::kGe;
    case hlo::Direction::kGt: return Predicate::kGt;
    case hlo::Direction::kLe: return Predicate::kLe;
    case hlo::Direction::kLt: return Predicate::kLt;
  }
  HLOCC_CHECK(false, "direction out of range");
}

// Float bits as an integer that orders as TOTALORDER does: -NaN < -inf < ... < -0 < +0 < ... < NaN.
ValueId total_order_key(Emitter& e, ValueId x) {
  kernel::Builder& b = e.b;
  const Type type = b.type(x);
  const int bits = kernel::scalar_bits(type.scalar);
  // A type without a sign orders as its bits do.
  if (type.scalar == Scalar::kF8E8M0FNU) return b.bitcast(x, kernel::unsigned_of_width(bits));
  const Scalar integer = kernel::signed_of_width(bits);
  const ValueId s = b.bitcast(x, integer);
  const Type it = type.with(integer);
  // Negative numbers flip all bits but the sign.
  const ValueId sign = b.op(OpKind::kNativeShr, it, {s, b.constant_int(it, bits - 1)});
  const ValueId low = b.binary(
      OpKind::kAnd, sign, b.constant_int(it, static_cast<int64_t>(~uint64_t{0} >> (65 - bits))));
  const ValueId key = b.binary(OpKind::kXor, s, low);
  const bool nan_is_minus_zero = type.scalar == Scalar::kF8E4M3B11FNUZ ||
                                 type.scalar == Scalar::kF8E4M3FNUZ ||
                                 type.scalar == Scalar::kF8E5M2FNUZ;
  if (!nan_is_minus_zero) return key;
  // Their only NaN counts as a negative one, before all numbers; keys of eight bits are all taken.
  const ValueId is_nan =
      b.compare(Predicate::kEq, s, b.constant_int(it, -(int64_t{1} << (bits - 1))));
  const ValueId wide = b.convert(key, Scalar::kS16);
  return b.select(is_nan, b.constant_int(b.type(wide), INT16_MIN), wide);
}

Element compare(Emitter& e, const Instruction& i, std::span<const Element> x) {
  const auto& attributes = i.get<hlo::CompareAttributes>();
  ValueId l = x[0].re, r = x[1].re;
  if (attributes.type == hlo::ComparisonType::kTotalOrder) {
    l = total_order_key(e, l);
    r = total_order_key(e, r);
  }
  return {e.b.compare(predicate_of(attributes.direction), l, r)};
}

// Rounds to `mantissa` bits (to nearest, ties to even) and to the exponent range of `exponent`
// bits, in the float's bits.
Element reduce_precision(Emitter& e, const Instruction& i, ValueId x) {
  kernel::Builder& b = e.b;
  const auto& attributes = i.get<hlo::ReducePrecisionAttributes>();
  const Type type = b.type(x);
  struct Format {
    Scalar scalar;
    int exponent, mantissa;
  };
  static constexpr Format formats[] = {
      {Scalar::kF16, 5, 10}, {Scalar::kBF16, 8, 7}, {Scalar::kF32, 8, 23}, {Scalar::kF64, 11, 52}};
  const Format* format = nullptr;
  for (const Format& f : formats)
    if (f.scalar == type.scalar) format = &f;
  // Smaller floats are rounded as f32 and come back exactly.
  if (format == nullptr) {
    const Element wide = reduce_precision(e, i, b.convert(x, Scalar::kF32));
    return {b.convert(wide.re, type.scalar)};
  }
  const int bits = kernel::scalar_bits(type.scalar);
  const Type it = type.with(kernel::unsigned_of_width(bits));
  const auto c = [&](uint64_t v) { return b.constant_bits(it, v); };
  const ValueId u = b.bitcast(x, it.scalar);
  const uint64_t sign_bit = uint64_t{1} << (bits - 1);
  const uint64_t exponent_mask = ((uint64_t{1} << format->exponent) - 1) << format->mantissa;
  ValueId v = u;
  if (attributes.mantissa_bits < format->mantissa) {
    const int drop = format->mantissa - attributes.mantissa_bits;
    const uint64_t last = uint64_t{1} << drop;
    const ValueId odd = b.binary(OpKind::kAnd, b.op(OpKind::kNativeShr, it, {v, c(drop)}), c(1));
    v = b.add(b.add(v, c(last / 2 - 1)), odd);
    v = b.binary(OpKind::kAnd, v, c(~(last - 1)));
  }
  if (attributes.exponent_bits < format->exponent) {
    const uint64_t bias = (uint64_t{1} << (format->exponent - 1)) - 1;
    const uint64_t reduced_bias = (uint64_t{1} << (attributes.exponent_bits - 1)) - 1;
    const uint64_t greatest = (bias + reduced_bias) << format->mantissa;
    const uint64_t least = (bias - reduced_bias) << format->mantissa;
    const ValueId exponent = b.binary(OpKind::kAnd, v, c(exponent_mask));
    const ValueId sign = b.binary(OpKind::kAnd, v, c(sign_bit));
    v = b.select(b.compare(Predicate::kGt, exponent, c(greatest)),
                 b.binary(OpKind::kOr, sign, c(exponent_mask)), v);
    v = b.select(b.compare(Predicate::kLe, exponent, c(least)), sign, v);
  }
  const ValueId rounded = b.bitcast(v, type.scalar);
  // NaN stays what it was (a quiet one keeps its payload where it fits).
  return {b.select(b.compare(Predicate::kNe, x, x), x, rounded)};
}

// To a narrower float: the first of the random bits are added below the last kept bit and the sum
// is cut.
ValueId stochastic_float(kernel::Builder& b, ValueId x, ValueId random, int mantissa_bits,
                         Type to) {
  const Type word = b.type(x).with(Scalar::kU32), wide = word.with(Scalar::kU64);
  const int drop = 23 - mantissa_bits, bits = kernel::scalar_bits(b.type(random).scalar);
  const auto shift = [&](OpKind op, ValueId v, int by) {
    return b.op(op, wide, {v, b.constant_bits(wide, static_cast<uint64_t>(by))});
  };
  const ValueId left = shift(OpKind::kNativeShl, b.convert(random, Scalar::kU64), 64 - bits);
  const ValueId first = b.convert(shift(OpKind::kNativeShr, left, 64 - drop), Scalar::kU32);
  const ValueId sum = b.add(b.bitcast(x, Scalar::kU32), first);
  const ValueId cut = b.binary(OpKind::kAnd, sum, b.constant_bits(word, ~((1u << drop) - 1)));
  return b.convert(b.select(b.is_finite(x), b.bitcast(cut, Scalar::kF32), x), to.scalar);
}

// x rounded toward zero or away by comparing the cut-off fraction, as an unsigned number, with the
// random bits. What is narrower than f32 is computed there, which is exact.
Element stochastic_convert(Emitter& e, const Instruction& i, std::span<const Element> x,
                           int lanes) {
  kernel::Builder& b = e.b;
  const Type to = e.type(i.shape, lanes);
  const ValueId random = x[1].re;
  const bool narrow = b.type(x[0].re).scalar != Scalar::kF64;
  const ValueId value = narrow ? b.convert(x[0].re, Scalar::kF32) : x[0].re;
  const Type from = b.type(value);
  if (const hlo::FloatFormat* format = hlo::small_float_format(i.shape.element_type))
    return {stochastic_float(b, narrow ? value : b.convert(value, Scalar::kF32), random,
                             format->mantissa_bits, to)};
  if (!kernel::is_integer(to.scalar)) {
    e.fail(error(DiagnosticKind::kUnsupported,
                 cat("stochastic-convert to ", i.shape.element_type, " in %", i.name))
               .note("integers and floats narrower than f32 are served; convert to f32 and f64 "
                     "without random bits"));
    return e.zero(i.shape, lanes);
  }
  const ValueId magnitude = b.unary(OpKind::kAbs, value);
  const ValueId whole = b.unary(OpKind::kTrunc, magnitude);
  const Type bits = b.type(random);
  const ValueId scale = b.constant_float(from, std::ldexp(1.0, kernel::scalar_bits(bits.scalar)));
  const ValueId threshold = b.convert(b.mul(b.sub(magnitude, whole), scale), bits.scalar);
  const ValueId up = b.compare(Predicate::kGt, threshold, random);
  const ValueId rounded =
      b.add(whole, b.select(up, b.constant_float(from, 1), b.constant_float(from, 0)));
  const ValueId negative = b.compare(Predicate::kLt, value, b.constant_float(from, 0));
  return {b.convert(b.select(negative, b.unary(OpKind::kNeg, rounded), rounded), to.scalar)};
}

// The functions that a pass recognised; of others the computation is the code.
Element map(Emitter& e, const Instruction& i, std::span<const Element> x) {
  static constexpr struct {
    std::string_view name;
    OpKind op;
  } functions[] = {{"erfc", OpKind::kErfc}};
  for (const auto& function : functions)
    if (function.name == i.get<hlo::MapAttributes>().function)
      return {e.b.unary(function.op, x[0].re)};
  return e.call(i.called[0], {x.begin(), x.end()})[0];
}

bool touches_complex(const Instruction& i, std::span<const hlo::Shape> shapes) {
  if (hlo::is_complex(i.shape.element_type)) return true;
  for (const hlo::Shape& shape : shapes)
    if (hlo::is_complex(shape.element_type)) return true;
  return false;
}

}  // namespace

Element apply(Emitter& e, const Instruction& i, std::span<const hlo::Shape> shapes,
              std::span<const Element> x, int lanes) {
  if (i.opcode == Opcode::kMap) return map(e, i, x);
  if (touches_complex(i, shapes)) return apply_complex(e, i, shapes, x, lanes);
  kernel::Builder& b = e.b;
  if (const auto op = find(real_unary_rows, i.opcode)) return {b.unary(*op, x[0].re)};
  if (const auto op = find(real_binary_rows, i.opcode)) return {b.binary(*op, x[0].re, x[1].re)};
  switch (i.opcode) {
    case Opcode::kConvert: return {b.convert(x[0].re, e.scalar(i.shape))};
    case Opcode::kReal: return x[0];
    case Opcode::kImag: return {b.constant_float(e.type(i.shape, lanes), 0)};
    case Opcode::kIsFinite: return {b.is_finite(x[0].re)};
    case Opcode::kReducePrecision: return reduce_precision(e, i, x[0].re);
    case Opcode::kStochasticConvert: return stochastic_convert(e, i, x, lanes);
    case Opcode::kCompare: return compare(e, i, x);
    case Opcode::kSelect: return {b.select(x[0].re, x[1].re, x[2].re)};
    case Opcode::kClamp: return {b.min(b.max(x[0].re, x[1].re), x[2].re)};
    default: break;
  }
  e.fail(error(DiagnosticKind::kUnsupported, cat("no code for ", hlo::opcode_name(i.opcode), " on ",
                                                 to_string(i.shape), " in %", i.name)));
  return e.zero(i.shape, lanes);
}

Element elementwise(Emitter& e, const Instruction& i, const Index& index) {
  if (i.opcode == Opcode::kSelect)
    if (const auto lazy = select_lazily(e, i, index)) return *lazy;
  std::vector<hlo::Shape> shapes;
  std::vector<Element> values;
  const int lanes = index.has_lanes() ? index.lanes : 1;
  for (size_t n = 0; n < i.operands.size(); ++n) {
    const hlo::Shape& shape = e.shape(i.operands[n]);
    // select's predicate and clamp's bounds may be scalars beside arrays.
    const bool scalar = shape.rank() == 0;
    shapes.push_back(shape);
    values.push_back(
        e.splat(e.operand(i, static_cast<int>(n), scalar ? Index::scalar() : index), lanes));
  }
  return apply(e, i, shapes, values, lanes);
}

}  // namespace hlocc::lowering
