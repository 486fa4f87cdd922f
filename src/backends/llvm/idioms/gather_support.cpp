// One question to LLVM's cost tables, in a file of its own because their header is large.
#include "backends/llvm/idioms/gather_support.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace hlocc::backends {

bool has_gather(llvm::TargetMachine& machine, llvm::Function& function, llvm::Type* vector,
                int alignment) {
  const llvm::TargetTransformInfo info = machine.getTargetTransformInfo(function);
  const llvm::Align align(alignment);
  return info.isLegalMaskedGather(vector, align) &&
         !info.forceScalarizeMaskedGather(llvm::cast<llvm::VectorType>(vector), align);
}

}  // namespace hlocc::backends
