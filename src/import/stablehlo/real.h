// Arrays of floating-point numbers in formulas: what `chlo` operations are made of reads as it is
// printed in books. Every operator is one instruction, a number is one in every place.
#pragma once
#include "import/build/builder.h"

namespace hlocc::import::stablehlo {

struct Real {
  Builder* b;
  InstructionId id;

  PrimitiveType type() const { return b->type(id); }
  // A number in every place.
  Real like(double value) const { return {b, b->like(id, value)}; }
  Real unary(Opcode opcode) const { return {b, b->unary(opcode, id)}; }
  Real math(Opcode opcode) const { return {b, b->math(opcode, id)}; }
};

inline Real binary(Opcode opcode, Real x, Real y) { return {x.b, x.b->binary(opcode, x.id, y.id)}; }
inline Real operator+(Real x, Real y) { return binary(Opcode::kAdd, x, y); }
inline Real operator-(Real x, Real y) { return binary(Opcode::kSubtract, x, y); }
inline Real operator*(Real x, Real y) { return binary(Opcode::kMultiply, x, y); }
inline Real operator/(Real x, Real y) { return binary(Opcode::kDivide, x, y); }
inline Real operator+(Real x, double y) { return x + x.like(y); }
inline Real operator-(Real x, double y) { return x - x.like(y); }
inline Real operator*(Real x, double y) { return x * x.like(y); }
inline Real operator/(Real x, double y) { return x / x.like(y); }
inline Real operator+(double x, Real y) { return y.like(x) + y; }
inline Real operator-(double x, Real y) { return y.like(x) - y; }
inline Real operator*(double x, Real y) { return y.like(x) * y; }
inline Real operator/(double x, Real y) { return y.like(x) / y; }
inline Real operator-(Real x) { return x.unary(Opcode::kNegate); }

inline Real abs(Real x) { return x.unary(Opcode::kAbs); }
inline Real sign(Real x) { return x.unary(Opcode::kSign); }
inline Real floor(Real x) { return x.unary(Opcode::kFloor); }
inline Real exp(Real x) { return x.math(Opcode::kExp); }
inline Real expm1(Real x) { return x.math(Opcode::kExpm1); }
inline Real log(Real x) { return x.math(Opcode::kLog); }
inline Real log1p(Real x) { return x.math(Opcode::kLog1p); }
inline Real sqrt(Real x) { return x.math(Opcode::kSqrt); }
inline Real sin(Real x) { return x.math(Opcode::kSin); }
inline Real cos(Real x) { return x.math(Opcode::kCos); }
inline Real atan2(Real y, Real x) { return binary(Opcode::kAtan2, y, x); }
inline Real pow(Real x, Real y) { return binary(Opcode::kPower, x, y); }
inline Real remainder(Real x, double y) { return binary(Opcode::kRemainder, x, x.like(y)); }

// Truth values.
using Where = InstructionId;
inline Where compare(Real x, hlo::Direction how, Real y) { return x.b->compare(x.id, y.id, how); }
inline Where operator<(Real x, Real y) { return compare(x, hlo::Direction::kLt, y); }
inline Where operator<=(Real x, Real y) { return compare(x, hlo::Direction::kLe, y); }
inline Where operator>(Real x, Real y) { return compare(x, hlo::Direction::kGt, y); }
inline Where operator>=(Real x, Real y) { return compare(x, hlo::Direction::kGe, y); }
inline Where operator<(Real x, double y) { return x < x.like(y); }
inline Where operator<=(Real x, double y) { return x <= x.like(y); }
inline Where operator>(Real x, double y) { return x > x.like(y); }
inline Where operator>=(Real x, double y) { return x >= x.like(y); }
inline Where equal(Real x, Real y) { return compare(x, hlo::Direction::kEq, y); }
inline Where equal(Real x, double y) { return equal(x, x.like(y)); }
inline Where differ(Real x, Real y) { return compare(x, hlo::Direction::kNe, y); }
inline Real select(Where which, Real yes, Real no) {
  return {yes.b, yes.b->select(which, yes.id, no.id)};
}
inline Real select(Where which, double yes, Real no) { return select(which, no.like(yes), no); }
inline Real select(Where which, Real yes, double no) { return select(which, yes, yes.like(no)); }

// c[0] x^(n-1) + ... + c[n-1] by Horner's rule.
template <typename List>
Real polynomial(Real x, const List& coefficients) {
  Real sum = x.like(0);
  bool first = true;
  for (const double c : coefficients) {
    sum = first ? x.like(c) : sum * x + c;
    first = false;
  }
  return sum;
}

}  // namespace hlocc::import::stablehlo
