// See high_product.h.
#include "backends/llvm/idioms/high_product.h"

#include <bit>
#include <optional>

#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsARM.h"
#include "llvm/IR/PatternMatch.h"

namespace hlocc::backends {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;
using NeonId = llvm::Intrinsic::ID;

constexpr int kWord = 32;

struct Sides {
  Value *left = nullptr, *right = nullptr;  // vectors of 32 bits
};

std::optional<Sides> sides_of(const ValueOp& op) {
  const kernel::Type wide = op.type.with(kernel::Scalar::kS64);
  if (op.type.scalar != kernel::Scalar::kS32 || op.types[0] != wide || op.type.lanes < 4 ||
      !std::has_single_bit(op.type.lanes))
    return std::nullopt;
  Sides sides;
  const auto product = m_Mul(m_SExt(m_Value(sides.left)), m_SExt(m_Value(sides.right)));
  const bool matches = match(op.operand(0), m_Shr(product, m_SpecificInt(kWord)));
  return matches && sides.left->getType() == op.llvm_type() &&
                 sides.right->getType() == op.llvm_type()
             ? std::optional(sides)
             : std::nullopt;
}

// PMULDQ multiplies the lower halves of words of 64 bits; LLVM knows them by these two shifts, and
// keeps them beside the product.
Value* lower_halves(llvm::IRBuilder<>& b, Value* words) {
  return b.CreateAShr(b.CreateShl(words, kWord), kWord);
}

Value* by_even_and_odd(const ValueOp& op, const Sides& sides) {
  llvm::IRBuilder<>& b = op.builder;
  const int lanes = op.type.lanes;
  llvm::Type* const words = llvm::FixedVectorType::get(b.getInt64Ty(), lanes / 2);
  Value* const left = b.CreateBitCast(sides.left, words);
  Value* const right = b.CreateBitCast(sides.right, words);
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
Value* by_halves(const ValueOp& op, const Sides& sides) {
  llvm::IRBuilder<>& b = op.builder;
  const auto widening = op.target.has(Isa::kAArch64) ? NeonId{llvm::Intrinsic::aarch64_neon_smull}
                                                     : NeonId{llvm::Intrinsic::arm_neon_vmulls};
  llvm::Type* const words = llvm::FixedVectorType::get(b.getInt64Ty(), kNeonLanes / 2);
  const auto product = [&](llvm::ArrayRef<int> lanes) {
    return b.CreateBitCast(b.CreateIntrinsic(widening, {words},
                                             {b.CreateShuffleVector(sides.left, lanes),
                                              b.CreateShuffleVector(sides.right, lanes)}),
                           op.llvm_type());
  };
  return b.CreateShuffleVector(product(kFirst), product(kLast), kUpper);
}

// The whole vectors of which `value` multiplies these lanes, widened.
HighProductSides half_product(Value* value, llvm::ArrayRef<int> lanes) {
  auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value);
  auto* call = cast ? llvm::dyn_cast<llvm::IntrinsicInst>(cast->getOperand(0)) : nullptr;
  if (call == nullptr || (call->getIntrinsicID() != llvm::Intrinsic::aarch64_neon_smull &&
                          call->getIntrinsicID() != llvm::Intrinsic::arm_neon_vmulls))
    return {};
  const auto whole = [&](unsigned side) -> Value* {
    auto* half = llvm::dyn_cast<llvm::ShuffleVectorInst>(call->getArgOperand(side));
    return half != nullptr && half->getShuffleMask() == lanes ? half->getOperand(0) : nullptr;
  };
  return {whole(0), whole(1)};
}

}  // namespace

bool has_neon(const Target& target) {
  return (target.has(Isa::kAArch64) || target.has(Isa::kNeon)) && target.vector_bits > 0 &&
         target.byte_order == ByteOrder::kLittle;
}

Value* emit_high_product(const ValueOp& op) {
  const bool neon = has_neon(op.target) && op.type.lanes == kNeonLanes;
  if (!op.target.has(Isa::kSse41) && !neon) return nullptr;
  const std::optional<Sides> sides = sides_of(op);
  if (!sides) return nullptr;
  return neon ? by_halves(op, *sides) : by_even_and_odd(op, *sides);
}

HighProductSides neon_high_product(Value* value) {
  auto* upper = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
  if (upper == nullptr || upper->getShuffleMask() != llvm::ArrayRef(kUpper)) return {};
  const HighProductSides first = half_product(upper->getOperand(0), kFirst),
                         last = half_product(upper->getOperand(1), kLast);
  const bool whole = first.left != nullptr && first.right != nullptr && first.left == last.left &&
                     first.right == last.right;
  return whole ? first : HighProductSides{};
}

}  // namespace hlocc::backends
