// Elementwise ops: one line an op says which element types it takes and which rule gives its
// result. Everything here answers element by element, so that results have the dimensions of their
// operands.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

// One operand of an allowed type; the result has its shape.
Result<Shape> infer_unary(const Site& site, TypeSet allowed);
// The same, but pred.
Result<Shape> infer_unary_predicate(const Site& site, TypeSet allowed);
// The same, but a complex operand gives its real type.
Result<Shape> infer_component(const Site& site, TypeSet allowed);
// Operands of one type and shape; the result has it.
Result<Shape> infer_binary(const Site& site, TypeSet allowed);
Result<Shape> infer_convert(const Site& site);
Result<Shape> infer_reduce_precision(const Site& site);
Result<Shape> infer_complex(const Site& site);
Result<Shape> infer_stochastic_convert(const Site& site);
Result<Shape> infer_compare(const Site& site);
Result<Shape> infer_select(const Site& site);
Result<Shape> infer_clamp(const Site& site);
Result<Shape> infer_map(const Site& site);

inline Result<Shape> infer(Op<Opcode::kAbs>, const Site& s) { return infer_component(s, kNumbers); }
inline Result<Shape> infer(Op<Opcode::kNegate>, const Site& s) { return infer_unary(s, kNumbers); }
inline Result<Shape> infer(Op<Opcode::kSign>, const Site& s) { return infer_unary(s, kNumbers); }
inline Result<Shape> infer(Op<Opcode::kNot>, const Site& s) {
  return infer_unary(s, kInts | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kCeil>, const Site& s) { return infer_unary(s, kFloats); }
inline Result<Shape> infer(Op<Opcode::kFloor>, const Site& s) { return infer_unary(s, kFloats); }
inline Result<Shape> infer(Op<Opcode::kRoundNearestAfz>, const Site& s) {
  return infer_unary(s, kFloats);
}
inline Result<Shape> infer(Op<Opcode::kRoundNearestEven>, const Site& s) {
  return infer_unary(s, kFloats);
}
inline Result<Shape> infer(Op<Opcode::kIsFinite>, const Site& s) {
  return infer_unary_predicate(s, kFloats);
}
inline Result<Shape> infer(Op<Opcode::kReal>, const Site& s) {
  return infer_component(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kImag>, const Site& s) {
  return infer_component(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kPopcnt>, const Site& s) { return infer_unary(s, kInts); }
inline Result<Shape> infer(Op<Opcode::kClz>, const Site& s) { return infer_unary(s, kInts); }
inline Result<Shape> infer(Op<Opcode::kConvert>, const Site& s) { return infer_convert(s); }
inline Result<Shape> infer(Op<Opcode::kExp>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kExpm1>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kLog>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kLog1p>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kSqrt>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kRsqrt>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kCbrt>, const Site& s) { return infer_unary(s, kFloats); }
inline Result<Shape> infer(Op<Opcode::kTanh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kLogistic>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kSin>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kCos>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kTan>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kErf>, const Site& s) { return infer_unary(s, kFloats); }
inline Result<Shape> infer(Op<Opcode::kAcos>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kAcosh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kAsin>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kAsinh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kAtan>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kAtanh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kSinh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kCosh>, const Site& s) {
  return infer_unary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kReducePrecision>, const Site& s) {
  return infer_reduce_precision(s);
}
inline Result<Shape> infer(Op<Opcode::kAdd>, const Site& s) { return infer_binary(s, kAnyType); }
inline Result<Shape> infer(Op<Opcode::kSubtract>, const Site& s) {
  return infer_binary(s, kNumbers);
}
inline Result<Shape> infer(Op<Opcode::kMultiply>, const Site& s) {
  return infer_binary(s, kAnyType);
}
inline Result<Shape> infer(Op<Opcode::kDivide>, const Site& s) { return infer_binary(s, kNumbers); }
inline Result<Shape> infer(Op<Opcode::kRemainder>, const Site& s) {
  return infer_binary(s, kReals);
}
inline Result<Shape> infer(Op<Opcode::kMaximum>, const Site& s) {
  return infer_binary(s, kReals | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kMinimum>, const Site& s) {
  return infer_binary(s, kReals | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kPower>, const Site& s) { return infer_binary(s, kNumbers); }
inline Result<Shape> infer(Op<Opcode::kAnd>, const Site& s) {
  return infer_binary(s, kInts | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kOr>, const Site& s) {
  return infer_binary(s, kInts | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kXor>, const Site& s) {
  return infer_binary(s, kInts | kPreds);
}
inline Result<Shape> infer(Op<Opcode::kShiftLeft>, const Site& s) { return infer_binary(s, kInts); }
inline Result<Shape> infer(Op<Opcode::kShiftRightArithmetic>, const Site& s) {
  return infer_binary(s, kInts);
}
inline Result<Shape> infer(Op<Opcode::kShiftRightLogical>, const Site& s) {
  return infer_binary(s, kInts);
}
inline Result<Shape> infer(Op<Opcode::kAtan2>, const Site& s) {
  return infer_binary(s, kFloats | kComplexes);
}
inline Result<Shape> infer(Op<Opcode::kComplex>, const Site& s) { return infer_complex(s); }
inline Result<Shape> infer(Op<Opcode::kMulhi>, const Site& s) { return infer_binary(s, kInts); }
inline Result<Shape> infer(Op<Opcode::kStochasticConvert>, const Site& s) {
  return infer_stochastic_convert(s);
}
inline Result<Shape> infer(Op<Opcode::kCompare>, const Site& s) { return infer_compare(s); }
inline Result<Shape> infer(Op<Opcode::kSelect>, const Site& s) { return infer_select(s); }
inline Result<Shape> infer(Op<Opcode::kClamp>, const Site& s) { return infer_clamp(s); }
inline Result<Shape> infer(Op<Opcode::kMap>, const Site& s) { return infer_map(s); }

}  // namespace hlocc::ops
