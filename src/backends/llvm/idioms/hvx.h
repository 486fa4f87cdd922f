// Hexagon's vectors of 128 bytes (HVX). LLVM serves fewer lanes as the first ones of a register,
// once it is told to; loads of such few would read a whole register all the same, beyond what a
// caller's buffer has.
#pragma once
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

inline constexpr int kHvxBytes = 128;

// LLVM takes vectors of fewer lanes apart by itself. Once, before code is generated for Hexagon.
void serve_few_lanes();

// Whether the memory type is fewer bytes than a register of HVX has, and too many for others.
bool is_part_of_register(const Target& target, llvm::Type* memory);
// Such a vector from the aligned blocks that it lies in, which no page ends within. `alignment`:
// what is known of the pointer, in bytes.
llvm::Value* load_part(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Type* memory,
                       int64_t alignment);

// A vector of 32-bit lanes as the first ones of a register, and the other way round.
llvm::Value* as_register(llvm::IRBuilder<>& b, llvm::Value* vector);
llvm::Value* first_lanes(llvm::IRBuilder<>& b, llvm::Value* vector, unsigned lanes);

}  // namespace hlocc::backends
