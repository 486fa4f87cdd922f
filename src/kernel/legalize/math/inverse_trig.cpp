// asin, acos, atan, atan2. The arctangent's argument is brought below tan(pi/8) by one division
// whose numerator and denominator are chosen first; arcsines beyond 1/2 go through the square root
// of (1 - |x|) / 2.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (atan(x) - x) / x^3 in x^2, |x| <= tan(pi/8); 2^-30.5 and 2^-59.5.
constexpr double kAtanSingle[] = {-0.333333164, 0.199984908, -0.142438665, 0.10596104,
                                  -0.0608365573};
constexpr double kAtanDouble[] = {
    -0.33333333333333198,  0.19999999999954049,  -0.14285714280245246,  0.11111110785970459,
    -0.090908978314974589, 0.076920615469435918, -0.066631193412319462, 0.05848001243343727,
    -0.050398107067882066, 0.038077433853037454, -0.01792130720120616};
// (asin(x) - x) / x^3 in x^2, |x| <= 1/2; 2^-31.7 and 2^-63.8.
constexpr double kAsinSingle[] = {0.166666597,  0.0750051066, 0.0445157327,
                                  0.0318174995, 0.0144030107, 0.0375646539};
constexpr double kAsinDouble[] = {
    0.1666666666666666,    0.075000000000025407, 0.044642857139679401,   0.030381944645098101,
    0.022372151590787509,  0.017352945451333795, 0.01396187286187487,    0.011585969557845369,
    0.0094820923714022884, 0.010018623531932913, 0.00065281217000686558, 0.024890131231795256,
    -0.026231082121553121, 0.033690454638624662};
constexpr double kTanEighthPi = 0.41421356237309503;

// Multiples of pi as the nearest float and what it lacks.
Pair quarter_pi(Expr x, int quarters) {
  const double high[] = {0, 0x1.921fb54442d18p-1, 0x1.921fb54442d18p+0, 0x1.2d97c7f3321d2p+1,
                         0x1.921fb54442d18p+1};
  const double low[] = {0, 0x1.1a62633145c07p-55, 0x1.1a62633145c07p-54, 0x1.a79394c9e8a0ap-54,
                        0x1.1a62633145c07p-53};
  if (width_of(x).bits == 64) return {x.like(high[quarters]), x.like(low[quarters])};
  const float nearest = static_cast<float>(high[quarters]);
  return {x.like(nearest), x.like(high[quarters] - nearest)};
}

Expr plus(Pair base, Expr x) { return base.high + (x + base.low); }

Expr atan_tail(Expr t) {
  const Expr z = t * t;
  const Expr p = width_of(t).bits == 32 ? polynomial(z, kAtanSingle) : polynomial(z, kAtanDouble);
  return t * z * p;
}

// atan(smaller / larger), 0 <= smaller <= larger.
Expr atan_of_quotient(Expr smaller, Expr larger) {
  const Expr upper = smaller > larger * kTanEighthPi;
  const Expr numerator = select(upper, smaller - larger, smaller),
             denominator = select(upper, smaller + larger, larger);
  const Expr t = numerator / denominator;
  const Pair base = quarter_pi(t, 1);
  return select(upper, base.high, 0.0) + (t + (atan_tail(t) + select(upper, base.low, 0.0)));
}

Expr asin_tail(Expr z) {
  return z * (width_of(z).bits == 32 ? polynomial(z, kAsinSingle) : polynomial(z, kAsinDouble));
}

// asin(|x|) for |x| <= 1/2 in `small`; else asin(root), root = sqrt((1 - |x|) / 2), with asin(|x|)
// = pi/2 - 2 asin(root).
struct Arc {
  Expr is_small, argument, tail;
};
Arc arc_of(Expr magnitude) {
  const Expr is_small = magnitude <= 0.5;
  const Expr z = select(is_small, magnitude * magnitude, (1.0 - magnitude) * 0.5);
  const Expr argument = select(is_small, magnitude, z.unary(OpKind::kSqrt));
  return {is_small, argument, argument * asin_tail(z)};
}

}  // namespace

Expr expand_atan(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x), one = x.like(1.0);
  const Expr steep = magnitude > 1.0;
  // An infinite magnitude over itself would be NaN; its quotient the other way round is zero.
  const Expr angle = atan_of_quotient(select(steep, one, magnitude), select(steep, magnitude, one));
  return with_sign(select(steep, plus(quarter_pi(x, 2), -angle), angle), sign_bits(x));
}

Expr expand_atan2(const Site& site) {
  const Expr y = site.operand(0), x = site.operand(1);
  const Width& w = width_of(x);
  const Expr height = absolute(y), width = absolute(x);
  const Expr steep = height > width;
  Expr smaller = select(steep, width, height), larger = select(steep, height, width);
  // Two infinities count as one over one, two zeros as zero over one.
  const Expr infinite = smaller == infinity_like(x);
  smaller = select(infinite, 1.0, smaller);
  larger = select(infinite | (larger == 0.0), 1.0, larger);
  // Scaled down, the sum of large numbers is finite, and what underflows was too small to count;
  // subnormals are scaled up.
  const Expr up = select(larger < w.of(0x1p-100, 0x1p-960), larger.like(w.of(0x1p30, 0x1p60)), 1.0);
  const Expr scale = select(larger > w.of(0x1p100, 0x1p1000), w.of(0x1p-30, 0x1p-60), up);
  const Expr angle = atan_of_quotient(smaller * scale, larger * scale);
  const Expr upright = select(steep, plus(quarter_pi(x, 2), -angle), angle);
  const Expr result = select(sign_bits(x) != 0, plus(quarter_pi(x, 4), -upright), upright);
  return select(is_nan(x) | is_nan(y), nan_like(x), with_sign(result, sign_bits(y)));
}

Expr expand_asin(const Site& site) {
  const Expr x = site.operand(0);
  const Arc arc = arc_of(absolute(x));
  const Expr near_one = plus(quarter_pi(x, 2), -2.0 * (arc.argument + arc.tail));
  return with_sign(select(arc.is_small, arc.argument + arc.tail, near_one), sign_bits(x));
}

Expr expand_acos(const Site& site) {
  const Expr x = site.operand(0);
  const Arc arc = arc_of(absolute(x));
  const Expr negative = x < 0.0;
  const Pair right_angle = quarter_pi(x, 2), straight = quarter_pi(x, 4);
  const Expr argument = select(negative, -arc.argument, arc.argument),
             tail = select(negative, -arc.tail, arc.tail);
  const Expr small = right_angle.high - (argument + (tail - right_angle.low));
  const Expr twice = 2.0 * (arc.argument + arc.tail);
  const Expr large = select(negative, plus(straight, -twice), twice);
  return select(arc.is_small, small, large);
}

}  // namespace hlocc::kernel
