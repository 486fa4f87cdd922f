// See high_product.h.
#include "backends/llvm/idioms/high_product.h"

#include "kernel/legalize/table.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {
namespace {

using llvm::Value;
using Id = llvm::Intrinsic::ID;

constexpr int kWord = 32;

// PMULDQ multiplies the lower halves of words of 64 bits; LLVM knows them by these two shifts, and
// keeps them beside the product.
Value* lower_halves(llvm::IRBuilder<>& b, Value* words) {
  return b.CreateAShr(b.CreateShl(words, kWord), kWord);
}

Value* by_even_and_odd(const ValueOp& op) {
  llvm::IRBuilder<>& b = op.builder;
  const int lanes = op.type.lanes;
  llvm::Type* const words = llvm::FixedVectorType::get(b.getInt64Ty(), lanes / 2);
  Value* const left = b.CreateBitCast(op.operand(0), words);
  Value* const right = b.CreateBitCast(op.operand(1), words);
  Value* const even = b.CreateMul(lower_halves(b, left), lower_halves(b, right));
  Value* const odd = b.CreateMul(lower_halves(b, b.CreateLShr(left, kWord)),
                                 lower_halves(b, b.CreateLShr(right, kWord)));
  llvm::SmallVector<int, 16> upper;
  for (int lane = 0; lane < lanes; lane += 2) {
    upper.push_back(lane + 1);
    upper.push_back(lanes + lane + 1);
  }
  return b.CreateShuffleVector(b.CreateBitCast(even, op.llvm_type()),
                               b.CreateBitCast(odd, op.llvm_type()), upper);
}

constexpr int kNeonLanes = 4;
constexpr int kFirst[] = {0, 1}, kLast[] = {2, 3}, kUpper[] = {1, 3, 5, 7};

// LLVM has no product of vectors of 64 bits there, and takes lane by lane what it does not see to
// be one of 32.
Value* by_halves(const ValueOp& op) {
  llvm::IRBuilder<>& b = op.builder;
  const auto widening = op.target.has(Isa::kAArch64) ? Id{llvm::Intrinsic::aarch64_neon_smull}
                                                     : Id{llvm::Intrinsic::arm_neon_vmulls};
  llvm::Type* const words = llvm::FixedVectorType::get(b.getInt64Ty(), kNeonLanes / 2);
  const auto product = [&](llvm::ArrayRef<int> lanes) {
    return b.CreateBitCast(b.CreateIntrinsic(widening, {words},
                                             {b.CreateShuffleVector(op.operand(0), lanes),
                                              b.CreateShuffleVector(op.operand(1), lanes)}),
                           op.llvm_type());
  };
  return b.CreateShuffleVector(product(kFirst), product(kLast), kUpper);
}

}  // namespace

Value* emit_high_product(const ValueOp& op) {
  if (!kernel::decide(op.op.kind, op.type, op.type, op.target).keep) return nullptr;
  if (op.target.has(Isa::kMve))
    return op.builder.CreateIntrinsic(llvm::Intrinsic::arm_mve_vmulh, {op.llvm_type()},
                                      {op.operand(0), op.operand(1), op.builder.getInt32(0)});
  return op.target.has_neon() ? by_halves(op) : by_even_and_odd(op);
}

Value* emit_doubled_high_product(const ValueOp& op) {
  if (!kernel::decide(op.op.kind, op.type, op.type, op.target).keep) return nullptr;
  return op.builder.CreateIntrinsic(op.target.has(Isa::kAArch64)
                                        ? Id{llvm::Intrinsic::aarch64_neon_sqdmulh}
                                        : Id{llvm::Intrinsic::arm_neon_vqdmulh},
                                    {op.llvm_type()}, {op.operand(0), op.operand(1)});
}

}  // namespace hlocc::backends
