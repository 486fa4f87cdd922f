// Widening dot products of 8 and 16 bit integers, in the form that each processor's instruction is
// made from.
#pragma once
#include "backends/llvm/value_ops.h"

namespace hlocc::backends {

llvm::Value* emit_dot_accumulate(const ValueOp& op);

}  // namespace hlocc::backends
