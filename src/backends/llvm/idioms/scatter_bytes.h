// Bytes that are stored apart in steps of one size, by the instruction of MVE that
// kernel/legalize/byte_stores.h has a row for. LLVM does not find it in single stores, and its
// scatters are those of pointers.
#pragma once
#include "llvm/IR/IRBuilder.h"

namespace hlocc::backends {

// Lane number n goes to pointer + n * stride; lanes and offsets have 16 or 32 bits.
void scatter_bytes(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Value* stored, int64_t stride);

}  // namespace hlocc::backends
