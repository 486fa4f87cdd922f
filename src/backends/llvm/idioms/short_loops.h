// Loops of few iterations that LLVM must not overlap. Its software pipeliner drops a loop that it
// knows to have fewer iterations than its schedule has stages, and LLVM 19 then reads memory that
// is none of its own when it comes to the next loop of the function: it faults, or weighs its
// registers by whatever lies there. Of the chips that it overlaps loops for (Hexagon, Cortex-M7,
// M85) Hexagon's hardware loops alone are counted beforehand.
#pragma once
#include "llvm/IR/PassManager.h"

namespace hlocc::backends {

// A schedule has up to four stages (`-pipeliner-max-stages` counts from 0).
inline constexpr unsigned kMostStages = 4;

// Marks the innermost loops that are known to have no more iterations than that.
struct ShortLoops : llvm::PassInfoMixin<ShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

}  // namespace hlocc::backends
