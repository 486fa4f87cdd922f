// A whole library as one LLVM module: weights, kernels, and the run of each model.
#pragma once
#include <memory>

#include "backends/common/library.h"
#include "support/result.h"
#include "support/stage_times.h"
#include "target/target.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

struct ProgramModule {
  ProgramModule();
  ProgramModule(ProgramModule&&);
  ~ProgramModule();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

// Emitted, verified and optimised; each charged to `times`. With a placeholder for the weights, or
// with their bytes.
Result<ProgramModule> make_module(const Library& library, const Target& target, bool placeholder,
                                  StageTimes& times);
// One kernel alone, for finding the one that LLVM can't take.
Result<ProgramModule> make_kernel_module(const kernel::Kernel& kernel, const Target& target);

}  // namespace hlocc::backends
