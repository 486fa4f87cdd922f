/* What Hexagon's compiler calls behind one's back and Debian's Clang has no library for: quotients
 * and remainders of integers, quotients of f64 rounded to nearest, ties to even, and a copy of
 * words. A firmware finds them in the compiler-rt of its own toolchain. */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

/* --- integers --- */

static u64 divide(u64 a, u64 b, int bits, u64* rest) {
  u64 quotient = 0, remainder = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    const u64 carry = remainder >> 63;
    remainder = remainder << 1 | (a >> bit & 1);
    if (carry != 0 || remainder >= b) {
      remainder -= b;
      quotient |= (u64)1 << bit;
    }
  }
  *rest = remainder;
  return quotient;
}
static u64 magnitude(int64_t a) { return a < 0 ? 0 - (u64)a : (u64)a; }
static u64 with_sign(u64 a, int is_negative) { return is_negative ? 0 - a : a; }

u64 __hexagon_udivdi3(u64 a, u64 b) {
  u64 rest;
  return divide(a, b, 64, &rest);
}
u64 __hexagon_umoddi3(u64 a, u64 b) {
  u64 rest;
  (void)divide(a, b, 64, &rest);
  return rest;
}
int64_t __hexagon_divdi3(int64_t a, int64_t b) {
  u64 rest;
  return (int64_t)with_sign(divide(magnitude(a), magnitude(b), 64, &rest), (a < 0) != (b < 0));
}
int64_t __hexagon_moddi3(int64_t a, int64_t b) {
  u64 rest;
  (void)divide(magnitude(a), magnitude(b), 64, &rest);
  return (int64_t)with_sign(rest, a < 0);
}
u32 __hexagon_udivsi3(u32 a, u32 b) {
  u64 rest;
  return (u32)divide(a, b, 32, &rest);
}
u32 __hexagon_umodsi3(u32 a, u32 b) {
  u64 rest;
  (void)divide(a, b, 32, &rest);
  return (u32)rest;
}
int32_t __hexagon_divsi3(int32_t a, int32_t b) {
  u64 rest;
  return (int32_t)with_sign(divide(magnitude(a), magnitude(b), 32, &rest), (a < 0) != (b < 0));
}
int32_t __hexagon_modsi3(int32_t a, int32_t b) {
  u64 rest;
  (void)divide(magnitude(a), magnitude(b), 32, &rest);
  return (int32_t)with_sign(rest, a < 0);
}

/* --- f64 --- */

#define SIGN ((u64)1 << 63)
#define INFINITY_BITS ((u64)0x7ff << 52)
#define NAN_BITS ((u64)0x7ff8 << 48)
#define LEADING ((u64)1 << 52)

static u64 bits_of(double x) {
  union {
    double f;
    u64 u;
  } v = {x};
  return v.u;
}
static double of_bits(u64 bits) {
  union {
    u64 u;
    double f;
  } v = {bits};
  return v.f;
}

/* A number's 53 bits, the first of which is set, and the exponent that they count in. */
static u64 leading_bits(u64 bits, int* exponent) {
  u64 fraction = bits & (LEADING - 1);
  *exponent = (int)(bits >> 52 & 0x7ff);
  if (*exponent != 0) return fraction | LEADING;
  for (*exponent = 1; (fraction & LEADING) == 0; --*exponent) fraction <<= 1;
  return fraction;
}

/* Rounds what has two bits more than it may keep, of which the last stands for all behind it. */
static u64 rounded(u64 with_two_more) {
  const u64 kept = with_two_more >> 2, rest = with_two_more & 3;
  return kept + (rest == 3 || (rest == 2 && (kept & 1)) ? 1 : 0);
}

static u64 divide_numbers(u64 a, u64 b) {
  int exponent_a, exponent_b;
  u64 top = leading_bits(a, &exponent_a), quotient = 0;
  const u64 bottom = leading_bits(b, &exponent_b);
  int exponent = exponent_a - exponent_b + 1023;
  if (top < bottom) {
    top <<= 1;
    --exponent;
  }
  /* 53 bits, the first of which is set, and one behind them; then whether anything is left. */
  for (int bit = 0; bit < 54; ++bit) {
    quotient <<= 1;
    if (top >= bottom) {
      top -= bottom;
      quotient |= 1;
    }
    top <<= 1;
  }
  quotient = quotient << 1 | (top != 0);
  if (exponent >= 0x7ff) return INFINITY_BITS;
  if (exponent <= 0) {
    const int shift = 1 - exponent;
    if (shift > 54) return 0;
    const u64 lost = quotient & (((u64)1 << shift) - 1);
    return rounded(quotient >> shift | (lost != 0));
  }
  /* A carry out of the leading_bits is the next exponent's first number. */
  return ((u64)(exponent - 1) << 52) + rounded(quotient);
}

double __hexagon_divdf3(double x, double y) {
  const u64 sign = (bits_of(x) ^ bits_of(y)) & SIGN, a = bits_of(x) & ~SIGN, b = bits_of(y) & ~SIGN;
  if (a > INFINITY_BITS || b > INFINITY_BITS) return of_bits(NAN_BITS);
  if (a == INFINITY_BITS) return of_bits(b == INFINITY_BITS ? NAN_BITS : sign | INFINITY_BITS);
  if (b == INFINITY_BITS) return of_bits(sign);
  if (b == 0) return of_bits(a == 0 ? NAN_BITS : sign | INFINITY_BITS);
  if (a == 0) return of_bits(sign);
  return of_bits(sign | divide_numbers(a, b));
}

/* A quotient of 24 bits is never so near to the middle of two floats that rounding it twice, first
   to 53 bits, differs. */
float __hexagon_divsf3(float x, float y) { return (float)__hexagon_divdf3(x, y); }

/* --- copies --- */

void* __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void* to, const void* from,
                                                            size_t size) {
  extern void* memcpy(void* to, const void* from, size_t size);
  return memcpy(to, from, size);
}
