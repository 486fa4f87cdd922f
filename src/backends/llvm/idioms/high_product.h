// The upper words of products of two vectors of 32 bits: what scaling by a fixed-point number comes
// to. LLVM widens both sides lane by lane where it does not see, from another block, that they
// were numbers of 32 bits.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

// Of a conversion to s32 of (s64(x) * s64(y)) >> 32: products of the even and of the odd lanes on
// x86 (PMULDQ), of the first and of the last two on NEON (SMULL, SMULL2, UZP2); null where it is
// nothing of the kind.
llvm::Value* emit_high_product(const ValueOp& op);

// Vectors of NEON whose lanes lie in the order of their bytes.
bool has_neon(const Target& target);

// The numbers of 32 bits whose high product a value is, as emit_high_product makes it on NEON.
struct HighProductSides {
  llvm::Value *left = nullptr, *right = nullptr;  // null: none
};
HighProductSides neon_high_product(llvm::Value* value);

}  // namespace hlocc::backends
