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

using kernel::Kernel;
using kernel::Op;
using kernel::OpKind;
using kernel::Region;
using kernel::Scalar;
using kernel::ValueId;

constexpr llvm::StringLiteral kInOrder = "hlocc-in-order", kTied = "hlocc-tied";

class Products {
 public:
  Products(const Kernel& kernel, const Target& target) : kernel_(kernel), target_(target) {}

  // Of the block that has most.
  int most(const Region& region) {
    int count = 0, most = 0;
    for (const Op& op : region.ops) {
      const bool converts = op.kind == OpKind::kConvert || op.kind == OpKind::kNativeConvert;
      if (converts && kernel::scalar_bits(kernel_.type(op.operands[0]).scalar) == 8)
        bytes_.insert(op.result());
      count += is_of_tile(op);
      for (const Region& inner : op.regions) most = std::max(most, this->most(inner));
    }
    return std::max(count, most);
  }

 private:
  bool is_of_tile(const Op& op) const {
    if (op.kind == OpKind::kDotAccumulate) {
      const kernel::Type side = kernel_.type(op.operands[1]);
      if (target_.has(Isa::kMve))
        return !kernel_.type(op.result()).is_vector() &&
               side.lanes * kernel::scalar_bits(side.scalar) == target_.vector_bits;
      return target_.has(Isa::kDsp) && side.scalar == Scalar::kS16;
    }
    return op.kind == OpKind::kMul && target_.scalar_registers <= kFewRegisters &&
           !target_.has(Isa::kDsp) && bytes_.contains(op.operands[0]) &&
           bytes_.contains(op.operands[1]);
  }

  static constexpr int kFewRegisters = 16;

  const Kernel& kernel_;
  const Target& target_;
  std::set<ValueId> bytes_;
};

}  // namespace

bool has_crowded_tile(const Kernel& kernel, const Target& target) {
  constexpr int kCrowded = 8;
  return (target.vector_bits == 0 || target.has(Isa::kMve)) && !target.options.for_size() &&
         Products(kernel, target).most(kernel.body) >= kCrowded;
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
