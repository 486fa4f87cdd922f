// See saturating_bytes.h. Bytes saturate through 16 bits: a shift that is cut in two rounds down
// twice, which is once, and what saturates in 16 bits does so in 8, shifted by up to 8.
#include "backends/llvm/idioms/saturating_bytes.h"

#include <algorithm>

#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/PatternMatch.h"

namespace hlocc::backends {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

constexpr int kMostFirst = 16, kMostSecond = 8;  // what VQSHRN shifts words and halves by

// x of both clamps, in either order; else null.
Value* clamped(Value* value) {
  Value* x = nullptr;
  const auto low = m_SpecificInt(llvm::APInt::getSignedMinValue(8).sext(32)),
             high = m_SpecificInt(llvm::APInt::getSignedMaxValue(8).sext(32));
  const bool matches = match(value, m_c_SMin(m_c_SMax(m_Value(x), low), high)) ||
                       match(value, m_c_SMax(m_c_SMin(m_Value(x), high), low));
  return matches ? x : nullptr;
}

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

}  // namespace

Value* saturated_bytes(llvm::IRBuilder<>& b, const Target& target, Value* stored) {
  llvm::Type* const words = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  Value* wide = nullptr;
  if (!target.has(Isa::kMve) || !match(stored, m_Trunc(m_Value(wide))) ||
      wide->getType() != words || stored->getType()->getScalarSizeInBits() != 8)
    return nullptr;
  Value* x = clamped(wide);
  if (x == nullptr) return nullptr;
  Value* unshifted = nullptr;
  const llvm::APInt* by = nullptr;
  int shift = 0;
  if (match(x, m_AShr(m_Value(unshifted), m_APInt(by))) && by->ule(kMostFirst + kMostSecond)) {
    shift = static_cast<int>(by->getZExtValue());
    x = unshifted;
  }
  const int first = std::min(shift, kMostFirst);
  Value* const halves = narrowed(b, x, first, llvm::FixedVectorType::get(b.getInt16Ty(), 8));
  Value* const bytes =
      narrowed(b, halves, shift - first, llvm::FixedVectorType::get(b.getInt8Ty(), 16));
  return b.CreateTrunc(b.CreateBitCast(bytes, words), stored->getType());
}

}  // namespace hlocc::backends
