// See high_product.h.
#include "backends/llvm/idioms/high_product.h"

#include <bit>
#include <optional>

#include "llvm/IR/PatternMatch.h"

namespace hlocc::backends {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

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

}  // namespace

Value* emit_high_product(const ValueOp& op) {
  if (!op.target.has(Isa::kSse41)) return nullptr;
  const std::optional<Sides> sides = sides_of(op);
  return sides ? by_even_and_odd(op, *sides) : nullptr;
}

}  // namespace hlocc::backends
