// Minimum and maximum. Floats: a NaN on either side is the result, and -0 < +0; no instruction but
// AArch64's does both, and LLVM has no soft-float form of the operation.
#include <bit>
#include <cmath>

#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

bool takes_greater(const Site& site) { return site.op.kind == OpKind::kMax; }

// With a constant that is no NaN one comparison decides: whatever fails it, NaN included, is x
// itself.
Expr against_constant(bool greater, Expr x, Expr constant, double value) {
  // The zero that wins over the other zero replaces it, so equality counts too.
  const bool wins_ties = value == 0 && std::signbit(value) != greater;
  if (greater) return select(wins_ties ? x <= constant : x < constant, constant, x);
  return select(wins_ties ? x >= constant : x > constant, constant, x);
}

std::optional<double> known_number(const Site& site, int operand) {
  const auto bits = site.builder.constant_value(site.operands[operand]);
  if (!bits) return std::nullopt;
  const double value = site.type.scalar == Scalar::kF64
                           ? std::bit_cast<double>(*bits)
                           : std::bit_cast<float>(static_cast<uint32_t>(*bits));
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

// Where comparing floats is a call, or takes the way over a status register, numbers of 32 bits are
// compared as integers in the same order, the NaNs of both signs at the end that wins.
bool compares_bits(const Site& site, bool with_constant) {
  const Target& target = site.target;
  return site.type.scalar == Scalar::kF32 && !site.type.is_vector() && target.vector_bits == 0 &&
         !(target.f32_unit && with_constant);
}
Expr place_in_order(bool greater, Expr x) {
  const Expr turned = x.as_unsigned() ^ ((x.as_signed() >> 31).as_unsigned() >> 1);
  return turned - (greater ? 0x807FFFFF : 0x7F800001);
}

}  // namespace

Expr expand_integer_min_max(const Site& site) {
  return site.operand(0).binary(takes_greater(site) ? OpKind::kNativeMax : OpKind::kNativeMin,
                                site.operand(1));
}

Expr expand_float_min_max(const Site& site) {
  const bool greater = takes_greater(site);
  const Expr a = site.operand(0), b = site.operand(1);
  if (compares_bits(site, known_number(site, 0) || known_number(site, 1))) {
    const Expr place_a = place_in_order(greater, a), place_b = place_in_order(greater, b);
    return select(greater ? place_a > place_b : place_a < place_b, a, b);
  }
  if (const auto value = known_number(site, 1)) return against_constant(greater, a, b, *value);
  if (const auto value = known_number(site, 0)) return against_constant(greater, b, a, *value);
  const Expr chosen = greater ? native_max(a, b) : native_min(a, b);
  // Equal numbers have equal bits, but for zeros: there the sign is the and (or) of both.
  const Expr bits_a = a.as_unsigned(), bits_b = b.as_unsigned();
  const Expr equal = (greater ? bits_a & bits_b : bits_a | bits_b).as_float();
  return select(is_nan(a), a, select(a == b, equal, chosen));
}

// LLVM 19 takes `a < b ? a : b` of floats for Hexagon's sfmin (dfmin), which drops a NaN and knows
// signs of zeros: what is chosen is chosen as bits, which are not what was compared.
Expr expand_select_of_bits(const Site& site) {
  return select(site.operand(0), site.operand(1).as_unsigned(), site.operand(2).as_unsigned())
      .as_float();
}
Expr expand_native_min_max(const Site& site) {
  const Expr a = site.operand(0), b = site.operand(1);
  return select(site.op.kind == OpKind::kNativeMax ? a > b : a < b, a, b);
}

}  // namespace hlocc::kernel
