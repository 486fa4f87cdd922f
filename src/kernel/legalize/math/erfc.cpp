// erfc: e^(-x^2) times a polynomial in (a - c) / (a + K), a = |x|, which fits e^(x^2) erfc(x) (a +
// K) from zero to where erfc underflows; on the negative side 2 minus that. One exponential, one
// division, no cases: the tail keeps its digits. Chips without vectors take the short way where
// there is one, as 1 - erf(x) loses nothing in (-1, 1); on others scalars and lanes agree.
#include "kernel/legalize/control.h"
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

struct Variable {
  double c, K;
};
constexpr Variable kVariableSingle = {0.5, 1.75}, kVariableDouble = {0.75, 2};
// 2^-25.7 and 2^-55.4.
constexpr double kScaledSingle[] = {1.38530326,    -1.21018338,   0.287505656,   0.188438565,
                                    -0.0368653983, -0.0569199435, -0.0137349516, 0.00766919367,
                                    0.0249907058,  -0.012010728};
constexpr double kScaledDouble[] = {
    1.3940785383061483,      -1.3887149423408045,     0.63169896911813039,
    0.029813305233682221,    -0.11530501022284879,    -0.015900278564537341,
    0.024195857467268208,    0.011200833248009657,    -0.0025678259663257674,
    -0.0044252481136750751,  -0.0014036739091985312,  0.00065866961488804453,
    0.00086012983026199593,  0.00031419508147982047,  -8.7858472544996552e-05,
    -0.00016384797976424888, -0.00014703486135272316, -1.5280459443446303e-05,
    0.00021666858040509063,  -0.0001927891169174948,  -0.00010130859907965378,
    0.00053959408138120279,  -0.0005855141709357318,  0.00027046009766253565,
    -4.702433374322107e-05};

// v * 2^k, rounded once: k is at most zero.
Expr scale_down(const Site& site, Expr v, const Exponential& e) {
  const Width& w = width_of(v);
  if (has_native_scale(site.target, v.type())) return e.scale(site, v);
  return v * power_of_two(e.k + w.of(64, 512)) * w.of(0x1p-64, 0x1p-512);
}

// erfc of a >= 0, a below where it underflows.
Expr tail(const Site& site, Expr a) {
  const bool single = width_of(a).bits == 32;
  const auto [c, K] = single ? kVariableSingle : kVariableDouble;
  const Expr u = 1.0 / (a + K);
  const Expr v = (a - c) * u;
  const Expr scaled = (single ? polynomial(v, kScaledSingle) : polynomial(v, kScaledDouble)) * u;
  const Exponential e = gaussian(site, a);
  return scale_down(site, mul_add(e.p, scaled, scaled), e);
}

}  // namespace

// Vector lanes that underflow are kept from doing so, as in exp.
Expr expand_erfc(const Site& site) {
  const Expr x = site.operand(0), a = absolute(x);
  // Below half the least subnormal.
  const Expr end = a.like(width_of(x).of(10.0543, 27.2261));
  if (site.target.vector_bits == 0 && x.type().lanes == 1)
    return either(
        a < 1.0, [&] { return mul_add(-x, erf_ratio_excess(x * x), 1.0 - x); },
        [&] {
          const Expr positive = tail(site, native_min(end, a));
          return select(x < 0.0, 2.0 - positive, positive);
        });
  const Expr sunk = a > end;
  const Expr positive = select(sunk, 0.0, tail(site, select(sunk, 0.0, a)));
  return select(x < 0.0, 2.0 - positive, positive);
}

}  // namespace hlocc::kernel
