// See scatter_bytes.h.
#include "backends/llvm/idioms/scatter_bytes.h"

#include <vector>

#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {

void scatter_bytes(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Value* stored,
                   int64_t stride) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(stored->getType())->getNumElements();
  llvm::Type* wide = stored->getType()->getWithNewType(b.getIntNTy(128 / lanes));
  std::vector<llvm::Constant*> offsets;
  for (unsigned lane = 0; lane < lanes; ++lane)
    offsets.push_back(llvm::ConstantInt::get(wide->getScalarType(), lane * stride));
  b.CreateIntrinsic(llvm::Intrinsic::arm_mve_vstr_scatter_offset, {pointer->getType(), wide, wide},
                    {pointer, llvm::ConstantVector::get(offsets), b.CreateZExt(stored, wide),
                     b.getInt32(8), b.getInt32(0)});
}

}  // namespace hlocc::backends
