// Roots: cbrt by Halley's iteration from a guess at a third of the exponent, sqrt digit by digit in
// integers for machines without the instruction, rsqrt as one over the root.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// A number's exponent made even (odd ones double the significand) and its significand as an
// integer.
struct SquareParts {
  Expr half_exponent, significand;
};
SquareParts square_parts(Expr x) {
  const Width& w = width_of(x);
  // Subnormals are scaled up by an even power of two.
  const int shift = w.of(24, 54);
  const Expr small = x < w.of(0x1p-126, 0x1p-1022);
  const Expr bits = select(small, x * w.of(0x1p24, 0x1p54), x).as_signed();
  const Expr exponent = (bits >> w.mantissa_bits) - w.bias - select(small, bits.like(shift), 0);
  const Expr significand =
      (bits & bits.like_bits(w.mantissa_mask())) | bits.like_bits(uint64_t{1} << w.mantissa_bits);
  return {exponent >> 1, significand << (exponent & 1)};
}

// The root of a positive finite number, correctly rounded: one bit an iteration, the rest decides
// how it is rounded.
Expr root_by_digits(Expr x) {
  const Width& w = width_of(x);
  Builder& builder = x.builder();
  const SquareParts parts = square_parts(x);
  const Expr zero = parts.significand.like(0),
             one = parts.significand.like_bits(uint64_t{1} << (w.mantissa_bits + 1));
  const Loop loop{.lower = Affine::constant(0), .upper = Affine::constant(w.mantissa_bits + 2)};
  const Values initial = {one.id(), (parts.significand << 1).id(), zero.id(), zero.id()};
  const Values done = builder.loop(loop, initial, [&](ValueId, std::span<const ValueId> now) {
    const Expr bit(builder, now[0]), rest(builder, now[1]), twice(builder, now[2]),
        root(builder, now[3]);
    const Expr trial = twice + bit;
    const Expr fits = trial <= rest;
    return Values{(bit >> 1).id(), (select(fits, rest - trial, rest) << 1).id(),
                  select(fits, trial + bit, twice).id(), select(fits, root + bit, root).id()};
  });
  const Expr rest(builder, done[1]), digits(builder, done[3]);
  const Expr rounded = (digits + select(rest != 0, digits & 1, 0)) >> 1;
  return (rounded + ((parts.half_exponent + (w.bias - 1)) << w.mantissa_bits)).as_float();
}

}  // namespace

Expr expand_sqrt(const Site& site) {
  const Expr x = site.operand(0);
  const Expr infinity = infinity_like(x);
  // Zeros, infinity and NaN are their own roots.
  const Expr special = select(x < 0.0, nan_like(x), x);
  return select((x > 0.0) & (x < infinity), root_by_digits(x), special);
}

Expr expand_rsqrt(const Site& site) { return 1.0 / site.operand(0).unary(OpKind::kSqrt); }

Expr expand_cbrt(const Site& site) {
  const Expr x = site.operand(0), magnitude = absolute(x);
  const Width& w = width_of(x);
  // Numbers with a residue that may be subnormal, which some vector units flush to zero, are scaled
  // up, and numbers whose double may be infinite down, by powers of eight.
  const Expr small = magnitude<w.of(0x1p-100, 0x1p-960), large = magnitude> w.of(0x1p100, 0x1p1000);
  const auto scale = [&](double up, double down) {
    return select(small, up, select(large, x.like(down), 1.0));
  };
  const Expr scaled = magnitude * scale(w.of(0x1p24, 0x1p54), w.of(0x1p-24, 0x1p-54));
  // The bits grow with the logarithm, so that a third of them, and two thirds of the bias, are near
  // the root's; sixteen bits of them are enough.
  const int drop = w.bits - 16;
  const Expr third = (scaled.as_unsigned() >> drop) * 21846 >> 16;
  const double bias_bits = 2.0 / 3.0 * w.bias - 0.034;
  const Expr guess =
      ((third << drop) + third.like_bits(static_cast<uint64_t>(
                             bias_bits * static_cast<double>(uint64_t{1} << w.mantissa_bits))))
          .as_float();
  Expr root = guess;
  for (int iteration = 0; iteration < w.of(2, 3); ++iteration) {
    const Expr cube = root * root * root;
    root = root - root * ((cube - scaled) / (cube * 2.0 + scaled));
  }
  const Expr result = root * scale(w.of(0x1p-8, 0x1p-18), w.of(0x1p8, 0x1p18));
  const Expr special = (magnitude == 0.0) | ~(magnitude < infinity_like(x));
  return select(special, x, with_sign(result, sign_bits(x)));
}

}  // namespace hlocc::kernel
