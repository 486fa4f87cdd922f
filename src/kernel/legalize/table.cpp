// The rows. The first one that fits op, type and target decides; a row without an expansion keeps
// the op.
#include "kernel/legalize/table.h"

#include <bit>

#include "kernel/legalize/expansions.h"
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

// --- what a row may ask of the target ---
struct Question {
  const Target& target;
  Type deciding, result;
  bool constant_operand;
};
using Condition = bool (*)(const Question&);

bool has(const Question& q, Isa extension) { return q.target.has(extension); }
bool has_unit(const Question& q) {
  return q.deciding.scalar == Scalar::kF32 ? q.target.f32_unit : q.target.f64_unit;
}

bool always(const Question&) { return true; }
bool has_sqrt(const Question& q) { return has_unit(q) && q.target.float_roots; }
bool has_scale(const Question& q) { return has_native_scale(q.target, q.deciding); }
bool has_fma(const Question& q) { return has_native_fma(q.target, q.deciding.scalar); }
// LLVM 19 chooses no truth values lane by lane on HVX.
bool are_masks_of_hvx(const Question& q) { return has(q, Isa::kHvx) && q.result.is_vector(); }
bool drops_nan(const Question& q) { return has(q, Isa::kHexagon); }
bool single_with_f64(const Question& q) { return q.deciding.scalar == Scalar::kF32; }
bool is_sse41(const Question& q) { return has(q, Isa::kSse41); }
bool is_aarch64(const Question& q) { return has(q, Isa::kAArch64); }
// Arm's VRINT is a scalar instruction of the v8 FPU. LLVM has no vector form of it on MVE that does
// not abort. C has a name for it as little as for a root.
bool is_scalar_vrint(const Question& q) {
  return has(q, Isa::kFpArmv8) && has_sqrt(q) && !q.result.is_vector();
}
// SMMLA, UMMLA: two rows of eight bytes by two others.
bool multiplies_byte_tiles(const Question& q) {
  return has(q, Isa::kI8mm) && scalar_bits(q.deciding.scalar) == 8 && q.deciding.lanes == 16 &&
         q.result.lanes == 4;
}
bool multiplies_high(const Question& q) {  // VMULH
  return has(q, Isa::kMve) && q.result == Type{Scalar::kS32, 4};
}
bool scales_vectors(const Question& q) {
  const int bits = q.result.lanes * 32;
  return q.target.vector_scaling && q.result.scalar == Scalar::kS32 && bits >= 128 &&
         std::has_single_bit(q.result.lanes) && bits <= q.target.vector_bits;
}
bool has_directed_rounding(const Question& q) {
  return is_sse41(q) || is_aarch64(q) || is_scalar_vrint(q);
}
// Of four f32 MVE rounds and converts as the v8 FPU does.
bool is_mve_vector(const Question& q) {
  return has(q, Isa::kMve) && has(q, Isa::kFpArmv8) && q.deciding == Type{Scalar::kF32, 4};
}
bool fills_registers(const Question& q) {
  const int bits = q.deciding.lanes * 32;
  return q.deciding.scalar == Scalar::kF32 && q.deciding.lanes >= 4 &&
         std::has_single_bit(q.deciding.lanes) && bits <= q.target.vector_bits;
}
bool has_even_rounding(const Question& q) {
  return is_sse41(q) || is_aarch64(q) || is_mve_vector(q) ||
         (q.target.vector_rounding && fills_registers(q));
}
// To 32 bits, where NaN gives zero and what is too large the largest.
bool has_saturating_convert(const Question& q) {
  const bool in_registers = (q.target.vector_saturation || is_aarch64(q)) && fills_registers(q);
  return (is_mve_vector(q) || in_registers) && is_integer(q.result.scalar) &&
         scalar_bits(q.result.scalar) == 32;
}
bool has_away_rounding(const Question& q) { return is_aarch64(q) || is_scalar_vrint(q); }
// Where LLVM's maximum, with NaN and -0 as HLO wants them, is one instruction or a few.
bool has_ieee_min_max(const Question& q) {
  const bool neon =
      q.deciding.is_vector() && q.deciding.scalar == Scalar::kF32 && has(q, Isa::kNeon);
  if (is_aarch64(q) || neon) return true;
  // LLVM looks at the sign before it compares; where comparisons make masks, ours compares first
  // and is done sooner.
  if (q.deciding.is_vector() && has(q, Isa::kAvx512F)) return false;
  // Against a constant one comparison of ours is less.
  return !q.constant_operand && (is_sse41(q) || (has(q, Isa::kRiscv) && has_unit(q)));
}
// x86 has vector maxima of integers, but of floats none that knows NaN and -0.
bool has_integer_reduction(const Question& q) {
  const bool halves = std::has_single_bit(static_cast<unsigned>(q.deciding.lanes));
  return q.deciding.is_vector() && halves && is_sse41(q) &&
         (q.deciding.scalar == Scalar::kF32 || has(q, Isa::kAvx512F));
}
// QEMU 7.2 stops at RVV's vector conversions that round toward zero, and with it every test.
bool is_rvv_truncation(const Question& q) {
  return q.deciding.is_vector() && !is_float(q.result.scalar) && has(q, Isa::kRvv);
}

// Lanes of a grid. Where roots are not rounded as IEEE 754 wants, quotients are not either.
bool is_lane(const Question& q) { return q.target.style == KernelStyle::kSimt; }
bool has_rough_quotients(const Question& q) { return is_lane(q) && !q.target.float_roots; }
bool is_too_wide(const Question& q) {
  return is_lane(q) && q.target.widest_element < 64 && is_wide(q.deciding.scalar);
}
bool converts_too_wide(const Question& q) {
  return is_lane(q) && q.target.widest_element < 64 &&
         ((is_wide(q.deciding.scalar) && is_float(q.result.scalar)) ||
          (is_float(q.deciding.scalar) && is_wide(q.result.scalar)));
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
    {kDotAccumulate, kIntegers, always, keep},
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
    {kMulShiftRight, kIntegers, scales_vectors, keep},
    {kMulShiftRight, kIntegers, always, expand_mul_shift_right},
    {kShl, kIntegers, always, expand_shift},
    {kShrLogical, kIntegers, always, expand_shift},
    {kShrArithmetic, kIntegers, always, expand_shift},
    {kPopcnt, kIntegers, always, expand_popcnt},
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
    case kDotAccumulate:
    case kReduceAdd:
    case kReduceMul:
    case kReduceMin:
    case kReduceMax:
    case kReduceAnd:
    case kReduceOr: return kernel.type(op.operands[0]);
    case kMatrixAccumulate: return kernel.type(op.operands[1]);
    default: return op.results.empty() ? Type{Scalar::kPred, 1} : kernel.type(op.result());
  }
}

Decision decide(OpKind kind, Type deciding, Type result, const Target& target,
                bool constant_operand) {
  const unsigned set = set_of(deciding.scalar);
  // Bitcasts into sub-byte types re-extend as well as those out of them.
  if (kind == kBitcast && is_sub_byte(result.scalar) && deciding != result)
    return {false, expand_sub_byte_bitcast};
  for (const Row& row : rows)
    if (row.kind == kind && (row.types & set) != 0 &&
        row.condition({target, deciding, result, constant_operand}))
      return {row.expand == nullptr, row.expand};
  // Everything else on the small types is done in a larger one.
  if (!is_arithmetic(kind)) return {};
  if (set == kSmalls) return {false, expand_small_float};
  if (set == kSubBytes) return {kind == kCompare, kind == kCompare ? keep : expand_sub_byte};
  return {};
}

}  // namespace hlocc::kernel
