// The upper words of products of two vectors of 32 bits: what scaling by a fixed-point number comes
// to. LLVM widens both sides lane by lane where it does not see, from another block, that they
// were numbers of 32 bits.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

// Of a conversion to s32 of (s64(x) * s64(y)) >> 32, for x86: products of the even and of the odd
// lanes, PMULDQ; null where it is nothing of the kind.
llvm::Value* emit_high_product(const ValueOp& op);

}  // namespace hlocc::backends
