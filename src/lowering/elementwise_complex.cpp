// Elementwise ops on complex values, as pairs. Formulas avoid overflow where plain ones would: magnitude and division scale
// by the larger part.
#include <cmath>
#include <limits>

#include "lowering/index_ops.h"
#include "support/text.h"

namespace hlocc::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Type;
using kernel::ValueId;

// Complex arithmetic on the emitter's builder, for one real type.
struct Complex {
  Emitter& e;
  Type type;

  kernel::Builder& b() const { return e.b; }
  ValueId c(double v) const { return e.b.constant_float(type, v); }
  ValueId un(OpKind op, ValueId x) const { return e.b.unary(op, x); }

  Element add(Element x, Element y) const { return {b().add(x.re, y.re), b().add(x.im, y.im)}; }
  Element sub(Element x, Element y) const { return {b().sub(x.re, y.re), b().sub(x.im, y.im)}; }
  Element neg(Element x) const { return {un(OpKind::kNeg, x.re), un(OpKind::kNeg, x.im)}; }
  Element mul(Element x, Element y) const {
    return {b().sub(b().mul(x.re, y.re), b().mul(x.im, y.im)), b().add(b().mul(x.re, y.im), b().mul(x.im, y.re))};
  }
  Element scale(Element x, ValueId by) const { return {b().mul(x.re, by), b().mul(x.im, by)}; }
  Element mul_i(Element x) const { return {un(OpKind::kNeg, x.im), x.re}; }
  Element one() const { return {c(1), c(0)}; }

  ValueId abs(Element x) const {
    const ValueId r = un(OpKind::kAbs, x.re), i = un(OpKind::kAbs, x.im);
    const ValueId large = b().max(r, i), small = b().min(r, i);
    const ValueId ratio = b().div(small, large);
    const ValueId root = un(OpKind::kSqrt, b().add(c(1), b().mul(ratio, ratio)));
    const ValueId zero = b().compare(Predicate::kEq, large, c(0));
    const ValueId plain = b().select(zero, large, b().mul(large, root));
    // An infinite part wins over NaN.
    const ValueId inf = c(std::numeric_limits<double>::infinity());
    const ValueId is_inf = b().logical_or(b().compare(Predicate::kEq, r, inf), b().compare(Predicate::kEq, i, inf));
    return b().select(is_inf, inf, plain);
  }
  ValueId arg(Element x) const { return b().binary(OpKind::kAtan2, x.im, x.re); }

