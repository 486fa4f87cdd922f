// Kernels arrive as unrolled SSA in the order in which they should run, so only clean-up is left:
// equal addresses and loads are merged, what does not change leaves its loop, empty blocks vanish.
// InstCombine is left out on purpose: after unrolling it gathers a tile's loads at the head of the
// loop, which costs up to half of the speed on small cores. There is no loop vectoriser, no inliner
// and no loop idiom that could make up library calls. PassBuilder's header alone takes ten seconds
// to compile, so this file holds nothing else.
#include "backends/llvm/pipeline.h"

#include "backends/llvm/emit/math_call.h"
#include "backends/llvm/idioms/pair_loads.h"
#include "backends/llvm/idioms/short_loops.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace hlocc::backends {

namespace {

// Operands of called math functions come in slots of the stack; nothing else has any.
struct PromoteSlots : llvm::PassInfoMixin<PromoteSlots> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    if (!std::string_view(function.getName()).starts_with(kMathFunctionPrefix))
      return llvm::PreservedAnalyses::all();
    return llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, manager);
  }
};

}  // namespace

void optimize_module(llvm::Module& module, llvm::TargetMachine& machine, const Target& target) {
  if (target.options.level == Level::kO0) return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(PromoteSlots());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ADCEPass());
  if (target.has(Isa::kHexagon)) passes.addPass(ShortLoops());
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  pipeline.run(module, modules);
  pair_loads(module, target);
}

}  // namespace hlocc::backends
