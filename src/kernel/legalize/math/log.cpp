// log and log1p. x = 2^e (1 + f) with 1 + f around one; ln(1 + f) is a polynomial (f32) or a series
// in f / (2 + f) (f64).
#include <limits>

#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (ln(1 + f) - f + f^2/2) / f^3 on [sqrt(1/2) - 1, sqrt(2) - 1]; relative error of ln 2^-30.4.
constexpr double kLogSingle[] = {0.333333105,  -0.249999866, 0.20002225,
                                 -0.166692629, 0.142186821,  -0.123841822,
                                 0.118727006,  -0.117906027, 0.069167845};
// (2 atanh(s) - 2 s) / s^3 in s^2, |s| <= 0.1716; 2^-58.5.
constexpr double kLogDouble[] = {0.6666666666666734,  0.39999999999414804, 0.28571428742374555,
                                 0.22222198573017571, 0.1818356440934728,  0.15314046635179004,
                                 0.14796005592142625};

// e ln2 + ln(1 + f) + correction.
Expr log_of_parts(Expr e, Expr f, Expr correction) {
  const Width& w = width_of(f);
  const Expr low = mul_add(e, w.of(-2.12194440e-4, 1.90821492927058770002e-10), correction);
  const Expr high = e * w.of(0.693359375, 6.93147180369123816490e-01);
  const Expr square = f * f;
  if (w.bits == 32) {
    const Expr tail = mul_add(square * f, polynomial(f, kLogSingle), low);
    return high + (f + mul_add(square, -0.5, tail));
  }
  const Expr half_square = square * 0.5;
  const Expr s = f / (f + 2.0);
  const Expr z = s * s;
  const Expr series = half_square + z * polynomial(z, kLogDouble);
  return high - ((half_square - mul_add(s, series, low)) - f);
}

// The logarithm where its argument is positive and finite, else what IEEE says.
Expr with_special_values(Expr argument, Expr result) {
  const Expr infinity = infinity_like(argument);
  const Expr outside =
      select(argument == 0.0, -infinity, select(argument > 0.0, infinity, nan_like(argument)));
  return select((argument > 0.0) & (argument < infinity), result, outside);
}

// Exponent (a signed integer) and f of a positive normal number.
struct LogarithmParts {
  Expr exponent, f;
};
LogarithmParts logarithm_parts(Expr x) {
  const Width& w = width_of(x);
  const Expr bits = x.as_signed();
  const Expr sqrt_half = bits.like_bits(w.of<uint64_t>(0x3f3504f3, 0x3fe6a09e667f3bcd));
  const Expr exponent = (bits - sqrt_half) >> w.mantissa_bits;
  return {exponent, (bits - (exponent << w.mantissa_bits)).as_float() - 1.0};
}

}  // namespace

Expr small_integer_to_float(Expr k) {
  const Width& w = width_of(k);
  if (w.bits == 32) return k.native_convert(Scalar::kF32);
  // Few machines convert vectors of 64-bit integers; the low bits of 1.5 * 2^52 hold them as well.
  const Expr magic = k.like(0x1.8p52, Scalar::kF64);
  return (k + magic.as_signed()).as_float() - magic;
}

Split split_power(Expr x) {
  const Width& w = width_of(x);
  const int shift = w.mantissa_bits + 1;
  const Expr small = x < w.of(0x1p-126, 0x1p-1022);
  const LogarithmParts parts = logarithm_parts(select(small, x * w.of(0x1p24, 0x1p53), x));
  return {small_integer_to_float(parts.exponent - select(small, parts.exponent.like(shift), 0)),
          parts.f};
}

Expr log_of(Expr x) {
  const Split parts = split_power(x);
  return with_special_values(x, log_of_parts(parts.exponent, parts.f, x.like(0.0)));
}

Expr expand_log(const Site& site) { return log_of(site.operand(0)); }

Expr log1p_of(Expr x) {
  const Width& w = width_of(x);
  const Expr sum = x + 1.0;
  const LogarithmParts parts = logarithm_parts(sum);
  // What rounding the sum lost, as a part of the sum; near zero x itself is f, and nothing is lost.
  const Expr lost = select(x >= 1.0, 1.0 - (sum - x), x - (sum - 1.0));
  const Expr near = parts.exponent == 0;
  const Expr f = select(near, x, parts.f);
  const Expr correction = select(near, 0.0, lost / sum);
  const Expr result = log_of_parts(small_integer_to_float(parts.exponent), f, correction);
  const Expr tiny = absolute(x) < w.of(0x1p-25, 0x1p-54);
  return select(tiny, x, with_special_values(sum, result));
}

Expr expand_log1p(const Site& site) { return log1p_of(site.operand(0)); }

}  // namespace hlocc::kernel
