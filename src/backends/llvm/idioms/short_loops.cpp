// See short_loops.h.
#include "backends/llvm/idioms/short_loops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hlocc::backends {

llvm::PreservedAnalyses ShortLoops::run(llvm::Function& function,
                                        llvm::FunctionAnalysisManager& manager) {
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    const unsigned most = evolution.getSmallConstantMaxTripCount(loop);
    if (loop->isInnermost() && most > 0 && most <= kMostStages)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.pipeline.disable");
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace hlocc::backends
