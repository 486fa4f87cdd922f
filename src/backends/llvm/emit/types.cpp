// The mapping of scalar types and lanes onto LLVM's types.
#include "backends/llvm/emit/types.h"

#include "llvm/IR/DerivedTypes.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

llvm::Type* with_lanes(llvm::Type* element, int lanes) {
  return lanes > 1 ? llvm::FixedVectorType::get(element, lanes) : element;
}

}  // namespace

int register_bits(Scalar scalar, int pointer_bits) {
  return scalar == Scalar::kIndex ? pointer_bits : kernel::scalar_bits(scalar);
}

int memory_bytes(Scalar scalar, int pointer_bits) {
  return scalar == Scalar::kIndex ? pointer_bits / 8 : kernel::scalar_bytes(scalar);
}

llvm::Type* register_type(llvm::LLVMContext& context, kernel::Type type, int pointer_bits) {
  llvm::Type* element = nullptr;
  if (type.scalar == Scalar::kF32)
    element = llvm::Type::getFloatTy(context);
  else if (type.scalar == Scalar::kF64)
    element = llvm::Type::getDoubleTy(context);
  else
    element = llvm::Type::getIntNTy(context, register_bits(type.scalar, pointer_bits));
  return with_lanes(element, type.lanes);
}

llvm::Type* memory_type(llvm::LLVMContext& context, kernel::Type type, int pointer_bits) {
  if (is_native_float(type.scalar)) return register_type(context, type, pointer_bits);
  return with_lanes(llvm::Type::getIntNTy(context, 8 * memory_bytes(type.scalar, pointer_bits)),
                    type.lanes);
}

}  // namespace hlocc::backends
