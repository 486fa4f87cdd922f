// pow: e^(y ln|x|) with ln|x| and the product as unevaluated sums of two floats, so that large
// results keep their last bits. Special values are IEEE's: pow(x, 0) = pow(1, y) = 1 even for NaN,
// odd integers y keep the sign of x.
#include <bit>

#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// (2 atanh(s) - 2s - 2s^3/3) / s^5 in s^2, |s| <= 0.1716; 2^-35.8 and 2^-65.3 of the logarithm.
constexpr double kTailSingle[] = {0.400001526, 0.28547132, 0.234186172};
constexpr double kTailDouble[] = {0.40000000000002256, 0.28571428570099711, 0.2222222251989881,
                                  0.18181784369398335, 0.15386757217190455, 0.13256820606591221,
                                  0.13196300508911735};

// s = f / (2 + f), with what division and sum rounded away.
Pair quotient_of(const Site& site, Expr f) {
  const Expr two = f.like(2.0);
  const Pair sum = fast_two_sum(two, f);
  const Expr high = f / sum.high;
  const Pair back = two_product(site, high, sum.high);
  return {high, (((f - back.high) - back.low) - high * sum.low) / sum.high};
}

// ln(x), x > 0: 2 s + 2/3 s^3 + s^5 P(s^2) + e ln2.
Pair log_pair(const Site& site, Expr x) {
  const Width& w = width_of(x);
  const Split split = split_power(x);
  const Pair s = quotient_of(site, split.f);
  const Pair square = multiply(site, s, s);
  const Pair two_thirds = {x.like(w.of(0x1.555556p-1, 0x1.5555555555555p-1)),
                           x.like(w.of(-0x1.555556p-26, 0x1.5555555555555p-55))};
  const Pair cube = multiply(site, multiply(site, s, square), two_thirds);
  const Expr p =
      w.bits == 32 ? polynomial(square.high, kTailSingle) : polynomial(square.high, kTailDouble);
  const Expr tail = s.high * square.high * (square.high * p);
  const Pair first =
      fast_two_sum(split.exponent * w.of(0.693359375, 6.93147180369123816490e-01), s.high * 2.0);
  const Pair second = fast_two_sum(first.high, cube.high);
  const Expr low =
      mul_add(split.exponent, w.of(-2.12194440e-4, 1.90821492927058770002e-10), s.low * 2.0);
  return fast_two_sum(second.high, first.low + second.low + (low + (cube.low + tail)));
}

Expr truncated(Expr x) { return x.unary(OpKind::kTrunc); }

// |x|^y for positive finite |x| and finite y.
Expr power_of_magnitude(const Site& site, Expr magnitude, Expr y) {
  const Width& w = width_of(y);
  // Larger exponents give zero, one or infinity just the same, and their products stay finite.
  const double most = w.of(0x1p40, 0x1p80);
  const Expr bounded = native_min(y.like(most), native_max(y.like(-most), y));
  const Pair log = log_pair(site, magnitude);
  const Pair exact = two_product(site, bounded, log.high);
  const Expr high = clamp_exponent(exact.high);
  const Expr low = select(high == exact.high, exact.low + bounded * log.low, 0.0);
  const Exponential e = exponential(high, low);
  return e.scale(site, e.p + 1.0);
}

Expr general_power(const Site& site, Expr x, Expr y) {
  const Expr magnitude = absolute(x), infinity = infinity_like(x);
  const Expr whole = truncated(y) == y, half = y * 0.5;
  const Expr odd = whole & (truncated(half) != half);
  const Expr grows = y > 0.0;
  const Expr is_zero = magnitude == 0.0, is_infinite = magnitude == infinity;
  Expr result = power_of_magnitude(site, magnitude, y);
  result = select(is_zero, select(grows, x.like(0.0), infinity), result);
  result = select(is_infinite, select(grows, infinity, 0.0), result);
  result = with_sign(result, select(odd, sign_bits(x), 0));
  const Expr no_root = (x < 0.0) & ~whole & ~is_infinite;
  result = select(no_root | is_nan(x) | is_nan(y), nan_like(x), result);
  return select((y == 0.0) | (x == 1.0), 1.0, result);
}

// Exponents that are one or two multiplications.
std::optional<Expr> known_power(Expr x, double exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return x * x;
  if (exponent == 3) return x * x * x;
  if (exponent == -1) return 1.0 / x;
  return std::nullopt;
}

}  // namespace

Expr expand_pow(const Site& site) {
  const Expr x = site.operand(0), y = site.operand(1);
  if (const auto bits = site.builder.constant_value(y.id())) {
    const double exponent = y.bits() == 64 ? std::bit_cast<double>(*bits)
                                           : std::bit_cast<float>(static_cast<uint32_t>(*bits));
    if (const auto result = known_power(x, exponent)) return *result;
  }
  return general_power(site, x, y);
}

}  // namespace hlocc::kernel
