// The remainder of floats (fmod): exact, by long division of the significands as integers. Each
// iteration shifts in as many bits as the word has room for; numbers of nearly the same size need
// none.
#include "kernel/legalize/control.h"
#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

// significand * 2^(exponent - bias - mantissa_bits); subnormals have no implicit bit and the
// exponent of the least normal.
struct SignificandAndExponent {
  Expr exponent, significand;
};
SignificandAndExponent significand_and_exponent(Expr magnitude) {
  const Width& w = width_of(magnitude);
  const Expr bits = magnitude.as_unsigned();
  const Expr field = bits >> w.mantissa_bits, mantissa = bits & bits.like_bits(w.mantissa_mask());
  const Expr normal = field != 0;
  return {select(normal, field, 1),
          select(normal, mantissa | bits.like_bits(uint64_t{1} << w.mantissa_bits), mantissa)};
}

// ((significand << distance) modulo divisor), for any distance.
Expr shifted_remainder(Expr significand, Expr distance, Expr divisor) {
  const Width& w = width_of(significand);
  const int room = w.bits - w.mantissa_bits - 1;
  const auto modulo = [&](Expr a) { return a.binary(OpKind::kNativeRem, divisor); };
  return while_any(
      {modulo(significand), distance}, [](const Exprs& now) { return now[1] != 0; },
      [&](const Exprs& now) {
        const Expr step = native_min(now[1], now[1].like(room));
        return Exprs{modulo(now[0] << step), now[1] - step};
      })[0];
}

}  // namespace

Expr expand_float_rem(const Site& site) {
  const Expr x = site.operand(0), y = site.operand(1);
  const Width& w = width_of(x);
  const Expr dividend = absolute(x), divisor = absolute(y), infinity = infinity_like(x);
  const SignificandAndExponent a = significand_and_exponent(dividend),
                               b = significand_and_exponent(divisor);
  // Lanes whose answer is known (smaller dividends, infinities, NaN) do not hold up the others.
  const Expr defined = (dividend < infinity) & (divisor > 0.0);
  const Expr divides = defined & (divisor <= dividend);
  const Expr distance = select(divides, a.exponent - b.exponent, 0);
  const Expr rest = shifted_remainder(a.significand, distance, select(divides, b.significand, 1));
  const Expr scale = b.exponent.as_signed() - (w.bias + w.mantissa_bits);
  const Expr remainder = scale_by_power_of_two(rest.as_signed().native_convert(w.real), scale);
  const Expr result = select(divides, with_sign(remainder, sign_bits(x)), x);
  return select(defined, result, nan_like(x));
}

}  // namespace hlocc::kernel
