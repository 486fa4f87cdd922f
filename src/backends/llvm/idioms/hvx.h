// Hexagon's vectors of 128 bytes (HVX). LLVM serves fewer lanes as the first ones of a register,
// once it is told to; loads of such few would read a whole register all the same, beyond what a
// caller's buffer has.
#pragma once
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

// Options of LLVM's that nothing but its command line reaches: vectors of fewer lanes are not taken
// apart, and registers are saved in line, where LLVM would call functions of compiler-rt at -Os.
// Once, before code is generated for Hexagon.
void set_hexagon_options();

// Whether the memory type is fewer bytes than a register of HVX has, and too many for others.
bool is_part_of_register(const Target& target, llvm::Type* memory);
// Such a vector from the aligned blocks that it lies in, which no page ends within. `alignment`:
// what is known of the pointer, in bytes.
llvm::Value* load_part(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Type* memory,
                       int64_t alignment);

// Lanes of two vectors by turns, in groups of one or two bytes or halves, by one instruction; null
// where the shuffle is another or the vectors are not the first ones of a register.
llvm::Value* interleave(llvm::IRBuilder<>& b, llvm::Value* left, llvm::Value* right,
                        llvm::ArrayRef<int> lanes);

// Sums of 32 bits, and in each of their lanes four products of bytes more. Up to 32 lanes, of which
// fewer are the first ones of a register.
struct FourBytes {
  llvm::Value* words;  // four bytes a lane
  bool is_signed;
};
llvm::Value* add_fours(llvm::IRBuilder<>& b, llvm::Value* sums, FourBytes left, FourBytes right);

}  // namespace hlocc::backends
