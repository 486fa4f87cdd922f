// Makes TargetMachines, and checks names first: LLVM itself only warns about an unknown processor
// or feature.
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <mutex>

#include "backends/llvm/idioms/hvx.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/RISCVISAInfo.h"
#include "llvm/TargetParser/RISCVTargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// The target as users write it.
const std::string& spelled(const Target& target) {
  return target.name.empty() ? target.triple : target.name;
}

void initialize_llvm_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    set_hexagon_options();
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

template <typename Rows>
std::vector<std::string> keys_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.Key);
  return names;
}

// LLVM takes a Cortex-A's name for a Cortex-M's triple, and makes code that no chip of either kind
// runs.
Status check_family(const Target& target) {
  const llvm::Triple triple(target.triple);
  const auto other = [&](const std::string& what) {
    return error(DiagnosticKind::kTarget, cat("the processor '", target.cpu, "' is ", what, ", ",
                                              spelled(target), " is not"))
        .note(
            "--cpu names another processor of the target's own family; another family is another "
            "--target");
  };
  if (triple.isRISCV()) {
    const bool wants_64 = triple.isRISCV64();
    if (llvm::RISCV::parseCPU(target.cpu, wants_64)) return {};
    if (llvm::RISCV::parseCPU(target.cpu, !wants_64))
      return other(wants_64 ? "one of 32 bits" : "one of 64 bits");
    // Names that code is only scheduled for: LLVM ends the process.
    if (target.cpu != "generic")
      return error(DiagnosticKind::kTarget,
                   cat("the processor '", target.cpu, "' is a family's name, of no width"))
          .note("--cpu names a core, such as rocket-rv64 or sifive-e24");
    return {};
  }
  if (!triple.isARM() && !triple.isThumb()) return {};
  const llvm::ARM::ArchKind architecture = llvm::ARM::parseCPUArch(target.cpu);
  const llvm::ARM::ProfileKind wanted = llvm::ARM::parseArchProfile(triple.getArchName());
  const llvm::ARM::ProfileKind given =
      llvm::ARM::parseArchProfile(llvm::ARM::getArchName(architecture));
  if (given == wanted || given == llvm::ARM::ProfileKind::INVALID ||
      wanted == llvm::ARM::ProfileKind::INVALID)
    return {};
  return other(cat("of ", llvm::ARM::getArchName(architecture).str()));
}

// Vectors of Hexagon: LLVM takes those of any version, and none of them is a mistake to it.
Status check_hvx(const llvm::MCSubtargetInfo& info, const Target& target) {
  const auto has = [&](const std::string& feature) { return info.checkFeatures(feature); };
  const auto refuse = [&](const std::string& why) {
    return error(DiagnosticKind::kTarget, cat("--features '", target.features, "': ", why));
  };
  for (const char* version : {"60", "62", "65", "66", "67", "68", "69", "71", "73"})
    if (has(cat("+hvxv", version)) && !has(cat("+v", version)))
      return refuse(cat(target.cpu, " is older than V", version, ", which has these vectors"))
          .note("--cpu hexagonv67 has those of V67");
  if (has("+hvx-length64b"))
    return refuse("vectors of 64 bytes are not served")
        .note("those of 128: --features=+hvxv67,+hvx-length128b,-small-data");
  return {};
}

// Features that LLVM takes and that the family cannot have; on some of them it aborts.
Status check_features(const llvm::Target& llvm_target, const Target& target) {
  const llvm::Triple triple(target.triple);
  const auto refuse = [&](const std::string& why) {
    return error(DiagnosticKind::kTarget, cat("--features '", target.features, "': ", why));
  };
  if (triple.isRISCV()) {
    const std::vector<std::string> all = split(target.features, ',');
    for (const char* width : {"+32bit", "+64bit", "-32bit", "-64bit"})
      if (std::ranges::find(all, width) != all.end())
        return refuse("the width is the triple's").note("--target names another");
    auto parsed = llvm::RISCVISAInfo::parseFeatures(triple.isRISCV64() ? 64 : 32, all);
    if (!parsed) return refuse(llvm::toString(parsed.takeError()));
  }
  const bool is_arm = triple.isARM() || triple.isThumb();
  if (!is_arm && triple.getArch() != llvm::Triple::hexagon) return {};
  const std::unique_ptr<llvm::MCSubtargetInfo> info(
      llvm_target.createMCSubtargetInfo(target.triple, target.cpu, target.features));
  const auto has = [&](const std::string& feature) { return info->checkFeatures(feature); };
  if (!is_arm) return check_hvx(*info, target);
  if (has("+mclass") && has("+neon"))
    return refuse("a microcontroller's core has no NEON")
        .note("MVE is its vector unit, of a cortex-m55");
  if (!has("+mclass") && has("+mve"))
    return refuse("only microcontrollers' cores have MVE").note("NEON is the vector unit here");
  // Armv6-M, Armv7-M and Armv8-M's baseline: what has a floating-point unit is Armv7E-M, which has
  // DSP, or Armv8-M's mainline.
  const bool may_compute = has("+dsp") || has("+v8m.main");
  if (has("+mclass") && has("+fpregs") && !may_compute)
    return refuse(cat(target.cpu.empty() ? spelled(target) : target.cpu,
                      " has no floating-point unit"))
        .note(
            "a target without one, such as cortex-m3, with another --cpu; or --features=-fpregs "
            "--float-abi soft");
  return {};
}

