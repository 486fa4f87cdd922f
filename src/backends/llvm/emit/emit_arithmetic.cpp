// Arithmetic, comparison and choice, lane by lane. Forms that would call a library, trap, or crash
// LLVM are not here.
#include <array>

#include "backends/llvm/emit/value_ops.h"
#include "backends/llvm/idioms/clamp_idiom.h"
#include "backends/llvm/idioms/dot_idioms.h"
#include "backends/llvm/idioms/high_product.h"
#include "backends/llvm/idioms/saturating_bytes.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::Predicate;
using llvm::Value;

Value* emit_abs(const ValueOp& op) {
  if (op.is_native_float())
    return op.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, op.operand(0));
  if (!op.is_integer()) return nullptr;
  if (!op.is_signed()) return op.operand(0);
  return op.builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, op.operand(0),
                                          op.builder.getFalse());
}

Value* emit_neg(const ValueOp& op) {
  if (op.is_native_float()) return op.builder.CreateFNeg(op.operand(0));
  return op.is_integer() ? op.builder.CreateNeg(op.operand(0)) : nullptr;
}

// Of zero all bits are leading zeros.
Value* emit_clz(const ValueOp& op) {
  if (!op.is_integer()) return nullptr;
  return op.builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, op.operand(0),
                                          op.builder.getFalse());
}

using Comparison = llvm::CmpInst::Predicate;

// MVE has GT and GE that are false for NaN, LT and LE that are true for it. LLVM 19 writes `splat >
// x` as `x < splat` all the same, so that x = NaN gives true; where it would, both sides are
// negated instead.
Value* compare_on_mve(llvm::IRBuilder<>& b, Comparison comparison, Value* x, Value* y) {
  if (comparison == Comparison::FCMP_OLT || comparison == Comparison::FCMP_OLE) {
    comparison = llvm::CmpInst::getSwappedPredicate(comparison);
    std::swap(x, y);
  }
  const bool greater = comparison == Comparison::FCMP_OGT || comparison == Comparison::FCMP_OGE;
  if (!greater || llvm::getSplatValue(x) == nullptr) return b.CreateFCmp(comparison, x, y);
  // A comparison with +0 takes no register.
  const auto* constant = llvm::dyn_cast<llvm::Constant>(x);
  return b.CreateFCmp(comparison, b.CreateFNeg(y),
                      constant != nullptr && constant->isNullValue() ? x : b.CreateFNeg(x));
}

// One of oeq, une, olt, ole, ogt, oge.
Value* compare_floats(const ValueOp& op, Comparison comparison, Value* x, Value* y) {
  const bool mve = x->getType()->isVectorTy() && op.target.has(Isa::kMve);
  return mve ? compare_on_mve(op.builder, comparison, x, y)
             : op.builder.CreateFCmp(comparison, x, y);
}

Value* emit_not(const ValueOp& op) {
  return op.is_integer() ? op.builder.CreateNot(op.operand(0)) : nullptr;
}

template <llvm::Intrinsic::ID id>
Value* emit_float_intrinsic(const ValueOp& op) {
  return op.is_native_float() ? op.builder.CreateUnaryIntrinsic(id, op.operand(0)) : nullptr;
}

// LLVM 19 has no instruction for its own intrinsic on vectors of MVE.
Value* emit_round_even(const ValueOp& op) {
  if (!op.target.has(Isa::kMve)) return emit_float_intrinsic<llvm::Intrinsic::roundeven>(op);
  return op.builder.CreateIntrinsic(llvm::Intrinsic::arm_mve_vrintn, {op.llvm_type()},
                                    {op.operand(0)});
}

using Binary = Value* (*)(llvm::IRBuilder<>&, Value*, Value*);
// Floats take one instruction, integers another; either may be missing.
template <Binary on_float, Binary on_integer>
Value* emit_binary(const ValueOp& op) {
  const Binary emit = op.is_native_float() ? on_float : op.is_integer() ? on_integer : nullptr;
  return emit == nullptr ? nullptr : emit(op.builder, op.operand(0), op.operand(1));
}

template <Binary on_signed, Binary on_unsigned>
Value* emit_integer(const ValueOp& op) {
  if (!op.is_integer()) return nullptr;
  return (op.is_signed() ? on_signed : on_unsigned)(op.builder, op.operand(0), op.operand(1));
}

Value* fadd(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateFAdd(x, y); }
Value* fsub(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateFSub(x, y); }
Value* fmul(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateFMul(x, y); }
Value* fdiv(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateFDiv(x, y); }
Value* add(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateAdd(x, y); }
Value* sub(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateSub(x, y); }
Value* mul(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateMul(x, y); }
Value* sdiv(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateSDiv(x, y); }
Value* udiv(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateUDiv(x, y); }
Value* srem(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateSRem(x, y); }
Value* urem(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateURem(x, y); }
Value* bit_and(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateAnd(x, y); }
Value* bit_or(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateOr(x, y); }
Value* bit_xor(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateXor(x, y); }
Value* shl(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateShl(x, y); }
Value* ashr(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateAShr(x, y); }
Value* lshr(llvm::IRBuilder<>& b, Value* x, Value* y) { return b.CreateLShr(x, y); }
Value* smin(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
}
Value* smax(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
}
Value* umin(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
}
Value* umax(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, x, y);
}
constexpr Binary kNothing = nullptr;

