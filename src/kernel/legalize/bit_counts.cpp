// Shifts by any amount, population count and leading zeros, from shifts by less than the width and
// additions: count instructions are rare, and where one is missing LLVM calls a library.
#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

// The pattern repeated over the width: 0x55 -> 0x55555555.
Expr repeated(Expr x, uint64_t byte) { return x.like_bits(byte * 0x0101010101010101ull); }

Expr count_bits(Expr x) {
  x = x - (x >> 1 & repeated(x, 0x55));
  x = (x & repeated(x, 0x33)) + (x >> 2 & repeated(x, 0x33));
  x = (x + (x >> 4)) & repeated(x, 0x0f);
  if (x.bits() == 8) return x;
  // The product sums all bytes into the top one; LLVM knows this form and takes the instruction
  // where there is one.
  return x * repeated(x, 0x01) >> (x.bits() - 8);
}

}  // namespace

Expr expand_shift(const Site& site) {
  const Expr x = site.operand(0), amount = site.operand(1).as_unsigned();
  const int bits = x.bits();
  const Scalar scalar = x.scalar();
  if (site.op.kind == OpKind::kShrArithmetic) {
    const Expr bounded = native_min(amount, amount.like(bits - 1));
    return (x.as_signed() >> bounded.as_signed()).bitcast(scalar);
  }
  const Expr in_range = amount < bits;
  const Expr bounded = select(in_range, amount, 0);
  const Expr value = x.as_unsigned();
  const Expr shifted = site.op.kind == OpKind::kShl ? value << bounded : value >> bounded;
  return select(in_range, shifted, 0).bitcast(scalar);
}

Expr expand_popcnt(const Site& site) {
  const Expr x = site.operand(0);
  return count_bits(x.as_unsigned()).bitcast(x.scalar());
}

Expr expand_clz(const Site& site) {
  Expr x = site.operand(0).as_unsigned();
  // Every bit below the highest set one becomes set; what stays clear are the leading zeros.
  for (int width = 1; width < x.bits(); width *= 2) x = x | x >> width;
  return count_bits(~x).bitcast(site.operand(0).scalar());
}

}  // namespace hlocc::kernel
