// The emitters of all micro-kernels, in one table.
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

std::span<const MicroKernelEmitter> micro_kernel_emitters() {
  static const std::vector<MicroKernelEmitter> table = [] {
    std::vector<MicroKernelEmitter> all = {kOuterProduct, kInnerProduct, kMatrixTiles};
    all.insert(all.end(), unit_emitters().begin(), unit_emitters().end());
    return all;
  }();
  return table;
}

const MicroKernelEmitter* MicroKernelSet::emitter(std::string_view name) const {
  for (const MicroKernelEmitter& row : emitters)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace hlocc::lowering
