// See scatter_bytes.h.
#include "backends/llvm/idioms/scatter_bytes.h"

#include <vector>

#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {

bool scatters_bytes(const Target& target, const kernel::Access& access, kernel::Type type) {
  const bool bytes = kernel::is_byte(type.scalar);
  constexpr int64_t kFarthest = 0xffff;
  return target.has(Isa::kMve) && bytes && (type.lanes == 4 || type.lanes == 8) &&
         access.mask == kernel::kNone && access.lane_indices == kernel::kNone &&
         access.lane_stride > 1 && access.lane_stride * (type.lanes - 1) <= kFarthest;
}

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
