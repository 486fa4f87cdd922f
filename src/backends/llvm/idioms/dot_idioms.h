// Widening dot products of 8 and 16 bit integers, in the form that each processor's instruction is
// made from.
#pragma once
#include "backends/llvm/emit/value_ops.h"

namespace hlocc::backends {

llvm::Value* emit_dot_accumulate(const ValueOp& op);
// Of the tiles that legalisation keeps: AArch64's SMMLA and UMMLA.
llvm::Value* emit_matrix_accumulate(const ValueOp& op);

// Whether vectors of that type are held in words of 32 bits, of which the instructions that take
// pairs and fours of small numbers want one each: LLVM would take them apart.
bool is_held_in_words(const Target& target, kernel::Type type);
// The words of such a vector, the first lanes in the first one, and back.
std::vector<llvm::Value*> words_of(llvm::IRBuilder<>& builder, llvm::Value* vector);
llvm::Value* vector_of_words(llvm::IRBuilder<>& builder, const std::vector<llvm::Value*>& words,
                             llvm::Type* type);
// Bytes as numbers of 16 bits, both held in words; null for other conversions.
llvm::Value* emit_spread(const ValueOp& op);

}  // namespace hlocc::backends
