// The road through LLVM from module to checked bytes, in a child process; when the child dies, the
// kernels are tried one by one to find whose fault it was.
#include "backends/cpu/compile.h"

#include <algorithm>

#include "backends/common/external_weights.h"
#include "backends/common/isolate.h"
#include "backends/common/kernel_table.h"
#include "backends/common/run_checks.h"
#include "backends/common/run_pieces.h"
#include "backends/common/stack.h"
#include "backends/common/wire.h"
#include "backends/cpu/program_module.h"
#include "backends/cpu/weights.h"
#include "backends/llvm/core_facts.h"
#include "backends/llvm/emit/math_call.h"
#include "backends/llvm/object/archive.h"
#include "backends/llvm/object/inspect.h"
#include "backends/llvm/object/object.h"
#include "backends/llvm/object/own_copy.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "planning/interface.h"
#include "support/text.h"
#include "target/memory_functions.h"

namespace hlocc::backends {
namespace {

using Bytes = std::vector<std::byte>;

std::string member_name(const Library& library) {
  return (library.stem.empty() ? "model" : library.stem) + ".o";
}

Pieces copy_of(std::span<const std::byte> bytes) { return Bytes(bytes.begin(), bytes.end()); }

// Without placeholders. The bytes stay the program's: they go neither through LLVM nor through the
// pipe from the child.
Artifacts with_weights(Artifacts artifacts, const Library& library, const Target& target,
                       const std::set<ArtifactKind>& kinds) {
  artifacts.microsoft_names = object_format(target).microsoft_names;
  if (target.options.weights_external)
    add_external_weights(*library.units[0].program, *library.units[0].plan, target, artifacts);
  if (has_placeholder(library, target, kinds))
    for (auto& [kind, file] : artifacts.files) file = fill_hole(file, library, target);
  return artifacts;
}

// The most of any model's run, and of any kernel: what one run takes is not more.
void measure_stack_of(const Library& library, const Target& target, bool calls_math,
                      Artifacts& artifacts) {
  CallTree tree{{}, std::string(kMathFunctionPrefix), calls_math};
  for (const Unit& unit : library.units) {
    tree.run_symbols.push_back(planning::run_symbol(unit.program->signature, *unit.plan, target));
    tree.has_pieces |= runs_in_pieces(*unit.program, *unit.plan);
  }
  measure_stack(tree, target, artifacts);
  // What a driver's hooks take, or a profile's, is not known here.
  if (target.options.profile) artifacts.stack_is_lower_bound = true;
  for (const Unit& unit : library.units)
    if (kernel::uses_queues(unit.plan->steps) || has_ranges(*unit.plan))
      artifacts.stack_is_lower_bound = true;
}

// What the user's linker finds besides helpers.
std::vector<std::string> symbols_of_others(const Library& library, const Target& target) {
  std::vector<std::string> all;
  for (const Unit& unit : library.units)
    for (std::string& symbol : user_symbols(*unit.plan)) all.push_back(std::move(symbol));
  if (target.options.weights_external)
    all.push_back(weights_symbol(library.units[0].program->signature));
  return all;
}

// The object of the library's own copy function; empty where nothing calls it.
Result<LazyBytes> own_copy_of(const Target& target, Artifacts& artifacts) {
  if (!std::ranges::binary_search(artifacts.undefined, kOwnCopy)) return LazyBytes();
  HLOCC_TRY_ASSIGN(Emitted made, emit_own_copy(target));
  Artifacts alone;
  HLOCC_TRY(inspect_object(made.bytes, alone));
  HLOCC_CHECK(alone.undefined.empty(), "the library's own copy calls something");
  artifacts.code_bytes += alone.code_bytes;
  return std::move(made.bytes);
}

// The library's files of the kinds that are asked for. In a library the own copy is defined.
Status add_files(const Library& library, const Target& target, std::span<const std::byte> object,
                 const std::set<ArtifactKind>& kinds, Artifacts& artifacts) {
  const bool placeholder = has_placeholder(library, target, kinds);
  const int64_t constant_bytes = layout_of_constants(library).bytes;
  const auto file_of = [&](std::span<const std::byte> bytes) {
    return placeholder ? around_placeholder(bytes, constant_bytes) : copy_of(bytes);
  };
  HLOCC_TRY_ASSIGN(const LazyBytes own_copy, own_copy_of(target, artifacts));
  std::vector<ArchiveMember> members = {{member_name(library), object}};
  if (own_copy.size() > 0) members.push_back({cat(kOwnCopy, ".o"), own_copy});
  if (kinds.contains(ArtifactKind::kArchive)) {
    HLOCC_TRY_ASSIGN(const LazyBytes archive, make_archive(members, object_format(target)));
    artifacts.files[ArtifactKind::kArchive] = file_of(archive);
    if (std::erase(artifacts.undefined, kOwnCopy) > 0) artifacts.defined.emplace_back(kOwnCopy);
  }
  if (kinds.contains(ArtifactKind::kObject))
    artifacts.files[ArtifactKind::kObject] = file_of(object);
  return {};
}

Result<Artifacts> generate(const Library& library, const Target& target,
                           const std::set<ArtifactKind>& kinds) {
  StageTimes times;
  const bool placeholder = has_placeholder(library, target, kinds);
  HLOCC_TRY_ASSIGN(ProgramModule made, make_module(library, target, placeholder, times));
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
  HLOCC_TRY(check_promises(artifacts, target, symbols_of_others(library, target)));
  artifacts.weights_bytes = weights_bytes(library, target, artifacts);
  artifacts.core = core_needs(target, *made.machine);
  measure_stack_of(library, target, calls_math, artifacts);
  HLOCC_TRY(add_files(library, target, object.bytes, kinds, artifacts));
  times.charge("archive");
  artifacts.times = times.rows();
  return artifacts;
}

// The first kernel that can't be compiled alone.
const kernel::Kernel* find_culprit(const Library& library, const Target& target) {
  for (const EmittedKernel& one : table_of_kernels(library).emitted) {
    const kernel::Kernel& kernel = library.units[one.unit].program->kernels[one.kernel];
    const auto alone = run_isolated([&]() -> Result<Bytes> {
      HLOCC_TRY_ASSIGN(ProgramModule made, make_kernel_module(kernel, target));
      HLOCC_TRY_ASSIGN(Emitted object, emit_object(*made.module, *made.machine, target));
      return Bytes();
    });
    if (!alone) return &kernel;
  }
  return nullptr;
}

Diagnostic name_culprit(Diagnostic failure, const Library& library, const Target& target) {
  const kernel::Kernel* culprit = find_culprit(library, target);
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

Result<Artifacts> compile(const Library& library, const Target& target,
                          const CompileOptions& options) {
  if (options.in_process) {
    HLOCC_TRY_ASSIGN(Artifacts artifacts, generate(library, target, options.kinds));
    return with_weights(std::move(artifacts), library, target, options.kinds);
  }
  bool answered = false;
  const Result<Bytes> outcome = run_isolated(
      [&]() -> Result<Bytes> {
        HLOCC_TRY_ASSIGN(const Artifacts artifacts, generate(library, target, options.kinds));
        return encode(artifacts);
      },
      &answered);
  if (outcome) {
    Artifacts artifacts = with_weights(decode_artifacts(*outcome), library, target, options.kinds);
    HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                     make_target_machine(target));
    artifacts.core = core_needs(target, *machine);
    return artifacts;
  }
  // A child that answered has named the kernel itself where it could.
  return blame_triple(answered ? outcome.error() : name_culprit(outcome.error(), library, target),
                      target);
}

Result<Artifacts> compile(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, const CompileOptions& options) {
  return compile(library_of(program, plan), target, options);
}

}  // namespace hlocc::backends
