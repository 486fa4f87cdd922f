// Ops on the lanes of vectors: splats, shuffles, reductions.
#include "backends/llvm/emit/value_ops.h"
#include "backends/llvm/idioms/dot_idioms.h"
#include "backends/llvm/idioms/hvx.h"
#include "kernel/legalize/packed_words.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Intrinsics.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using llvm::Value;

Value* fold(const ValueOp& op, Value* a, Value* b) {
  llvm::IRBuilder<>& builder = op.builder;
  const bool is_float = op.is_native_float();
  switch (op.op.kind) {
    case OpKind::kReduceAdd: return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case OpKind::kReduceMul: return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case OpKind::kReduceMin: return emit_minimum(builder, op.scalar(), a, b);
    case OpKind::kReduceMax: return emit_maximum(builder, op.scalar(), a, b);
    case OpKind::kReduceAnd: return builder.CreateAnd(a, b);
    default: return builder.CreateOr(a, b);
  }
}

// Lanes first, first + 1, ... of the vector.
Value* lanes_of(llvm::IRBuilder<>& builder, Value* vector, int first, int count) {
  llvm::SmallVector<int, 16> lanes;
  for (int i = 0; i < count; ++i) lanes.push_back(first + i);
  return builder.CreateShuffleVector(vector, lanes);
}

// LLVM 19 makes VPDPBUSD of a sum of products of bytes, and adds up its lanes only as far as the
// last shuffle is wide: what is halved by shuffles of ever fewer lanes loses all but four products.
// Its own form of the sum is taken as what it is.
bool misread_by_llvm(const ValueOp& op) {
  const bool has_fours = op.target.has(Isa::kAvxVnni) || op.target.has(Isa::kAvx512Vnni);
  return has_fours && op.op.kind == OpKind::kReduceAdd && op.types[0].lanes > 4 &&
         op.operand(0)->getType()->getScalarType()->isIntegerTy(32);
}

}  // namespace

Value* emit_splat(const ValueOp& op) {
  // insertelement and shufflevector: the one form that every target takes for a broadcast.
  return op.type.is_vector() ? op.builder.CreateVectorSplat(op.type.lanes, op.operand(0))
                             : op.operand(0);
}

Value* emit_lane_index(const ValueOp& op) {
  llvm::SmallVector<llvm::Constant*, 16> lanes;
  for (int i = 0; i < op.type.lanes; ++i)
    lanes.push_back(llvm::ConstantInt::get(op.llvm_type(op.type.scalar_type()), i));
  return op.type.is_vector() ? llvm::ConstantVector::get(lanes) : lanes[0];
}

Value* emit_extract(const ValueOp& op) {
  return op.builder.CreateExtractElement(
      op.operand(0), op.builder.getInt32(std::get<kernel::Lane>(op.op.payload).index));
}

Value* emit_insert(const ValueOp& op) {
  Value* lane = op.builder.getInt32(std::get<kernel::Lane>(op.op.payload).index);
  return op.builder.CreateInsertElement(op.operand(0), op.operand(1), lane);
}

Value* emit_shuffle(const ValueOp& op) {
  const std::vector<int>& lanes = std::get<kernel::Shuffle>(op.op.payload).lanes;
  Value *a = op.operand(0), *b = op.operand(1);
  if (!op.types[0].is_vector()) {
    // LLVM shuffles vectors only.
    a = op.builder.CreateVectorSplat(1, a);
    b = op.builder.CreateVectorSplat(1, b);
  }
  if (op.target.has(Isa::kHvx))
    if (Value* interleaved = interleave(op.builder, a, b, lanes)) return interleaved;
  const int word = kernel::is_held_in_words(op.target, op.types[0])
                       ? kernel::picked_word(op.types[0], lanes)
                       : -1;
  if (word >= 0) {
    Value* taken = words_of(op.builder, a)[static_cast<size_t>(word)];
    return vector_of_words(op.builder, {taken}, op.llvm_type());
  }
  Value* shuffled = op.builder.CreateShuffleVector(a, b, lanes);
  return op.type.is_vector() ? shuffled : op.builder.CreateExtractElement(shuffled, uint64_t{0});
}

// Upper half onto lower half until one lane is left: the order that ops.def gives for sums of
// floats. Of an odd number of lanes the middle one waits for the next round.
Value* emit_reduce(const ValueOp& op) {
  if (!op.types[0].is_vector()) return op.operand(0);
  Value* vector = op.operand(0);
  if (misread_by_llvm(op)) return op.builder.CreateAddReduce(vector);
  int lanes = op.types[0].lanes;
  for (; lanes % 2 == 0; lanes /= 2)
    vector = fold(op, lanes_of(op.builder, vector, 0, lanes / 2),
                  lanes_of(op.builder, vector, lanes / 2, lanes / 2));
  std::vector<Value*> rest;
  for (int i = 0; i < lanes; ++i) rest.push_back(op.builder.CreateExtractElement(vector, i));
  while (rest.size() > 1) {
    const size_t half = (rest.size() + 1) / 2;
    for (size_t i = 0; i + half < rest.size(); ++i) rest[i] = fold(op, rest[i], rest[i + half]);
    rest.resize(half);
  }
  return rest[0];
}

}  // namespace hlocc::backends
