// Bytes that are stored apart in steps of one size: an instruction of MVE. LLVM does not find it in
// single stores, and its scatters are those of pointers.
#pragma once
#include "kernel/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

// Whether a store is one: lanes of 16 or 32 bits with offsets as wide, and no mask.
bool scatters_bytes(const Target& target, const kernel::Access& access, kernel::Type type);
// Lane number n goes to pointer + n * stride.
void scatter_bytes(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Value* stored, int64_t stride);

}  // namespace hlocc::backends
