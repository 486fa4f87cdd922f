/* hexagon_numbers.c on this machine: its quotients are the machine's own, bit for bit. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hexagon_numbers.c"

static uint64_t state = 88172645463325252u;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Of all sizes, with special ones among them. */
static double drawn_number(void) {
  static const uint64_t special[] = {0, 1, LEADING - 1, LEADING, INFINITY_BITS - 1, INFINITY_BITS};
  const uint64_t kind = draw() % 8, sign = draw() & SIGN;
  if (kind == 0) return of_bits(sign | special[draw() % 6]);
  if (kind == 1) return of_bits(sign | draw() % LEADING);
  if (kind == 2) return of_bits(sign | ((1000 + draw() % 50) << 52) | (draw() & (LEADING - 1)));
  return of_bits(draw());
}

static int fails(const char* what, uint64_t a, uint64_t b) {
  printf("%s of %llx by %llx\n", what, (unsigned long long)a, (unsigned long long)b);
  return 1;
}

int main(void) {
  for (long n = 0; n < 300000; ++n) {
    const double x = drawn_number(), y = drawn_number(), mine = __hexagon_divdf3(x, y);
    const float fx = (float)x, fy = (float)y, quotient = __hexagon_divsf3(fx, fy), right = fx / fy;
    if (right != right ? quotient == quotient : memcmp(&quotient, &right, sizeof right) != 0)
      return fails("quotient of floats", bits_of(x), bits_of(y));
    if (mine != mine ? x / y == x / y : bits_of(mine) != bits_of(x / y))
      return fails("quotient", bits_of(x), bits_of(y));
    const uint64_t a = draw() >> draw() % 64, b = draw() >> draw() % 64 | 1;
    const int64_t sa = (int64_t)(draw() & 1 ? 0 - a : a) / 2,
                  sb = draw() & 1 ? -7 : (int64_t)(b >> 1 | 1);
    if (__hexagon_udivdi3(a, b) != a / b || __hexagon_umoddi3(a, b) != a % b ||
        __hexagon_divdi3(sa, sb) != sa / sb || __hexagon_moddi3(sa, sb) != sa % sb)
      return fails("64 bits", a, b);
    const uint32_t c = (uint32_t)a, d = (uint32_t)b | 1;
    const int32_t sc = (int32_t)(c / 2), sd = draw() & 1 ? -3 : (int32_t)(d >> 1 | 1);
    if (__hexagon_udivsi3(c, d) != c / d || __hexagon_umodsi3(c, d) != c % d ||
        __hexagon_divsi3(-sc, sd) != -sc / sd || __hexagon_modsi3(-sc, sd) != -sc % sd)
      return fails("32 bits", c, d);
  }
  puts("equal");
  return 0;
}
