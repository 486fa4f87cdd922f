// acc[i] += sum over j of a[i*k+j] * b[i*k+j]. The plain form extends, multiplies and adds up
// groups of k lanes; LLVM makes VMLAVA of it on MVE (one accumulator) and scalar code elsewhere.
// Where a processor has an instruction for a group that LLVM does not find by itself, a row of the
// table emits that instruction.
#include "backends/llvm/dot_idioms.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace hlocc::backends {
namespace {

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

// AArch64's dot product extension: four bytes into each of four lanes.
bool fits_neon(const Dot& dot) {
  return dot.op.target.has(Isa::kDotprod) && dot.lanes == 4 && dot.group == 4 &&
         (dot.both(Scalar::kS8) || dot.both(Scalar::kU8));
}

Value* neon(const Dot& dot) {
  const auto id = dot.left() == Scalar::kS8 ? llvm::Intrinsic::aarch64_neon_sdot
                                            : llvm::Intrinsic::aarch64_neon_udot;
  return dot.builder.CreateIntrinsic(id, {dot.acc()->getType(), dot.op.operand(1)->getType()},
                                     {dot.acc(), dot.op.operand(1), dot.op.operand(2)});
}

// x86's pairs of 16 bits. LLVM finds them in the plain form only after InstCombine, which we don't
// run.
bool fits_x86_pairs(const Dot& dot) {
  if (!dot.op.target.has(Isa::kSse2) || dot.group % 2 != 0) return false;
  for (Scalar scalar : {dot.left(), dot.right()})
    if (scalar != Scalar::kS16 && scalar != Scalar::kS8 && scalar != Scalar::kU8) return false;
  return dot.lanes == 4 || (dot.lanes == 8 && dot.op.target.vector_bits >= 256);
}

Value* x86_pairs(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  const auto id =
      dot.lanes == 8 ? llvm::Intrinsic::x86_avx2_pmadd_wd : llvm::Intrinsic::x86_sse2_pmadd_wd;
  Value *left = widen(dot, 1, b.getInt16Ty()), *right = widen(dot, 2, b.getInt16Ty());
  Value* sum = dot.acc();
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

// The DSP extension of Thumb: two products of 16 bits into one accumulator. Bytes are spread to
// halves first, the even ones and the odd ones.
bool fits_dsp(const Dot& dot) {
  if (dot.lanes != 1 || !dot.op.target.has(Isa::kDsp)) return false;
  const bool halves = dot.both(Scalar::kS16) && dot.group % 2 == 0;
  const auto is_byte = [](Scalar scalar) { return scalar == Scalar::kS8 || scalar == Scalar::kU8; };
  const bool bytes = is_byte(dot.left()) && is_byte(dot.right()) && dot.group % 4 == 0;
  // MVE does whole vectors of bytes at once.
  return halves || (bytes && !(dot.op.target.vector_bits > 0 && dot.group >= 16));
}

Value* word(const Dot& dot, int operand, int index, int per_word) {
  Value* part = dot.op.operand(operand);
  if (dot.group > per_word) part = every(dot, part, index * per_word, 1, per_word);
  return dot.builder.CreateBitCast(part, dot.builder.getInt32Ty());
}

Value* spread(const Dot& dot, int operand, Value* bytes, int rotation) {
  llvm::IRBuilder<>& b = dot.builder;
  const auto id = dot.op.types[operand].scalar == Scalar::kS8 ? llvm::Intrinsic::arm_sxtb16
                                                              : llvm::Intrinsic::arm_uxtb16;
  if (rotation != 0)
    bytes = b.CreateIntrinsic(llvm::Intrinsic::fshr, {b.getInt32Ty()},
                              {bytes, bytes, b.getInt32(rotation)});
  return b.CreateIntrinsic(id, {}, {bytes});
}

Value* dsp(const Dot& dot) {
  llvm::IRBuilder<>& b = dot.builder;
  const bool halves = dot.left() == Scalar::kS16;
  const int per_word = halves ? 2 : 4;
  Value* sum = dot.acc();
  const auto accumulate = [&](Value* x, Value* y) {
    sum = b.CreateIntrinsic(llvm::Intrinsic::arm_smlad, {}, {x, y, sum});
  };
  for (int index = 0; index < dot.group / per_word; ++index) {
    Value *x = word(dot, 1, index, per_word), *y = word(dot, 2, index, per_word);
    if (halves) {
      accumulate(x, y);
      continue;
    }
    for (int rotation : {0, 8})
      accumulate(spread(dot, 1, x, rotation), spread(dot, 2, y, rotation));
  }
  return sum;
}

struct Idiom {
  bool (*fits)(const Dot&);
  Value* (*emit)(const Dot&);
};
constexpr Idiom idioms[] = {{fits_neon, neon}, {fits_x86_pairs, x86_pairs}, {fits_dsp, dsp}};

}  // namespace

Value* emit_dot_accumulate(const ValueOp& op) {
  const Dot dot{op, op.type.lanes, op.types[1].lanes / op.type.lanes, op.builder};
  for (const Idiom& idiom : idioms)
    if (idiom.fits(dot)) return idiom.emit(dot);
  return plain(dot);
}

}  // namespace hlocc::backends