// On truth values the sum is "or" and the product "and".
Value* emit_add(const ValueOp& op) {
  return op.scalar() == kernel::Scalar::kPred ? bit_or(op.builder, op.operand(0), op.operand(1))
                                              : emit_binary<fadd, add>(op);
}
Value* emit_mul(const ValueOp& op) {
  return op.scalar() == kernel::Scalar::kPred ? bit_and(op.builder, op.operand(0), op.operand(1))
                                              : emit_binary<fmul, mul>(op);
}

Value* emit_min(const ValueOp& op) {
  if (Value* const clamp = emit_clamp(op)) return clamp;
  return op.is_native_float() || op.is_integer()
             ? emit_minimum(op.builder, op.scalar(), op.operand(0), op.operand(1))
             : nullptr;
}
Value* emit_max(const ValueOp& op) {
  if (Value* const clamp = emit_clamp(op)) return clamp;
  return op.is_native_float() || op.is_integer()
             ? emit_maximum(op.builder, op.scalar(), op.operand(0), op.operand(1))
             : nullptr;
}
Value* emit_native_min(const ValueOp& op) {
  Value *x = op.operand(0), *y = op.operand(1);
  if (op.is_native_float())
    return op.builder.CreateSelect(compare_floats(op, Comparison::FCMP_OLT, x, y), x, y);
  return emit_min(op);
}
Value* emit_native_max(const ValueOp& op) {
  Value *x = op.operand(0), *y = op.operand(1);
  if (op.is_native_float())
    return op.builder.CreateSelect(compare_floats(op, Comparison::FCMP_OGT, x, y), x, y);
  return emit_max(op);
}

Value* emit_mul_add(const ValueOp& op) {
  llvm::IRBuilder<>& b = op.builder;
  if (op.is_integer()) return b.CreateAdd(b.CreateMul(op.operand(0), op.operand(1)), op.operand(2));
  if (!op.is_native_float()) return nullptr;
  // `contract` lets LLVM fuse where the target has the instruction; llvm.fma would become a call
  // where it has none.
  llvm::IRBuilder<>::FastMathFlagGuard guard(b);
  llvm::FastMathFlags flags = b.getFastMathFlags();
  const bool is_double = op.scalar() == kernel::Scalar::kF64;
  flags.setAllowContract(op.target.fma && (op.target.f64_fma || !is_double));
  b.setFastMathFlags(flags);
  return b.CreateFAdd(b.CreateFMul(op.operand(0), op.operand(1)), op.operand(2));
}

Value* emit_native_fma(const ValueOp& op) {
  if (!op.is_native_float()) return nullptr;
  return op.builder.CreateIntrinsic(llvm::Intrinsic::fma, {op.llvm_type()},
                                    {op.operand(0), op.operand(1), op.operand(2)});
}

// Legal where AVX-512 has it.
Value* emit_native_scale(const ValueOp& op) {
  struct Row {
    kernel::Scalar scalar;
    int lanes;
    llvm::Intrinsic::ID id;
  };
  static constexpr Row rows[] = {
      {kernel::Scalar::kF32, 16, llvm::Intrinsic::x86_avx512_mask_scalef_ps_512},
      {kernel::Scalar::kF32, 8, llvm::Intrinsic::x86_avx512_mask_scalef_ps_256},
      {kernel::Scalar::kF32, 4, llvm::Intrinsic::x86_avx512_mask_scalef_ps_128},
      {kernel::Scalar::kF64, 8, llvm::Intrinsic::x86_avx512_mask_scalef_pd_512},
      {kernel::Scalar::kF64, 4, llvm::Intrinsic::x86_avx512_mask_scalef_pd_256},
      {kernel::Scalar::kF64, 2, llvm::Intrinsic::x86_avx512_mask_scalef_pd_128},
  };
  llvm::IRBuilder<>& b = op.builder;
  for (const Row& row : rows) {
    if (row.scalar != op.scalar() || row.lanes != op.type.lanes) continue;
    llvm::SmallVector<Value*, 5> arguments{
        op.operand(0), op.operand(1), op.operand(0),
        llvm::Constant::getAllOnesValue(b.getIntNTy(std::max(8, row.lanes)))};
    // The whole register's form asks how to round; as the others do.
    constexpr int kCurrentDirection = 4;
    if (row.lanes * kernel::scalar_bits(row.scalar) == 512)
      arguments.push_back(b.getInt32(kCurrentDirection));
    return b.CreateIntrinsic(row.id, {}, arguments);
  }
  return nullptr;
}

struct PredicateRow {
  llvm::CmpInst::Predicate on_float, on_signed, on_unsigned;
};
constexpr PredicateRow predicates[] = {
    {llvm::CmpInst::FCMP_OEQ, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ},
    {llvm::CmpInst::FCMP_UNE, llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE},
    {llvm::CmpInst::FCMP_OLT, llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT},
    {llvm::CmpInst::FCMP_OLE, llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE},
    {llvm::CmpInst::FCMP_OGT, llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT},
    {llvm::CmpInst::FCMP_OGE, llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE},
};

