// See complex_math.h: arithmetic, exponentials, logarithms, roots and powers.
#include "lowering/ops/complex_math.h"

#include <cmath>
#include <limits>

namespace hlocc::lowering {
namespace {

using kernel::OpKind;
using kernel::Predicate;
using kernel::Type;
using kernel::ValueId;

double largest(bool wide) {
  return wide ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}
double smallest(bool wide) {
  return wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
}

}  // namespace

ValueId Complex::infinity() const { return c(std::numeric_limits<double>::infinity()); }
ValueId Complex::is(ValueId x, double value) const {
  return b().compare(Predicate::kEq, x, c(value));
}
ValueId Complex::is_nan(ValueId x) const { return b().compare(Predicate::kNe, x, x); }
ValueId Complex::is_infinite(ValueId x) const {
  return b().compare(Predicate::kEq, un(OpKind::kAbs, x), infinity());
}
// Either part, even beside a NaN.
ValueId Complex::exceeds(Element x, double limit) const {
  return b().logical_or(b().compare(Predicate::kGt, un(OpKind::kAbs, x.re), c(limit)),
                        b().compare(Predicate::kGt, un(OpKind::kAbs, x.im), c(limit)));
}
ValueId Complex::atan2(ValueId y, ValueId x) const { return b().binary(OpKind::kAtan2, y, x); }
Element Complex::select(ValueId which, Element yes, Element no) const {
  return {b().select(which, yes.re, no.re), b().select(which, yes.im, no.im)};
}

ValueId Complex::copysign(ValueId magnitude, ValueId sign) const {
  const int bits = kernel::scalar_bits(type.scalar);
  const kernel::Scalar integer = kernel::unsigned_of_width(bits);
  const ValueId mask = b().constant_bits(type.with(integer), uint64_t{1} << (bits - 1));
  const ValueId s = b().binary(OpKind::kAnd, b().bitcast(sign, integer), mask);
  const ValueId m =
      b().binary(OpKind::kAnd, b().bitcast(magnitude, integer), b().unary(OpKind::kNot, mask));
  return b().bitcast(b().binary(OpKind::kOr, m, s), type.scalar);
}

// The part of the exponent that would overflow is taken out, which is exact, and multiplied back
// last.
ValueId Complex::times_exp(ValueId x, ValueId factor) const {
  const double most = is_wide() ? 700 : 80, out = is_wide() ? 400 : 60;
  const ValueId large = b().compare(Predicate::kGt, x, c(most));
  const ValueId power = un(OpKind::kExp, b().select(large, b().sub(x, c(out)), x));
  return b().mul(b().mul(power, factor), b().select(large, c(std::exp(out)), c(1)));
}

// Far out, sinh and cosh are half an exponential. Where the factor is zero, they may be infinite.
ValueId Complex::wave(ValueId factor, OpKind op, ValueId x) const {
  const ValueId distance = un(OpKind::kAbs, x);
  const ValueId sign = op == OpKind::kSinh ? copysign(c(1), x) : c(1);
  const ValueId far = b().compare(Predicate::kGt, distance, c(is_wide() ? 40 : 20));
  const ValueId out = b().select(far, times_exp(distance, b().mul(b().mul(c(0.5), factor), sign)),
                                 b().mul(factor, un(op, x)));
  return b().select(is(factor, 0), b().mul(factor, sign), out);
}

Element Complex::add(Element x, Element y) const {
  return {b().add(x.re, y.re), b().add(x.im, y.im)};
}
Element Complex::sub(Element x, Element y) const {
  return {b().sub(x.re, y.re), b().sub(x.im, y.im)};
}
Element Complex::neg(Element x) const { return {un(OpKind::kNeg, x.re), un(OpKind::kNeg, x.im)}; }
Element Complex::mul(Element x, Element y) const {
  return {b().sub(b().mul(x.re, y.re), b().mul(x.im, y.im)),
          b().add(b().mul(x.re, y.im), b().mul(x.im, y.re))};
}
Element Complex::scale(Element x, ValueId by) const {
  return {b().mul(x.re, by), b().mul(x.im, by)};
}
Element Complex::mul_i(Element x) const { return {un(OpKind::kNeg, x.im), x.re}; }
Element Complex::over_i(Element x) const { return {x.im, un(OpKind::kNeg, x.re)}; }
Element Complex::conj(Element x) const { return {x.re, un(OpKind::kNeg, x.im)}; }

Element Complex::sign(Element x) const {
  const ValueId m = abs(x), zero = is(m, 0);
  return select(zero, x, {b().div(x.re, m), b().div(x.im, m)});
}

ValueId Complex::abs(Element x) const {
  const ValueId r = un(OpKind::kAbs, x.re), i = un(OpKind::kAbs, x.im);
  const ValueId large = b().max(r, i), small = b().min(r, i);
  const ValueId ratio = b().div(small, large);
  const ValueId root = un(OpKind::kSqrt, b().add(c(1), b().mul(ratio, ratio)));
  const ValueId plain = b().select(is(large, 0), large, b().mul(large, root));
  // An infinite part wins over NaN.
  return b().select(b().logical_or(is_infinite(x.re), is_infinite(x.im)), infinity(), plain);
}

// Smith's: divided by the larger part of the divisor first.
Element Complex::plain_div(Element x, Element y) const {
  const ValueId swap = b().compare(Predicate::kLt, un(OpKind::kAbs, y.re), un(OpKind::kAbs, y.im));
  const ValueId p = b().select(swap, y.im, y.re), q = b().select(swap, y.re, y.im);
  const ValueId ratio = b().div(q, p);
  const ValueId denominator = b().add(p, b().mul(q, ratio));
  // swap: ((re*r + im) / d, (im*r - re) / d); else ((re + im*r) / d, (im - re*r) / d)
  const ValueId re =
      b().select(swap, b().add(b().mul(x.re, ratio), x.im), b().add(x.re, b().mul(x.im, ratio)));
  const ValueId im =
      b().select(swap, b().sub(b().mul(x.im, ratio), x.re), b().sub(x.im, b().mul(x.re, ratio)));
  return {b().div(re, denominator), b().div(im, denominator)};
}

Element Complex::div(Element x, Element y) const {
  // Sums near the end of the range would overflow.
  const ValueId large_x = exceeds(x, largest(is_wide()) / 4),
                large_y = exceeds(y, largest(is_wide()) / 4);
  const Element a = scale(x, b().select(large_x, c(0.25), c(1))),
                d = scale(y, b().select(large_y, c(0.25), c(1)));
  const ValueId back = b().mul(b().select(large_x, c(4), c(1)), b().select(large_y, c(0.25), c(1)));
  const Element plain = scale(plain_div(a, d), back);
  // What became NaN beside an infinity: infinite parts stand for ones, the others for zeros.
  const auto boxed = [&](Element v, ValueId infinite, Element otherwise) {
    const auto part = [&](ValueId p) {
      return copysign(b().select(is_infinite(p), c(1), c(0)), p);
    };
    return select(infinite, {part(v.re), part(v.im)}, otherwise);
  };
  const auto any_infinite = [&](Element v) {
    return b().logical_or(is_infinite(v.re), is_infinite(v.im));
  };
  const auto finite = [&](Element v) {
    return b().logical_and(b().is_finite(v.re), b().is_finite(v.im));
  };
  const ValueId x_infinite = any_infinite(x), y_infinite = any_infinite(y);
  const Element p = boxed(x, x_infinite, a), q = boxed(y, y_infinite, d);
  const Element sides = scale(mul(p, conj(q)), b().select(x_infinite, infinity(), c(0)));
  // Beside one infinite part an underflow may have made one NaN alone.
  const ValueId a_part = b().logical_or(is_nan(plain.re), is_nan(plain.im)),
                both = b().logical_and(is_nan(plain.re), is_nan(plain.im));
  const ValueId one_infinite = b().binary(OpKind::kXor, is_infinite(x.re), is_infinite(x.im));
  const ValueId lost = b().logical_or(both, b().logical_and(one_infinite, a_part));
  const ValueId told = b().logical_or(b().logical_and(x_infinite, finite(y)),
                                      b().logical_and(y_infinite, finite(x)));
  const Element out = select(b().logical_and(lost, told), sides, plain);
  // x / 0: infinities with the signs of x, NaN for 0 / 0.
  const ValueId zero = b().logical_and(is(y.re, 0), is(y.im, 0));
  return select(zero, {b().div(x.re, y.re), b().div(x.im, y.re)}, out);
}

Element Complex::exp(Element x) const {
  const ValueId real = is(x.im, 0);
  return {times_exp(x.re, b().select(real, c(1), un(OpKind::kCos, x.im))),
          b().select(real, x.im, times_exp(x.re, un(OpKind::kSin, x.im)))};
}

Element Complex::expm1(Element x) const {
  // exp(r)cos(i) - 1 = expm1(r)cos(i) - 2 sin(i/2)^2; far out the 1 is lost.
  const ValueId half = un(OpKind::kSin, b().mul(x.im, c(0.5))), wave = un(OpKind::kCos, x.im);
  const ValueId re =
      b().sub(b().mul(un(OpKind::kExpm1, x.re), wave), b().mul(c(2), b().mul(half, half)));
  const ValueId real = is(x.im, 0);
  const ValueId far = b().compare(Predicate::kGt, x.re, c(is_wide() ? 40 : 20));
  return {
      b().select(b().logical_and(far, b().unary(OpKind::kNot, real)), times_exp(x.re, wave), re),
      b().select(real, x.im, times_exp(x.re, un(OpKind::kSin, x.im)))};
}

// log|x|: of the larger part m and the smaller n, log m + log1p((n/m)^2) / 2, which neither
// overflows nor, but near 1, cancels; there log1p((m - 1)(m + 1) + n^2) / 2.
ValueId Complex::log_abs(Element x) const {
  const ValueId r = un(OpKind::kAbs, x.re), i = un(OpKind::kAbs, x.im);
  const ValueId m = b().max(r, i), n = b().min(r, i);
  const ValueId ratio = b().select(is(m, 0), c(0), b().div(n, m));
  const ValueId near =
      b().logical_and(b().compare(Predicate::kGt, m, c(0.5)), b().compare(Predicate::kLt, m, c(2)));
  const ValueId off_one = b().add(b().mul(b().sub(m, c(1)), b().add(m, c(1))), b().mul(n, n));
  const ValueId half =
      b().mul(c(0.5), un(OpKind::kLog1p, b().select(near, off_one, b().mul(ratio, ratio))));
  const ValueId out = b().add(b().select(near, c(0), un(OpKind::kLog, m)), half);
  return b().select(b().logical_or(is_infinite(x.re), is_infinite(x.im)), infinity(), out);
}

Element Complex::log(Element x) const { return {log_abs(x), atan2(x.im, x.re)}; }

Element Complex::log1p(Element x) const {
  // Near 0, log|1+x| = log1p(x.re*(2 + x.re) + x.im^2) / 2; elsewhere the sum is precise and could
  // overflow here.
  const Element sum{b().add(c(1), x.re), x.im};
  const ValueId s = b().add(b().mul(x.re, b().add(c(2), x.re)), b().mul(x.im, x.im));
  const ValueId small =
      b().logical_and(b().compare(Predicate::kLt, un(OpKind::kAbs, x.re), c(0.5)),
                      b().compare(Predicate::kLt, un(OpKind::kAbs, x.im), c(0.5)));
  return {b().select(small, b().mul(c(0.5), un(OpKind::kLog1p, s)), log_abs(sum)),
          atan2(sum.im, sum.re)};
}

// The root with the non-negative real part: t = sqrt((|re| + |x|) / 2), the other part is
// im / (2t).
Element Complex::sqrt(Element x) const {
  // At the ends of the range, four to some power is taken out.
  const ValueId large = exceeds(x, largest(is_wide()) / 8);
  const ValueId small =
      b().unary(OpKind::kNot, exceeds(x, smallest(is_wide()) * (is_wide() ? 0x1p54 : 0x1p26)));
  const double up = is_wide() ? 0x1p54 : 0x1p26;
  const auto by_size = [&](double if_large, double if_small) {
    return b().select(large, c(if_large), b().select(small, c(if_small), c(1)));
  };
  const Element z = scale(x, by_size(0.25, up));
  const ValueId magnitude = abs(z), r = un(OpKind::kAbs, z.re);
  const ValueId t = un(OpKind::kSqrt, b().add(b().mul(c(0.5), r), b().mul(c(0.5), magnitude)));
  const ValueId other = b().div(un(OpKind::kAbs, z.im), b().mul(c(2), t));
  const ValueId right = b().compare(Predicate::kGe, x.re, c(0));
  const Element root{b().select(right, t, other), b().select(right, other, t)};
  const Element back = scale(root, by_size(2, 1 / std::sqrt(up)));
  const Element out = select(is(magnitude, 0), {c(0), c(0)}, back);
  // Straight up and down, wherever from.
  const ValueId vertical =
      b().logical_and(is_infinite(x.im), b().compare(Predicate::kEq, x.re, x.re));
  const Element ends = select(vertical, {infinity(), infinity()}, out);
  return {ends.re, copysign(ends.im, x.im)};
}

Element Complex::rsqrt(Element x) const { return div(one(), sqrt(x)); }

// 1 / (1 + e^-x) on the right, e^x / (1 + e^x) on the left: the exponential is never large.
Element Complex::logistic(Element x) const {
  const ValueId left = b().compare(Predicate::kLt, x.re, c(0));
  const Element power = exp(select(left, x, neg(x)));
  return div(select(left, power, one()), add(one(), power));
}

Element Complex::widened(Formula2 formula, Element x, Element y) const {
  if (type.scalar != kernel::Scalar::kF32) return (this->*formula)(x, y);
  const kernel::Scalar wide = kernel::Scalar::kF64;
  const auto widen = [&](Element z) {
    return Element{b().convert(z.re, wide), b().convert(z.im, wide)};
  };
  const Element out = (Complex{e, type.with(wide)}.*formula)(widen(x), widen(y));
  return {b().convert(out.re, type.scalar), b().convert(out.im, type.scalar)};
}

// y log x grows with the exponent, and so does its error.
Element Complex::pow(Element x, Element y) const { return widened(&Complex::pow_here, x, y); }

// exp(y log x); x^0 = 1. Zero has no logarithm: only its positive real powers have a value.
Element Complex::pow_here(Element x, Element y) const {
  const Element base = log(x);
  const Element general = exp(select(is(y.im, 0), scale(base, y.re), mul(y, base)));
  const ValueId zero_base = b().logical_and(is(x.re, 0), is(x.im, 0));
  const ValueId zero_power = b().logical_and(is(y.re, 0), is(y.im, 0));
  const ValueId positive = b().logical_and(b().compare(Predicate::kGt, y.re, c(0)), is(y.im, 0));
  const ValueId of_zero = b().select(positive, c(0), c(std::numeric_limits<double>::quiet_NaN()));
  return select(zero_power, one(), select(zero_base, {of_zero, of_zero}, general));
}

}  // namespace hlocc::lowering
