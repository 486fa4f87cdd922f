// Which kernels' instructions stay in the order in which lowering wrote them. A tile of an integer
// product takes all registers of a small core, as long as its loads stand in front of their use;
// LLVM's schedulers hide latencies that such cores don't have, and pay with the stack.
#pragma once
#include <set>
#include <string>

#include "kernel/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/OptBisect.h"
#include "target/target.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

// Whether the kernel was lowered to such a tile, with a block of many products: of spread halves
// (SMLAD), of whole vectors into scalar sums (VMLADAV), or of bytes on a core of few registers.
bool has_crowded_tile(const kernel::Kernel& kernel, const Target& target);
// Marks the kernel's function.
void keep_order(llvm::Function& function, const Target& target);

// Whether registers of the function's tile are tied from load to store: sums to their products,
// pointers to themselves. LLVM's allocator would find each number that a product makes a place of
// its own, and a tile that needs all registers then has some in the stack.
bool ties_registers(const llvm::Function& function);
// SMLAD whose sum stays where it is.
llvm::Value* tied_product(llvm::IRBuilder<>& builder, llvm::Value* left, llvm::Value* right,
                          llvm::Value* sum);
// The same value in the same register, which is worth more than if it were used once.
llvm::Value* in_same_register(llvm::IRBuilder<>& builder, llvm::Value* pointer);

// Sums of MVE's tiles lie in even registers, all eight of them: pointers that run beside them ask
// for odd ones, as LLVM 19 does not.
llvm::Value* in_odd_register(llvm::IRBuilder<>& builder, llvm::Value* pointer);

// Keeps the machine scheduler and loops that count in LR away from marked functions, unless the
// core issues several instructions at once and the order is worth more than the stack's loads; and
// loop strength reduction from all where the target says so: kernels come with one running pointer
// an operand and everything else within reach of it, and other sets of pointers find no registers.
class CodeGate : public llvm::OptPassGate {
 public:
  CodeGate(const llvm::Module& module, const llvm::TargetMachine& machine, const Target& target);
  bool isEnabled() const override { return !strength_reduction_ || !in_order_.empty(); }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef description) override;

 private:
  bool strength_reduction_;
  std::set<std::string, std::less<>> in_order_;  // functions as the gate is told of them
};

}  // namespace hlocc::backends
