// Comparison and arithmetic of truth values as logic, and the float questions that are answered
// from the bits.
#include "kernel/legalize/expansions.h"
#include "support/check.h"

namespace hlocc::kernel {

// false < true.
Expr expand_pred_compare(const Site& site) {
  const Expr a = site.operand(0), b = site.operand(1);
  switch (std::get<Predicate>(site.op.payload)) {
    case Predicate::kEq: return ~(a ^ b);
    case Predicate::kNe: return a ^ b;
    case Predicate::kLt: return ~a & b;
    case Predicate::kLe: return ~a | b;
    case Predicate::kGt: return a & ~b;
    case Predicate::kGe: return a | ~b;
  }
  check_failed(__FILE__, __LINE__, "predicate", "unknown predicate");
}

Expr expand_pred_arithmetic(const Site& site) {
  using enum OpKind;
  const Expr a = site.operand(0), b = site.operand(1);
  const bool both = site.op.kind == kMul || site.op.kind == kMin || site.op.kind == kNativeMin;
  return both ? a & b : a | b;
}

Expr expand_pred_select(const Site& site) {
  const Expr chosen = site.operand(0);
  return (chosen & site.operand(1)) | (~chosen & site.operand(2));
}

Expr expand_is_finite(const Site& site) {
  const Expr bits = site.operand(0).as_unsigned();
  const Expr exponent = bits.like_bits(width_of(bits).infinity());
  return (bits & exponent) != exponent;
}

// Zeros and NaNs are their own sign.
Expr expand_float_sign(const Site& site) {
  const Expr x = site.operand(0);
  const Expr signed_one = with_sign(x.like(1.0), sign_bits(x));
  return select((x < 0.0) | (x > 0.0), signed_one, x);
}

}  // namespace hlocc::kernel
