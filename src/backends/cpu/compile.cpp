// The road through LLVM from module to checked bytes, in a child process; when the child dies, the
// kernels are tried one by one to find whose fault it was.
#include "backends/cpu/compile.h"

#include <algorithm>

#include "backends/common/external_weights.h"
#include "backends/common/isolate.h"
#include "backends/common/kernel_table.h"
#include "backends/common/run_checks.h"
#include "backends/common/stack.h"
#include "backends/common/wire.h"
#include "backends/cpu/program_module.h"
#include "backends/cpu/weights.h"
#include "backends/llvm/archive.h"
#include "backends/llvm/core_facts.h"
#include "backends/llvm/inspect.h"
#include "backends/llvm/math_call.h"
#include "backends/llvm/object.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using Bytes = std::vector<std::byte>;

std::string member_name(const kernel::Signature& signature) {
  return (signature.stem.empty() ? "model" : signature.stem) + ".o";
}

Pieces copy_of(std::span<const std::byte> bytes) { return Bytes(bytes.begin(), bytes.end()); }

// What the user's linker finds besides helpers.
std::vector<std::string> symbols_of_others(const kernel::Program& program,
                                           const planning::Plan& plan, const Target& target) {
  std::vector<std::string> out = user_symbols(plan);
  if (target.options.weights_external) out.push_back(weights_symbol(program.signature));
  return out;
}

// Without holes. The bytes stay the program's: they go neither through LLVM nor through the pipe
// from the child.
Artifacts with_weights(Artifacts artifacts, const kernel::Program& program,
                       const planning::Plan& plan, const Target& target,
                       const std::set<ArtifactKind>& kinds) {
  artifacts.microsoft_names = object_format(target).microsoft_names;
  if (target.options.weights_external) add_external_weights(program, plan, target, artifacts);
  if (has_hole(plan, target, kinds))
    for (auto& [kind, file] : artifacts.files) file = fill_hole(file, plan, target);
  return artifacts;
}

Result<Artifacts> generate(const kernel::Program& program, const planning::Plan& plan,
                           const Target& target, const std::set<ArtifactKind>& kinds) {
  StageTimes times;
  const bool hole = has_hole(plan, target, kinds);
  HLOCC_TRY_ASSIGN(ProgramModule made, make_module(program, plan, target, hole, times));
  const bool calls_math =
      std::ranges::any_of(made.module->functions(), [](const llvm::Function& function) {
        return std::string_view(function.getName()).starts_with(kMathFunctionPrefix);
      });
  Artifacts artifacts;
  if (kinds.contains(ArtifactKind::kLlvmIr))
    artifacts.files[ArtifactKind::kLlvmIr] = print_module(*made.module);
  if (kinds.contains(ArtifactKind::kAssembly)) {
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*made.module);
    HLOCC_TRY_ASSIGN(Emitted assembly, emit_assembly(*copy, *made.machine, target));
    artifacts.files[ArtifactKind::kAssembly] = copy_of(assembly.bytes);
  }
  times.charge("llvm texts");
  HLOCC_TRY_ASSIGN(Emitted object, emit_object(*made.module, *made.machine, target));
  times.charge("llvm code generation");
  artifacts.frames = std::move(object.frames);
  HLOCC_TRY(
      inspect_object(object.bytes, artifacts, made.module->getDataLayout().getGlobalPrefix()));
  HLOCC_TRY(check_promises(artifacts, target, symbols_of_others(program, plan, target)));
  artifacts.weights_bytes = weights_bytes(program, plan, target, artifacts);
  artifacts.core = core_needs(target, *made.machine);
  measure_stack({planning::run_symbol(program.signature, plan, target),
                 std::string(kMathFunctionPrefix), calls_math},
                target, artifacts);
  // What a driver's hooks take nobody knows here.
  if (kernel::uses_queues(plan.steps)) artifacts.stack_is_lower_bound = true;
  if (kinds.contains(ArtifactKind::kArchive)) {
    HLOCC_TRY_ASSIGN(const LazyBytes archive, make_archive(member_name(program.signature),
                                                           object.bytes, object_format(target)));
    artifacts.files[ArtifactKind::kArchive] =
        hole ? around_hole(archive, plan.constant_bytes) : copy_of(archive);
  }
  if (kinds.contains(ArtifactKind::kObject))
    artifacts.files[ArtifactKind::kObject] =
        hole ? around_hole(object.bytes, plan.constant_bytes) : copy_of(object.bytes);
  times.charge("archive");
  artifacts.times = times.rows();
  return artifacts;
}

// The first kernel that can't be compiled alone.
const kernel::Kernel* find_culprit(const kernel::Program& program, const planning::Plan& plan,
                                   const Target& target) {
  for (kernel::KernelId id : launched_kernels(plan)) {
    const kernel::Kernel& kernel = program.kernels[id];
    const auto alone = run_isolated([&]() -> Result<Bytes> {
      HLOCC_TRY_ASSIGN(ProgramModule made, make_kernel_module(kernel, target));
      HLOCC_TRY_ASSIGN(Emitted object, emit_object(*made.module, *made.machine, target));
      return Bytes();
    });
    if (!alone) return &kernel;
  }
  return nullptr;
}

Diagnostic name_culprit(Diagnostic failure, const kernel::Program& program,
                        const planning::Plan& plan, const Target& target) {
  const kernel::Kernel* culprit = find_culprit(program, plan, target);
  if (culprit == nullptr) return failure;
  failure.message += cat(" in kernel ", culprit->name, " for ", target.name);
  return std::move(failure).note(cat("the kernel computes ", join(culprit->origin, ", ")));
}

// For a triple that is no preset all is left to LLVM, some of whose targets can't print, encode or
// link what others can: that is the triple's limit, not a bug of ours.
Diagnostic blame_triple(Diagnostic failure, const Target& target) {
  if (failure.kind != DiagnosticKind::kInternal || preset(target.name)) return failure;
  failure.kind = DiagnosticKind::kTarget;
  failure.message =
      cat("LLVM can't carry this program through for ", target.triple, ": ", failure.message);
  return std::move(failure).note(
      "only presets are tested (`hlocc targets`); another triple, processor or level may do");
}

}  // namespace

Result<Artifacts> compile(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, const CompileOptions& options) {
  if (options.in_process) {
    HLOCC_TRY_ASSIGN(Artifacts artifacts, generate(program, plan, target, options.kinds));
    return with_weights(std::move(artifacts), program, plan, target, options.kinds);
  }
  bool answered = false;
  const Result<Bytes> outcome = run_isolated(
      [&]() -> Result<Bytes> {
        HLOCC_TRY_ASSIGN(const Artifacts artifacts, generate(program, plan, target, options.kinds));
        return encode(artifacts);
      },
      &answered);
  if (outcome) {
    Artifacts artifacts =
        with_weights(decode_artifacts(*outcome), program, plan, target, options.kinds);
    HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                     make_target_machine(target));
    artifacts.core = core_needs(target, *machine);
    return artifacts;
  }
  // A child that answered has named the kernel itself where it could.
  return blame_triple(
      answered ? outcome.error() : name_culprit(outcome.error(), program, plan, target), target);
}

}  // namespace hlocc::backends
