// Four numbers of 32 bits that are clamped to bytes and stored: what quantised networks end each
// element with. MVE narrows with saturation and shifts on the way, VQSHRN and VQMOVN, so that
// neither bound takes an instruction or a register.
#pragma once
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

// The same four bytes as `stored`, which is min(max(x >> n, -128), 127) or max(min(x >> n, 127),
// -128) of four lanes of 32 bits, cut to bytes; null where it is nothing of the kind.
llvm::Value* saturated_bytes(llvm::IRBuilder<>& b, const Target& target, llvm::Value* stored);

}  // namespace hlocc::backends
