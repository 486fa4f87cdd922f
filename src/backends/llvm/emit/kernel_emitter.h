// One legalised kernel becomes one LLVM function: `void name(ptr buffer..., index parameter...)`,
// in the order of Kernel::buffers (without stack scratch) and Kernel::parameters.
#pragma once
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "support/result.h"
#include "target/target.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

struct KernelEmission {
  std::string symbol;
  // By bound buffer: true where no launch lets it share memory with another operand. Empty: all of
  // them.
  std::vector<bool> unshared;
  // Callable from other objects (tests and benches); else local to the object.
  bool exported = false;
};

// An op that has no form in LLVM is a diagnostic (kInternal): legalisation should have rewritten
// it.
Result<llvm::Function*> emit_kernel(llvm::Module& module, const kernel::Kernel& kernel,
                                    const KernelEmission& emission, const Target& target,
                                    llvm::TargetMachine& machine);

}  // namespace hlocc::backends
