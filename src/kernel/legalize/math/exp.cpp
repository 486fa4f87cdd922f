// exp, expm1 and logistic. x = k ln2 + r; e^r - 1 is a polynomial on |r| <= ln2/2, and 2^k goes
// into the exponent, in two steps where the result may be subnormal.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (e^r - 1 - r) / r^2, |r| <= ln2/2; error of e^r 2^-28.3.
constexpr double kExpSingle[] = {0.5, 0.166665182, 0.041666206, 0.0083688898, 0.00139505265};
// The same; 2^-58.0.
constexpr double kExpDouble[] = {
    0.50000000000000122,    0.16666666666666699,    0.04166666666651557,   0.0083333333333069377,
    0.0013888888946987027,  0.00019841269917822901, 2.480148996316567e-05, 2.7557216013003613e-06,
    2.7631275317701601e-07, 2.5117926536956168e-08};
constexpr double kLog2E = 1.4426950408889634;

// r = x - k ln2: the high part of ln2 has so few bits that its product with k is exact.
struct Remainder {
  Rounded k;
  Expr r;
};
Remainder take_away_ln2(Expr x) {
  const Width& w = width_of(x);
  const Rounded k = round_product(x, kLog2E);
  const Expr r = mul_add(k.real, -w.of(0.693359375, 6.93147180369123816490e-01), x);
  return {k, mul_add(k.real, -w.of(-2.12194440e-4, 1.90821492927058770002e-10), r)};
}

Expr exp_tail(Expr r) {
  return width_of(r).bits == 32 ? polynomial(r, kExpSingle) : polynomial(r, kExpDouble);
}

}  // namespace

bool has_native_scale(const Target& target, Type type) {
  const int bits = type.lanes * scalar_bits(type.scalar);
  return bits == 512 ? target.has(Isa::kAvx512F)
                     : (bits == 256 || bits == 128) && target.has(Isa::kAvx512Vl);
}

Expr Exponential::scale(const Site& site, Expr v) const {
  return has_native_scale(site.target, v.type()) ? v.binary(OpKind::kNativeScale, real)
                                                 : scale_by_power_of_two(v, k);
}

Exponential exponential(Expr x) {
  const Remainder part = take_away_ln2(x);
  return {part.k.integer, mul_add(part.r * part.r, exp_tail(part.r), part.r), part.k.real};
}

Exponential exponential(Expr x, Expr low) {
  const Remainder part = take_away_ln2(x);
  const Expr r = part.r + low;
  return {part.k.integer, mul_add(r * r, exp_tail(r), r), part.k.real};
}

// Where products are rounded, the square of a's upper half is exact, and the rest is added at the
// end.
Exponential gaussian(const Site& site, Expr a) {
  const Width& w = width_of(a);
  const double high_ln2 = w.of(0.693359375, 6.93147180369123816490e-01);
  const double low_ln2 = w.of(-2.12194440e-4, 1.90821492927058770002e-10);
  const Rounded k = round_product(a * a, -kLog2E);
  Expr r = k.real * -high_ln2;
  if (has_native_fma(site.target, a.scalar())) {
    Builder& builder = a.builder();
    r = {builder, builder.op(OpKind::kNativeFma, a.type(), {a.id(), (-a).id(), r.id()})};
    r = mul_add(k.real, -low_ln2, r);
  } else {
    const uint64_t upper = w.of(uint64_t{0xfffff000}, ~uint64_t{0x7ffffff});
    const Expr bits = a.as_unsigned();
    const Expr high = (bits & bits.like_bits(upper)).as_float();
    r = mul_add(k.real, -low_ln2, r - high * high) - (a - high) * (a + high);
  }
  return {k.integer, mul_add(r * r, exp_tail(r), r), k.real};
}

Expr clamp_exponent(Expr x) {
  const Width& w = width_of(x);
  return native_min(x.like(w.of(89.0, 710.0)), native_max(x.like(w.of(-104.0, -746.0)), x));
}

// Vector units of large cores take an interrupt of some hundred cycles for a result that
// underflows, as every lane behind a mask of -1e9 would: there such lanes compute e^0 and are set
// to zero.
Expr exp_of(const Site& site, Expr x) {
  if (x.type().lanes == 1) {
    const Exponential e = exponential(clamp_exponent(x));
    return e.scale(site, e.p + 1.0);
  }
  const Width& w = width_of(x);
  const Expr sunk = x < w.of(-104.0, -746.0);
  const Exponential e = exponential(native_min(x.like(w.of(89.0, 710.0)), select(sunk, 0.0, x)));
  return select(sunk, 0.0, e.scale(site, e.p + 1.0));
}

Expr expand_exp(const Site& site) { return exp_of(site, site.operand(0)); }

// 2^k (1 + p) - 1 = 2^k p + (2^k - 1), at half the scale so that 2^k does not overflow before its
// time.
Expr expand_expm1(const Site& site) {
  const Expr x = site.operand(0);
  const Width& w = width_of(x);
  // Below, the result is -1.
  const Exponential e = exponential(native_max(x.like(w.of(-18.0, -38.0)), clamp_exponent(x)));
  const Expr half_scale = power_of_two(e.k - 1);
  const Expr result = mul_add(half_scale, e.p, half_scale - 0.5) * 2.0;
  return select(absolute(x) < w.of(0x1p-25, 0x1p-54), x, result);
}

// With z = e^-|x| and q = z / (1 + z): 1 - q, or on the negative side z - z q, which is q with less
// of its rounding. Nothing overflows, and far below zero the result is e^x to the end.
Expr expand_logistic(const Site& site) {
  const Expr x = site.operand(0);
  const Expr z = exp_of(site, -absolute(x));
  const Expr whole = select(x > 0.0, 1.0, z);
  return mul_add(-whole, z / (z + 1.0), whole);
}

}  // namespace hlocc::kernel
