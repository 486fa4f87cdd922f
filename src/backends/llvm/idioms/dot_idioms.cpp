// acc[i] += sum over j of a[i*k+j] * b[i*k+j], by the instruction that legalisation kept it for: an
// emitter for each row of kernel/legalize/dot_instructions.def. The plain form extends, multiplies
// and adds up groups of k lanes: what did not go through legalisation has it.
#include "backends/llvm/idioms/dot_idioms.h"

#include <algorithm>

#include "backends/llvm/idioms/hvx.h"
#include "backends/llvm/idioms/tile_order.h"
#include "kernel/legalize/dot_instructions.h"
#include "kernel/legalize/packed_words.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace hlocc::backends {
namespace {

using kernel::DotInstruction;
using kernel::is_byte;
using kernel::Scalar;
using llvm::Value;

struct Dot {
  const ValueOp& op;
  int lanes;  // accumulators
  int group;  // products a lane
  llvm::IRBuilder<>& builder;

  Value* acc() const { return op.operand(0); }
  Scalar left() const { return op.types[1].scalar; }
  Scalar right() const { return op.types[2].scalar; }
  bool both(Scalar scalar) const { return left() == scalar && right() == scalar; }
};

// An operand in products of 32 bits, or as `scalar`.
Value* widen(const Dot& dot, int operand, llvm::Type* element) {
  llvm::Type* wide = dot.op.operand(operand)->getType()->getWithNewType(element);
  return kernel::is_signed(dot.op.types[operand].scalar)
             ? dot.builder.CreateSExt(dot.op.operand(operand), wide)
             : dot.builder.CreateZExt(dot.op.operand(operand), wide);
}

// Lanes first, first + stride, ...
Value* every(const Dot& dot, Value* vector, int first, int stride, int count) {
  llvm::SmallVector<int, 64> lanes;
  for (int i = 0; i < count; ++i) lanes.push_back(first + i * stride);
  return dot.builder.CreateShuffleVector(vector, lanes);
}

Value* plain(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  llvm::Type* i32 = b.getInt32Ty();
  Value* products = b.CreateMul(widen(dot, 1, i32), widen(dot, 2, i32));
  if (dot.lanes == 1) {
    if (!products->getType()->isVectorTy()) return b.CreateAdd(dot.acc(), products);
    return b.CreateAdd(dot.acc(), b.CreateAddReduce(products));
  }
  Value* sum = dot.acc();
  for (int j = 0; j < dot.group; ++j)
    sum = b.CreateAdd(sum, every(dot, products, j, dot.group, dot.lanes));
  return sum;
}

// Of a unit that all lanes have in common: its bits as one number in each lane, which is one load.
// Else null.
Value* unit_in_lanes(const Dot& dot, int operand) {
  auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(dot.op.operand(operand));
  if (shuffle == nullptr) return nullptr;
  Value* unit = shuffle->getOperand(0);
  auto* type = llvm::cast<llvm::FixedVectorType>(unit->getType());
  const int group = static_cast<int>(type->getNumElements());
  if (group != dot.group) return nullptr;
  for (int lane = 0; lane < static_cast<int>(shuffle->getShuffleMask().size()); ++lane)
    if (shuffle->getMaskValue(lane) != lane % group) return nullptr;
  return dot.builder.CreateVectorSplat(dot.lanes,
                                       dot.builder.CreateBitCast(unit, dot.builder.getInt32Ty()));
}

// The operand as one number of 32 bits a lane.
Value* lane_words(const Dot& dot, int operand) {
  if (Value* unit = unit_in_lanes(dot, operand)) return unit;
  return dot.builder.CreateBitCast(dot.op.operand(operand), dot.acc()->getType());
}

// The operand as it is, but for a unit that all lanes have in common.
Value* lanes_of_units(const Dot& dot, int operand) {
  Value* unit = unit_in_lanes(dot, operand);
  Value* given = dot.op.operand(operand);
  return unit == nullptr ? given : dot.builder.CreateBitCast(unit, given->getType());
}

Value* x86_fours(const Dot& dot) {
  const auto id = dot.lanes == 16  ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                  : dot.lanes == 8 ? llvm::Intrinsic::x86_avx512_vpdpbusd_256
                                   : llvm::Intrinsic::x86_avx512_vpdpbusd_128;
  return dot.builder.CreateIntrinsic(id, {}, {dot.acc(), lane_words(dot, 1), lane_words(dot, 2)});
}

Value* neon_fours(const Dot& dot) {
  const auto id = dot.left() == Scalar::kS8 ? llvm::Intrinsic::aarch64_neon_sdot
                                            : llvm::Intrinsic::aarch64_neon_udot;
  return dot.builder.CreateIntrinsic(id, {dot.acc()->getType(), dot.op.operand(1)->getType()},
                                     {dot.acc(), lanes_of_units(dot, 1), lanes_of_units(dot, 2)});
}

// LLVM finds them in products of 32 bits only after InstCombine, which we don't run.
Value* x86_pairs(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  const auto id =
      dot.lanes == 8 ? llvm::Intrinsic::x86_avx2_pmadd_wd : llvm::Intrinsic::x86_sse2_pmadd_wd;
  Value* sum = dot.acc();
  if (dot.group == 2 && dot.both(Scalar::kS16))
    return b.CreateAdd(sum,
                       b.CreateIntrinsic(id, {}, {lanes_of_units(dot, 1), lanes_of_units(dot, 2)}));
  Value *left = widen(dot, 1, b.getInt16Ty()), *right = widen(dot, 2, b.getInt16Ty());
  for (int pair = 0; pair < dot.group; pair += 2) {
    const auto pairs_of = [&](Value* vector) {
      llvm::SmallVector<int, 32> lanes;
      for (int i = 0; i < dot.lanes; ++i)
        for (int j : {0, 1}) lanes.push_back(i * dot.group + pair + j);
      return dot.builder.CreateShuffleVector(vector, lanes);
    };
    sum = b.CreateAdd(sum, b.CreateIntrinsic(id, {}, {pairs_of(left), pairs_of(right)}));
  }
  return sum;
}

// A word with its even bytes, or its odd ones, spread to halves.
Value* spread(llvm::IRBuilder<>& b, Scalar scalar, Value* bytes, int rotation) {
  const auto id = scalar == Scalar::kS8 ? llvm::Intrinsic::arm_sxtb16 : llvm::Intrinsic::arm_uxtb16;
  if (rotation != 0)
    bytes = b.CreateIntrinsic(llvm::Intrinsic::fshr, {b.getInt32Ty()},
                              {bytes, bytes, b.getInt32(rotation)});
  return b.CreateIntrinsic(id, {}, {bytes});
}

Value* dsp_pairs(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  Value* sum = dot.acc();
  const auto accumulate = [&](Value* x, Value* y) {
    // What a tile's sums begin with is often the same number, which has its own place.
    const bool has_place = llvm::isa<llvm::PHINode>(sum) || llvm::isa<llvm::CallInst>(sum);
    if (has_place && ties_registers(*b.GetInsertBlock()->getParent())) {
      sum = tied_product(b, x, y, sum);
      return;
    }
    sum = b.CreateIntrinsic(llvm::Intrinsic::arm_smlad, {}, {x, y, sum});
  };
  const std::vector<Value*> left = words_of(b, dot.op.operand(1)),
                            right = words_of(b, dot.op.operand(2));
  for (size_t index = 0; index < left.size(); ++index) {
    if (dot.left() == Scalar::kS16) {
      accumulate(left[index], right[index]);
      continue;
    }
    for (int rotation : {0, 8})
      accumulate(spread(b, dot.left(), left[index], rotation),
                 spread(b, dot.right(), right[index], rotation));
  }
  return sum;
}

// LLVM finds them in products of 32 bits only where the extensions stand beside the sum.
Value* mve_vectors(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  Value* is_unsigned = b.getInt32(!kernel::is_signed(dot.left()));
  Value* no = b.getInt32(0);
  return b.CreateIntrinsic(llvm::Intrinsic::arm_mve_vmldava, {dot.op.operand(1)->getType()},
                           {is_unsigned, no, no, dot.acc(), dot.op.operand(1), dot.op.operand(2)});
}

Value* neon_neighbours(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  llvm::Type *sums = dot.acc()->getType(), *halves = dot.op.operand(1)->getType();
  if (dot.op.target.has(Isa::kNeon))
    return b.CreateIntrinsic(llvm::Intrinsic::arm_neon_vpadals, {sums, halves},
                             {dot.acc(), dot.op.operand(1)});
  return b.CreateAdd(dot.acc(), b.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_saddlp,
                                                  {sums, halves}, {dot.op.operand(1)}));
}

