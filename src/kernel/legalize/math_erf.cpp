// erf: x times a polynomial in x^2 up to one, beyond it 1 - e^-Q(|x|), where Q fits -ln(erfc): its error counts only with
// the weight of erfc.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math.h"

namespace hlocc::kernel {
namespace {

// (erf(x) - x) / x in x^2, |x| <= 1; 2^-29.7 and 2^-68.7.
constexpr double kNearSingle[] = {0.128379166,   -0.37612626,     0.112836003,   -0.0268544462,
                                  0.00518953847, -0.000802086142, 7.88917168e-05};
constexpr double kNearDouble[] = {0.12837916709551259,     -0.37612638903183754,   0.11283791670955121,    -0.026866170645129868,
                                  0.0052239776254236108,   -0.00085483270219560345, 0.00012055332903811545, -1.4925647594432827e-05,
                                  1.6462045978733037e-06,  -1.6364649521043263e-07, 1.4792469326236741e-08, -1.2164966559267649e-09,
                                  8.7104577961103933e-11,  -4.2331175239119645e-12};
// -ln(erfc(x)) in x, 1 <= x <= 3.95; 2^-35.5 of erf.
constexpr double kFarSingle[] = {-0.000188034479, 1.12957835,    0.633219957,     0.108418524,
                                 -0.0252082236,   0.00420455029, -0.000441334065, 2.16866592e-05};
// The same in x - 2, 1 <= x <= 5.93; 2^-59.5.
constexpr double kFarDouble[] = {5.3649412646166379,      4.4181608059944173,      0.92375084182380496,     0.016465118136863778,
                                 -0.0035707563461567691,  0.00073239938574886005,  -0.00013530933472702316, 2.0706432549157656e-05,
                                 -1.9521937985789833e-06, -2.0364250338978565e-07, 1.732048764291485e-07,   -5.7797213444014085e-08,
                                 1.395063907121127e-08,   -2.5391189574081769e-09, 2.7431882665181292e-10,  4.3086663686811839e-11,
                                 -3.736583032524845e-11,  1.0111153551102669e-11,  -1.0389866968267654e-12};

Expr near(Expr x) {
  const Expr z = x * x;
  return mul_add(x, width_of(x).bits == 32 ? polynomial(z, kNearSingle) : polynomial(z, kNearDouble), x);
}

Expr far(Expr magnitude) {
  const Width& w = width_of(magnitude);
  // From here on erf rounds to one.
  const Expr bounded = native_min(magnitude.like(w.of(3.95, 5.93)), magnitude);
  const Expr q = w.bits == 32 ? polynomial(bounded, kFarSingle) : polynomial(bounded - 2.0, kFarDouble);
  const Exponential e = exponential(-q);
  return 1.0 - (e.p + 1.0) * power_of_two(e.k);
}

}  // namespace

Expr expand_erf(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  return with_sign(select(magnitude <= 1.0, near(magnitude), far(magnitude)), sign_bits(x));
}

}  // namespace hlocc::kernel
