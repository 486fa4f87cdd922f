// `run`, called as planning/interface.h says: the plan's step tree as one function that calls
// kernels with addresses. What it agrees on with the header stands in kernel/instance.h.
#pragma once
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace hlocc::backends {

class DebugInfo;

struct RunParts {
  std::vector<llvm::Function*> kernels;  // by KernelId
  llvm::GlobalVariable* weights = nullptr;
  int64_t pool_offset = 0;     // where this plan's pool of constants begins in them
  DebugInfo* debug = nullptr;  // where lines are wanted
};

Result<llvm::Function*> emit_run(llvm::Module& module, const kernel::Program& program,
                                 const planning::Plan& plan, const RunParts& parts,
                                 const Target& target);

}  // namespace hlocc::backends
