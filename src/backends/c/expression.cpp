// See expression.h. An op is C's own operator where C means the same, else a call of the prelude's
// function.
#include "backends/c/expression.h"

#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;

// Where C's operator does what the op says, by type.
constexpr unsigned kFloats = 1, kIndexes = 2, kWideUnsigned = 4, kWideSigned = 8;
struct OperatorRow {
  OpKind kind;
  unsigned types;
  const char* symbol;
  Binds binds, left, right;
};
constexpr OperatorRow kOperators[] = {
    {OpKind::kAdd, kFloats | kIndexes | kWideUnsigned, "+", Binds::kSum, Binds::kSum,
     Binds::kProduct},
    {OpKind::kSub, kFloats | kIndexes | kWideUnsigned, "-", Binds::kSum, Binds::kSum,
     Binds::kProduct},
    {OpKind::kMul, kFloats | kIndexes | kWideUnsigned, "*", Binds::kProduct, Binds::kProduct,
     Binds::kUnary},
    {OpKind::kDiv, kFloats, "/", Binds::kProduct, Binds::kProduct, Binds::kUnary},
    {OpKind::kNativeDiv, kIndexes | kWideUnsigned | kWideSigned, "/", Binds::kProduct,
     Binds::kUnary, Binds::kUnary},
    {OpKind::kNativeRem, kIndexes | kWideUnsigned | kWideSigned, "%", Binds::kProduct,
     Binds::kUnary, Binds::kUnary},
    {OpKind::kAnd, kIndexes | kWideUnsigned | kWideSigned, "&", Binds::kOr, Binds::kUnary,
     Binds::kUnary},
    {OpKind::kOr, kIndexes | kWideUnsigned | kWideSigned, "|", Binds::kOr, Binds::kUnary,
     Binds::kUnary},
    {OpKind::kXor, kIndexes | kWideUnsigned | kWideSigned, "^", Binds::kOr, Binds::kUnary,
     Binds::kUnary},
    {OpKind::kNativeShl, kWideUnsigned, "<<", Binds::kOr, Binds::kUnary, Binds::kUnary},
    {OpKind::kNativeShr, kWideUnsigned, ">>", Binds::kOr, Binds::kUnary, Binds::kUnary},
};

unsigned kind_of(Scalar scalar) {
  if (scalar == Scalar::kF32 || scalar == Scalar::kF64) return kFloats;
  if (scalar == Scalar::kIndex) return kIndexes;
  if (scalar == Scalar::kPred || kernel::is_float(scalar) || is_narrow(scalar)) return 0;
  return kernel::is_signed(scalar) ? kWideSigned : kWideUnsigned;
}

Code infix(const ExpressionSite& site, const char* symbol, Binds binds, Binds left, Binds right) {
  return {cat(site.operands[0].at(left), " ", symbol, " ", site.operands[1].at(right)), binds};
}

Code call(const std::string& function, std::span<const Code> operands) {
  if (function.empty()) return {};
  std::vector<std::string> texts;
  for (const Code& operand : operands) texts.push_back(operand.text);
  return {cat(function, "(", join(texts, ", "), ")")};
}

Code cast_to(Scalar scalar, const Code& operand) {
  return {cat("(", value_type(scalar), ")", operand.at(Binds::kUnary)), Binds::kUnary};
}

Code truth(const ExpressionSite& site) {
  switch (site.op.kind) {
    case OpKind::kNot: return {"!" + site.operands[0].at(Binds::kUnary), Binds::kUnary};
    case OpKind::kAnd: return infix(site, "&&", Binds::kOr, Binds::kCompare, Binds::kCompare);
    case OpKind::kOr:
      if (site.target.has(Isa::kHexagon)) return call(site.prelude.either(), site.operands);
      return infix(site, "||", Binds::kOr, Binds::kCompare, Binds::kCompare);
    case OpKind::kXor: return infix(site, "!=", Binds::kCompare, Binds::kPrimary, Binds::kPrimary);
    default: return {};
  }
}

Code converted(const ExpressionSite& site) {
  const Scalar from = site.types[0].scalar, to = site.type.scalar;
  if (to == Scalar::kPred) return {cat(site.operands[0].at(Binds::kSum), " != 0"), Binds::kCompare};
  return value_type(from) == value_type(to) ? site.operands[0] : cast_to(to, site.operands[0]);
}

