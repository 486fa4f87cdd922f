// saturate of the kernel IR: four numbers of 32 bits that become bytes. MVE and NEON narrow with
// saturation and shift on the way, VQSHRN and VQMOVN, so that neither bound takes an instruction or
// a register.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

llvm::Value* emit_saturate(const ValueOp& op);

}  // namespace hlocc::backends
