// The emitters of all micro-kernels, in one table.
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

std::span<const MicroKernelEmitter* const> micro_kernel_emitters() {
  static constexpr const MicroKernelEmitter* kTable[] = {
#define HLOCC_MICRO_KERNEL(Name, text) &k##Name,
#include "kernel/micro_kernels.def"
  };
  return kTable;
}

}  // namespace hlocc::lowering