  // Smith's division, with the special cases of C99's annex G left to NaN and infinity arithmetic.
  Element div(Element x, Element y) const {
    const ValueId swap = b().compare(Predicate::kLt, un(OpKind::kAbs, y.re), un(OpKind::kAbs, y.im));
    const ValueId p = b().select(swap, y.im, y.re), q = b().select(swap, y.re, y.im);
    const ValueId ratio = b().div(q, p);
    const ValueId denominator = b().add(p, b().mul(q, ratio));
    // swap: ((re*r + im) / d, (im*r - re) / d); else ((re + im*r) / d, (im - re*r) / d)
    const ValueId re = b().select(swap, b().add(b().mul(x.re, ratio), x.im), b().add(x.re, b().mul(x.im, ratio)));
    const ValueId im = b().select(swap, b().sub(b().mul(x.im, ratio), x.re), b().sub(x.im, b().mul(x.re, ratio)));
    Element plain{b().div(re, denominator), b().div(im, denominator)};
    // x / 0: infinities with the signs of x, NaN for 0 / 0.
    const ValueId zero = b().logical_and(b().compare(Predicate::kEq, y.re, c(0)), b().compare(Predicate::kEq, y.im, c(0)));
    return {b().select(zero, b().div(x.re, y.re), plain.re), b().select(zero, b().div(x.im, y.re), plain.im)};
  }
  // factor * e^x, where e^x alone may overflow: factor is a sine or cosine. The part of the exponent that would overflow is
  // taken out, which is exact, and multiplied back last.
  ValueId times_exp(ValueId x, ValueId factor) const {
    const bool wide = type.scalar == kernel::Scalar::kF64;
    const double most = wide ? 700 : 80, out = wide ? 400 : 60;
    const ValueId large = b().compare(Predicate::kGt, x, c(most));
    const ValueId power = un(OpKind::kExp, b().select(large, b().sub(x, c(out)), x));
    return b().mul(b().mul(power, factor), b().select(large, c(std::exp(out)), c(1)));
  }
  Element exp(Element x) const {
    const ValueId real = b().compare(Predicate::kEq, x.im, c(0));
    return {times_exp(x.re, b().select(real, c(1), un(OpKind::kCos, x.im))),
            b().select(real, x.im, times_exp(x.re, un(OpKind::kSin, x.im)))};
  }
  ValueId is_infinite(Element x) const {
    const ValueId inf = c(std::numeric_limits<double>::infinity());
    return b().logical_or(b().compare(Predicate::kEq, un(OpKind::kAbs, x.re), inf),
                          b().compare(Predicate::kEq, un(OpKind::kAbs, x.im), inf));
  }
  // log|x|: of the larger part m and the smaller n, log m + log1p((n/m)^2) / 2, which neither overflows nor, but near 1,
  // cancels; there log1p((m - 1)(m + 1) + n^2) / 2.
  ValueId log_abs(Element x) const {
    const ValueId r = un(OpKind::kAbs, x.re), i = un(OpKind::kAbs, x.im);
    const ValueId m = b().max(r, i), n = b().min(r, i);
    const ValueId zero = b().compare(Predicate::kEq, m, c(0));
    const ValueId ratio = b().select(zero, c(0), b().div(n, m));
    const ValueId near = b().logical_and(b().compare(Predicate::kGt, m, c(0.5)), b().compare(Predicate::kLt, m, c(2)));
    const ValueId off_one = b().add(b().mul(b().sub(m, c(1)), b().add(m, c(1))), b().mul(n, n));
    const ValueId half = b().mul(c(0.5), un(OpKind::kLog1p, b().select(near, off_one, b().mul(ratio, ratio))));
    const ValueId out = b().add(b().select(near, c(0), un(OpKind::kLog, m)), half);
    return b().select(is_infinite(x), c(std::numeric_limits<double>::infinity()), out);
  }
  Element log(Element x) const { return {log_abs(x), arg(x)}; }
  Element log1p(Element x) const {
    // Near 0, log|1+x| = log1p(x.re*(2 + x.re) + x.im^2) / 2; elsewhere the sum is precise and could overflow here.
    const Element sum{b().add(c(1), x.re), x.im};
    const ValueId s = b().add(b().mul(x.re, b().add(c(2), x.re)), b().mul(x.im, x.im));
    const ValueId small = b().logical_and(b().compare(Predicate::kLt, un(OpKind::kAbs, x.re), c(0.5)),
                                          b().compare(Predicate::kLt, un(OpKind::kAbs, x.im), c(0.5)));
    return {b().select(small, b().mul(c(0.5), un(OpKind::kLog1p, s)), log_abs(sum)), arg(sum)};
  }
  Element expm1(Element x) const {
    // exp(r)cos(i) - 1 = expm1(r)cos(i) - 2 sin(i/2)^2
    const ValueId half = un(OpKind::kSin, b().mul(x.im, c(0.5)));
    const ValueId re = b().sub(b().mul(un(OpKind::kExpm1, x.re), un(OpKind::kCos, x.im)), b().mul(c(2), b().mul(half, half)));
    const ValueId real = b().compare(Predicate::kEq, x.im, c(0));
    return {re, b().select(real, x.im, times_exp(x.re, un(OpKind::kSin, x.im)))};
  }
  Element sqrt(Element x) const {
    // The root with the non-negative real part: t = sqrt((|re| + |x|) / 2), the other part is im / (2t).
    const ValueId magnitude = abs(x);
    const ValueId t = un(OpKind::kSqrt, b().add(b().mul(c(0.5), un(OpKind::kAbs, x.re)), b().mul(c(0.5), magnitude)));
    const ValueId other = b().div(un(OpKind::kAbs, x.im), b().mul(c(2), t));
    const ValueId right = b().compare(Predicate::kGe, x.re, c(0));
    const ValueId zero = b().compare(Predicate::kEq, magnitude, c(0));
    const ValueId re = b().select(zero, c(0), b().select(right, t, other));
    const ValueId im = b().select(zero, c(0), b().select(right, other, t));
    return {re, copysign(im, x.im)};
  }
  ValueId copysign(ValueId magnitude, ValueId sign) const {
    const int bits = kernel::scalar_bits(type.scalar);
    const kernel::Scalar integer = kernel::unsigned_of_width(bits);
    const ValueId mask = b().constant_bits(type.with(integer), uint64_t{1} << (bits - 1));
    const ValueId s = b().binary(OpKind::kAnd, b().bitcast(sign, integer), mask);
    const ValueId m = b().binary(OpKind::kAnd, b().bitcast(magnitude, integer), b().unary(OpKind::kNot, mask));
    return b().bitcast(b().binary(OpKind::kOr, m, s), type.scalar);
  }
  // y log x grows with the exponent, and so does its error: single precision is computed in double.
  Element pow(Element x, Element y) const {
    if (type.scalar != kernel::Scalar::kF32) return pow_here(x, y);
    const kernel::Scalar wide = kernel::Scalar::kF64;
    const auto widen = [&](Element z) { return Element{b().convert(z.re, wide), b().convert(z.im, wide)}; };
    const Element power = Complex{e, type.with(wide)}.pow_here(widen(x), widen(y));
    return {b().convert(power.re, type.scalar), b().convert(power.im, type.scalar)};
  }
  // exp(y log x); x^0 = 1. Zero has no logarithm: only its positive real powers have a value.
  Element pow_here(Element x, Element y) const {
    const Element general = exp(mul(y, log(x)));
    const auto is_zero = [&](ValueId part) { return b().compare(Predicate::kEq, part, c(0)); };
    const ValueId zero_base = b().logical_and(is_zero(x.re), is_zero(x.im));
    const ValueId zero_power = b().logical_and(is_zero(y.re), is_zero(y.im));
    const ValueId positive = b().logical_and(b().compare(Predicate::kGt, y.re, c(0)), is_zero(y.im));
    const ValueId of_zero = b().select(positive, c(0), c(std::numeric_limits<double>::quiet_NaN()));
    return {b().select(zero_power, c(1), b().select(zero_base, of_zero, general.re)),
            b().select(zero_power, c(0), b().select(zero_base, of_zero, general.im))};
  }
  // A sine or cosine times a hyperbolic function: where the first is zero, the second may be infinite.
  ValueId wave(ValueId factor, ValueId hyperbolic) const {
    const ValueId zero = b().compare(Predicate::kEq, factor, c(0));
    return b().mul(factor, b().select(zero, copysign(c(1), hyperbolic), hyperbolic));
  }
  Element sin(Element x) const {
    return {wave(un(OpKind::kSin, x.re), un(OpKind::kCosh, x.im)), wave(un(OpKind::kCos, x.re), un(OpKind::kSinh, x.im))};
  }
  Element cos(Element x) const {
    return {wave(un(OpKind::kCos, x.re), un(OpKind::kCosh, x.im)),
            un(OpKind::kNeg, wave(un(OpKind::kSin, x.re), un(OpKind::kSinh, x.im)))};
  }
  Element sinh(Element x) const {
    return {wave(un(OpKind::kCos, x.im), un(OpKind::kSinh, x.re)), wave(un(OpKind::kSin, x.im), un(OpKind::kCosh, x.re))};
  }
  Element cosh(Element x) const {
    return {wave(un(OpKind::kCos, x.im), un(OpKind::kCosh, x.re)), wave(un(OpKind::kSin, x.im), un(OpKind::kSinh, x.re))};
  }
  Element tanh(Element x) const {
    // tanh(a + bi) = (t (1 + u^2) + u (1 - t^2) i) / (1 + t^2 u^2), t = tanh a, u = tan b; far out it is +-1.
    const ValueId t = un(OpKind::kTanh, x.re), u = un(OpKind::kTan, x.im);
    const ValueId tt = b().mul(t, t), uu = b().mul(u, u);
    const ValueId denominator = b().add(c(1), b().mul(tt, uu));
    const ValueId re = b().div(b().mul(t, b().add(c(1), uu)), denominator);
    const ValueId sech = b().div(c(1), un(OpKind::kCosh, x.re));
    const ValueId im = b().div(b().mul(u, b().mul(sech, sech)), denominator);
    return {re, im};
  }
  Element logistic(Element x) const { return div(one(), add(one(), exp(neg(x)))); }
  Element conj(Element x) const { return {x.re, un(OpKind::kNeg, x.im)}; }
  ValueId asinh_real(ValueId x) const { return un(OpKind::kAsinh, x); }
  ValueId atan2(ValueId y, ValueId x) const { return b().binary(OpKind::kAtan2, y, x); }
  // The inverse functions after Kahan, "Branch cuts for complex elementary functions": roots of 1 - x and 1 + x keep the
  // sides of the cuts apart by the signs of zeros.
  Element root_below(Element x) const { return sqrt({b().sub(c(1), x.re), un(OpKind::kNeg, x.im)}); }
  Element root_above(Element x) const { return sqrt({b().add(c(1), x.re), x.im}); }
  Element asin(Element x) const {
    const Element below = root_below(x), above = root_above(x);
    return {atan2(x.re, mul(below, above).re), asinh_real(mul(conj(below), above).im)};
  }
  Element acos(Element x) const {
    const Element below = root_below(x), above = root_above(x);
    return {b().mul(c(2), atan2(below.re, above.re)), asinh_real(mul(conj(above), below).im)};
  }
  Element acosh(Element x) const {
    const Element below = sqrt({b().sub(x.re, c(1)), x.im}), above = root_above(x);
    return {asinh_real(mul(conj(below), above).re), b().mul(c(2), atan2(below.im, above.re))};
  }
  Element asinh(Element x) const {
    const Element v = asin({un(OpKind::kNeg, x.im), x.re});
    return {v.im, un(OpKind::kNeg, v.re)};
  }
  // re = log1p(4|a| / ((1 - |a|)^2 + b^2)) / 4 with the sign of a, im = atan2(2b, (1 - a)(1 + a) - b^2) / 2.
  Element atanh(Element x) const {
    const ValueId a = un(OpKind::kAbs, x.re), off = b().sub(c(1), a), bb = b().mul(x.im, x.im);
    const ValueId ratio = b().mul(c(4), b().div(a, b().add(b().mul(off, off), bb)));
    const ValueId re = b().mul(c(0.25), un(OpKind::kLog1p, ratio));
    const ValueId im = atan2(b().mul(c(2), x.im), b().sub(b().mul(off, b().add(c(1), a)), bb));
    return {copysign(b().select(is_infinite(x), c(0), re), x.re), b().mul(c(0.5), im)};
  }
  Element atan(Element x) const {
    const Element v = atanh({un(OpKind::kNeg, x.im), x.re});
    return {v.im, un(OpKind::kNeg, v.re)};
  }
  Element sign(Element x) const {
    const ValueId m = abs(x);
    const ValueId zero = b().compare(Predicate::kEq, m, c(0));
    return {b().select(zero, x.re, b().div(x.re, m)), b().select(zero, x.im, b().div(x.im, m))};
  }
};

