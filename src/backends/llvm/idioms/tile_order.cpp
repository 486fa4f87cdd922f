// See tile_order.h.
#include "backends/llvm/idioms/tile_order.h"

#include "backends/llvm/target_machine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr llvm::StringLiteral kInOrder = "hlocc-in-order", kTied = "hlocc-tied";

}  // namespace

bool has_crowded_tile(const kernel::Kernel& kernel, const Target& target) {
  using enum kernel::MicroKernel;
  constexpr int kCrowded = 8, kFewRegisters = 16;
  const kernel::Choice& choice = kernel.choice;
  if (choice.products < kCrowded || target.options.for_size()) return false;
  if (target.has(Isa::kMve))
    return choice.micro_kernel == kDotAccumulate16 || choice.micro_kernel == kDotAccumulate8;
  if (target.vector_bits > 0) return false;
  if (target.has(Isa::kDsp)) return choice.micro_kernel == kDotAccumulate2;
  return choice.of_bytes && target.scalar_registers <= kFewRegisters;
}

void keep_order(llvm::Function& function, const Target& target) {
  function.addFnAttr(kInOrder);
  if (target.has(Isa::kDsp) && !target.has(Isa::kMve) && !target.dual_issue)
    function.addFnAttr(kTied);
  select_in_order(function, target);
}

bool ties_registers(const llvm::Function& function) { return function.hasFnAttribute(kTied); }

llvm::Value* tied_product(llvm::IRBuilder<>& builder, llvm::Value* left, llvm::Value* right,
                          llvm::Value* sum) {
  llvm::Type* type = sum->getType();
  return builder.CreateCall(
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type, type, type}, false),
                           "smlad $0, $1, $2, $0", "=r,r,r,0", /*hasSideEffects=*/false),
      {left, right, sum});
}

llvm::Value* in_same_register(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  llvm::Type* type = pointer->getType();
  return builder.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "",
                                                 "=r,0", /*hasSideEffects=*/false),
                            {pointer});
}

llvm::Value* in_odd_register(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  llvm::Type* type = pointer->getType();
  return builder.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "",
                                                 "=^To,0", /*hasSideEffects=*/false),
                            {pointer});
}

CodeGate::CodeGate(const llvm::Module& module, const llvm::TargetMachine& machine,
                   const Target& target)
    : strength_reduction_(target.strength_reduction) {
  const bool vectors_wait = target.has(Isa::kMve);
  if (machine.getMCSubtargetInfo()->getSchedModel().IssueWidth > 1 && !vectors_wait) return;
  for (const llvm::Function& function : module)
    if (function.hasFnAttribute(kInOrder))
      in_order_.insert(cat("function (", std::string_view(function.getName()), ")"));
}

bool CodeGate::shouldRunPass(llvm::StringRef pass, llvm::StringRef description) {
  if (pass == "Loop Strength Reduction") return strength_reduction_;
  // A loop that counts in LR has one of the eight even registers in which MVE's sums lie. (Without
  // the feature that has such loops, LLVM 19 loses copies of vectors.)
  const bool is_gated =
      pass == "Machine Instruction Scheduler" || pass == "Hardware Loop Insertion";
  return !is_gated || !in_order_.contains(std::string_view(description));
}

}  // namespace hlocc::backends
