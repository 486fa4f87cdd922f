// See high_products.h.
#include "backends/llvm/idioms/high_products.h"

#include <vector>

#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/PatternMatch.h"

namespace hlocc::backends {
namespace {

// The same numbers in 32 bits, as far as all are known; else null.
llvm::Constant* narrow_constant(llvm::Constant* wide, unsigned count) {
  std::vector<llvm::Constant*> lanes;
  llvm::Type* word = llvm::Type::getInt32Ty(wide->getContext());
  for (unsigned lane = 0; lane < count; ++lane) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(wide->getAggregateElement(lane));
    if (number == nullptr || !number->getValue().isSignedIntN(32)) return nullptr;
    lanes.push_back(llvm::ConstantInt::get(word, number->getValue().trunc(32)));
  }
  return llvm::ConstantVector::get(lanes);
}

// The vector of 32 bits behind an extension with sign, or of constants; else null.
llvm::Value* narrow_lanes(llvm::Value* value) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return narrow_constant(constant, 4);
  llvm::Value* narrow = nullptr;
  if (!llvm::PatternMatch::match(value,
                                 llvm::PatternMatch::m_SExt(llvm::PatternMatch::m_Value(narrow))))
    return nullptr;
  return narrow->getType()->getScalarSizeInBits() == 32 ? narrow : nullptr;
}

}  // namespace

llvm::Value* emit_high_product(const ValueOp& op) {
  using namespace llvm::PatternMatch;
  if (!op.target.has(Isa::kMve) || op.type.scalar != kernel::Scalar::kS32 || op.type.lanes != 4 ||
      op.scalar() != kernel::Scalar::kS64)
    return nullptr;
  llvm::Value *sum = nullptr, *left = nullptr, *right = nullptr;
  const llvm::APInt *shift = nullptr, *rounding = nullptr;
  if (!match(op.operand(0), m_AShr(m_Value(sum), m_APInt(shift))) || shift->ult(32) ||
      shift->uge(64))
    return nullptr;
  llvm::Value* product = sum;
  const bool rounds = match(sum, m_Add(m_Value(product), m_APInt(rounding)));
  // Upper words of products lie within 2^30: so much may be added to them.
  if (rounds && (rounding->countr_zero() < 32 || !rounding->isSignedIntN(62))) return nullptr;
  if (!match(product, m_Mul(m_Value(left), m_Value(right)))) return nullptr;
  left = narrow_lanes(left);
  right = narrow_lanes(right);
  if (left == nullptr || right == nullptr) return nullptr;
  llvm::IRBuilder<>& b = op.builder;
  llvm::Type* type = op.llvm_type();
  llvm::Value* high =
      b.CreateIntrinsic(llvm::Intrinsic::arm_mve_vmulh, {type}, {left, right, b.getInt32(0)});
  if (rounds) high = b.CreateAdd(high, llvm::ConstantInt::get(type, rounding->ashr(32).trunc(32)));
  return b.CreateAShr(high, llvm::ConstantInt::get(type, shift->getZExtValue() - 32));
}

}  // namespace hlocc::backends
