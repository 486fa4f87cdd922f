// See complex_math.h: circular and hyperbolic functions and their inverses.
#include <numbers>

#include "lowering/ops/complex_math.h"

namespace hlocc::lowering {
namespace {

using kernel::OpKind;
using kernel::Predicate;
using kernel::ValueId;

}  // namespace

Element Complex::sin(Element x) const {
  return {wave(un(OpKind::kSin, x.re), OpKind::kCosh, x.im),
          wave(un(OpKind::kCos, x.re), OpKind::kSinh, x.im)};
}
Element Complex::cos(Element x) const {
  return {wave(un(OpKind::kCos, x.re), OpKind::kCosh, x.im),
          un(OpKind::kNeg, wave(un(OpKind::kSin, x.re), OpKind::kSinh, x.im))};
}
Element Complex::sinh(Element x) const {
  return {wave(un(OpKind::kCos, x.im), OpKind::kSinh, x.re),
          wave(un(OpKind::kSin, x.im), OpKind::kCosh, x.re)};
}
Element Complex::cosh(Element x) const {
  return {wave(un(OpKind::kCos, x.im), OpKind::kCosh, x.re),
          wave(un(OpKind::kSin, x.im), OpKind::kSinh, x.re)};
}

// tanh(a + bi) = (t (1 + u^2) + u (1 - t^2) i) / (1 + t^2 u^2), t = tanh a, u = tan b; far out it
// is +-1, whatever b is.
Element Complex::tanh(Element x) const {
  const ValueId t = un(OpKind::kTanh, x.re), u = un(OpKind::kTan, x.im);
  const ValueId tt = b().mul(t, t), uu = b().mul(u, u);
  const ValueId denominator = b().add(c(1), b().mul(tt, uu));
  const ValueId re = b().div(b().mul(t, b().add(c(1), uu)), denominator);
  const ValueId sech = b().div(c(1), un(OpKind::kCosh, x.re));
  const ValueId im = b().div(b().mul(u, b().mul(sech, sech)), denominator);
  const Element out = select(is(x.im, 0), {t, x.im}, {re, im});
  return select(is_infinite(x.re), {t, c(0)}, out);
}
// -i tanh(i x): sine over cosine would overflow far from the real axis.
Element Complex::tan(Element x) const { return over_i(tanh(mul_i(x))); }

// The inverse functions after Kahan, "Branch cuts for complex elementary functions": roots of 1 - x
// and 1 + x keep the sides of the cuts apart by the signs of zeros. Far out, where 1 does not count
// any more, they are logarithms of 2x.
Element Complex::root_below(Element x) const {
  return sqrt({b().sub(c(1), x.re), un(OpKind::kNeg, x.im)});
}
Element Complex::root_above(Element x) const { return sqrt({b().add(c(1), x.re), x.im}); }
ValueId Complex::log_twice_abs(Element x) const {
  return b().add(log_abs(x), c(std::numbers::ln2));
}
ValueId Complex::is_far(Element x) const { return exceeds(x, is_wide() ? 0x1p28 : 0x1p13); }

Element Complex::asin(Element x) const {
  const Element below = root_below(x), above = root_above(x);
  const Element near{atan2(x.re, mul(below, above).re),
                     un(OpKind::kAsinh, mul(conj(below), above).im)};
  const Element far{atan2(x.re, un(OpKind::kAbs, x.im)), copysign(log_twice_abs(x), x.im)};
  const Element out = select(is_far(x), far, near);
  return {b().select(is(x.re, 0), x.re, out.re), out.im};
}

Element Complex::acos(Element x) const {
  const Element below = root_below(x), above = root_above(x);
  const Element near{b().mul(c(2), atan2(below.re, above.re)),
                     un(OpKind::kAsinh, mul(conj(above), below).im)};
  const Element far{atan2(un(OpKind::kAbs, x.im), x.re),
                    un(OpKind::kNeg, copysign(log_twice_abs(x), x.im))};
  const Element out = select(is_far(x), far, near);
  return {b().select(is(x.re, 0), c(std::numbers::pi / 2), out.re), out.im};
}

Element Complex::acosh(Element x) const {
  const Element below = sqrt({b().sub(x.re, c(1)), x.im}), above = root_above(x);
  const Element near{un(OpKind::kAsinh, mul(conj(below), above).re),
                     b().mul(c(2), atan2(below.im, above.re))};
  const Element out = select(is_far(x), {log_twice_abs(x), atan2(x.im, x.re)}, near);
  const ValueId right_angle = copysign(c(std::numbers::pi / 2), x.im);
  return {out.re, b().select(is(x.re, 0), right_angle, out.im)};
}

Element Complex::asinh(Element x) const { return over_i(asin(mul_i(x))); }

// re = log1p(4|a| / ((1 - |a|)^2 + b^2)) / 4 with the sign of a,
// im = atan2(2b, (1 - a)(1 + a) - b^2) / 2; near the poles the difference of two logarithms, far
// out 1/x beside a right angle.
Element Complex::atanh(Element x) const {
  const ValueId a = un(OpKind::kAbs, x.re), off = b().sub(c(1), a), bb = b().mul(x.im, x.im);
  const ValueId square = b().add(b().mul(off, off), bb);
  const ValueId ratio = b().mul(c(4), b().div(a, square));
  const ValueId im = atan2(b().mul(c(2), x.im), b().sub(b().mul(off, b().add(c(1), a)), bb));
  const ValueId at_pole =
      b().mul(c(0.5), b().sub(log_abs({b().add(c(1), a), x.im}), log_abs({off, x.im})));
  const ValueId re = b().select(b().compare(Predicate::kLt, square, c(0x1p-20)), at_pole,
                                b().mul(c(0.25), un(OpKind::kLog1p, ratio)));
  const Element near{re, b().mul(c(0.5), im)};
  const ValueId right_angle = copysign(c(std::numbers::pi / 2), x.im);
  // The rest is of third order.
  const Element inverse = div(one(), x);
  const Element far{inverse.re,
                    b().select(is_nan(inverse.re), inverse.re,
                               b().select(is_nan(x.im), x.im, b().add(right_angle, inverse.im)))};
  const Element out = select(is_far(x), far, near);
  return {b().select(is(x.re, 0), x.re, copysign(out.re, x.re)), out.im};
}
Element Complex::atan(Element x) const { return over_i(atanh(mul_i(x))); }

Element Complex::atan2(Element y, Element x) const { return widened(&Complex::atan2_here, y, x); }

// -i log((x + iy) / sqrt(x^2 + y^2)), of numbers that are scaled so that no square overflows.
Element Complex::atan2_here(Element y, Element x) const {
  const auto larger = [&](Element z) {
    return b().max(un(OpKind::kAbs, z.re), un(OpKind::kAbs, z.im));
  };
  const ValueId most = b().max(larger(x), larger(y));
  const Element v{b().div(x.re, most), b().div(x.im, most)},
      w{b().div(y.re, most), b().div(y.im, most)};
  return over_i(log(div(add(v, mul_i(w)), sqrt(add(mul(v, v), mul(w, w))))));
}

}  // namespace hlocc::lowering
