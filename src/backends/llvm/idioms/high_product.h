// mulhi of s32: the upper words of products of two vectors, which scaling by a fixed-point number
// comes to. Left to itself LLVM widens both sides lane by lane where it does not see, from another
// block, that they were numbers of 32 bits.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

// VMULH of MVE; products of the first and of the last two lanes on NEON (SMULL, SMULL2, UZP2), of
// the even and of the odd ones on x86 (PMULDQ). Null where legalisation keeps none.
llvm::Value* emit_high_product(const ValueOp& op);

// mulhi_doubled: SQDMULH of NEON. Null elsewhere.
llvm::Value* emit_doubled_high_product(const ValueOp& op);

}  // namespace hlocc::backends