using Formula = Element (Complex::*)(Element) const;
struct UnaryRow {
  Opcode opcode;
  Formula formula;
};
constexpr UnaryRow unary_rows[] = {
    {Opcode::kNegate, &Complex::neg},     {Opcode::kExp, &Complex::exp},     {Opcode::kExpm1, &Complex::expm1},
    {Opcode::kLog, &Complex::log},        {Opcode::kLog1p, &Complex::log1p}, {Opcode::kSqrt, &Complex::sqrt},
    {Opcode::kSin, &Complex::sin},        {Opcode::kCos, &Complex::cos},     {Opcode::kTanh, &Complex::tanh},
    {Opcode::kLogistic, &Complex::logistic}, {Opcode::kSinh, &Complex::sinh}, {Opcode::kCosh, &Complex::cosh},
    {Opcode::kAsinh, &Complex::asinh},    {Opcode::kAcosh, &Complex::acosh}, {Opcode::kAtanh, &Complex::atanh},
    {Opcode::kAsin, &Complex::asin},      {Opcode::kAcos, &Complex::acos},   {Opcode::kAtan, &Complex::atan},
    {Opcode::kSign, &Complex::sign},
};
using Formula2 = Element (Complex::*)(Element, Element) const;
struct BinaryRow {
  Opcode opcode;
  Formula2 formula;
};
constexpr BinaryRow binary_rows[] = {
    {Opcode::kAdd, &Complex::add}, {Opcode::kSubtract, &Complex::sub}, {Opcode::kMultiply, &Complex::mul},
    {Opcode::kDivide, &Complex::div}, {Opcode::kPower, &Complex::pow},
};

