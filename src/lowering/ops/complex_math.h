// Functions of complex numbers on the emitter's builder, as pairs of real values. Formulas keep
// from overflow where the result does not overflow, tell the sides of branch cuts apart by the
// signs of zeros, and follow C99's annex G at infinities.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

// For one real type.
struct Complex {
  Emitter& e;
  kernel::Type type;

  // --- parts ---
  kernel::Builder& b() const { return e.b; }
  kernel::ValueId c(double v) const { return e.b.constant_float(type, v); }
  kernel::ValueId un(kernel::OpKind op, kernel::ValueId x) const { return e.b.unary(op, x); }
  bool is_wide() const { return type.scalar == kernel::Scalar::kF64; }
  kernel::ValueId infinity() const;
  kernel::ValueId is(kernel::ValueId x, double value) const;
  kernel::ValueId is_nan(kernel::ValueId x) const;
  kernel::ValueId is_infinite(kernel::ValueId x) const;
  kernel::ValueId exceeds(Element x, double limit) const;
  kernel::ValueId copysign(kernel::ValueId magnitude, kernel::ValueId sign) const;
  kernel::ValueId atan2(kernel::ValueId y, kernel::ValueId x) const;
  Element select(kernel::ValueId which, Element yes, Element no) const;
  // factor * e^x and factor * op(x), op a hyperbolic sine or cosine, where the function alone may
  // overflow: factor is a sine or cosine.
  kernel::ValueId times_exp(kernel::ValueId x, kernel::ValueId factor) const;
  kernel::ValueId wave(kernel::ValueId factor, kernel::OpKind op, kernel::ValueId x) const;

  // --- complex_math.cpp ---
  Element one() const { return {c(1), c(0)}; }
  Element add(Element x, Element y) const;
  Element sub(Element x, Element y) const;
  Element neg(Element x) const;
  Element mul(Element x, Element y) const;
  Element div(Element x, Element y) const;
  Element scale(Element x, kernel::ValueId by) const;
  Element mul_i(Element x) const;
  // x for -i x.
  Element over_i(Element x) const;
  Element conj(Element x) const;
  Element sign(Element x) const;
  kernel::ValueId abs(Element x) const;
  Element exp(Element x) const;
  Element expm1(Element x) const;
  Element log(Element x) const;
  Element log1p(Element x) const;
  Element sqrt(Element x) const;
  Element rsqrt(Element x) const;
  Element logistic(Element x) const;
  Element pow(Element x, Element y) const;

  // --- complex_waves.cpp ---
  Element sin(Element x) const;
  Element cos(Element x) const;
  Element tan(Element x) const;
  Element sinh(Element x) const;
  Element cosh(Element x) const;
  Element tanh(Element x) const;
  Element asin(Element x) const;
  Element acos(Element x) const;
  Element atan(Element x) const;
  Element asinh(Element x) const;
  Element acosh(Element x) const;
  Element atanh(Element x) const;
  Element atan2(Element y, Element x) const;

 private:
  using Formula2 = Element (Complex::*)(Element, Element) const;
  // Single precision computed in double.
  Element widened(Formula2 formula, Element x, Element y) const;
  kernel::ValueId log_abs(Element x) const;
  Element plain_div(Element x, Element y) const;
  Element pow_here(Element x, Element y) const;
  Element atan2_here(Element y, Element x) const;
  Element root_below(Element x) const;
  Element root_above(Element x) const;
  kernel::ValueId log_twice_abs(Element x) const;
  kernel::ValueId is_far(Element x) const;
};

}  // namespace hlocc::lowering
