// Expr: a kernel value with operators, so that an expansion reads like its formula. Every operator
// appends one op to the builder; numbers beside an Expr become constants of its type.
#pragma once
#include <span>

#include "kernel/builder.h"

namespace hlocc::kernel {

// A literal beside an Expr: a float constant for float types, wrapped to the width for integers.
struct Immediate {
  double real = 0;
  int64_t integer = 0;
  template <typename T>
  requires std::is_arithmetic_v<T>
  constexpr Immediate(T value)
      : real(static_cast<double>(value)), integer(static_cast<int64_t>(value)) {}
};

class Expr {
 public:
  Expr(Builder& builder, ValueId id) : builder_(&builder), id_(id) {}
  ValueId id() const { return id_; }
  Builder& builder() const { return *builder_; }
  Type type() const { return builder_->type(id_); }
  Scalar scalar() const { return type().scalar; }
  int bits() const { return scalar_bits(scalar()); }

  // A constant of this expression's type, or of the same lanes in another scalar.
  Expr like(Immediate value) const { return like(value, scalar()); }
  Expr like(Immediate value, Scalar scalar) const;
  Expr like_bits(uint64_t bits) const { return {*builder_, builder_->constant_bits(type(), bits)}; }

  Expr unary(OpKind kind) const { return {*builder_, builder_->unary(kind, id_)}; }
  Expr binary(OpKind kind, Expr other) const {
    return {*builder_, builder_->binary(kind, id_, other.id_)};
  }
  Expr compare(Predicate predicate, Expr other) const {
    return {*builder_, builder_->compare(predicate, id_, other.id_)};
  }

  Expr convert(Scalar to) const { return {*builder_, builder_->convert(id_, to)}; }
  // native.convert: no rounding or range questions are left.
  Expr native_convert(Scalar to) const;
  Expr bitcast(Scalar to) const { return {*builder_, builder_->bitcast(id_, to)}; }
  // The same bits as an unsigned or signed integer, or as a float of this width.
  Expr as_unsigned() const;
  Expr as_signed() const;
  Expr as_float() const;

 private:
  Builder* builder_;
  ValueId id_;
};

#define HLOCC_EXPR_OPERATOR(symbol, method, kind)                                        \
  inline Expr operator symbol(Expr a, Expr b) { return a.method(kind, b); }              \
  inline Expr operator symbol(Expr a, Immediate b) { return a.method(kind, a.like(b)); } \
  inline Expr operator symbol(Immediate a, Expr b) { return b.like(a).method(kind, b); }
HLOCC_EXPR_OPERATOR(+, binary, OpKind::kAdd)
HLOCC_EXPR_OPERATOR(-, binary, OpKind::kSub)
HLOCC_EXPR_OPERATOR(*, binary, OpKind::kMul)
HLOCC_EXPR_OPERATOR(/, binary, OpKind::kDiv)
HLOCC_EXPR_OPERATOR(&, binary, OpKind::kAnd)
HLOCC_EXPR_OPERATOR(|, binary, OpKind::kOr)
HLOCC_EXPR_OPERATOR(^, binary, OpKind::kXor)
HLOCC_EXPR_OPERATOR(<<, binary, OpKind::kNativeShl)
HLOCC_EXPR_OPERATOR(>>, binary, OpKind::kNativeShr)
HLOCC_EXPR_OPERATOR(==, compare, Predicate::kEq)
HLOCC_EXPR_OPERATOR(!=, compare, Predicate::kNe)
HLOCC_EXPR_OPERATOR(<, compare, Predicate::kLt)
HLOCC_EXPR_OPERATOR(<=, compare, Predicate::kLe)
HLOCC_EXPR_OPERATOR(>, compare, Predicate::kGt)
HLOCC_EXPR_OPERATOR(>=, compare, Predicate::kGe)
#undef HLOCC_EXPR_OPERATOR
inline Expr operator-(Expr a) { return a.unary(OpKind::kNeg); }
inline Expr operator~(Expr a) { return a.unary(OpKind::kNot); }

Expr select(Expr pred, Expr a, Expr b);
Expr select(Expr pred, Immediate a, Expr b);
Expr select(Expr pred, Expr a, Immediate b);
// a * b + c in one rounding or two: only where both are good enough.
Expr mul_add(Expr a, Expr b, Expr c);
Expr mul_add(Expr a, Immediate b, Expr c);
Expr mul_add(Expr a, Expr b, Immediate c);
Expr mul_add(Expr a, Immediate b, Immediate c);
// a > b ? a : b and a < b ? a : b; a NaN on either side gives b.
Expr native_max(Expr a, Expr b);
Expr native_min(Expr a, Expr b);
// coefficients[0] + coefficients[1] * x + ...
Expr polynomial(Expr x, std::span<const double> coefficients);

// --- floats ---
// The layout of f32 or f64.
struct Width {
  Scalar real, unsigned_integer, signed_integer;
  int bits, mantissa_bits, bias;
  uint64_t sign_bit() const { return uint64_t{1} << (bits - 1); }
  uint64_t infinity() const { return (uint64_t{1} << (bits - 1)) - (uint64_t{1} << mantissa_bits); }
  uint64_t quiet_nan() const { return infinity() | uint64_t{1} << (mantissa_bits - 1); }
  uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
  // One of two values, by the width.
  template <typename T>
  T of(T single, T twice) const {
    return bits == 32 ? single : twice;
  }
};
const Width& width_of(Expr x);

Expr absolute(Expr x);                           // clears the sign
Expr sign_bits(Expr x);                          // the sign bit alone, as an unsigned integer
Expr with_sign(Expr magnitude, Expr sign_bits);  // magnitude >= 0
Expr is_nan(Expr x);
Expr infinity_like(Expr x);
Expr nan_like(Expr x);
// 2^k for a signed k of the same width in the range of normal numbers.
Expr power_of_two(Expr k);
// v * 2^k for k down to twice the least exponent, rounded once: subnormal results are right.
Expr scale_by_power_of_two(Expr v, Expr k);
// The nearest integer as a float and as a signed integer of the same width, for |x * factor| <
// 2^(mantissa_bits - 2).
struct Rounded {
  Expr real, integer;
};
Rounded round_product(Expr x, double factor);

}  // namespace hlocc::kernel
