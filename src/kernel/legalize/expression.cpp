// Operations on Expr that are more than one op, or that choose constants by the width.
#include "kernel/legalize/expression.h"

#include "support/check.h"

namespace hlocc::kernel {
namespace {
constexpr Width kSingle = {Scalar::kF32, Scalar::kU32, Scalar::kS32, 32, 23, 127};
constexpr Width kDouble = {Scalar::kF64, Scalar::kU64, Scalar::kS64, 64, 52, 1023};
}  // namespace

Expr Expr::like(Immediate value, Scalar scalar) const {
  const Type wanted = type().with(scalar);
  return {*builder_, is_float(scalar) ? builder_->constant_float(wanted, value.real)
                                      : builder_->constant_int(wanted, value.integer)};
}

Expr Expr::native_convert(Scalar to) const {
  if (scalar() == to) return *this;
  // The builder folds kConvert; where the native meaning is defined the two agree.
  if (builder_->constant_value(id_)) return convert(to);
  return {*builder_, builder_->op(OpKind::kNativeConvert, type().with(to), {id_})};
}

Expr Expr::as_unsigned() const { return bitcast(unsigned_of_width(bits())); }
Expr Expr::as_signed() const { return bitcast(signed_of_width(bits())); }
Expr Expr::as_float() const { return bitcast(bits() == 32 ? Scalar::kF32 : Scalar::kF64); }

Expr select(Expr pred, Expr a, Expr b) {
  return {a.builder(), a.builder().select(pred.id(), a.id(), b.id())};
}
Expr select(Expr pred, Immediate a, Expr b) { return select(pred, b.like(a), b); }
Expr select(Expr pred, Expr a, Immediate b) { return select(pred, a, a.like(b)); }

Expr mul_add(Expr a, Expr b, Expr c) {
  return {a.builder(), a.builder().mul_add(a.id(), b.id(), c.id())};
}
Expr mul_add(Expr a, Immediate b, Expr c) { return mul_add(a, a.like(b), c); }
Expr mul_add(Expr a, Expr b, Immediate c) { return mul_add(a, b, a.like(c)); }
Expr mul_add(Expr a, Immediate b, Immediate c) { return mul_add(a, a.like(b), a.like(c)); }

Expr native_max(Expr a, Expr b) { return a.binary(OpKind::kNativeMax, b); }
Expr native_min(Expr a, Expr b) { return a.binary(OpKind::kNativeMin, b); }

Expr polynomial(Expr x, std::span<const double> coefficients) {
  Expr sum = x.like(coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) sum = mul_add(sum, x, coefficients[i]);
  return sum;
}

const Width& width_of(Expr x) {
  HLOCC_CHECK(x.bits() == 32 || x.bits() == 64, "a float of another width than f32 or f64");
  return x.bits() == 32 ? kSingle : kDouble;
}

Expr absolute(Expr x) { return x.unary(OpKind::kAbs); }

Expr sign_bits(Expr x) {
  const Expr bits = x.as_unsigned();
  return bits & bits.like_bits(width_of(x).sign_bit());
}

Expr with_sign(Expr magnitude, Expr sign) { return (magnitude.as_unsigned() | sign).as_float(); }
Expr is_nan(Expr x) { return x != x; }
Expr infinity_like(Expr x) { return x.like_bits(width_of(x).infinity()); }
Expr nan_like(Expr x) { return x.like_bits(width_of(x).quiet_nan()); }

Expr power_of_two(Expr k) {
  const Width& w = width_of(k);
  return ((k + w.bias) << w.mantissa_bits).as_float();
}

Expr scale_by_power_of_two(Expr v, Expr k) {
  const Expr half = k >> 1;
  return v * power_of_two(half) * power_of_two(k - half);
}

Rounded round_product(Expr x, double factor) {
  const Width& w = width_of(x);
  // Adding 1.5 * 2^mantissa_bits leaves no bits below one: the low bits are the integer.
  const Expr magic = x.like(w.of(0x1.8p23, 0x1.8p52));
  const Expr shifted = mul_add(x, factor, magic);
  return {shifted - magic, shifted.as_signed() - magic.as_signed()};
}

}  // namespace hlocc::kernel
