// Puts the parts together.
#include "backends/cpu/program_module.h"

#include <optional>

#include "backends/common/device_hooks.h"
#include "backends/common/kernel_table.h"
#include "backends/cpu/run_function.h"
#include "backends/cpu/run_hooks.h"
#include "backends/cpu/weights.h"
#include "backends/llvm/debug_info.h"
#include "backends/llvm/emit/kernel_emitter.h"
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

// What debuggers show as the library's source.
std::string main_file(const Library& library) {
  for (const Unit& unit : library.units)
    if (const kernel::Origin first = first_with_lines(unit.plan->steps); !first.source.empty())
      return first.source.back().file;
  return library.stem;
}

// By unit, by KernelId; null for those that are never launched.
Result<std::vector<std::vector<llvm::Function*>>> emit_kernels(ProgramModule& made,
                                                               const Library& library,
                                                               const Target& target,
                                                               DebugInfo* debug) {
  const KernelTable table = table_of_kernels(library);
  std::vector<llvm::Function*> emitted;
  for (const EmittedKernel& one : table.emitted) {
    const kernel::Kernel& kernel = library.units[one.unit].program->kernels[one.kernel];
    HLOCC_TRY_ASSIGN(
        llvm::Function * function,
        emit_kernel(*made.module, kernel, {one.symbol, one.unshared}, target, *made.machine));
    if (debug != nullptr) debug->add_kernel(*function, *one.first_use, one.uses);
    emitted.push_back(function);
  }
  std::vector<std::vector<llvm::Function*>> functions;
  for (const std::vector<int>& rows : table.of_unit) {
    functions.emplace_back();
    for (const int row : rows) functions.back().push_back(row < 0 ? nullptr : emitted[row]);
  }
  return functions;
}

}  // namespace

ProgramModule::ProgramModule() = default;
ProgramModule::ProgramModule(ProgramModule&&) = default;
ProgramModule::~ProgramModule() = default;

Result<ProgramModule> make_module(const Library& library, const Target& target, bool placeholder,
                                  StageTimes& times) {
  HLOCC_TRY_ASSIGN(ProgramModule made, empty_module(library.stem, target));
  HLOCC_TRY_ASSIGN(llvm::GlobalVariable * weights,
                   emit_weights(*made.module, library, target, placeholder));
  std::optional<DebugInfo> lines;
  if (target.options.debug) lines.emplace(*made.module, main_file(library));
  DebugInfo* debug = lines ? &*lines : nullptr;
  HLOCC_TRY_ASSIGN(const auto kernels, emit_kernels(made, library, target, debug));
  const ConstantsLayout layout = layout_of_constants(library);
  for (size_t i = 0; i < library.units.size(); ++i)
    HLOCC_TRY(emit_run(*made.module, *library.units[i].program, *library.units[i].plan,
                       {kernels[i], weights, layout.offsets[i], debug}, target));
  HLOCC_TRY(emit_device_data(*made.module, library, target));
  for (const Unit& unit : library.units)
    if (kernel::uses_queues(unit.plan->steps))
      for (const DeviceHook& hook : device_hooks())
        device_hook(*made.module, target, std::string(hook.name).c_str());
  if (lines) lines->finish();
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
