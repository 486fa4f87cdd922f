// See core_facts.h.
#include "backends/llvm/core_facts.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

CoreFamily family_of(const llvm::Triple& triple) {
  if (triple.isARM() || triple.isThumb()) return CoreFamily::kArm;
  if (triple.isAArch64()) return CoreFamily::kAarch64;
  if (triple.isRISCV()) return CoreFamily::kRiscv;
  if (triple.isMIPS()) return CoreFamily::kMips;
  if (triple.isPPC()) return CoreFamily::kPowerPc;
  if (triple.isLoongArch()) return CoreFamily::kLoongArch;
  if (triple.isWasm()) return CoreFamily::kWasm;
  switch (triple.getArch()) {
    case llvm::Triple::x86_64: return CoreFamily::kX86_64;
    case llvm::Triple::x86: return CoreFamily::kX86;
    case llvm::Triple::systemz: return CoreFamily::kSystemZ;
    case llvm::Triple::hexagon: return CoreFamily::kHexagon;
    case llvm::Triple::avr: return CoreFamily::kAvr;
    case llvm::Triple::msp430: return CoreFamily::kMsp430;
    case llvm::Triple::xtensa: return CoreFamily::kXtensa;
    default: return CoreFamily::kOther;
  }
}

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
  out.family = family_of(triple);
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

}  // namespace hlocc::backends
