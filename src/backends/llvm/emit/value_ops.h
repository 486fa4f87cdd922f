// One op with its operands as LLVM values, and the function that emits it.
#pragma once
#include <vector>

#include "backends/llvm/emit/types.h"
#include "kernel/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

struct ValueOp {
  llvm::IRBuilder<>& builder;
  const Target& target;
  const kernel::Op& op;
  kernel::Type type;  // of the result
  std::vector<llvm::Value*> operands;
  std::vector<kernel::Type> types;  // of the operands

  llvm::Value* operand(int i) const { return operands[i]; }
  // The scalar type that decides between signed, unsigned and float forms: the first operand's.
  kernel::Scalar scalar() const { return types[0].scalar; }
  bool is_native_float() const { return backends::is_native_float(scalar()); }
  bool is_integer() const { return !kernel::is_float(scalar()); }
  // pred counts as unsigned, index as signed.
  bool is_signed() const {
    return kernel::is_signed(scalar()) || scalar() == kernel::Scalar::kIndex;
  }
  int bits(int operand) const { return register_bits(types[operand].scalar, target.pointer_bits); }
  llvm::Type* llvm_type(kernel::Type of) const {
    return register_type(builder.getContext(), of, target.pointer_bits);
  }
  llvm::Type* llvm_type() const { return llvm_type(type); }
};

// Returns null where the op has no form for these types.
using EmitValue = llvm::Value* (*)(const ValueOp& op);
// Null for ops that LLVM has nothing for.
EmitValue value_emitter(kernel::OpKind kind);

// Conversions and lanes have files of their own.
llvm::Value* emit_convert(const ValueOp& op);
llvm::Value* emit_native_convert(const ValueOp& op);
llvm::Value* emit_bitcast(const ValueOp& op);
llvm::Value* emit_splat(const ValueOp& op);
llvm::Value* emit_lane_index(const ValueOp& op);
llvm::Value* emit_extract(const ValueOp& op);
llvm::Value* emit_insert(const ValueOp& op);
llvm::Value* emit_shuffle(const ValueOp& op);
llvm::Value* emit_reduce(const ValueOp& op);
// a op b for the op kinds that a reduction folds with; also used lane by lane.
llvm::Value* emit_minimum(llvm::IRBuilder<>& builder, kernel::Scalar scalar, llvm::Value* a,
                          llvm::Value* b);
llvm::Value* emit_maximum(llvm::IRBuilder<>& builder, kernel::Scalar scalar, llvm::Value* a,
                          llvm::Value* b);

}  // namespace hlocc::backends
