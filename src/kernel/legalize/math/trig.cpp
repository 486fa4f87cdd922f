// sin, cos, tan: the angle is reduced to a quadrant, then two short polynomials give sine and
// cosine of the rest.
#include "kernel/legalize/control.h"
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (sin(x) - x) / x^3 in x^2, |x| <= pi/4; 2^-28.0 and 2^-58.0.
constexpr double kSinSingle[] = {-0.166666552, 0.00833217334, -0.00019516662};
constexpr double kSinDouble[] = {-0.16666666666666632,    0.008333333333322316,
                                 -0.00019841269829726368, 2.7557313662448817e-06,
                                 -2.5050753323763932e-08, 1.5896508263193997e-10};
// (cos(x) - 1 + x^2/2) / x^4 in x^2; 2^-33.3 and 2^-64.2.
constexpr double kCosSingle[] = {0.0416666456, -0.00138873619, 2.44377497e-05};
constexpr double kCosDouble[] = {0.041666666666666602,   -0.0013888888888873992,
                                 2.4801587289395655e-05, -2.7557314326227575e-07,
                                 2.0875719584107492e-09, -1.1359449943292062e-11};
// pi/2 as three parts of so few bits that their products with a quadrant number are exact, and a
// rest.
constexpr double kPartsSingle[] = {0x1.92p+0, 0x1.fb4p-12, 0x1.444p-24, 0x1.68c234p-39};
constexpr double kPartsDouble[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                   0x1.b839a252049c1p-104};
constexpr double kTwoOverPi = 0.63661977236758134;

// Cody and Waite: exact but for the last two steps, whose rounding goes into the low part.
Reduced reduce_small_angle(Expr x) {
  const double* parts = width_of(x).of(kPartsSingle, kPartsDouble);
  const Rounded n = round_product(x, kTwoOverPi);
  const Expr near = (x - n.real * parts[0]) - n.real * parts[1];
  const Expr third = n.real * parts[2];
  const Expr high = near - third;
  const Expr low = ((near - high) - third) - n.real * parts[3];
  return {fast_two_sum(high, low), n.integer.as_unsigned()};
}

Expr sine(const Pair& r) {
  const Expr z = r.high * r.high;
  const Expr p = width_of(z).bits == 32 ? polynomial(z, kSinSingle) : polynomial(z, kSinDouble);
  return r.high + mul_add(r.high * z, p, r.low);
}

Expr cosine(const Pair& r) {
  const Expr z = r.high * r.high;
  const Expr p = width_of(z).bits == 32 ? polynomial(z, kCosSingle) : polynomial(z, kCosDouble);
  const Expr half = z * 0.5;
  const Expr near = 1.0 - half;
  // What rounding 1 - z/2 lost, the polynomial, and the angle's low part.
  return near + (((1.0 - near) - half) + mul_add(z * z, p, -(r.high * r.low)));
}

Expr is_odd(Expr quadrant) { return (quadrant & 1) != 0; }

// The value with its sign changed in quadrants two and three.
Expr signed_by(Expr value, Expr quadrant) {
  const Expr flip = (quadrant & 2) << (width_of(value).bits - 2);
  return (value.as_unsigned() ^ flip).as_float();
}

// Below this sin(x) and tan(x) are x; it also keeps -0.
Expr is_tiny(Expr x) { return absolute(x) < width_of(x).of(0x1p-13, 0x1p-27); }

}  // namespace

Reduced reduce_angle(const Site& site, Expr x) {
  const Width& w = width_of(x);
  const Reduced small = reduce_small_angle(x);
  const Expr magnitude = absolute(x);
  // Infinities stay with the small ones, whose differences make them NaN.
  const Expr large = (magnitude >= w.of(0x1p13, 0x1p20)) & (magnitude < infinity_like(x));
  const Exprs chosen = if_any(large, {small.angle.high, small.angle.low, small.quadrant}, [&] {
    const Reduced exact = reduce_large_angle(site, x);
    return Exprs{select(large, exact.angle.high, small.angle.high),
                 select(large, exact.angle.low, small.angle.low),
                 select(large, exact.quadrant, small.quadrant)};
  });
  return {{chosen[0], chosen[1]}, chosen[2]};
}

Expr expand_sin(const Site& site) {
  const Expr x = site.operand(0);
  const Reduced r = reduce_angle(site, x);
  const Expr result =
      signed_by(select(is_odd(r.quadrant), cosine(r.angle), sine(r.angle)), r.quadrant);
  return select(is_tiny(x), x, result);
}

Expr expand_cos(const Site& site) {
  const Reduced r = reduce_angle(site, site.operand(0));
  return signed_by(select(is_odd(r.quadrant), sine(r.angle), cosine(r.angle)), r.quadrant + 1);
}

Expr expand_tan(const Site& site) {
  const Expr x = site.operand(0);
  const Reduced r = reduce_angle(site, x);
  const Expr odd = is_odd(r.quadrant), s = sine(r.angle), c = cosine(r.angle);
  const Expr quotient = select(odd, c, s) / select(odd, s, c);
  return select(is_tiny(x), x, signed_by(quotient, r.quadrant << 1));
}

}  // namespace hlocc::kernel
