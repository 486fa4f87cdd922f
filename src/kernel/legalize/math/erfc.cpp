// erfc: e^(-x^2) times a polynomial in (a - c) / (a + K), a = |x|, which fits e^(x^2) erfc(x) (a + K) from zero to where
// erfc underflows; on the negative side 2 minus that. One exponential, one division, no cases: the tail keeps its digits.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

struct Variable {
  double c, K;
};
constexpr Variable kVariableSingle = {0.5, 1.75}, kVariableDouble = {1.5, 2};
// 2^-25.7 and 2^-56.0.
constexpr double kSingle[] = {1.38530326,     -1.21018338,   0.287505656,   0.188438565,  -0.0368653983,
                              -0.0569199435, -0.0137349516, 0.00766919367, 0.0249907058, -0.012010728};
constexpr double kDouble[] = {
    1.1255489575901112,      -0.87883178463374945,    0.38176330694598398,
    -0.034359744186319117,   -0.042864620852806616,   0.0069784196483945312,
    0.0079148573233665395,   -0.00025286747249699031, -0.0017296023743595247,
    -0.0004134525614697029,  0.00028143660041382069,  0.0002104504786646621,
    1.3721472680737843e-05,  -5.1666499612564349e-05, -2.9505137345282784e-05,
    -4.1588836647061744e-07, 8.6554521591823198e-06,  5.2818718277134776e-06,
    6.061546429467226e-07,   -1.4504588194285814e-06, -1.3343680579808217e-06,
    -2.604298413322516e-07,  4.3965115945754313e-07,  2.6180773530097598e-07,
    -5.2803644330231948e-08, -5.378769249849346e-08};

// v * 2^k, rounded once, where k is at most zero and not below what underflows.
Expr scale_down(Expr v, Expr k) {
  const Width& w = width_of(v);
  return v * power_of_two(k + w.of(64, 512)) * w.of(0x1p-64, 0x1p-512);
}

// erfc of a >= 0, a below where it underflows.
Expr tail(const Site& site, Expr a) {
  const bool single = width_of(a).bits == 32;
  const auto [c, K] = single ? kVariableSingle : kVariableDouble;
  const Expr u = 1.0 / (a + K);
  const Expr v = (a - c) * u;
  const Expr scaled = (single ? polynomial(v, kSingle) : polynomial(v, kDouble)) * u;
  const Exponential e = gaussian(site, a);
  return scale_down(mul_add(e.p, scaled, scaled), e.k);
}

}  // namespace

// Vector lanes that underflow are kept from doing so, as in exp.
Expr expand_erfc(const Site& site) {
  const Expr x = site.operand(0), a = absolute(x);
  // Below half the least subnormal.
  const Expr end = a.like(width_of(x).of(10.0543, 27.2261));
  if (x.type().lanes == 1) {
    const Expr positive = tail(site, native_min(end, a));
    return select(x < 0.0, 2.0 - positive, positive);
  }
  const Expr sunk = a > end;
  const Expr positive = select(sunk, 0.0, tail(site, select(sunk, 0.0, a)));
  return select(x < 0.0, 2.0 - positive, positive);
}

}  // namespace hlocc::kernel
