// Hyperbolic functions and their inverses, from e^x and ln(1 + x). All are computed for |x| and
// take the sign of x, so that they are exactly odd or even and keep -0.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (tanh(x) - x) / x^3 in x^2, |x| <= 0.625; 2^-32.6.
constexpr double kTanhSingle[] = {-0.333333313, 0.133332074,    -0.0539469682,
                                  0.0217016134, -0.00817918964, 0.0021442296};
// The same; 2^-56.5.
constexpr double kTanhDouble[] = {
    -0.33333333333332865,    0.13333333333262865,   -0.053968253931528334,  0.02186948758011641,
    -0.0088632210331618406,  0.0035919892640135748, -0.0014549586359208734, 0.000586313697873579,
    -0.00022855475331255779, 7.712980253525189e-05, -1.6063752494782376e-05};
// (sinh(x) - x) / x^3 in x^2, |x| <= 1; 2^-34.0 and 2^-63.2.
constexpr double kSinhSingle[] = {0.166666672, 0.00833335053, 0.000198360663, 2.8174436e-06};
constexpr double kSinhDouble[] = {
    0.16666666666666669,    0.0083333333333331389,  0.00019841269841437581, 2.7557319155365674e-06,
    2.5052123394430422e-08, 1.6057240629810201e-10, 7.7593043539352354e-13};
constexpr double kLn2 = 0.69314718055994531;

// x + x^3 P(x^2).
template <size_t Single, size_t Double>
Expr odd_series(Expr x, const double (&single)[Single], const double (&twice)[Double]) {
  const Expr z = x * x;
  const Expr p = width_of(x).bits == 32 ? polynomial(z, single) : polynomial(z, twice);
  return mul_add(x * z, p, x);
}

// e^|x| / 2 for any |x|: half the scale keeps it finite where sinh and cosh are.
Expr half_exp(Expr magnitude) {
  const Width& w = width_of(magnitude);
  // Past this both are infinite.
  const Expr bounded = native_min(magnitude.like(w.of(90.0, 711.0)), magnitude);
  const Exponential e = exponential(bounded);
  const Expr k = e.k - 1;
  return (e.p + 1.0) * power_of_two(k >> 1) * power_of_two(k - (k >> 1));
}

// sqrt(x^2 + 1) for x >= 0 whose square is finite.
Expr hypotenuse(Expr x) { return mul_add(x, x, 1.0).unary(OpKind::kSqrt); }

// Beyond this the inverse functions are ln(2x), and squares may overflow.
Expr is_large(Expr magnitude) { return magnitude > width_of(magnitude).of(0x1p28, 0x1p60); }

}  // namespace

// Near zero a polynomial; else 1 - 2 / (e^2x + 1), with e^2x + 1 rounded once.
Expr expand_tanh(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  const Width& w = width_of(x);
  const Expr bounded = native_min(magnitude.like(w.of(9.5, 20.0)), magnitude);
  const Exponential e = exponential(bounded * 2.0);
  const Expr scale = power_of_two(e.k);
  const Expr large = 1.0 - 2.0 / mul_add(scale, e.p, scale + 1.0);
  const Expr result =
      select(magnitude < 0.625, odd_series(magnitude, kTanhSingle, kTanhDouble), large);
  return with_sign(result, sign_bits(x));
}

Expr expand_sinh(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  const Expr half = half_exp(magnitude);
  const Expr result =
      select(magnitude < 1.0, odd_series(magnitude, kSinhSingle, kSinhDouble), half - 0.25 / half);
  return with_sign(result, sign_bits(x));
}

Expr expand_cosh(const Site& site) {
  const Expr half = half_exp(absolute(site.operand(0)));
  return half + 0.25 / half;
}

// ln(x + sqrt(x^2 + 1)) = ln1p(x + x^2 / (1 + sqrt(x^2 + 1))).
Expr expand_asinh(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  const Expr large = is_large(magnitude);
  const Expr middle = select(large, 0.0, magnitude);
  const Expr argument = mul_add(middle, middle / (hypotenuse(middle) + 1.0), magnitude);
  const Expr result = log1p_of(argument) + select(large, x.like(kLn2), 0.0);
  return with_sign(result, sign_bits(x));
}

// With t = x - 1: ln1p(t + sqrt(2t + t^2)). Below one the root is NaN.
Expr expand_acosh(const Site& site) {
  const Expr x = site.operand(0);
  const Expr large = is_large(x);
  const Expr t = x - 1.0;
  const Expr middle = select(large, 0.0, t);
  const Expr root = mul_add(middle, middle, middle * 2.0).unary(OpKind::kSqrt);
  const Expr result = log1p_of(t + root) + select(large, x.like(kLn2), 0.0);
  return select(x < 1.0, nan_like(x), result);
}

// ln((1 + x) / (1 - x)) / 2 = ln1p(2x / (1 - x)) / 2.
Expr expand_atanh(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  const Expr twice = magnitude * 2.0;
  // For small x the quotient's error counts only in the second term of 2x + 2x^2 / (1 - x).
  const Expr small = mul_add(twice, magnitude / (1.0 - magnitude), twice);
  const Expr argument = select(magnitude < 0.5, small, twice / (1.0 - magnitude));
  return with_sign(log1p_of(argument) * 0.5, sign_bits(x));
}

}  // namespace hlocc::kernel
