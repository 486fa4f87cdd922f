// What stands in 64 bits in front of a result of 32 where the upper words of products are all that
// it is made of: scaling by a fixed-point number, as quantised networks write it. Scalars need no
// help; LLVM multiplies vectors of 64 bits lane by lane on MVE, which has the upper word of 32-bit
// products as one instruction.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

// convert<s32>((s64(a) * s64(b) + c) >> n) for n of 32 and more, where c is a multiple of 2^32:
// VMULH, a sum and a shift in 32 bits. Null where `op`, a conversion, is nothing of the kind.
llvm::Value* emit_high_product(const ValueOp& op);

}  // namespace hlocc::backends
