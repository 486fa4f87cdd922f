// Elementwise ops on complex values: which op is which function of complex_math.h.
#include "lowering/emitter/index_ops.h"
#include "lowering/ops/complex_math.h"
#include "support/text.h"

namespace hlocc::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;
using kernel::OpKind;
using kernel::Predicate;
using kernel::ValueId;

using Formula = Element (Complex::*)(Element) const;
struct ComplexUnaryRow {
  Opcode opcode;
  Formula formula;
};
constexpr ComplexUnaryRow complex_unary_rows[] = {
    {Opcode::kNegate, &Complex::neg},  {Opcode::kExp, &Complex::exp},
    {Opcode::kExpm1, &Complex::expm1}, {Opcode::kLog, &Complex::log},
    {Opcode::kLog1p, &Complex::log1p}, {Opcode::kSqrt, &Complex::sqrt},
    {Opcode::kSin, &Complex::sin},     {Opcode::kCos, &Complex::cos},
    {Opcode::kTanh, &Complex::tanh},   {Opcode::kLogistic, &Complex::logistic},
    {Opcode::kSinh, &Complex::sinh},   {Opcode::kCosh, &Complex::cosh},
    {Opcode::kAsinh, &Complex::asinh}, {Opcode::kAcosh, &Complex::acosh},
    {Opcode::kAtanh, &Complex::atanh}, {Opcode::kAsin, &Complex::asin},
    {Opcode::kAcos, &Complex::acos},   {Opcode::kAtan, &Complex::atan},
    {Opcode::kSign, &Complex::sign},   {Opcode::kTan, &Complex::tan},
    {Opcode::kRsqrt, &Complex::rsqrt},
};
using Formula2 = Element (Complex::*)(Element, Element) const;
struct ComplexBinaryRow {
  Opcode opcode;
  Formula2 formula;
};
constexpr ComplexBinaryRow complex_binary_rows[] = {
    {Opcode::kAdd, &Complex::add},      {Opcode::kSubtract, &Complex::sub},
    {Opcode::kMultiply, &Complex::mul}, {Opcode::kDivide, &Complex::div},
    {Opcode::kPower, &Complex::pow},    {Opcode::kAtan2, &Complex::atan2},
};

Element convert(Emitter& e, const Instruction& i, const hlo::Shape& from, Element x, int lanes) {
  const kernel::Scalar to = e.scalar(i.shape);
  if (!hlo::is_complex(i.shape.element_type)) {
    if (to != kernel::Scalar::kPred) return {e.b.convert(x.re, to)};
    return {e.b.logical_or(e.b.convert(x.re, to), e.b.convert(x.im, to))};
  }
  if (!hlo::is_complex(from.element_type))
    return {e.b.convert(x.re, to), e.b.zero(e.type(i.shape, lanes))};
  return {e.b.convert(x.re, to), e.b.convert(x.im, to)};
}

}  // namespace

Element apply_complex(Emitter& e, const Instruction& i, std::span<const hlo::Shape> shapes,
                      std::span<const Element> x, int lanes) {
  kernel::Builder& b = e.b;
  // The real type of the parts that go in; `complex` takes reals.
  const Complex z{e, e.type(shapes[i.opcode == Opcode::kSelect ? 1 : 0], lanes)};
  for (const ComplexUnaryRow& row : complex_unary_rows)
    if (row.opcode == i.opcode) return (z.*row.formula)(x[0]);
  for (const ComplexBinaryRow& row : complex_binary_rows)
    if (row.opcode == i.opcode) return (z.*row.formula)(x[0], x[1]);
  switch (i.opcode) {
    case Opcode::kAbs: return {z.abs(x[0])};
    case Opcode::kReal: return {x[0].re};
    case Opcode::kImag: return {x[0].im};
    case Opcode::kComplex: return {x[0].re, x[1].re};
    case Opcode::kConvert: return convert(e, i, shapes[0], x[0], lanes);
    case Opcode::kIsFinite: return {b.logical_and(b.is_finite(x[0].re), b.is_finite(x[0].im))};
    case Opcode::kSelect:
      return {b.select(x[0].re, x[1].re, x[2].re), b.select(x[0].re, x[1].im, x[2].im)};
    case Opcode::kCompare: {
      const bool equal = i.get<hlo::CompareAttributes>().direction == hlo::Direction::kEq;
      const Predicate p = equal ? Predicate::kEq : Predicate::kNe;
      const ValueId re = b.compare(p, x[0].re, x[1].re), im = b.compare(p, x[0].im, x[1].im);
      return {equal ? b.logical_and(re, im) : b.logical_or(re, im)};
    }
    default: break;
  }
  e.fail(error(DiagnosticKind::kUnsupported,
               cat("no code for ", hlo::opcode_name(i.opcode), " on complex values in %", i.name)));
  return e.zero(i.shape, lanes);
}

}  // namespace hlocc::lowering
