// The table of arithmetic.h. The first row that has the op and the type decides. Which ops are left
// by then, and on which types, kernel/legalize/table.h says.
#include "backends/spirv/arithmetic.h"

namespace hlocc::backends {
namespace {

using enum kernel::OpKind;
using kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;

// Sets of types, of the result; of comparisons and conversions, of the operand.
constexpr unsigned kPreds = 1, kSigned = 2, kUnsigned = 4, kReals = 8;
constexpr unsigned kWholes = kSigned | kUnsigned, kAny = 15;

unsigned types_of(Scalar s) {
  switch (kernel::scalar_class(s)) {
    case kernel::ScalarClass::kPred: return kPreds;
    case kernel::ScalarClass::kIndex:
    case kernel::ScalarClass::kSigned: return kSigned;
    case kernel::ScalarClass::kUnsigned: return kUnsigned;
    case kernel::ScalarClass::kFloat: return kReals;
  }
  return 0;
}

SpirvId type_of(const OpSite& site) { return held_type(site.out, site.scalar); }

// --- ways to write a row ---

SpirvId plain(const OpSite& site, Spv spv) {
  return site.out.make(spv, type_of(site), site.operands);
}
// What may leave the range of its type.
SpirvId narrow(const OpSite& site, Spv spv) {
  return narrowed(site.out, site.scalar, plain(site, spv));
}

// Drivers that reckon with constants and equal operands as though there were no NaN and no -0 are
// given zeros that they do not know: `value` with a word of zeros beside its bits.
SpirvId hidden(const OpSite& site, SpirvId value) {
  const int bits = 8 * kernel::scalar_bytes(site.scalar);
  const SpirvId whole = site.out.integer(bits);
  const SpirvId zeros =
      bits == 32 ? site.hidden_zero : site.out.make(Spv::kUConvert, {whole, site.hidden_zero});
  const SpirvId code = site.out.make(Spv::kBitcast, {whole, value});
  return site.out.make(Spv::kBitcast,
                       {type_of(site), site.out.make(Spv::kBitwiseOr, {whole, code, zeros})});
}
SpirvId exact_of(const OpSite& site, Spv spv, SpirvId a, SpirvId b) {
  if (site.hidden_zero != 0) {
    const SpirvId zero = held_constant(site.out, site.scalar, 0);
    if (b == zero || b == a) b = hidden(site, b);
    if (a == zero) a = hidden(site, a);
  }
  const SpirvId both[] = {a, b};
  return site.out.exact(spv, type_of(site), both);
}
SpirvId exact(const OpSite& site, Spv spv) {
  return exact_of(site, spv, site.operands[0], site.operands[1]);
}
SpirvId negated(const OpSite& site, Spv) {
  return narrowed(site.out, site.scalar,
                  site.out.make(Spv::kSNegate, type_of(site), site.operands));
}
SpirvId float_abs(const OpSite& site, Spv) {
  return site.out.extended(Glsl::kFAbs, type_of(site), site.operands);
}
SpirvId signed_abs(const OpSite& site, Spv) {
  return narrowed(site.out, site.scalar,
                  site.out.extended(Glsl::kSAbs, type_of(site), site.operands));
}
SpirvId root(const OpSite& site, Spv) {
  return site.out.extended(Glsl::kSqrt, type_of(site), site.operands);
}
SpirvId first(const OpSite& site, Spv) { return site.operands[0]; }
SpirvId second(const OpSite& site, Spv) { return site.operands[1]; }
// Of vectors of one lane.
SpirvId shuffled(const OpSite& site, Spv) {
  return site.operands[std::get<kernel::Shuffle>(site.op.payload).lanes[0] == 1 ? 1 : 0];
}
SpirvId zero(const OpSite& site, Spv) { return held_constant(site.out, site.scalar, 0); }
SpirvId constant(const OpSite& site, Spv) {
  return held_constant(site.out, site.scalar, std::get<kernel::Constant>(site.op.payload).lanes[0]);
}
// A multiplication and an addition, each rounded.
SpirvId product_and_sum(const OpSite& site, Spv) {
  const SpirvId product = exact_of(site, Spv::kFMul, site.operands[0], site.operands[1]);
  return exact_of(site, Spv::kFAdd, product, site.operands[2]);
}

// By predicate, in the order of kernel::Predicate.
struct Comparison {
  unsigned types;
  Spv by_predicate[6];
};
constexpr Comparison comparisons[] = {
    {kReals,
     {Spv::kFOrdEqual, Spv::kFUnordNotEqual, Spv::kFOrdLessThan, Spv::kFOrdLessThanEqual,
      Spv::kFOrdGreaterThan, Spv::kFOrdGreaterThanEqual}},
    {kSigned,
     {Spv::kIEqual, Spv::kINotEqual, Spv::kSLessThan, Spv::kSLessThanEqual, Spv::kSGreaterThan,
      Spv::kSGreaterThanEqual}},
    {kUnsigned,
     {Spv::kIEqual, Spv::kINotEqual, Spv::kULessThan, Spv::kULessThanEqual, Spv::kUGreaterThan,
      Spv::kUGreaterThanEqual}},
};
SpirvId compared(const OpSite& site, Predicate predicate) {
  for (const Comparison& row : comparisons)
    if ((row.types & types_of(site.from)) != 0)
      return site.out.exact(row.by_predicate[static_cast<int>(predicate)], site.out.boolean(),
                            site.operands.first(2));
  return 0;
}
SpirvId compare(const OpSite& site, Spv) {
  return compared(site, std::get<Predicate>(site.op.payload));
}
SpirvId greater(const OpSite& site, Spv) {
  return site.out.make(Spv::kSelect, {type_of(site), compared(site, Predicate::kGt),
                                      site.operands[0], site.operands[1]});
}
SpirvId lesser(const OpSite& site, Spv) {
  return site.out.make(Spv::kSelect, {type_of(site), compared(site, Predicate::kLt),
                                      site.operands[0], site.operands[1]});
}

// Between integers: held types differ in whether they have 64 bits.
SpirvId integer_to_integer(const OpSite& site) {
  const SpirvId to = type_of(site);
  if (held_type(site.out, site.from) == to)
    return narrowed(site.out, site.scalar, site.operands[0]);
  const bool extends_sign = types_of(site.from) == kSigned;
  return narrowed(site.out, site.scalar,
                  site.out.make(extends_sign ? Spv::kSConvert : Spv::kUConvert, to, site.operands));
}
SpirvId converted(const OpSite& site, Spv) {
  const SpirvId to = type_of(site);
  const bool from_real = types_of(site.from) == kReals, to_real = types_of(site.scalar) == kReals;
  if (from_real && to_real)
    return site.from == site.scalar ? site.operands[0]
                                    : site.out.make(Spv::kFConvert, to, site.operands);
  if (from_real)
    return site.out.make(types_of(site.scalar) == kSigned ? Spv::kConvertFToS : Spv::kConvertFToU,
                         to, site.operands);
  if (to_real)
    return site.out.make(types_of(site.from) == kSigned ? Spv::kConvertSToF : Spv::kConvertUToF, to,
                         site.operands);
  return integer_to_integer(site);
}
SpirvId same_bits(const OpSite& site, Spv) {
  if (types_of(site.from) == kPreds || types_of(site.scalar) == kPreds)
    return site.from == site.scalar ? site.operands[0] : 0;
  const SpirvId to = type_of(site);
  if (held_type(site.out, site.from) == to)
    return narrowed(site.out, site.scalar, site.operands[0]);
  return site.out.make(Spv::kBitcast, to, site.operands);
}

struct Row {
  OpKind kind;
  unsigned types;
  SpirvId (*write)(const OpSite& site, Spv spv);
  Spv spv = {};
};
constexpr Row rows[] = {
    // --- moves: values have one lane ---
    {kConstant, kAny, constant},
    {kLaneIndex, kAny, zero},
    {kSplat, kAny, first},
    {kExtract, kAny, first},
    {kInsert, kAny, second},
    {kShuffle, kAny, shuffled},
    {kReduceAdd, kAny, first},
    {kReduceMul, kAny, first},
    {kReduceMin, kAny, first},
    {kReduceMax, kAny, first},
    {kReduceAnd, kAny, first},
    {kReduceOr, kAny, first},
    {kSelect, kAny, plain, Spv::kSelect},
    {kCompare, kAny, compare},
    {kBitcast, kAny, same_bits},
    {kNativeConvert, kWholes | kReals, converted},
    // --- truth values ---
    {kNot, kPreds, plain, Spv::kLogicalNot},
    {kAnd, kPreds, plain, Spv::kLogicalAnd},
    {kOr, kPreds, plain, Spv::kLogicalOr},
    {kXor, kPreds, plain, Spv::kLogicalNotEqual},
    // --- integers ---
    {kAbs, kSigned, signed_abs},
    {kAbs, kUnsigned, first},
    {kNeg, kWholes, negated},
    {kNot, kWholes, narrow, Spv::kNot},
    {kAdd, kWholes, narrow, Spv::kIAdd},
    {kSub, kWholes, narrow, Spv::kISub},
    {kMul, kWholes, narrow, Spv::kIMul},
    {kAnd, kWholes, plain, Spv::kBitwiseAnd},
    {kOr, kWholes, plain, Spv::kBitwiseOr},
    {kXor, kWholes, plain, Spv::kBitwiseXor},
    {kNativeDiv, kSigned, narrow, Spv::kSDiv},
    {kNativeDiv, kUnsigned, plain, Spv::kUDiv},
    {kNativeRem, kSigned, plain, Spv::kSRem},
    {kNativeRem, kUnsigned, plain, Spv::kUMod},
    {kNativeShl, kWholes, narrow, Spv::kShiftLeftLogical},
    {kNativeShr, kSigned, plain, Spv::kShiftRightArithmetic},
    {kNativeShr, kUnsigned, plain, Spv::kShiftRightLogical},
    {kNativeMax, kWholes, greater},
    {kNativeMin, kWholes, lesser},
    // --- f32 and f64 ---
    {kAbs, kReals, float_abs},
    {kNeg, kReals, plain, Spv::kFNegate},
    {kAdd, kReals, exact, Spv::kFAdd},
    {kSub, kReals, exact, Spv::kFSub},
    {kMul, kReals, exact, Spv::kFMul},
    {kDiv, kReals, exact, Spv::kFDiv},
    {kNativeDiv, kReals, exact, Spv::kFDiv},
    {kMulAdd, kReals, product_and_sum},
    {kSqrt, kReals, root},
    {kNativeMax, kReals, greater},
    {kNativeMin, kReals, lesser},
};

}  // namespace

SpirvId write_arithmetic(const OpSite& site) {
  if (is_pair(site.out, site.scalar) || is_pair(site.out, site.from))
    if (const SpirvId result = write_of_pairs(site); result != 0) return result;
  const unsigned types = types_of(site.scalar);
  for (const Row& row : rows)
    if (row.kind == site.op.kind && (row.types & types) != 0) return row.write(site, row.spv);
  return 0;
}

}  // namespace hlocc::backends
