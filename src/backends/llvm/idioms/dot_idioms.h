// Widening dot products of 8 and 16 bit integers, in the form that each processor's instruction is
// made from.
#pragma once
#include "backends/llvm/emit/value_ops.h"
#include "kernel/legalize/packed_words.h"

namespace hlocc::backends {

llvm::Value* emit_dot_accumulate(const ValueOp& op);
// Of the tiles that legalisation keeps: AArch64's SMMLA and UMMLA.
llvm::Value* emit_matrix_accumulate(const ValueOp& op);

// The words of a vector that is held in words (kernel/legalize/packed_words.h), the first lanes in
// the first one, and back: LLVM would take it apart.
std::vector<llvm::Value*> words_of(llvm::IRBuilder<>& builder, llvm::Value* vector);
llvm::Value* vector_of_words(llvm::IRBuilder<>& builder, const std::vector<llvm::Value*>& words,
                             llvm::Type* type);
// Bytes as numbers of 16 bits, both held in words; null for other conversions.
llvm::Value* emit_spread(const ValueOp& op);
llvm::Value* emit_spread_bytes(const ValueOp& op);

}  // namespace hlocc::backends
