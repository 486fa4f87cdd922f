// Conversions between element types. f16 exists in registers as 16 bits; a target that converts it
// passes through `half` for the one instruction.
#include "backends/llvm/emit/value_ops.h"
#include "backends/llvm/idioms/dot_idioms.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;
using llvm::Value;

// LLVM 19 makes one instruction of MVE's of a conversion and a multiplication by a power of two,
// and names a register where that instruction takes the power, if the same number stands elsewhere
// in the block. A fence keeps the two apart.
Value* apart(const ValueOp& op, Value* x) {
  if (!op.target.has(Isa::kMve) || !x->getType()->isVectorTy()) return x;
  return op.builder.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {x->getType()}, {x});
}

Value* integer_to_float(const ValueOp& op) {
  return apart(op, op.is_signed() ? op.builder.CreateSIToFP(op.operand(0), op.llvm_type())
                                  : op.builder.CreateUIToFP(op.operand(0), op.llvm_type()));
}

Value* integer_to_integer(const ValueOp& op) {
  llvm::IRBuilder<>& b = op.builder;
  if (op.type.scalar == Scalar::kPred) return b.CreateIsNotNull(op.operand(0));
  if (Value* halves = emit_spread(op)) return halves;
  return op.is_signed() ? b.CreateSExtOrTrunc(op.operand(0), op.llvm_type())
                        : b.CreateZExtOrTrunc(op.operand(0), op.llvm_type());
}

// f16 and f32, either way.
Value* convert_half(const ValueOp& op) {
  if (!op.target.f16_conversion) return nullptr;
  llvm::IRBuilder<>& b = op.builder;
  llvm::Type* half = op.operand(0)->getType()->getWithNewType(b.getHalfTy());
  if (op.scalar() == Scalar::kF16 && op.type.scalar == Scalar::kF32)
    return b.CreateFPExt(b.CreateBitCast(op.operand(0), half), op.llvm_type());
  if (op.scalar() == Scalar::kF32 && op.type.scalar == Scalar::kF16)
    return b.CreateBitCast(b.CreateFPTrunc(op.operand(0), half), op.llvm_type());
  return nullptr;
}

bool is_signed_result(const ValueOp& op) {
  return kernel::is_signed(op.type.scalar) || op.type.scalar == Scalar::kIndex;
}

// To the nearest integer of as many bits in one instruction: VCVTN of MVE, FCVTNS of NEON.
Value* nearest_integer(const ValueOp& op) {
  auto* rounded = llvm::dyn_cast<llvm::IntrinsicInst>(op.operand(0));
  if (rounded == nullptr) return nullptr;
  if (rounded->getIntrinsicID() == llvm::Intrinsic::roundeven && op.target.has(Isa::kAArch64) &&
      op.type == kernel::Type{Scalar::kS32, 4} && op.scalar() == Scalar::kF32)
    return op.builder.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_fcvtns,
                                      {op.llvm_type(), rounded->getType()},
                                      {rounded->getArgOperand(0)});
  if (rounded->getIntrinsicID() != llvm::Intrinsic::arm_mve_vrintn) return nullptr;
  return op.builder.CreateIntrinsic(
      llvm::Intrinsic::arm_mve_vcvtn, {op.llvm_type(), rounded->getType()},
      {op.builder.getInt32(!is_signed_result(op)), rounded->getArgOperand(0)});
}

}  // namespace

Value* emit_convert(const ValueOp& op) {
  if (op.scalar() == op.type.scalar) return op.operand(0);
  llvm::IRBuilder<>& b = op.builder;
  const bool to_integer = !kernel::is_float(op.type.scalar);
  if (op.is_integer() && to_integer) return integer_to_integer(op);
  if (op.is_integer() && is_native_float(op.type.scalar)) return integer_to_float(op);
  if (op.is_native_float() && is_native_float(op.type.scalar))
    return b.CreateFPCast(op.operand(0), op.llvm_type());
  if (!op.is_native_float() || !to_integer) return convert_half(op);
  if (op.type.scalar == Scalar::kPred)
    return b.CreateFCmpUNE(op.operand(0), llvm::Constant::getNullValue(op.operand(0)->getType()));
  if (Value* nearest = nearest_integer(op)) return nearest;
  // HLO saturates and turns NaN into zero, and so does this intrinsic.
  const auto id = is_signed_result(op) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b.CreateIntrinsic(id, {op.llvm_type(), op.operand(0)->getType()},
                           {apart(op, op.operand(0))});
}

Value* emit_native_convert(const ValueOp& op) {
  if (!op.is_native_float() || kernel::is_float(op.type.scalar)) return emit_convert(op);
  Value* x = apart(op, op.operand(0));
  return is_signed_result(op) ? op.builder.CreateFPToSI(x, op.llvm_type())
                              : op.builder.CreateFPToUI(x, op.llvm_type());
}

Value* emit_bitcast(const ValueOp& op) {
  if (op.scalar() == Scalar::kPred || op.type.scalar == Scalar::kPred) {
    // In memory pred is a byte, 0 or 1, and that is what a bitcast sees.
    return op.scalar() == Scalar::kPred
               ? op.builder.CreateZExtOrTrunc(op.operand(0), op.llvm_type())
               : op.builder.CreateIsNotNull(op.operand(0));
  }
  return op.operand(0)->getType() == op.llvm_type()
             ? op.operand(0)
             : op.builder.CreateBitCast(op.operand(0), op.llvm_type());
}

}  // namespace hlocc::backends
