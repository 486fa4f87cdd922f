// Arithmetic of s1 .. u4 in eight bits: the op of the wider type, then the result is wrapped. Ops
// that look at the top of the number take it extended the way they want.
#include "kernel/legalize/sub_byte.h"

#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

Expr sign_extended(Expr x, int bits) { return (x.as_signed() << (8 - bits)) >> (8 - bits); }
Expr zero_extended(Expr x, int bits) { return x.as_unsigned() & ((1 << bits) - 1); }

Expr in_eight_bits(const Site& site, int bits) {
  using enum OpKind;
  const Expr a = site.operand(0);
  const OpKind kind = site.op.kind;
  if (kind == kMulAdd) return a * site.operand(1) + site.operand(2);
  if (op_group(kind) == OpGroup::kUnary) {
    if (kind == kPopcnt) return zero_extended(a, bits).unary(kind);
    if (kind == kClz) return zero_extended(a, bits).unary(kind) - (8 - bits);
    return a.unary(kind);
  }
  const Expr b = site.operand(1);
  if (kind == kShrArithmetic) return sign_extended(a, bits).binary(kind, b.as_signed());
  if (kind == kShrLogical) return zero_extended(a, bits).binary(kind, b.as_unsigned());
  // The product of two four-bit numbers fits eight bits.
  if (kind == kMulHi) return a * b >> bits;
  return a.binary(kind, b);
}

}  // namespace

Expr wrap_sub_byte(Expr x, Scalar scalar) {
  const int bits = scalar_bits(scalar);
  return is_signed(scalar) ? sign_extended(x, bits) : zero_extended(x, bits);
}

Expr expand_sub_byte(const Site& site) {
  return wrap_sub_byte(in_eight_bits(site, scalar_bits(site.type.scalar)), site.type.scalar);
}

Expr expand_sub_byte_bitcast(const Site& site) {
  const Scalar to = site.type.scalar;
  const Expr x = site.operand(0);
  if (x.scalar() == Scalar::kPred)
    return wrap_sub_byte(select(x, x.like(1, held_scalar(to)), 0), to);
  if (to == Scalar::kPred) return x != 0;
  // f4 codes are kept as u8; a bitcast from one is a plain code.
  return is_sub_byte(to) ? wrap_sub_byte(x, to) : zero_extended(x, scalar_bits(to));
}

}  // namespace hlocc::kernel