Value* emit_compare(const ValueOp& op) {
  const PredicateRow& row = predicates[static_cast<int>(std::get<Predicate>(op.op.payload))];
  if (op.is_native_float()) return compare_floats(op, row.on_float, op.operand(0), op.operand(1));
  if (!op.is_integer()) return nullptr;
  return op.builder.CreateICmp(op.is_signed() ? row.on_signed : row.on_unsigned, op.operand(0),
                               op.operand(1));
}

Value* emit_select(const ValueOp& op) {
  return op.builder.CreateSelect(op.operand(0), op.operand(1), op.operand(2));
}

struct EmitRow {
  OpKind kind;
  EmitValue emit;
};
constexpr EmitRow rows[] = {
    {OpKind::kAbs, emit_abs},
    {OpKind::kNeg, emit_neg},
    {OpKind::kNot, emit_not},
    {OpKind::kClz, emit_clz},
    {OpKind::kFloor, emit_float_intrinsic<llvm::Intrinsic::floor>},
    {OpKind::kCeil, emit_float_intrinsic<llvm::Intrinsic::ceil>},
    {OpKind::kTrunc, emit_float_intrinsic<llvm::Intrinsic::trunc>},
    {OpKind::kRoundAfz, emit_float_intrinsic<llvm::Intrinsic::round>},
    {OpKind::kRoundEven, emit_round_even},
    {OpKind::kSqrt, emit_float_intrinsic<llvm::Intrinsic::sqrt>},
    {OpKind::kAdd, emit_add},
    {OpKind::kSub, emit_binary<fsub, sub>},
    {OpKind::kMul, emit_mul},
    {OpKind::kDiv, emit_binary<fdiv, kNothing>},
    {OpKind::kMin, emit_min},
    {OpKind::kMax, emit_max},
    {OpKind::kAnd, emit_binary<kNothing, bit_and>},
    {OpKind::kOr, emit_binary<kNothing, bit_or>},
    {OpKind::kXor, emit_binary<kNothing, bit_xor>},
    {OpKind::kCompare, emit_compare},
    {OpKind::kSelect, emit_select},
    {OpKind::kConvert, emit_convert},
    {OpKind::kBitcast, emit_bitcast},
    {OpKind::kMulAdd, emit_mul_add},
    {OpKind::kMulHi, emit_high_product},
    {OpKind::kMulHiDoubled, emit_doubled_high_product},
    {OpKind::kNativeDiv, emit_integer<sdiv, udiv>},
    {OpKind::kNativeRem, emit_integer<srem, urem>},
    {OpKind::kNativeShl, emit_integer<shl, shl>},
    {OpKind::kNativeShr, emit_integer<ashr, lshr>},
    {OpKind::kNativeConvert, emit_native_convert},
    {OpKind::kNativeFma, emit_native_fma},
    {OpKind::kNativeScale, emit_native_scale},
    {OpKind::kNativeMax, emit_native_max},
    {OpKind::kNativeMin, emit_native_min},
    {OpKind::kSplat, emit_splat},
    {OpKind::kLaneIndex, emit_lane_index},
    {OpKind::kExtract, emit_extract},
    {OpKind::kInsert, emit_insert},
    {OpKind::kShuffle, emit_shuffle},
    {OpKind::kReduceAdd, emit_reduce},
    {OpKind::kReduceMul, emit_reduce},
    {OpKind::kReduceMin, emit_reduce},
    {OpKind::kReduceMax, emit_reduce},
    {OpKind::kReduceAnd, emit_reduce},
    {OpKind::kReduceOr, emit_reduce},
    {OpKind::kSaturate, emit_saturate},
    {OpKind::kSpreadBytes, emit_spread_bytes},
    {OpKind::kDotAccumulate, emit_dot_accumulate},
    {OpKind::kMatrixAccumulate, emit_matrix_accumulate},
};

}  // namespace

EmitValue value_emitter(OpKind kind) {
  for (const EmitRow& row : rows)
    if (row.kind == kind) return row.emit;
  return nullptr;
}

// HLO's minimum and maximum of floats give NaN when either is NaN, and -0 < +0; so do LLVM's
// intrinsics. They crash targets without an FPU: legalisation leaves the op only where they become
// few instructions.
Value* emit_minimum(llvm::IRBuilder<>& b, kernel::Scalar scalar, Value* x, Value* y) {
  if (is_native_float(scalar)) return b.CreateBinaryIntrinsic(llvm::Intrinsic::minimum, x, y);
  return kernel::is_signed(scalar) || scalar == kernel::Scalar::kIndex ? smin(b, x, y)
                                                                       : umin(b, x, y);
}

Value* emit_maximum(llvm::IRBuilder<>& b, kernel::Scalar scalar, Value* x, Value* y) {
  if (is_native_float(scalar)) return b.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, x, y);
  return kernel::is_signed(scalar) || scalar == kernel::Scalar::kIndex ? smax(b, x, y)
                                                                       : umax(b, x, y);
}

}  // namespace hlocc::backends
