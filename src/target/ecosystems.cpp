// See ecosystems.h.
#include "target/ecosystems.h"

#include <algorithm>

#include "support/text.h"
#include "target/board_row.h"

namespace hlocc {
namespace {

struct EcosystemRow {
  CoreFamily family;
  int bits;
  ByteOrder order;
  std::string_view meson, conan, vcpkg, deb, triplet;
};
constexpr EcosystemRow kEcosystems[] = {
#define HLOCC_ECOSYSTEM(family, bits, order, ...) \
  {CoreFamily::family, bits, ByteOrder::order, __VA_ARGS__},
#include "target/ecosystems.def"
};

// Espressif's chips by the preset of their core.
struct IdfRow {
  std::string_view preset, chips;
};
constexpr IdfRow kIdfTargets[] = {
#define HLOCC_IDF_TARGET(preset, chips) {preset, chips},
#include "target/ecosystems.def"
};

bool is_bare_arm(const Target& target, const CoreNeeds& core) {
  return core.family == CoreFamily::kArm && target.bare_metal;
}

// Of a Cortex-M: "thumbv7em-none-eabihf".
std::string rust_thumb(const CoreNeeds& core) {
  const bool has_thumb2 = core.has(CoreFact::kArmThumb2);
  const char* version = core.has(CoreFact::kArmV8)                      ? "8m.main"
                        : core.has(CoreFact::kArmV8Base) && !has_thumb2 ? "8m.base"
                        : core.has(CoreFact::kArmDsp)                   ? "7em"
                        : has_thumb2                                    ? "7m"
                                                                        : "6m";
  return cat("thumbv", version, "-none-eabi", core.has(CoreFact::kArmHardFloat) ? "hf" : "");
}

// "imac" of the facts that have letters.
std::string riscv_letters(const CoreNeeds& core) {
  std::string out = "i";
  for (const auto& [fact, letter] : {std::pair(CoreFact::kRiscvM, 'm'),
                                     {CoreFact::kRiscvA, 'a'},
                                     {CoreFact::kRiscvF, 'f'},
                                     {CoreFact::kRiscvD, 'd'},
                                     {CoreFact::kRiscvC, 'c'}})
    if (core.has(fact)) out += letter;
  return out == "imafdc" ? "gc" : out;
}

std::string rust_triple(const Target& target, const CoreNeeds& core, std::string_view triplet) {
  if (target.backend == "c") return "";
  if (is_bare_arm(target, core)) return rust_thumb(core);
  if (core.family == CoreFamily::kRiscv && target.bare_metal)
    return cat("riscv", target.pointer_bits, riscv_letters(core), "-unknown-none-elf");
  if (core.family == CoreFamily::kRiscv) return "riscv64gc-unknown-linux-gnu";
  if (core.family == CoreFamily::kWasm) return "wasm32-unknown-unknown";
  if (triplet.empty()) return "";
  const std::string_view arch = triplet.substr(0, triplet.find('-'));
  const std::string_view rest = triplet.substr(triplet.find('-'));
  const bool is_arm = core.family == CoreFamily::kArm;
  const bool is_old = target.triple.starts_with("armv6");
  return cat(is_arm && !is_old ? "armv7" : std::string(arch), "-unknown", std::string(rest));
}

// Zephyr's symbols; empty where none says it.
std::string kconfig(const Target& target, const CoreNeeds& core, const std::string& idf) {
  std::vector<std::string> out;
  if (is_bare_arm(target, core)) {
    out.push_back("CPU_" + to_upper(to_c_identifier(target.cpu)));
    const bool is_hard = core.has(CoreFact::kArmHardFloat);
    out.push_back(is_hard ? "FPU && FP_HARDABI" : "!FP_HARDABI");
    if (core.has(CoreFact::kArmF64)) out.push_back("CPU_HAS_FPU_DOUBLE_PRECISION");
    if (core.has(CoreFact::kArmMveFloat)) out.push_back("ARMV8_1_M_MVEF");
  } else if (core.family == CoreFamily::kRiscv && target.bare_metal) {
    out.push_back(target.pointer_bits == 64 ? "RISCV && 64BIT" : "RISCV && !64BIT");
    for (const auto& [fact, letter] : {std::pair(CoreFact::kRiscvM, 'M'),
                                       {CoreFact::kRiscvA, 'A'},
                                       {CoreFact::kRiscvF, 'F'},
                                       {CoreFact::kRiscvD, 'D'},
                                       {CoreFact::kRiscvC, 'C'}})
      if (core.has(fact)) out.push_back(cat("RISCV_ISA_EXT_", letter));
    out.push_back(core.has(CoreFact::kRiscvSoftAbi) ? "!FLOAT_HARD" : "FLOAT_HARD");
  } else if (core.family == CoreFamily::kXtensa) {
    for (const std::string& chip : split(idf, ' ')) out.push_back("SOC_SERIES_" + to_upper(chip));
  }
  return join(out, " && ");
}

void name_cmsis(const Target& target, const CoreNeeds& core, EcosystemNames& out) {
  if (!is_bare_arm(target, core) || !target.cpu.starts_with("cortex-m")) return;
  std::string name = "Cortex-M" + target.cpu.substr(8);
  if (name.ends_with("plus")) name.replace(name.size() - 4, 4, "+");
  out.cmsis_core = name;
  out.cmsis_fpu = core.has(CoreFact::kArmF64)   ? "DP_FPU"
                  : core.has(CoreFact::kArmF32) ? "SP_FPU"
                                                : "NO_FPU";
  if (core.has(CoreFact::kArmMve))
    out.cmsis_mve = core.has(CoreFact::kArmMveFloat) ? "FP_MVE" : "MVE";
  if (core.has(CoreFact::kArmV8) && !core.has(CoreFact::kArmMve))
    out.cmsis_dsp = core.has(CoreFact::kArmDsp) ? "DSP" : "NO_DSP";
}

std::string flag_of(const std::string& cflags, std::string_view flag) {
  for (const std::string& word : split(cflags, ' '))
    if (word.starts_with(flag)) return word.substr(flag.size());
  return "";
}

// The second folder is for cores whose recipe names an FPU.
std::string arduino_folder(const Target& target, const CoreNeeds& core, const std::string& idf) {
  if (!target.bare_metal || core.family == CoreFamily::kWasm) return "";
  if (!idf.empty()) return idf.substr(0, idf.find(' '));
  BoardRow row = row_for(target);
  const std::string fpu = flag_of(row["cflags"], "-mfpu=");
  return fpu.empty() ? target.cpu : cat(target.cpu, "/", fpu, "-hard");
}

}  // namespace

EcosystemNames ecosystem_names(const Target& target, const CoreNeeds& core) {
  EcosystemNames out;
  for (const EcosystemRow& row : kEcosystems) {
    if (row.family != core.family || row.bits != target.pointer_bits ||
        row.order != target.byte_order)
      continue;
    out.meson = row.meson;
    out.conan = row.conan;
    out.vcpkg = row.vcpkg;
    if (target.bare_metal) break;
    out.deb = row.deb;
    out.triplet = row.triplet;
  }
  if (core.has(CoreFact::kArmHardFloat)) out.conan = "armv7hf";
  for (const IdfRow& row : kIdfTargets)
    if (row.preset == target.board) out.idf = row.chips;
  out.rust = rust_triple(target, core, out.triplet);
  out.kconfig = kconfig(target, core, out.idf);
  out.arduino = arduino_folder(target, core, out.idf);
  name_cmsis(target, core, out);
  return out;
}

}  // namespace hlocc
