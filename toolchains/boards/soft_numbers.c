/* What an ESP8266 has in its ROM and Debian's libgcc for it leaves out: division of integers,
 * products of 64 bits, sums, products and conversions of floats, rounded to nearest, ties to even.
 * For programs on the board; a firmware finds them in the ROM. */
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

/* --- integers --- */

static u32 divide(u32 a, u32 b, u32* rest) {
  u32 quotient = 0, remainder = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const u32 carry = remainder >> 31;
    remainder = remainder << 1 | (a >> bit & 1);
    if (carry != 0 || remainder >= b) {
      remainder -= b;
      quotient |= (u32)1 << bit;
    }
  }
  *rest = remainder;
  return quotient;
}

u32 __udivsi3(u32 a, u32 b) {
  u32 rest;
  return divide(a, b, &rest);
}
u32 __umodsi3(u32 a, u32 b) {
  u32 rest;
  (void)divide(a, b, &rest);
  return rest;
}
int32_t __divsi3(int32_t a, int32_t b) {
  u32 rest;
  const u32 quotient = divide(a < 0 ? 0 - (u32)a : (u32)a, b < 0 ? 0 - (u32)b : (u32)b, &rest);
  return (int32_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

/* 32 by 32 bits, from four products of 16. */
static u64 wide(u32 a, u32 b) {
  const u32 low = (a & 0xffff) * (b & 0xffff), high = (a >> 16) * (b >> 16);
  const u32 one = (a >> 16) * (b & 0xffff), two = (a & 0xffff) * (b >> 16);
  const u64 middle = (u64)one + two;
  return ((u64)high << 32) + (middle << 16) + low;
}
u64 __umulsidi3(u32 a, u32 b) { return wide(a, b); }
int64_t __muldi3(int64_t a, int64_t b) {
  const u32 ah = (u32)((u64)a >> 32), bh = (u32)((u64)b >> 32);
  return (int64_t)(wide((u32)a, (u32)b) + ((u64)((u32)a * bh + ah * (u32)b) << 32));
}
static u64 divide_wide(u64 a, u64 b, u64* rest) {
  u64 quotient = 0, remainder = 0;
  for (int bit = 63; bit >= 0; --bit) {
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
u64 __udivdi3(u64 a, u64 b) {
  u64 rest;
  return divide_wide(a, b, &rest);
}
u64 __umoddi3(u64 a, u64 b) {
  u64 rest;
  (void)divide_wide(a, b, &rest);
  return rest;
}
int64_t __divdi3(int64_t a, int64_t b) {
  u64 rest;
  const u64 quotient = divide_wide(a < 0 ? 0 - (u64)a : (u64)a, b < 0 ? 0 - (u64)b : (u64)b, &rest);
  return (int64_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

/* --- floats: sign * significand * 2^exponent, the significand with its leading bit at 62 --- */

struct Number {
  u64 bits;
  int exponent; /* of bit 62 */
  int negative, is_nan, is_infinite;
};
struct Format {
  int fraction, exponent; /* bits */
};
static const struct Format kSingle = {23, 8}, kDouble = {52, 11};

static struct Number normal(struct Number n) {
  while (n.bits != 0 && (n.bits >> 62) == 0) {
    n.bits <<= 1;
    --n.exponent;
  }
  return n;
}

static struct Number unpack(u64 raw, struct Format f) {
  const u64 fraction = raw & (((u64)1 << f.fraction) - 1);
  const int most = (1 << f.exponent) - 1, biased = (int)(raw >> f.fraction) & most;
  struct Number n = {fraction, 0, (int)(raw >> (f.fraction + f.exponent)) & 1, 0, 0};
  n.is_nan = biased == most && fraction != 0;
  n.is_infinite = biased == most && fraction == 0;
  if (biased != 0) n.bits |= (u64)1 << f.fraction;
  n.bits <<= 62 - f.fraction;
  n.exponent = (biased != 0 ? biased : 1) - (most >> 1);
  return normal(n);
}

static u64 pack(struct Number n, struct Format f) {
  const int most = (1 << f.exponent) - 1;
  const u64 sign = (u64)(n.negative != 0) << (f.fraction + f.exponent);
  if (n.is_nan) return (u64)most << f.fraction | (u64)1 << (f.fraction - 1);
  if (n.is_infinite) return sign | (u64)most << f.fraction;
  if (n.bits == 0) return sign;
  /* Bits that do not fit: more of them below the normal numbers. */
  int biased = n.exponent + (most >> 1), drop = 62 - f.fraction;
  if (biased < 1) {
    drop += 1 - biased;
    biased = 0;
  }
  if (drop > 63) return sign;
  const u64 kept = n.bits >> drop, half = (u64)1 << (drop - 1);
  const u64 rest = n.bits & ((half << 1) - 1);
  u64 rounded = kept + (rest > half || (rest == half && (kept & 1) != 0));
  /* A carry goes into the exponent, from the largest subnormal number as well. */
  if (biased > 0) rounded += (u64)(biased - 1) << f.fraction;
  if (rounded >> f.fraction >= (u64)most) return sign | (u64)most << f.fraction;
  return sign | rounded;
}

/* The low bit of what is shifted out stays as a mark. */
static u64 shifted(u64 bits, int by) {
  if (by == 0) return bits;
  if (by > 62) return bits != 0;
  return bits >> by | ((bits & (((u64)1 << by) - 1)) != 0);
}

static struct Number add(struct Number a, struct Number b) {
  if (a.is_nan || b.is_nan) return a.is_nan ? a : b;
  if (a.is_infinite && b.is_infinite) {
    a.is_nan = a.negative != b.negative;
    return a;
  }
  if (a.is_infinite || b.is_infinite) return a.is_infinite ? a : b;
  if (a.bits == 0 || b.bits == 0) {
    struct Number n = a.bits == 0 ? b : a;
    if (n.bits == 0) n.negative = a.negative && b.negative;
    return n;
  }
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.bits < b.bits)) {
    const struct Number other = a;
    a = b;
    b = other;
  }
  b.bits = shifted(b.bits, a.exponent - b.exponent);
  if (a.negative != b.negative) {
    a.bits -= b.bits;
    if (a.bits == 0) a.negative = 0;
    return normal(a);
  }
  a.bits += b.bits;
  if ((a.bits >> 63) != 0) {
    a.bits = shifted(a.bits, 1);
    ++a.exponent;
  }
  return a;
}

static struct Number multiply(struct Number a, struct Number b) {
  struct Number n = {0, a.exponent + b.exponent, a.negative != b.negative, 0, 0};
  if (a.is_nan || b.is_nan || (a.is_infinite && b.bits == 0 && !b.is_infinite) ||
      (b.is_infinite && a.bits == 0 && !a.is_infinite)) {
    n.is_nan = 1;
    return n;
  }
  if (a.is_infinite || b.is_infinite) {
    n.is_infinite = 1;
    return n;
  }
  if (a.bits == 0 || b.bits == 0) return n;
  const u32 ah = (u32)(a.bits >> 32), bh = (u32)(b.bits >> 32);
  const u64 low = wide((u32)a.bits, (u32)b.bits);
  const u64 one = wide(ah, (u32)b.bits), two = wide((u32)a.bits, bh);
  const u64 middle = (low >> 32) + (u32)one + (u32)two;
  const u64 high = wide(ah, bh) + (one >> 32) + (two >> 32) + (middle >> 32);
  const u64 rest = middle << 32 | (u32)low;
  /* The product's leading bit is 124 or 125 of 128: bit 124 becomes bit 62. */
  n.bits = high << 2 | rest >> 62;
  int mark = (rest << 2) != 0;
  if ((n.bits >> 63) != 0) {
    mark |= (int)(n.bits & 1);
    n.bits >>= 1;
    ++n.exponent;
  }
  n.bits |= (u64)mark;
  return n;
}

static struct Number quotient(struct Number a, struct Number b) {
  struct Number n = {0, a.exponent - b.exponent, a.negative != b.negative, 0, 0};
  const int a_zero = a.bits == 0 && !a.is_infinite, b_zero = b.bits == 0 && !b.is_infinite;
  if (a.is_nan || b.is_nan || (a.is_infinite && b.is_infinite) || (a_zero && b_zero)) {
    n.is_nan = 1;
    return n;
  }
  n.is_infinite = a.is_infinite || b_zero;
  if (n.is_infinite || a_zero || b.is_infinite) return n;
  u64 rest = a.bits;
  for (int bit = 62; bit >= 0; --bit) {
    if (rest >= b.bits) {
      rest -= b.bits;
      n.bits |= (u64)1 << bit;
    }
    rest <<= 1;
  }
  n.bits |= rest != 0;
  return normal(n);
}

static struct Number of_integer(u64 value, int negative) {
  struct Number n = {value, 62, negative, 0, 0};
  if ((value >> 63) != 0) {
    n.bits = shifted(value, 1);
    ++n.exponent;
  }
  return normal(n);
}

/* Towards zero; what does not fit is as C leaves it. */
static u64 to_integer(struct Number n) {
  if (n.is_nan || n.is_infinite || n.exponent < 0 || n.bits == 0) return 0;
  return n.exponent > 62 ? n.bits << 1 : n.bits >> (62 - n.exponent);
}

static struct Number of_f(float value) {
  u32 raw;
  __builtin_memcpy(&raw, &value, sizeof raw);
  return unpack(raw, kSingle);
}
static struct Number of_d(double value) {
  u64 raw;
  __builtin_memcpy(&raw, &value, sizeof raw);
  return unpack(raw, kDouble);
}
static float to_f(struct Number n) {
  const u32 raw = (u32)pack(n, kSingle);
  float value;
  __builtin_memcpy(&value, &raw, sizeof value);
  return value;
}
static double to_d(struct Number n) {
  const u64 raw = pack(n, kDouble);
  double value;
  __builtin_memcpy(&value, &raw, sizeof value);
  return value;
}
static struct Number minus(struct Number n) {
  n.negative = !n.negative;
  return n;
}
static int32_t with_sign(struct Number n) {
  const u32 size = (u32)to_integer(n);
  return (int32_t)(n.negative ? 0 - size : size);
}

float __addsf3(float a, float b) { return to_f(add(of_f(a), of_f(b))); }
float __subsf3(float a, float b) { return to_f(add(of_f(a), minus(of_f(b)))); }
float __mulsf3(float a, float b) { return to_f(multiply(of_f(a), of_f(b))); }
float __divsf3(float a, float b) { return to_f(quotient(of_f(a), of_f(b))); }
double __adddf3(double a, double b) { return to_d(add(of_d(a), of_d(b))); }
double __subdf3(double a, double b) { return to_d(add(of_d(a), minus(of_d(b)))); }
double __muldf3(double a, double b) { return to_d(multiply(of_d(a), of_d(b))); }
double __divdf3(double a, double b) { return to_d(quotient(of_d(a), of_d(b))); }
double __extendsfdf2(float a) { return to_d(of_f(a)); }
float __truncdfsf2(double a) { return to_f(of_d(a)); }
int32_t __fixsfsi(float a) { return with_sign(of_f(a)); }
int32_t __fixdfsi(double a) { return with_sign(of_d(a)); }
u32 __fixunssfsi(float a) { return (u32)with_sign(of_f(a)); }
u32 __fixunsdfsi(double a) { return (u32)with_sign(of_d(a)); }
float __floatunsisf(u32 a) { return to_f(of_integer(a, 0)); }
double __floatunsidf(u32 a) { return to_d(of_integer(a, 0)); }
float __floatsisf(int32_t a) { return to_f(of_integer(a < 0 ? 0 - (u32)a : (u32)a, a < 0)); }
double __floatsidf(int32_t a) { return to_d(of_integer(a < 0 ? 0 - (u32)a : (u32)a, a < 0)); }
