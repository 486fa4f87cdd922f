// Types of the kernel IR as LLVM types. In registers pred is i1 and index is as wide as a pointer;
// floats of 16 bits and fewer are integers of their width, because half and bfloat values crash
// several of LLVM's targets: legalisation computes with them in f32, and a conversion that the
// target has goes through `half` for one instruction only. In memory every element takes whole
// bytes.
#pragma once
#include "kernel/type.h"

namespace llvm {
class IntegerType;
class LLVMContext;
class Type;
}  // namespace llvm

namespace hlocc::backends {

llvm::Type* register_type(llvm::LLVMContext& context, kernel::Type type, int pointer_bits);
llvm::Type* memory_type(llvm::LLVMContext& context, kernel::Type type, int pointer_bits);
// Bits that an element has in a register: 1 for pred, the pointer's for index.
int register_bits(kernel::Scalar scalar, int pointer_bits);
int memory_bytes(kernel::Scalar scalar, int pointer_bits);
// Values of this scalar are LLVM's float or double.
inline bool is_native_float(kernel::Scalar scalar) {
  return scalar == kernel::Scalar::kF32 || scalar == kernel::Scalar::kF64;
}

}  // namespace hlocc::backends
