// See saturating_bytes.h. Bytes saturate through 16 bits: a shift that is cut in two rounds down
// twice, which is once, and what saturates in 16 bits does so in 8, shifted by up to 8.
#include "backends/llvm/idioms/saturating_bytes.h"

#include <algorithm>

#include "kernel/legalize/table.h"
#include "kernel/op_types.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {
namespace {

using llvm::Value;
using Id = llvm::Intrinsic::ID;

// What VQSHRN, and SQSHRN, shift words by; halves are shifted by the rest.
constexpr int kMostFirst = 16;
static_assert(kernel::kMostSaturatedShift == kMostFirst + 8);

struct Shifted {
  Value* x = nullptr;
  int shift = 0;
};

// --- MVE ---
// The lower halves of what `x` is shifted to, with saturation; upper halves are whatever they were.
Value* narrowed(llvm::IRBuilder<>& b, Value* x, int shift, llvm::Type* halves) {
  Value* const whatever = llvm::PoisonValue::get(halves);
  const auto flag = [&](int value) { return b.getInt32(value); };
  // Of signed numbers, to signed ones, to the lower halves.
  if (shift == 0)
    return b.CreateIntrinsic(llvm::Intrinsic::arm_mve_vqmovn, {halves, x->getType()},
                             {whatever, x, flag(0), flag(0), flag(0)});
  return b.CreateIntrinsic(llvm::Intrinsic::arm_mve_vshrn, {halves, x->getType()},
                           {whatever, x, flag(shift), flag(/*saturate=*/1), flag(/*round=*/0),
                            flag(0), flag(0), flag(0)});
}

Value* mve_bytes(llvm::IRBuilder<>& b, const Shifted& from, llvm::Type* type) {
  const int first = std::min(from.shift, kMostFirst);
  Value* const halves = narrowed(b, from.x, first, llvm::FixedVectorType::get(b.getInt16Ty(), 8));
  Value* const bytes =
      narrowed(b, halves, from.shift - first, llvm::FixedVectorType::get(b.getInt8Ty(), 16));
  return b.CreateTrunc(b.CreateBitCast(bytes, from.x->getType()), type);
}

// --- NEON ---
// As many lanes of half their size.
Value* narrowed_neon(llvm::IRBuilder<>& b, const Target& target, Value* x, int shift) {
  llvm::Type* const half =
      llvm::VectorType::getTruncatedElementVectorType(llvm::cast<llvm::VectorType>(x->getType()));
  const bool is_aarch64 = target.has(Isa::kAArch64);
  if (shift == 0)
    return b.CreateIntrinsic(is_aarch64 ? Id{llvm::Intrinsic::aarch64_neon_sqxtn}
                                        : Id{llvm::Intrinsic::arm_neon_vqmovns},
                             {half}, {x});
  if (is_aarch64)
    return b.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_sqshrn, {half},
                             {x, b.getInt32(static_cast<uint32_t>(shift))});
  Value* const by = llvm::ConstantInt::getSigned(x->getType(), -shift);
  return b.CreateIntrinsic(llvm::Intrinsic::arm_neon_vqshiftns, {half}, {x, by});
}

Value* neon_bytes(llvm::IRBuilder<>& b, const Target& target, const Shifted& from,
                  llvm::Type* type) {
  const int first = std::min(from.shift, kMostFirst);
  Value* const halves = narrowed_neon(b, target, from.x, first);
  constexpr int kWhole[] = {0, 1, 2, 3, -1, -1, -1, -1};
  Value* const bytes =
      narrowed_neon(b, target, b.CreateShuffleVector(halves, kWhole), from.shift - first);
  Value* const words = b.CreateBitCast(bytes, llvm::FixedVectorType::get(b.getInt32Ty(), 2));
  return b.CreateBitCast(b.CreateExtractElement(words, b.getInt32(0)), type);
}

}  // namespace

Value* emit_saturate(const ValueOp& op) {
  if (!kernel::decide(op.op.kind, op.type, op.type, op.target).keep) return nullptr;
  const Shifted from{op.operand(0), std::get<kernel::RoundedShift>(op.op.payload).shift};
  if (op.target.has(Isa::kMve)) return mve_bytes(op.builder, from, op.llvm_type());
  return neon_bytes(op.builder, op.target, from, op.llvm_type());
}

}  // namespace hlocc::backends
