// Makes TargetMachines, and checks names first: LLVM itself only warns about an unknown processor or feature.
#include "llvm/Target/TargetMachine.h"

#include <mutex>

#include "backends/llvm/target_machine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

void initialize_llvm_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

llvm::FloatABI::ABIType float_abi_type(FloatAbi abi) {
  if (abi == FloatAbi::kHard) return llvm::FloatABI::Hard;
  // softfp passes floats in integer registers but computes with the unit that the features name.
  if (abi == FloatAbi::kSoft || abi == FloatAbi::kSoftfp) return llvm::FloatABI::Soft;
  return llvm::FloatABI::Default;
}

std::optional<llvm::CodeModel::Model> code_model(CodeModel model) {
  if (model == CodeModel::kSmall) return llvm::CodeModel::Small;
  if (model == CodeModel::kMedium) return llvm::CodeModel::Medium;
  return std::nullopt;
}

llvm::CodeGenOptLevel code_generation_level(Level level) {
  if (level == Level::kO0) return llvm::CodeGenOptLevel::None;
  if (level == Level::kO1) return llvm::CodeGenOptLevel::Less;
  return llvm::CodeGenOptLevel::Aggressive;
}

template <typename Rows>
bool has_key(const Rows& rows, std::string_view name) {
  for (const auto& row : rows)
    if (name == row.Key) return true;
  return false;
}

Status check_names(const llvm::Target& llvm_target, const Target& target) {
  const std::unique_ptr<llvm::MCSubtargetInfo> info(llvm_target.createMCSubtargetInfo(target.triple, "", ""));
  if (info == nullptr) return error(DiagnosticKind::kTarget, cat("LLVM cannot generate code for ", target.triple));
  if (!target.cpu.empty() && !has_key(info->getAllProcessorDescriptions(), target.cpu))
    return error(DiagnosticKind::kTarget, cat("unknown processor '", target.cpu, "' for ", target.triple));
  if (target.features.empty()) return {};
  for (const std::string& feature : split(target.features, ',')) {
    const bool signed_name = feature.size() > 1 && (feature[0] == '+' || feature[0] == '-');
    if (!signed_name || !has_key(info->getAllProcessorFeatures(), std::string_view(feature).substr(1)))
      return error(DiagnosticKind::kTarget, cat("unknown feature '", feature, "' for ", target.triple))
          .note("features are written +name or -name, with LLVM's names, and separated by commas");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const Target& target) {
  initialize_llvm_targets();
  std::string message;
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (llvm_target == nullptr)
    return error(DiagnosticKind::kTarget, cat("unknown target '", target.triple, "'"))
        .note("`hlocc targets` lists the presets; any triple that LLVM knows is a target too");
  HLOCC_TRY(check_names(*llvm_target, target));
  llvm::TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.UniqueSectionNames = true;
  options.FloatABIType = float_abi_type(target.float_abi);
  options.MCOptions.ABIName = target.abi;
  // Arm's other memory functions (__aeabi_memcpy and its kin) are in no libgcc; memcpy is what a firmware has.
  options.EABIVersion = llvm::EABI::GNU;
  const llvm::Reloc::Model relocation = target.position_independent ? llvm::Reloc::PIC_ : llvm::Reloc::Static;
  std::unique_ptr<llvm::TargetMachine> machine(llvm_target->createTargetMachine(
      target.triple, target.cpu, target.features, options, relocation, code_model(target.code_model),
      code_generation_level(target.options.level)));
  if (machine == nullptr) return error(DiagnosticKind::kTarget, cat("LLVM cannot generate code for ", target.triple));
  // Nothing that we emit throws or is unwound through. Arm would still get a table entry for every function that says so, and
  // LLVM has no option for leaving it out: TargetOptions can only name another model.
  const_cast<llvm::MCAsmInfo*>(machine->getMCAsmInfo())->setExceptionsType(llvm::ExceptionHandling::None);
  return machine;
}

void prepare_module(llvm::Module& module, const Target& target, const llvm::TargetMachine& machine) {
  module.setTargetTriple(target.triple);
  module.setDataLayout(machine.createDataLayout());
  if (!target.abi.empty())
    module.addModuleFlag(llvm::Module::Error, "target-abi", llvm::MDString::get(module.getContext(), target.abi));
  if (target.position_independent) {
    // Position independent executables are what a plain `gcc main.c` links.
    module.setPICLevel(llvm::PICLevel::SmallPIC);
    module.setPIELevel(llvm::PIELevel::Small);
  }
}

void set_function_attributes(llvm::Function& function, const Target& target) {
  if (!target.cpu.empty()) function.addFnAttr("target-cpu", target.cpu);
  if (!target.features.empty()) function.addFnAttr("target-features", target.features);
  if (target.vector_bits > 128 && llvm::Triple(target.triple).isX86()) {
    // Without these, vectors of 512 bits are split on processors that LLVM thinks prefer 256.
    function.addFnAttr("prefer-vector-width", std::to_string(target.vector_bits));
    function.addFnAttr("min-legal-vector-width", std::to_string(target.vector_bits));
  }
  function.addFnAttr("no-builtins");
  function.addFnAttr("frame-pointer", "none");
  function.addFnAttr("warn-stack-size", "0");
  function.setDoesNotThrow();
  if (target.options.for_size()) function.addFnAttr(llvm::Attribute::OptimizeForSize);
  if (target.options.level == Level::kOz) function.addFnAttr(llvm::Attribute::MinSize);
}

}  // namespace hlocc::backends
