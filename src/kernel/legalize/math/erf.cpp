// erf: x times a polynomial in x^2 up to one, beyond it 1 - e^-Q(|x|), where Q fits -ln(erfc): its
// error counts only with the weight of erfc.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (erf(x) - x) / x in x^2, |x| <= 1; 2^-29.7 and 2^-68.7.
constexpr double kNearSingle[] = {0.128379166,   -0.37612626,     0.112836003,   -0.0268544462,
                                  0.00518953847, -0.000802086142, 7.88917168e-05};
constexpr double kNearDouble[] = {
    0.12837916709551259,     -0.37612638903183754,    0.11283791670955121,
    -0.026866170645129868,   0.0052239776254236108,   -0.00085483270219560345,
    0.00012055332903811545,  -1.4925647594432827e-05, 1.6462045978733037e-06,
    -1.6364649521043263e-07, 1.4792469326236741e-08,  -1.2164966559267649e-09,
    8.7104577961103933e-11,  -4.2331175239119645e-12};
// -ln(erfc(x)) in x, 1 <= x <= 3.95; 2^-35.5 of erf.
constexpr double kFarSingle[] = {-0.000188034479, 1.12957835,    0.633219957,     0.108418524,
                                 -0.0252082236,   0.00420455029, -0.000441334065, 2.16866592e-05};
// The same in x - 1, 1 <= x <= 5.93; 2^-59.5. From there the coefficients fall, and with them the
// rounding errors.
constexpr double kFarDouble[] = {
    1.8496055099332482,      2.6389675142347881,      0.84310725635867667,
    0.04156109804181049,     -0.010033825374425298,   0.0019779025679859041,
    -0.00023732248162257897, -2.6277875073998878e-05, 2.7159113224554758e-05,
    -9.6089034215719421e-06, 2.0597770558727748e-06,  -1.42880622096202e-07,
    -9.7543611640734415e-08, 5.2035965608756897e-08,  -1.4910764474719898e-08,
    2.8638699764513905e-09,  -3.6822040530848894e-10, 2.8812914093984449e-11,
    -1.0389866968267654e-12};

// Scaled up, so that the small term of a tiny number is not flushed to zero where vector units do
// that to subnormals.
Expr near(Expr x) {
  const Expr scaled = x * 0x1p24, p = erf_ratio_excess(x * x);
  return mul_add(scaled, p, scaled) * 0x1p-24;
}

Expr far(Expr magnitude) {
  const Width& w = width_of(magnitude);
  // From here on erf rounds to one.
  const Expr bounded = native_min(magnitude.like(w.of(3.95, 5.93)), magnitude);
  const Expr q =
      w.bits == 32 ? polynomial(bounded, kFarSingle) : polynomial(bounded - 1.0, kFarDouble);
  const Exponential e = exponential(-q);
  return 1.0 - (e.p + 1.0) * power_of_two(e.k);
}

}  // namespace

Expr erf_ratio_excess(Expr square) {
  return width_of(square).bits == 32 ? polynomial(square, kNearSingle)
                                     : polynomial(square, kNearDouble);
}

Expr expand_erf(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  return with_sign(select(magnitude <= 1.0, near(magnitude), far(magnitude)), sign_bits(x));
}

}  // namespace hlocc::kernel