Status check_names(const llvm::Target& llvm_target, const Target& target) {
  const std::unique_ptr<llvm::MCSubtargetInfo> info(
      llvm_target.createMCSubtargetInfo(target.triple, "", ""));
  if (info == nullptr)
    return error(DiagnosticKind::kTarget, cat("LLVM cannot generate code for ", spelled(target)));
  if (!target.cpu.empty() && !has_key(info->getAllProcessorDescriptions(), target.cpu))
    return suggest(error(DiagnosticKind::kTarget,
                         cat("unknown processor '", target.cpu, "' for ", spelled(target))),
                   target.cpu, keys_of(info->getAllProcessorDescriptions()));
  if (!target.cpu.empty()) HLOCC_TRY(check_family(target));
  if (target.features.empty()) return {};
  for (const std::string& feature : split(target.features, ',')) {
    const bool signed_name = feature[0] == '+' || feature[0] == '-';
    if (!signed_name ||
        !has_key(info->getAllProcessorFeatures(), std::string_view(feature).substr(1)))
      return suggest(error(DiagnosticKind::kTarget,
                           cat("unknown feature '", feature, "' for ", spelled(target))),
                     std::string_view(feature).substr(signed_name ? 1 : 0),
                     keys_of(info->getAllProcessorFeatures()), feature.starts_with('-') ? "-" : "+")
          .note("features are written +name or -name, with LLVM's names, and separated by commas");
  }
  return check_features(llvm_target, target);
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const Target& target) {
  initialize_llvm_targets();
  std::string message;
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (llvm_target == nullptr)
    return error(DiagnosticKind::kTarget, cat("unknown target '", spelled(target), "'"))
        .note("`hlocc targets` lists the presets; any triple that LLVM knows is a target too");
  HLOCC_TRY(check_names(*llvm_target, target));
  llvm::TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.UniqueSectionNames = true;
  options.FloatABIType = float_abi_type(target.float_abi);
  options.MCOptions.ABIName = target.abi;
  // Arm's other memory functions (__aeabi_memcpy and its kin) are in no libgcc; memcpy is what a
  // firmware has.
  options.EABIVersion = llvm::EABI::GNU;
  // Memories without a cache are read in words or lines: a branch back into the middle of one waits
  // for two. LLVM aligns Arm's loops by itself.
  constexpr unsigned kLoopAlignment = 8;
  if (llvm::Triple(target.triple).isRISCV() && !target.has_cache() && !target.options.for_size())
    options.LoopAlignment = kLoopAlignment;
  const llvm::Reloc::Model relocation =
      target.position_independent ? llvm::Reloc::PIC_ : llvm::Reloc::Static;
  std::unique_ptr<llvm::TargetMachine> machine(llvm_target->createTargetMachine(
      target.triple, target.cpu, target.features, options, relocation,
      code_model(target.code_model), code_generation_level(target.options.level)));
  if (machine == nullptr)
    return error(DiagnosticKind::kTarget, cat("LLVM cannot generate code for ", spelled(target)));
  // Nothing that we emit throws or is unwound through. Arm would still get a table entry for every
  // function that says so, and LLVM has no option for leaving it out: TargetOptions can only name
  // another model. Debuggers do unwind: for them frames are described in .debug_frame, which is
  // never loaded.
  const_cast<llvm::MCAsmInfo*>(machine->getMCAsmInfo())
      ->setExceptionsType(target.options.debug ? llvm::ExceptionHandling::DwarfCFI
                                               : llvm::ExceptionHandling::None);
  return machine;
}

ObjectFormat object_format(const Target& target) {
  const llvm::Triple triple(target.triple);
  return {triple.isOSBinFormatELF(), triple.isOSBinFormatCOFF(), triple.isOSBinFormatMachO(),
          triple.isKnownWindowsMSVCEnvironment()};
}

void prepare_module(llvm::Module& module, const Target& target,
                    const llvm::TargetMachine& machine) {
  module.setTargetTriple(target.triple);
  module.setDataLayout(machine.createDataLayout());
  if (!target.abi.empty())
    module.addModuleFlag(llvm::Module::Error, "target-abi",
                         llvm::MDString::get(module.getContext(), target.abi));
  if (target.position_independent) {
    // Position independent executables are what a plain `gcc main.c` links.
    module.setPICLevel(llvm::PICLevel::SmallPIC);
    module.setPIELevel(llvm::PIELevel::Small);
  }
}

// Selection schedules where LLVM has no machine scheduler for the core, and leaves the order alone
// where it has one.
void select_in_order(llvm::Function& function, const Target& target) {
  if (llvm::Triple(target.triple).isThumb()) add_feature(function, "+use-misched");
}

void add_feature(llvm::Function& function, std::string_view feature) {
  const std::string_view known = function.getFnAttribute("target-features").getValueAsString();
  function.addFnAttr("target-features", cat(known, known.empty() ? "" : ",", feature));
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
  // Bytes of a red zone are in no frame's size, and an interrupt without a stack of its own
  // overwrites them.
  const llvm::Triple triple(target.triple);
  if (triple.getArch() == llvm::Triple::x86_64 || triple.isPPC64())
    function.addFnAttr(llvm::Attribute::NoRedZone);
  function.setDoesNotThrow();
  if (target.options.for_size()) function.addFnAttr(llvm::Attribute::OptimizeForSize);
  if (target.options.level == Level::kOz) function.addFnAttr(llvm::Attribute::MinSize);
}

}  // namespace hlocc::backends
