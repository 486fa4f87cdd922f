// See core_facts.h.
#include "backends/llvm/core_facts.h"

#include "backends/llvm/target_machine.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

bool passes_floats_in_float_registers(const Target& row, const llvm::Triple& triple) {
  if (row.float_abi != FloatAbi::kDefault) return row.float_abi == FloatAbi::kHard;
  const llvm::Triple::EnvironmentType environment = triple.getEnvironment();
  return environment == llvm::Triple::EABIHF || environment == llvm::Triple::GNUEABIHF ||
         environment == llvm::Triple::MuslEABIHF;
}

// The convention by the word behind "abi:" in the table.
std::string_view float_convention(const Target& row, const llvm::Triple& triple,
                                  const llvm::MCSubtargetInfo& info) {
  if (!triple.isRISCV()) return passes_floats_in_float_registers(row, triple) ? "hard" : "soft";
  // Without a name LLVM takes the widest that the features allow.
  if (row.abi.empty())
    return info.checkFeatures("+d") ? "double" : info.checkFeatures("+f") ? "single" : "soft";
  return row.abi.ends_with('d') ? "double" : row.abi.ends_with('f') ? "single" : "soft";
}

}  // namespace

CoreNeeds core_needs(const Target& target, const llvm::TargetMachine& machine) {
  const llvm::Triple& triple = machine.getTargetTriple();
  const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
  CoreNeeds out;
  out.family = core_family(target.triple);
  for (const CoreFactInfo& fact : core_facts()) {
    if (fact.family != out.family || (fact.systems == Systems::kBareMetal && !target.bare_metal))
      continue;
    const bool needed = fact.feature.starts_with("abi:")
                            ? fact.feature.substr(4) == float_convention(target, triple, info)
                        : fact.feature.starts_with('-')
                            ? !info.checkFeatures("+" + std::string(fact.feature.substr(1)))
                            : info.checkFeatures("+" + std::string(fact.feature));
    if (needed) out.facts.push_back(fact.fact);
  }
  return out;
}

Result<CoreNeeds> core_needs(const Target& target) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, make_target_machine(target));
  return core_needs(target, *machine);
}

}  // namespace hlocc::backends