Code bit_cast(const ExpressionSite& site) {
  const Scalar from = site.types[0].scalar, to = site.type.scalar;
  const bool floats = kind_of(from) == kFloats || kind_of(to) == kFloats;
  if (!floats || from == to) return converted(site);
  return call(site.prelude.bit_cast(from, to), site.operands);
}

Code compared(const ExpressionSite& site) {
  static constexpr const char* kSymbols[] = {"==", "!=", "<", "<=", ">", ">="};
  const char* symbol = kSymbols[static_cast<int>(std::get<Predicate>(site.op.payload))];
  return infix(site, symbol, Binds::kCompare, Binds::kSum, Binds::kSum);
}

Code chosen(const ExpressionSite& site) {
  return {cat(site.operands[0].at(Binds::kOr), " ? ", site.operands[1].at(Binds::kOr), " : ",
              site.operands[2].at(Binds::kOr)),
          Binds::kChoice};
}

// The product in 64 bits, rounded and shifted, as 32 again.
Code scaled(const ExpressionSite& site, kernel::RoundedShift by) {
  std::string sum = cat("(int64_t)", site.operands[0].at(Binds::kUnary), " * ",
                        site.operands[1].at(Binds::kUnary));
  if (by.rounding != 0)
    sum += cat(" + ", constant_text(Scalar::kS64, static_cast<uint64_t>(by.rounding)).text);
  return {cat("(int32_t)", site.prelude.function(OpKind::kNativeShr, Scalar::kS64), "(", sum, ", ",
              by.shift, ")"),
          Binds::kUnary};
}

Code constant(const ExpressionSite& site) {
  const Scalar scalar = site.type.scalar;
  const uint64_t bits = std::get<kernel::Constant>(site.op.payload).lanes[0];
  const Code text = constant_text(scalar, bits);
  if (!text.text.empty()) return text;
  const Scalar whole = scalar == Scalar::kF32 ? Scalar::kU32 : Scalar::kU64;
  const Code number = constant_text(whole, bits);
  return call(site.prelude.bit_cast(whole, scalar), std::span(&number, 1));
}

}  // namespace

Code expression(const ExpressionSite& site) {
  const Scalar scalar = site.type.scalar;
  switch (site.op.kind) {
    case OpKind::kConstant: return constant(site);
    case OpKind::kCompare: return compared(site);
    case OpKind::kSelect: return chosen(site);
    case OpKind::kBitcast: return bit_cast(site);
    case OpKind::kMulHi: return scaled(site, {.shift = 32});
    case OpKind::kMulShiftRight:
      return scaled(site, std::get<kernel::RoundedShift>(site.op.payload));
    case OpKind::kConvert:
    case OpKind::kNativeConvert: return converted(site);
    case OpKind::kSplat:
    case OpKind::kExtract:
    case OpKind::kReduceAdd:
    case OpKind::kReduceMul:
    case OpKind::kReduceMin:
    case OpKind::kReduceMax:
    case OpKind::kReduceAnd:
    case OpKind::kReduceOr: return site.operands[0];  // of one lane
    case OpKind::kLaneIndex: return {"0"};
    default: break;
  }
  if (scalar == Scalar::kPred) return truth(site);
  for (const OperatorRow& row : kOperators)
    if (row.kind == site.op.kind && (row.types & kind_of(scalar)) != 0)
      return infix(site, row.symbol, row.binds, row.left, row.right);
  if (site.op.kind == OpKind::kNeg && (kind_of(scalar) & (kFloats | kIndexes)) != 0)
    return {"-" + site.operands[0].at(Binds::kPrimary), Binds::kUnary};
  if (site.op.kind == OpKind::kNot && scalar == Scalar::kIndex)
    return {"~" + site.operands[0].at(Binds::kPrimary), Binds::kUnary};
  if (site.op.kind == OpKind::kMulAdd && !site.target.fma && kind_of(scalar) == kFloats)
    return {cat(site.operands[0].at(Binds::kProduct), " * ", site.operands[1].at(Binds::kUnary),
                " + ", site.operands[2].at(Binds::kProduct)),
            Binds::kSum};
  return call(site.prelude.function(site.op.kind, scalar), site.operands);
}

}  // namespace hlocc::backends
