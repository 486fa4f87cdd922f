// What lanes of 32 bits lack: quotients of floats that are rounded as IEEE 754 wants, where the
// machine promises a few units in the last place alone, and division and conversion of integers of
// 64 bits, where it has none. All of it in integers, so that subnormal numbers are right, too.
#include "kernel/legalize/control.h"
#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

// A number of f32 without its sign: significand * 2^(exponent - 150), the significand's top bit at
// place 23.
struct Unpacked {
  Expr exponent, significand;  // s32, u32
};
Unpacked unpacked(Expr magnitude) {
  const Expr exponent = (magnitude >> 23).as_signed(), fraction = magnitude & 0x7fffff;
  const Expr is_subnormal = exponent == 0;
  // Zero is shifted by 24, and stays zero.
  const Expr shift = fraction.unary(OpKind::kClz) - 8;
  return {select(is_subnormal, 1 - shift.as_signed(), exponent),
          select(is_subnormal, fraction << shift, fraction | 0x800000)};
}

// floor(a * 2^24 / b) for 1 <= a / b < 2, and what is left of a.
struct Quotient {
  Expr digits, rest;
};
Quotient divide(Expr a, Expr b) {
  Quotient q{a.like(1), a - b};
  for (int byte = 0; byte < 3; ++byte) {
    const Expr shifted = q.rest << 8;
    const Expr digit = shifted.binary(OpKind::kNativeDiv, b);
    q = {(q.digits << 8) | digit, shifted - digit * b};
  }
  return q;
}

// 25 digits times 2^(exponent - 151), to f32's bits; subnormal where the exponent is 0 or less.
Expr rounded(const Quotient& q, Expr exponent) {
  const Expr is_subnormal = exponent <= 0;
  const Expr drop =
      select(is_subnormal, native_min(1 - exponent, exponent.like(25)) + 1, 1).as_unsigned();
  const Expr kept = q.digits >> drop, half = drop.like(1) << (drop - 1);
  const Expr dropped = q.digits & ((half << 1) - 1);
  const Expr up = (dropped > half) | ((dropped == half) & ((q.rest != 0) | ((kept & 1) != 0)));
  const Expr place = select(is_subnormal, 0, exponent - 1).as_unsigned() << 23;
  return place + kept + select(up, kept.like(1), 0);
}

Quotient divide_unsigned(Expr a, Expr b) {
  Builder& builder = a.builder();
  const Values done = builder.loop(
      {Affine::constant(0), Affine::constant(64)}, {a.id(), a.like(0).id(), a.like(0).id()},
      [&](ValueId, std::span<const ValueId> now) {
        const Expr rest_of_a(builder, now[0]), digits(builder, now[1]), rest(builder, now[2]);
        const Expr shifted = (rest << 1) | (rest_of_a >> 63);
        // Where the shift lost a bit, b is less for certain.
        const Expr fits = (shifted >= b) | ((rest >> 63) != 0);
        return Values{(rest_of_a << 1).id(), ((digits << 1) | select(fits, digits.like(1), 0)).id(),
                      (shifted - select(fits, b, 0)).id()};
      });
  return {{builder, done[1]}, {builder, done[2]}};
}

Expr magnitude_of(Expr x) { return select(x < 0, -x, x).as_unsigned(); }

// u64 to f32.
Expr float_of(Expr x) {
  const Expr zeros = x.unary(OpKind::kClz);
  const Expr normal = x << (zeros & 63);
  const Expr kept = normal >> 40, dropped = normal & 0xffffffffff;
  const Expr up = (dropped > 0x8000000000) | ((dropped == 0x8000000000) & ((kept & 1) != 0));
  const Expr bits = ((127 + 62 - zeros) << 23) + kept + select(up, kept.like(1), 0);
  return select(x == 0, 0, bits).native_convert(Scalar::kU32).as_float();
}

// f32 to u64, of its magnitude.
Expr whole_of(Expr x) {
  const Expr bits = absolute(x).as_unsigned().native_convert(Scalar::kU64);
  const Expr exponent = bits >> 23, significand = (bits & 0x7fffff) | 0x800000;
  return select(exponent < 127, 0,
                select(exponent < 150, significand >> ((150 - exponent) & 63),
                       significand << ((exponent - 150) & 63)));
}

}  // namespace

// f32 only.
Expr expand_quotient(const Site& site) {
  const Expr x = site.operand(0).as_unsigned(), y = site.operand(1).as_unsigned();
  const Expr sign = (x ^ y) & 0x80000000, a = x & 0x7fffffff, b = y & 0x7fffffff;
  const Unpacked of_a = unpacked(a), of_b = unpacked(b);
  const Expr divisor = select(of_b.significand == 0, 1, of_b.significand);
  const Expr less = of_a.significand < divisor;
  const Expr dividend = select(less, of_a.significand << 1, of_a.significand);
  const Expr exponent =
      of_a.exponent - of_b.exponent + 127 - select(less, of_a.exponent.like(1), 0);
  const Expr finite =
      select(exponent >= 255, 0x7f800000,
             rounded(divide(dividend, divisor), native_min(exponent, exponent.like(255))));
  const int64_t infinity = 0x7f800000;
  const Expr is_zero = (a == 0) | (b == infinity), is_infinite = (a == infinity) | (b == 0);
  const Expr is_nan = (is_zero & is_infinite) | (a > infinity) | (b > infinity);
  const Expr bits = select(is_infinite, infinity, select(is_zero, 0, finite)) | sign;
  return select(is_nan, bits.like_bits(0x7fc00000), bits).as_float();
}

Expr expand_wide_div(const Site& site) {
  const Expr a = site.operand(0), b = site.operand(1);
  if (is_unsigned(a.scalar())) return divide_unsigned(a, b).digits;
  const Expr digits = divide_unsigned(magnitude_of(a), magnitude_of(b)).digits.as_signed();
  return select((a ^ b) < 0, -digits, digits);
}

Expr expand_wide_rem(const Site& site) {
  const Expr a = site.operand(0), b = site.operand(1);
  if (is_unsigned(a.scalar())) return divide_unsigned(a, b).rest;
  const Expr rest = divide_unsigned(magnitude_of(a), magnitude_of(b)).rest.as_signed();
  return select(a < 0, -rest, rest);
}

// Between f32 and integers of 64 bits.
Expr expand_wide_convert(const Site& site) {
  const Expr x = site.operand(0);
  const Scalar to = site.type.scalar;
  if (is_wide(x.scalar())) {
    if (is_unsigned(x.scalar())) return float_of(x);
    const Expr magnitude = float_of(magnitude_of(x));
    return select(x < 0, -magnitude, magnitude);
  }
  const Expr magnitude = whole_of(x);
  if (is_unsigned(to)) return magnitude;
  return select(x < 0.0, -magnitude.as_signed(), magnitude.as_signed());
}

}  // namespace hlocc::kernel
