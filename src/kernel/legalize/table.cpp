// The rows. The first one that fits op, type and target decides; a row without an expansion keeps
// the op.
#include "kernel/legalize/table.h"

#include "kernel/legalize/expansions.h"
#include "kernel/legalize/questions.h"
#include "kernel/legalize/small_floats.h"
#include "kernel/legalize/sub_byte.h"

namespace hlocc::kernel {
namespace {

using enum OpKind;

// Sets of scalars.
constexpr unsigned kPreds = 1, kIndexes = 2, kIntegers = 4, kSubBytes = 8, kSmalls = 16,
                   kSingles = 32, kDoubles = 64;
constexpr unsigned kReals = kSingles | kDoubles, kWholes = kIndexes | kIntegers, kAny = 127;

unsigned set_of(Scalar s) {
  switch (scalar_class(s)) {
    case ScalarClass::kPred: return kPreds;
    case ScalarClass::kIndex: return kIndexes;
    case ScalarClass::kSigned:
    case ScalarClass::kUnsigned: return is_sub_byte(s) ? kSubBytes : kIntegers;
    case ScalarClass::kFloat:
      return s == Scalar::kF32 ? kSingles : s == Scalar::kF64 ? kDoubles : kSmalls;
  }
  return 0;
}

struct Row {
  OpKind kind;
  unsigned types;
  Condition condition;
  Expansion expand;  // null: kept
};
constexpr Expansion keep = nullptr;

constexpr Row rows[] = {
    // --- moves: of any type, in the type it is held in ---
    {kConstant, kAny, always, keep},
    {kSplat, kAny, always, keep},
    {kLaneIndex, kAny, always, keep},
    {kExtract, kAny, always, keep},
    {kInsert, kAny, always, keep},
    {kShuffle, kAny, always, keep},
    {kSelect, kReals, drops_nan, expand_select_of_bits},
    {kSelect, kPreds, are_masks_of_hvx, expand_pred_select},
    {kSelect, kAny, always, keep},
    {kLoad, kAny, always, keep},
    {kStore, kAny, always, keep},
    {kPrefetch, kAny, always, keep},
    {kBarrier, kAny, is_lane, keep},
    {kLoop, kAny, always, keep},
    {kIf, kAny, always, keep},
    {kWhile, kAny, always, keep},
    {kBitcast, kSubBytes, always, expand_sub_byte_bitcast},
    {kBitcast, kAny, always, keep},
    // --- conversion ---
    {kNativeConvert, kReals, is_rvv_truncation, expand_native_float_to_integer},
    {kNativeConvert, kSingles | kIntegers, converts_too_wide, expand_wide_convert},
    {kNativeConvert, kReals | kWholes, always, keep},
    {kConvert, kSingles, has_saturating_convert, keep},
    {kConvert, kAny, always, expand_convert},
    // --- reductions over lanes ---
    {kReduceAdd, kIntegers | kIndexes | kReals, always, keep},
    {kReduceMul, kIntegers | kIndexes | kReals, always, keep},
    {kReduceMin, kIntegers | kIndexes, always, keep},
    {kReduceMax, kIntegers | kIndexes, always, keep},
    {kReduceAnd, kIntegers | kIndexes, always, keep},
    {kReduceOr, kIntegers | kIndexes, always, keep},
    {kReduceAdd, kPreds, always, expand_pred_reduce},
    {kReduceMul, kPreds, always, expand_pred_reduce},
    {kReduceMin, kPreds, always, expand_pred_reduce},
    {kReduceMax, kPreds, always, expand_pred_reduce},
    {kReduceAnd, kPreds, always, expand_pred_reduce},
    {kReduceOr, kPreds, always, expand_pred_reduce},
    {kReduceAdd, kSubBytes | kSmalls, always, expand_reduce},
    {kReduceMul, kSubBytes | kSmalls, always, expand_reduce},
    {kReduceMin, kReals, has_integer_reduction, expand_keyed_reduce},
    {kReduceMax, kReals, has_integer_reduction, expand_keyed_reduce},
    {kReduceMin, kReals, has_ieee_min_max, keep},
    {kReduceMax, kReals, has_ieee_min_max, keep},
    {kReduceMin, kSubBytes | kSmalls | kReals, always, expand_reduce},
    {kReduceMax, kSubBytes | kSmalls | kReals, always, expand_reduce},
    {kReduceAnd, kSubBytes, always, expand_reduce},
    {kReduceOr, kSubBytes, always, expand_reduce},
    {kSpreadBytes, kIntegers, holds_words, keep},
    {kSpreadBytes, kIntegers, always, expand_spread_bytes},
    {kDotAccumulate, kIntegers, multiplies_groups, keep},
    {kDotAccumulate, kIntegers, always, expand_dot},
    {kMatrixAccumulate, kIntegers, multiplies_byte_tiles, keep},
    {kMatrixAccumulate, kIntegers | kSmalls | kSingles, always, expand_matrix},
    // --- truth values ---
    {kNot, kPreds, always, keep},
    {kAnd, kPreds, always, keep},
    {kOr, kPreds, always, keep},
    {kXor, kPreds, always, keep},
    {kCompare, kPreds, always, expand_pred_compare},
    {kAdd, kPreds, always, expand_pred_arithmetic},
    {kMul, kPreds, always, expand_pred_arithmetic},
    {kMin, kPreds, always, expand_pred_arithmetic},
    {kMax, kPreds, always, expand_pred_arithmetic},
    {kNativeMin, kPreds, always, expand_pred_arithmetic},
    {kNativeMax, kPreds, always, expand_pred_arithmetic},
    // --- integers ---
    {kAbs, kIntegers, always, keep},
    {kAbs, kIndexes, always, expand_integer_abs},
    {kNeg, kWholes, always, keep},
    {kSign, kWholes, always, expand_integer_sign},
    {kNot, kWholes, always, keep},
    {kAdd, kWholes, always, keep},
    {kSub, kWholes, always, keep},
    {kMul, kWholes, always, keep},
    {kAnd, kWholes, always, keep},
    {kOr, kWholes, always, keep},
    {kXor, kWholes, always, keep},
    {kMulAdd, kWholes, always, expand_integer_mul_add},
    {kDiv, kWholes, always, expand_integer_div},
    {kRem, kWholes, always, expand_integer_rem},
    {kMin, kWholes, always, expand_integer_min_max},
    {kMax, kWholes, always, expand_integer_min_max},
    {kCompare, kWholes, always, keep},
    {kNativeDiv, kIntegers, is_too_wide, expand_wide_div},
    {kNativeRem, kIntegers, is_too_wide, expand_wide_rem},
    {kNativeDiv, kWholes, always, keep},
    {kNativeRem, kWholes, always, keep},
    {kNativeShl, kWholes, always, keep},
    {kNativeShr, kWholes, always, keep},
    {kNativeMin, kWholes, always, keep},
    {kNativeMax, kWholes, always, keep},
    {kPow, kIntegers, always, expand_integer_pow},
    {kMulHi, kIntegers, multiplies_high, keep},
    {kMulHi, kIntegers, always, expand_mulhi},
    {kMulHiDoubled, kIntegers, doubles_high_products, keep},
    {kMulHiDoubled, kIntegers, always, expand_mulhi_doubled},
    {kMulShiftRight, kIntegers, scales_vectors, keep},
    {kMulShiftRight, kIntegers, always, expand_mul_shift_right},
    {kSaturate, kIntegers, narrows_with_saturation, keep},
    {kSaturate, kIntegers, always, expand_saturate},
    {kShl, kIntegers, always, expand_shift},
    {kShrLogical, kIntegers, always, expand_shift},
    {kShrArithmetic, kIntegers, always, expand_shift},
    {kPopcnt, kIntegers, always, expand_popcnt},
    {kClz, kIntegers, counts_zeros, keep},
    {kClz, kIntegers, always, expand_clz},
    {kPow, kIndexes, always, expand_index_arithmetic},
    {kMulHi, kIndexes, always, expand_index_arithmetic},
    {kShl, kIndexes, always, expand_index_arithmetic},
    {kShrLogical, kIndexes, always, expand_index_arithmetic},
    {kShrArithmetic, kIndexes, always, expand_index_arithmetic},
    {kPopcnt, kIndexes, always, expand_index_arithmetic},
    {kClz, kIndexes, always, expand_index_arithmetic},
    // --- f32 and f64 ---
    {kAbs, kReals, always, keep},
    {kNeg, kReals, always, keep},
    {kAdd, kReals, always, keep},
    {kSub, kReals, always, keep},
    {kMul, kReals, always, keep},
    {kDiv, kSingles, has_rough_quotients, expand_quotient},
    {kDiv, kReals, always, keep},
    {kMulAdd, kReals, always, keep},
    {kCompare, kReals, always, keep},
    {kNativeMin, kReals, drops_nan, expand_native_min_max},
    {kNativeMax, kReals, drops_nan, expand_native_min_max},
    {kNativeMin, kReals, always, keep},
    {kNativeMax, kReals, always, keep},
    {kNativeFma, kReals, has_fma, keep},
    {kNativeFma, kReals, single_with_f64, expand_native_fma},
    {kNativeScale, kReals, has_scale, keep},
    {kIsFinite, kReals, always, expand_is_finite},
    {kSign, kReals, always, expand_float_sign},
    {kMin, kReals, has_ieee_min_max, keep},
    {kMax, kReals, has_ieee_min_max, keep},
    {kMin, kReals, always, expand_float_min_max},
    {kMax, kReals, always, expand_float_min_max},
    {kRem, kReals, always, expand_float_rem},
    {kFloor, kReals, has_directed_rounding, keep},
    {kCeil, kReals, has_directed_rounding, keep},
    {kTrunc, kReals, has_directed_rounding, keep},
    {kRoundAfz, kReals, has_away_rounding, keep},
    {kRoundEven, kReals, has_even_rounding, keep},
    {kFloor, kReals, always, expand_rounding},
    {kCeil, kReals, always, expand_rounding},
    {kTrunc, kReals, always, expand_rounding},
    {kRoundAfz, kReals, always, expand_rounding},
    {kRoundEven, kReals, always, expand_rounding},
    {kSqrt, kReals, has_sqrt, keep},
    {kSqrt, kReals, always, expand_sqrt},
    {kRsqrt, kReals, always, expand_rsqrt},
    {kCbrt, kReals, always, expand_cbrt},
    {kExp, kReals, always, expand_exp},
    {kExpm1, kReals, always, expand_expm1},
    {kLog, kReals, always, expand_log},
    {kLog1p, kReals, always, expand_log1p},
    {kTanh, kReals, always, expand_tanh},
    {kLogistic, kReals, always, expand_logistic},
    {kErf, kReals, always, expand_erf},
    {kErfc, kReals, always, expand_erfc},
    {kSin, kReals, always, expand_sin},
    {kCos, kReals, always, expand_cos},
    {kTan, kReals, always, expand_tan},
    {kAsin, kReals, always, expand_asin},
    {kAcos, kReals, always, expand_acos},
    {kAtan, kReals, always, expand_atan},
    {kSinh, kReals, always, expand_sinh},
    {kCosh, kReals, always, expand_cosh},
    {kAsinh, kReals, always, expand_asinh},
    {kAcosh, kReals, always, expand_acosh},
    {kAtanh, kReals, always, expand_atanh},
    {kPow, kReals, always, expand_pow},
    {kAtan2, kReals, always, expand_atan2},
};

bool is_arithmetic(OpKind kind) {
  const OpGroup group = op_group(kind);
  return group == OpGroup::kUnary || group == OpGroup::kBinary || group == OpGroup::kCompare;
}

}  // namespace

Type deciding_type(const Kernel& kernel, const Op& op) {
  switch (op.kind) {
    case kCompare:
    case kIsFinite:
    case kConvert:
    case kNativeConvert:
    case kBitcast:
    case kReduceAdd:
    case kReduceMul:
    case kReduceMin:
    case kReduceMax:
    case kReduceAnd:
    case kReduceOr: return kernel.type(op.operands[0]);
    case kDotAccumulate:
    case kMatrixAccumulate: return kernel.type(op.operands[1]);
    default: return op.results.empty() ? Type{Scalar::kPred, 1} : kernel.type(op.result());
  }
}

Decision decide(OpKind kind, Type deciding, Type result, const Target& target,
                const OperandFacts& operands) {
  const unsigned set = set_of(deciding.scalar);
  // Bitcasts into sub-byte types re-extend as well as those out of them.
  if (kind == kBitcast && is_sub_byte(result.scalar) && deciding != result)
    return {false, expand_sub_byte_bitcast};
  for (const Row& row : rows)
    if (row.kind == kind && (row.types & set) != 0 &&
        row.condition({target, deciding, result, operands}))
      return {row.expand == nullptr, row.expand};
  // Everything else on the small types is done in a larger one.
  if (!is_arithmetic(kind)) return {};
  if (set == kSmalls) return {false, expand_small_float};
  if (set == kSubBytes) return {kind == kCompare, kind == kCompare ? keep : expand_sub_byte};
  return {};
}

}  // namespace hlocc::kernel
