// HLO's convert in terms of what machines convert: floats to integers saturate and NaN gives zero,
// pred is a question or a choice of two numbers, index has the pointer's width.
#include <cmath>

#include "kernel/legalize/expansions.h"
#include "kernel/legalize/small_floats.h"
#include "kernel/legalize/sub_byte.h"

namespace hlocc::kernel {
namespace {

// Narrow targets: clamp as a float, where both bounds are exact, then truncate.
Expr clamp_to_integer(Expr x, Scalar to) {
  const int bits = scalar_bits(to);
  const double low = is_unsigned(to) ? 0 : -std::ldexp(1.0, bits - 1);
  const double high = std::ldexp(1.0, is_unsigned(to) ? bits : bits - 1) - 1;
  const Expr bounded = native_min(native_max(x, x.like(low)), x.like(high));
  const Expr number = select(is_nan(x), 0.0, bounded);
  // Vectors are converted at their own width, f32 to s32, and narrowed as integers.
  const Scalar middle = bits < 32 ? Scalar::kS32 : to;
  return number.native_convert(middle).native_convert(held_scalar(to));
}

// The largest integer is no float: convert what is in range, then put in the bounds.
Expr saturate_to_integer(Expr x, Scalar to) {
  const int bits = scalar_bits(to);
  const double top = std::ldexp(1.0, is_unsigned(to) ? bits : bits - 1);
  const Expr above = x >= top;
  const Expr positive_part = is_unsigned(to) ? x > 0.0 : x >= -top;
  const Expr number = select(positive_part & ~above, x, 0.0).native_convert(to);
  const uint64_t most = is_unsigned(to) ? ~uint64_t{0} : (uint64_t{1} << (bits - 1)) - 1;
  const Expr capped = select(above, number.like_bits(most), number);
  if (is_unsigned(to)) return capped;
  return select(x < -top, number.like_bits(uint64_t{1} << (bits - 1)), capped);
}

Expr float_to_integer(Expr x, Scalar to) {
  const int exact_bits = x.bits() == 32 ? 24 : 53;
  return scalar_bits(to) <= exact_bits ? clamp_to_integer(x, to) : saturate_to_integer(x, to);
}

Expr to_number(Expr x, Scalar to);

// Integers go through f32 as in XLA, and so does f64 to bf16 and f8e8m0fnu. For f64 to the other
// formats a second rounding would be seen: the way through f32 keeps a sticky last bit.
Expr to_small_float(const Site& site, Expr x) {
  const Scalar to = site.type.scalar;
  if (is_small_float(site.from.scalar)) return encode_small(decode_small(x, site.from.scalar), to);
  const bool twice = to == Scalar::kBF16 || to == Scalar::kF8E8M0FNU;
  if (x.scalar() == Scalar::kF64 && !twice) return encode_small(round_to_odd(x), to);
  return encode_small(to_number(x, Scalar::kF32), to);
}

// Between pred, index, integers of eight bits and more, f32 and f64.
Expr to_number(Expr x, Scalar to) {
  const Scalar from = x.scalar();
  if (from == to) return x;
  if (from == Scalar::kPred) return select(x, x.like(1, to), 0);
  if (to == Scalar::kPred) return x != 0;
  if (is_float(from) && is_integer(to)) return float_to_integer(x, to);
  return x.native_convert(to);
}

}  // namespace

Expr expand_convert(const Site& site) {
  const Expr x = site.operand(0);
  const Scalar from = site.from.scalar, to = site.type.scalar;
  if (from == to) return x;
  const Scalar pointer = signed_of_width(site.target.pointer_bits);
  if (is_small_float(to))
    return to_small_float(site, from == Scalar::kIndex ? x.native_convert(pointer) : x);
  if (from == Scalar::kIndex && is_float(to)) return x.native_convert(pointer).native_convert(to);
  const Expr number = is_small_float(from) ? decode_small(x, from) : x;
  if (to == Scalar::kIndex && is_float(number.scalar()))
    return float_to_integer(number, pointer).native_convert(to);
  if (!is_sub_byte(to)) return to_number(number, to);
  // Floats saturate at the sub-byte bounds; integers wrap.
  if (is_float(number.scalar())) return clamp_to_integer(number, to);
  return wrap_sub_byte(to_number(number, held_scalar(to)), to);
}

// From the bits, for machines whose vector conversion can't be used: the significand shifted to its
// place.
Expr expand_native_float_to_integer(const Site& site) {
  const bool widens = scalar_bits(site.type.scalar) > site.operand(0).bits();
  const Expr x = widens ? site.operand(0).native_convert(Scalar::kF64) : site.operand(0);
  const Width& w = width_of(x);
  const Expr bits = x.as_unsigned();
  const Expr exponent = (bits & bits.like_bits(w.infinity())) >> w.mantissa_bits;
  const Expr significand =
      (bits & bits.like_bits(w.mantissa_mask())) | bits.like_bits(uint64_t{1} << w.mantissa_bits);
  const int unit = w.bias + w.mantissa_bits;
  const Expr distance = unit - exponent;
  const Expr right = native_min(distance, distance.like(w.bits - 1));
  const Expr left = (exponent - unit) & (w.bits - 1);
  const Expr magnitude = select(exponent < unit, significand >> right, significand << left);
  const Expr number = select(x < 0.0, -magnitude.as_signed(), magnitude.as_signed());
  return is_unsigned(site.type.scalar) ? magnitude.native_convert(site.type.scalar)
                                       : number.native_convert(site.type.scalar);
}

// f32 only: the product is exact in f64, and the sum is made odd where it was rounded, so that
// rounding it again is one rounding.
Expr expand_native_fma(const Site& site) {
  const Expr product =
      site.operand(0).native_convert(Scalar::kF64) * site.operand(1).native_convert(Scalar::kF64);
  const Expr addend = site.operand(2).native_convert(Scalar::kF64);
  const Expr sum = product + addend;
  const Expr part = sum - product;
  const Expr error = (product - (sum - part)) + (addend - part);
  const Expr bits = sum.as_unsigned();
  const Expr nudged = select((error > 0.0) ^ (sum < 0.0), bits + 1, bits - 1).as_float();
  const Expr is_even = (bits & 1) == 0;
  const Expr inexact = (error > 0.0) | (error < 0.0);
  return select(inexact & is_even, nudged, sum).native_convert(Scalar::kF32);
}

}  // namespace hlocc::kernel
