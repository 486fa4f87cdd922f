// See clamp_idiom.h.
#include "backends/llvm/idioms/clamp_idiom.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/PatternMatch.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace llvm::PatternMatch;

bool is_served(const ValueOp& op) {
  return op.target.has(Isa::kRiscv) && !op.target.has(Isa::kZbb) && op.target.pointer_bits == 32 &&
         op.type == kernel::Type{kernel::Scalar::kS32, 1};
}

// The side of a minimum or maximum that is no constant, and the constant; else null.
template <llvm::Intrinsic::ID kind>
llvm::Value* beside_constant(llvm::Value* value, const llvm::APInt*& constant) {
  llvm::Value* x = nullptr;
  const bool matches = match(value, m_Intrinsic<kind>(m_Value(x), m_APInt(constant))) ||
                       match(value, m_Intrinsic<kind>(m_APInt(constant), m_Value(x)));
  return matches ? x : nullptr;
}

// x of smin(smax(x, 0), bound) or smax(smin(x, bound), 0), and the bound; else null.
llvm::Value* clamped(const ValueOp& op, const llvm::APInt*& bound) {
  using enum kernel::OpKind;
  const bool is_min = op.op.kind == kMin || op.op.kind == kNativeMin;
  for (const int side : {0, 1}) {
    const llvm::APInt *outer = nullptr, *inner = nullptr;
    if (!match(op.operand(1 - side), m_APInt(outer))) continue;
    llvm::Value* const x = is_min ? beside_constant<llvm::Intrinsic::smax>(op.operand(side), inner)
                                  : beside_constant<llvm::Intrinsic::smin>(op.operand(side), inner);
    bound = is_min ? outer : inner;
    if (x != nullptr && (is_min ? inner : outer)->isZero()) return x;
  }
  return nullptr;
}

}  // namespace

llvm::Value* emit_clamp(const ValueOp& op) {
  constexpr uint64_t kImmediate = 2048;
  const llvm::APInt* bound = nullptr;
  llvm::Value* const x = is_served(op) ? clamped(op, bound) : nullptr;
  if (x == nullptr || !bound->isStrictlyPositive() || bound->uge(kImmediate)) return nullptr;
  llvm::IRBuilder<>& b = op.builder;
  llvm::Type* const type = op.llvm_type();
  const std::string text =
      cat("bltu $0, $2, .Lclamped${:uid}\n", "srai $0, $0, 31\n", "not $0, $0\n", "andi $0, $0, ",
          std::to_string(bound->getZExtValue()), "\n.Lclamped${:uid}:");
  llvm::CallInst* const call = b.CreateCall(
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type, type}, false), text, "=&r,0,r",
                           /*hasSideEffects=*/false),
      {x, llvm::ConstantInt::get(type, bound->getZExtValue() + 1)});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

}  // namespace hlocc::backends
