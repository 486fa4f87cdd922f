// The LLVM passes that finished kernels go through before code generation.
#pragma once
#include "target/target.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

void optimize_module(llvm::Module& module, llvm::TargetMachine& machine, const Target& target);

}  // namespace hlocc::backends