Element convert(Emitter& e, const Instruction& i, const hlo::Shape& from, Element x, int lanes) {
  const kernel::Scalar to = e.scalar(i.shape);
  if (!hlo::is_complex(i.shape.element_type)) {
    if (to != kernel::Scalar::kPred) return {e.b.convert(x.re, to)};
    return {e.b.logical_or(e.b.convert(x.re, to), e.b.convert(x.im, to))};
  }
  if (!hlo::is_complex(from.element_type)) return {e.b.convert(x.re, to), e.b.zero(e.type(i.shape, lanes))};
  return {e.b.convert(x.re, to), e.b.convert(x.im, to)};
}

}  // namespace

Element apply_complex(Emitter& e, const Instruction& i, std::span<const hlo::Shape> shapes, std::span<const Element> x,
                      int lanes) {
  kernel::Builder& b = e.b;
  // The real type of the parts that go in; `complex` takes reals.
  const Complex z{e, e.type(shapes[i.opcode == Opcode::kSelect ? 1 : 0], lanes)};
  for (const UnaryRow& row : unary_rows)
    if (row.opcode == i.opcode) return (z.*row.formula)(x[0]);
  for (const BinaryRow& row : binary_rows)
    if (row.opcode == i.opcode) return (z.*row.formula)(x[0], x[1]);
  switch (i.opcode) {
    case Opcode::kAbs: return {z.abs(x[0])};
    case Opcode::kReal: return {x[0].re};
    case Opcode::kImag: return {x[0].im};
    case Opcode::kComplex: return {x[0].re, x[1].re};
    case Opcode::kTan: {
      // -i tanh(i z): sine over cosine would overflow far from the real axis.
      const Element v = z.tanh(z.mul_i(x[0]));
      return {v.im, b.unary(OpKind::kNeg, v.re)};
    }
    case Opcode::kRsqrt: return z.div(z.one(), z.sqrt(x[0]));
    case Opcode::kConvert: return convert(e, i, shapes[0], x[0], lanes);
    case Opcode::kIsFinite: return {b.logical_and(b.is_finite(x[0].re), b.is_finite(x[0].im))};
    case Opcode::kSelect: return {b.select(x[0].re, x[1].re, x[2].re), b.select(x[0].re, x[1].im, x[2].im)};
    case Opcode::kAtan2: {
      // atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2))
      const Element v = z.log(z.div(z.add(x[1], z.mul_i(x[0])), z.sqrt(z.add(z.mul(x[1], x[1]), z.mul(x[0], x[0])))));
      return {v.im, b.unary(OpKind::kNeg, v.re)};
    }
    case Opcode::kCompare: {
      const bool equal = i.get<hlo::CompareAttributes>().direction == hlo::Direction::kEq;
      const Predicate p = equal ? Predicate::kEq : Predicate::kNe;
      const ValueId re = b.compare(p, x[0].re, x[1].re), im = b.compare(p, x[0].im, x[1].im);
      return {equal ? b.logical_and(re, im) : b.logical_or(re, im)};
    }
    default: break;
  }
  e.fail(error(DiagnosticKind::kUnsupported, cat("no code for ", hlo::opcode_name(i.opcode), " on complex values in %", i.name)));
  return e.zero(i.shape, lanes);
}

}  // namespace hlocc::lowering
