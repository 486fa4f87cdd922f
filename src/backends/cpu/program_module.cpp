// Puts the parts together. Kernels that are the same code are emitted once.
#include "backends/cpu/program_module.h"

#include "backends/cpu/run_function.h"
#include "backends/cpu/sharing.h"
#include "backends/cpu/weights.h"
#include "backends/llvm/kernel_emitter.h"
#include "backends/llvm/pipeline.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

Result<ProgramModule> empty_module(const std::string& name, const Target& target) {
  ProgramModule made;
  HLOCC_TRY_ASSIGN(made.machine, make_target_machine(target));
  made.context = std::make_unique<llvm::LLVMContext>();
  made.module = std::make_unique<llvm::Module>(name, *made.context);
  prepare_module(*made.module, target, *made.machine);
  return made;
}

Status finish(ProgramModule& made, const Target& target) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*made.module, &stream))
    return error(DiagnosticKind::kInternal, "the emitted LLVM module is wrong: " + stream.str());
  optimize_module(*made.module, *made.machine, target);
  return {};
}

// By kernel: the first kernel of the same code.
std::vector<kernel::KernelId> first_of_same_code(const std::vector<kernel::Kernel>& kernels) {
  std::map<std::string, kernel::KernelId> seen;
  std::vector<kernel::KernelId> first;
  for (const kernel::Kernel& kernel : kernels)
    first.push_back(
        seen.emplace(kernel::code_text(kernel), static_cast<kernel::KernelId>(first.size()))
            .first->second);
  return first;
}

std::string unique_symbol(const std::string& wanted, std::set<std::string>& used) {
  std::string symbol = wanted;
  for (int number = 2; !used.insert(symbol).second; ++number) symbol = cat(wanted, "_", number);
  return symbol;
}

Result<std::vector<llvm::Function*>> emit_kernels(ProgramModule& made,
                                                  const kernel::Program& program,
                                                  const planning::Plan& plan,
                                                  const Target& target) {
  const std::vector<kernel::KernelId> first = first_of_same_code(program.kernels);
  std::vector<std::vector<bool>> unshared = unshared_buffers(program, plan);
  for (size_t i = 0; i < first.size(); ++i)
    for (size_t buffer = 0; buffer < unshared[i].size(); ++buffer)
      if (!unshared[i][buffer]) unshared[first[i]][buffer] = false;
  std::vector<llvm::Function*> functions(program.kernels.size(), nullptr);
  std::set<std::string> used;
  for (kernel::KernelId id : launched_kernels(plan)) {
    llvm::Function*& function = functions[first[id]];
    if (function == nullptr) {
      const kernel::Kernel& kernel = program.kernels[first[id]];
      KernelEmission emission{
          unique_symbol(cat(program.signature.prefix, "k_", to_c_identifier(kernel.name)), used),
          unshared[first[id]]};
      HLOCC_TRY_ASSIGN(function,
                       emit_kernel(*made.module, kernel, emission, target, *made.machine));
    }
    functions[id] = function;
  }
  return functions;
}

}  // namespace

ProgramModule::ProgramModule() = default;
ProgramModule::ProgramModule(ProgramModule&&) = default;
ProgramModule::~ProgramModule() = default;

std::set<kernel::KernelId> launched_kernels(const planning::Plan& plan) {
  std::set<kernel::KernelId> launched;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what))
      launched.insert(launch->kernel);
  });
  return launched;
}

Result<ProgramModule> make_module(const kernel::Program& program, const planning::Plan& plan,
                                  const Target& target, bool hole, StageTimes& times) {
  HLOCC_TRY_ASSIGN(ProgramModule made, empty_module(program.signature.stem, target));
  RunParts parts;
  parts.weights = emit_weights(*made.module, program, plan, target, hole);
  HLOCC_TRY_ASSIGN(parts.kernels, emit_kernels(made, program, plan, target));
  HLOCC_TRY(emit_run(*made.module, program, plan, parts, target));
  times.charge("emit");
  HLOCC_TRY(finish(made, target));
  times.charge("llvm passes");
  return made;
}

Result<ProgramModule> make_kernel_module(const kernel::Kernel& kernel, const Target& target) {
  HLOCC_TRY_ASSIGN(ProgramModule made, empty_module(kernel.name, target));
  KernelEmission emission{to_c_identifier(kernel.name), {}, true};
  HLOCC_TRY(emit_kernel(*made.module, kernel, emission, target, *made.machine));
  HLOCC_TRY(finish(made, target));
  return made;
}

}  // namespace hlocc::backends