Value* hvx_fours(const Dot& dot) {
  return add_fours(dot.builder, dot.acc(), {lane_words(dot, 1), dot.left() == Scalar::kS8},
                   {lane_words(dot, 2), dot.right() == Scalar::kS8});
}

struct Idiom {
  DotInstruction instruction;
  Value* (*emit)(const Dot&);
};
constexpr Idiom idioms[] = {{DotInstruction::kNeonFours, neon_fours},
                            {DotInstruction::kX86Fours, x86_fours},
                            {DotInstruction::kX86Pairs, x86_pairs},
                            {DotInstruction::kMveVectors, mve_vectors},
                            {DotInstruction::kHvxFours, hvx_fours},
                            {DotInstruction::kDspPairs, dsp_pairs},
                            {DotInstruction::kNeonNeighbours, neon_neighbours}};
#define HLOCC_DOT_INSTRUCTION(Name)                                              \
  static_assert(idioms[static_cast<int>(DotInstruction::k##Name)].instruction == \
                DotInstruction::k##Name);
#include "kernel/legalize/dot_instructions.def"

// All lanes of the value are the number one.
bool is_ones(Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const auto* one = constant == nullptr ? nullptr : constant->getSplatValue();
  return one != nullptr && one->isOneValue();
}

}  // namespace

std::vector<Value*> words_of(llvm::IRBuilder<>& b, Value* vector) {
  const unsigned count = vector->getType()->getPrimitiveSizeInBits().getFixedValue() / 32;
  std::vector<Value*> words(count);
  const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(vector);
  Value* from = cast == nullptr ? nullptr : cast->getOperand(0);
  if (count == 1)
    return {from != nullptr && from->getType()->isIntegerTy()
                ? from
                : b.CreateBitCast(vector, b.getInt32Ty())};
  // As vector_of_words makes them.
  while (auto* insert = llvm::dyn_cast_or_null<llvm::InsertElementInst>(from)) {
    const auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (at == nullptr || !insert->getOperand(1)->getType()->isIntegerTy(32)) break;
    Value*& word = words[at->getZExtValue()];
    if (word == nullptr) word = insert->getOperand(1);
    from = insert->getOperand(0);
  }
  if (std::ranges::find(words, nullptr) == words.end()) return words;
  Value* all = b.CreateBitCast(vector, llvm::FixedVectorType::get(b.getInt32Ty(), count));
  for (unsigned n = 0; n < count; ++n) words[n] = b.CreateExtractElement(all, n);
  return words;
}

Value* vector_of_words(llvm::IRBuilder<>& b, const std::vector<Value*>& words, llvm::Type* type) {
  if (words.size() == 1) return b.CreateBitCast(words[0], type);
  Value* all = llvm::PoisonValue::get(
      llvm::FixedVectorType::get(b.getInt32Ty(), static_cast<unsigned>(words.size())));
  for (size_t n = 0; n < words.size(); ++n) all = b.CreateInsertElement(all, words[n], n);
  return b.CreateBitCast(all, type);
}

Value* emit_spread(const ValueOp& op) {
  const Scalar from = op.types[0].scalar;
  if (!is_byte(from) || kernel::scalar_bits(op.type.scalar) != 16 ||
      !kernel::is_integer(op.type.scalar) || !kernel::is_held_in_words(op.target, op.types[0]))
    return nullptr;
  llvm::IRBuilder<>& b = op.builder;
  std::vector<Value*> halves;
  for (Value* word : words_of(b, op.operand(0))) {
    Value *even = spread(b, from, word, 0), *odd = spread(b, from, word, 8);
    halves.push_back(b.CreateOr(b.CreateAnd(even, b.getInt32(0xffff)), b.CreateShl(odd, 16)));
    halves.push_back(b.CreateOr(b.CreateAnd(odd, b.getInt32(0xffff0000)), b.CreateLShr(even, 16)));
  }
  return vector_of_words(b, halves, op.llvm_type());
}

Value* emit_spread_bytes(const ValueOp& op) {
  if (!kernel::has_packed_words(op.target)) return nullptr;
  llvm::IRBuilder<>& b = op.builder;
  const Scalar from = op.types[0].scalar;
  Value* word = words_of(b, op.operand(0))[std::get<kernel::Lane>(op.op.payload).index];
  return vector_of_words(b, {spread(b, from, word, 0), spread(b, from, word, 8)}, op.llvm_type());
}

Value* emit_matrix_accumulate(const ValueOp& op) {
  const bool is_signed = kernel::is_signed(op.types[1].scalar);
  return op.builder.CreateIntrinsic(
      is_signed ? llvm::Intrinsic::aarch64_neon_smmla : llvm::Intrinsic::aarch64_neon_ummla,
      {op.llvm_type(), op.operand(1)->getType()}, {op.operand(0), op.operand(1), op.operand(2)});
}

Value* emit_dot_accumulate(const ValueOp& op) {
  const kernel::DotForm form{op.type, op.types[1], op.types[2], is_ones(op.operand(2))};
  const DotInstruction instruction = kernel::dot_instruction(form, op.target);
  const Dot dot{op, form.lanes(), form.group(), op.builder};
  return instruction == DotInstruction::kNone ? plain(dot)
                                              : idioms[static_cast<size_t>(instruction)].emit(dot);
}

}  // namespace hlocc::backends
