// Rounding to integers without libm: adding and taking away 2^mantissa_bits rounds a smaller number
// to even, and a comparison with the number itself mends the direction. Larger numbers, infinities
// and NaN are integers already.
#include "kernel/legalize/expansions.h"
#include "support/check.h"

namespace hlocc::kernel {
namespace {

// |x| rounded to even, for |x| below the limit.
Expr to_even(Expr magnitude, Expr limit) { return magnitude + limit - limit; }

Expr toward_zero(Expr magnitude, Expr limit) {
  const Expr even = to_even(magnitude, limit);
  return even - select(even > magnitude, magnitude.like(1.0), 0.0);
}

// The part toward zero is exact to take away, so that 0.49999997 does not round up.
Expr half_away(Expr magnitude, Expr limit) {
  const Expr whole = toward_zero(magnitude, limit);
  return whole + select(magnitude - whole >= 0.5, magnitude.like(1.0), 0.0);
}

Expr rounded(OpKind kind, Expr x, Expr limit) {
  const Expr magnitude = absolute(x), sign = sign_bits(x);
  switch (kind) {
    case OpKind::kRoundEven: return with_sign(to_even(magnitude, limit), sign);
    case OpKind::kTrunc: return with_sign(toward_zero(magnitude, limit), sign);
    case OpKind::kRoundAfz: return with_sign(half_away(magnitude, limit), sign);
    case OpKind::kFloor: {
      const Expr even = with_sign(to_even(magnitude, limit), sign);
      return even - select(even > x, x.like(1.0), 0.0);
    }
    case OpKind::kCeil: {
      const Expr even = with_sign(to_even(magnitude, limit), sign);
      // Zero from below is -0.
      return with_sign(even + select(even < x, x.like(1.0), 0.0), sign);
    }
    default: check_failed(__FILE__, __LINE__, "kind", "not a rounding op");
  }
}

}  // namespace

Expr expand_rounding(const Site& site) {
  const Expr x = site.operand(0);
  const Expr limit = x.like(width_of(x).of(0x1p23, 0x1p52));
  return select(absolute(x) < limit, rounded(site.op.kind, x, limit), x);
}

}  // namespace hlocc::kernel
