// Integer arithmetic that machines don't define as HLO does: division by zero and of the least
// value by -1, absolute value and sign, powers, the high half of a product.
#include "kernel/legalize/control.h"
#include "kernel/legalize/expansions.h"

namespace hlocc::kernel {
namespace {

bool is_unsigned_like(Expr x) { return is_unsigned(x.scalar()); }

// A divisor that machines may divide by: one in place of zero and, for signed types, of -1.
struct Divisor {
  Expr safe, is_zero, is_minus_one;
};
Divisor guard(Expr b) {
  const Expr is_zero = b == 0;
  if (is_unsigned_like(b)) return {select(is_zero, 1, b), is_zero, is_zero};
  const Expr is_minus_one = b == -1;
  return {select(is_zero | is_minus_one, 1, b), is_zero, is_minus_one};
}

Expr high_half_of_64(Expr a, Expr b) {
  const Expr a_low = a & 0xffffffff, a_high = a >> 32, b_low = b & 0xffffffff, b_high = b >> 32;
  const Expr cross = a_high * b_low + (a_low * b_low >> 32);
  const Expr other = a_low * b_high + (cross & 0xffffffff);
  return a_high * b_high + (cross >> 32) + (other >> 32);
}

Expr high_half(Expr a, Expr b) {
  const int bits = a.bits();
  if (bits == 64) {
    const Expr high = high_half_of_64(a.as_unsigned(), b.as_unsigned());
    if (is_unsigned_like(a)) return high;
    // A negative factor was read as 2^64 too much.
    const Expr excess = select(a < 0, b, 0) + select(b < 0, a, 0);
    return high.as_signed() - excess;
  }
  const Scalar wide = is_unsigned_like(a) ? unsigned_of_width(2 * bits) : signed_of_width(2 * bits);
  return (a.native_convert(wide) * b.native_convert(wide) >> bits).native_convert(a.scalar());
}

// Of two s32.
Expr product_in_64_bits(const Site& site) {
  const Expr a = site.operand(0).native_convert(Scalar::kS64),
             b = site.operand(1).native_convert(Scalar::kS64);
  return a * b;
}

Expr power_of_known(Expr base, uint64_t exponent) {
  Expr result = base.like(1);
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

Expr power_by_squaring(Expr base, Expr exponent) {
  const std::vector<Expr> done = while_any(
      {base.like(1), base, exponent.as_unsigned()},
      [](const std::vector<Expr>& now) { return now[2] != 0; },
      [](const std::vector<Expr>& now) {
        const Expr odd = (now[2] & 1) != 0;
        return std::vector<Expr>{select(odd, now[0] * now[1], now[0]), now[1] * now[1],
                                 now[2] >> 1};
      });
  return done[0];
}

}  // namespace

Expr expand_integer_abs(const Site& site) {
  const Expr x = site.operand(0);
  return is_unsigned_like(x) ? x : select(x < 0, -x, x);
}

Expr expand_integer_sign(const Site& site) {
  const Expr x = site.operand(0);
  const Expr positive = select(x == 0, x, 1);
  return is_unsigned_like(x) ? positive : select(x < 0, -1, positive);
}

Expr expand_integer_div(const Site& site) {
  const Expr a = site.operand(0), b = site.operand(1);
  const Divisor divisor = guard(b);
  const Expr quotient = a.binary(OpKind::kNativeDiv, divisor.safe);
  const Expr by_zero = select(divisor.is_zero, -1, quotient);
  return is_unsigned_like(a) ? by_zero : select(divisor.is_minus_one, -a, by_zero);
}

Expr expand_integer_rem(const Site& site) {
  const Expr a = site.operand(0);
  // One in place of -1 leaves the same remainder.
  const Divisor divisor = guard(site.operand(1));
  return select(divisor.is_zero, a, a.binary(OpKind::kNativeRem, divisor.safe));
}

Expr expand_integer_pow(const Site& site) {
  const Expr base = site.operand(0), exponent = site.operand(1);
  const auto known = site.builder.constant_value(exponent.id());
  if (known && static_cast<int64_t>(*known) >= 0) return power_of_known(base, *known);
  if (is_unsigned_like(base)) return power_by_squaring(base, exponent);
  // A negative exponent: 1 and -1 keep a value, all else truncates to zero.
  const Expr unit = select((exponent & 1) != 0, base, 1);
  const Expr inverse = select(base == 1, 1, select(base == -1, unit, 0));
  const Expr natural = select(exponent < 0, 0, exponent);
  return select(exponent < 0, inverse, power_by_squaring(base, natural));
}

Expr expand_integer_mul_add(const Site& site) {
  return site.operand(0) * site.operand(1) + site.operand(2);
}

Expr expand_mulhi(const Site& site) { return high_half(site.operand(0), site.operand(1)); }

Expr expand_mulhi_doubled(const Site& site) {
  const Expr twice = product_in_64_bits(site) >> 31;
  return native_min(twice, twice.like(INT32_MAX)).native_convert(Scalar::kS32);
}

Expr expand_mul_shift_right(const Site& site) {
  const auto& by = std::get<RoundedShift>(site.op.payload);
  const Expr sum = product_in_64_bits(site) + static_cast<long long>(by.rounding);
  return (sum >> by.shift).native_convert(Scalar::kS32);
}

Expr expand_saturate(const Site& site) {
  const int shift = std::get<RoundedShift>(site.op.payload).shift;
  const Expr shifted = shift == 0 ? site.operand(0) : site.operand(0) >> shift;
  return native_min(native_max(shifted, shifted.like(INT8_MIN)), shifted.like(INT8_MAX))
      .native_convert(Scalar::kS8);
}

// Rare on index: done on the integer of the pointer's width.
Expr expand_index_arithmetic(const Site& site) {
  const Scalar integer = signed_of_width(site.target.pointer_bits);
  const Expr a = site.operand(0).native_convert(integer);
  if (site.operands.size() == 1) return a.unary(site.op.kind).native_convert(Scalar::kIndex);
  return a.binary(site.op.kind, site.operand(1).native_convert(integer))
      .native_convert(Scalar::kIndex);
}

}  // namespace hlocc::kernel
