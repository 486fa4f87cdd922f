// Clamps between zero and a number on RISC-V cores that have no minima and maxima: what quantised
// networks end each element with. LLVM makes each bound by itself, four instructions and a branch.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

// min(max(x, 0), c) or max(min(x, c), 0) of 32-bit scalars with sign, 0 < c < 2048: one branch
// where x lies between, else two instructions more for the sign and one for the bound. `op` is the
// outer one of the two; null where it is nothing of the kind.
llvm::Value* emit_clamp(const ValueOp& op);

}  // namespace hlocc::backends
