// Asks LLVM's TargetMachine, subtarget and lowering tables for what a target row needs to know.
#include "backends/llvm/generic_target.h"

#include <algorithm>

#include "backends/llvm/target_machine.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// Compiler helpers by the names that libgcc and compiler-rt give them.
const std::vector<std::string> kGenericHelpers = {
    "__*si2", "__*si3", "__*di2", "__*di3", "__*ti3",   "__*hi3",    "__*qi3",  "__*sf2",
    "__*sf3", "__*df2", "__*df3", "__fix*", "__float*", "__extend*", "__trunc*"};

struct FamilyRow {
  llvm::Triple::ArchType arch;
  // Scalar registers that kernels can use for pointers and counters.
  int scalar_registers;
  std::vector<std::string> more_helpers;
  bool pushes_return = false;  // calls push the return address
};
const std::vector<FamilyRow>& families() {
  static const std::vector<FamilyRow>& rows = *new std::vector<FamilyRow>{
      {llvm::Triple::x86, 6, {}, true},
      // Places that the linker knows.
      {llvm::Triple::mips, 12, {"_gp_disp"}},
      {llvm::Triple::mipsel, 12, {"_gp_disp"}},
      {llvm::Triple::x86_64, 14, {}, true},
      {llvm::Triple::aarch64, 28, {}},
      {llvm::Triple::arm, 12, {"__aeabi_*", "__gnu_*"}},
      {llvm::Triple::thumb, 12, {"__aeabi_*", "__gnu_*"}},
      // LLVM asks AVR's start-up code by name to copy initialised data, which is where constants
      // without a flash section lie.
      {llvm::Triple::avr,
       12,
       {"__*qi2", "__*hi2", "__mulsi3", "__udivmod*", "__divmod*", "__do_copy_data",
        "__do_clear_bss"},
       true},
      {llvm::Triple::ppc64, 26, {".TOC."}},
      {llvm::Triple::ppc64le, 26, {".TOC."}},
      {llvm::Triple::wasm32, 12, {"__stack_pointer"}},
      {llvm::Triple::wasm64, 12, {"__stack_pointer"}},
      {llvm::Triple::hexagon, 24, {"__hexagon_*"}},
      {llvm::Triple::msp430, 10, {"__mspabi_*"}, true},
      {llvm::Triple::m68k, 12, {}, true},
  };
  return rows;
}

// LLVM reads the parts by their places: of `aarch64-linux-gnu` it takes "linux" for the vendor and
// knows no system, of `thumbv6m-none-eabi` it takes "eabi" for the system.
std::string full_triple(const std::string& triple) { return llvm::Triple::normalize(triple); }

void assume(Target& row, std::string sentence) { row.assumed.push_back(std::move(sentence)); }

// What LLVM's lowering tables say of the arithmetic units.
void ask_lowering(Target& row, const llvm::TargetLowering& lowering) {
  const auto has = [&](unsigned operation, llvm::MVT type) {
    return lowering.isOperationLegalOrCustom(operation, type);
  };
  row.f32_unit = has(llvm::ISD::FADD, llvm::MVT::f32) && lowering.isTypeLegal(llvm::MVT::f32);
  row.f64_unit = has(llvm::ISD::FADD, llvm::MVT::f64) && lowering.isTypeLegal(llvm::MVT::f64);
  row.fma = row.f32_unit && lowering.isOperationLegal(llvm::ISD::FMA, llvm::MVT::f32);
  row.f64_fma = row.f64_unit && lowering.isOperationLegal(llvm::ISD::FMA, llvm::MVT::f64);
  // Arm's ABI has functions for quotient and remainder at once, which LLVM calls custom.
  const llvm::Triple triple(row.triple);
  const bool is_arm = triple.isARM() || triple.isThumb();
  row.hardware_divide =
      lowering.isOperationLegalOrCustom(llvm::ISD::SDIV, llvm::MVT::i32) ||
      (!is_arm && lowering.isOperationLegalOrCustom(llvm::ISD::SDIVREM, llvm::MVT::i32)) ||
      row.pointer_bits == 64;
  if (row.vector_bits > 0)
    row.float_vectors =
        has(llvm::ISD::FADD, llvm::MVT::getVectorVT(llvm::MVT::f32, row.vector_bits / 32));
}

void ask_cost_tables(Target& row, llvm::TargetMachine& machine) {
  llvm::LLVMContext context;
  llvm::Module module("probe", context);
  prepare_module(module, row, machine);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  llvm::Function* function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, "probe", module);
  // LLVM prefers 256 bits on many processors with AVX-512, whose kernels of explicit vectors run
  // faster in 512.
  if (llvm::Triple(row.triple).isX86()) row.vector_bits = 512;
  set_function_attributes(*function, row);
  const llvm::TargetTransformInfo info = machine.getTargetTransformInfo(*function);
  const auto kind = llvm::TargetTransformInfo::RGK_FixedWidthVector;
  row.vector_bits = static_cast<int>(info.getRegisterBitWidth(kind).getFixedValue());
  if (row.vector_bits < 64) row.vector_bits = 0;
  row.style = row.vector_bits > 0 ? KernelStyle::kSimd : KernelStyle::kScalar;
  const unsigned vectors =
      info.getRegisterClassForType(row.vector_bits > 0, llvm::Type::getFloatTy(context));
  row.vector_registers = static_cast<int>(info.getNumberOfRegisters(vectors));
  ask_lowering(row, *machine.getSubtargetImpl(*function)->getTargetLowering());
}

bool is_family(const llvm::Triple& triple, IsaFamily family) {
  switch (family) {
    case IsaFamily::kX86: return triple.isX86();
    case IsaFamily::kX86_64: return triple.getArch() == llvm::Triple::x86_64;
    case IsaFamily::kArm: return triple.isARM() || triple.isThumb();
    case IsaFamily::kAArch64: return triple.isAArch64();
    case IsaFamily::kRiscv: return triple.isRISCV();
    case IsaFamily::kHexagon: return triple.getArch() == llvm::Triple::hexagon;
  }
  return false;
}

// Each call saves two registers beside its frame, which begins at a multiple of what vectors it
// holds. LLVM has vectors of floats and of 64 bits, lane by lane.
void read_hexagon(Target& row) {
  row.call_bytes = 8;
  if (!row.has(Isa::kHvx)) return;
  // The cost tables know of vectors where LLVM is asked to find some by itself.
  row.vector_bits = 1024;
  row.vector_registers = 32;
  row.style = KernelStyle::kSimd;
  row.call_bytes += row.vector_bits / 8;
  row.float_vectors = false;
  row.widest_element = 32;
}

// Facts that LLVM keeps for itself. A feature is asked of the subtarget, which knows what the
// processor's name implies.
void read_features(Target& row, const llvm::TargetMachine& machine) {
  const llvm::Triple triple(row.triple);
  const llvm::MCSubtargetInfo& subtarget = *machine.getMCSubtargetInfo();
  for (const IsaInfo& info : kIsaTable)
    if (is_family(triple, info.family) &&
        (info.feature.empty() || subtarget.checkFeatures(info.feature)))
      row.isa.add(info.isa);
  row.multiply_by_lane = row.has(Isa::kAArch64) || row.has(Isa::kNeon);
  row.multiply_by_scalar = row.has(Isa::kRiscv) || row.has(Isa::kMve);
  // WebAssembly's engines run on machines that do.
  row.out_of_order = subtarget.getSchedModel().isOutOfOrder() || triple.isWasm();
  row.dual_issue = !row.out_of_order && subtarget.getSchedModel().IssueWidth > 1;
  row.masked_vectors = row.has(Isa::kAvx);
  row.f16_conversion = row.has(Isa::kF16c) || row.has(Isa::kAArch64);
  // Of the units that LLVM knows, only PowerPC's early ones and Hexagon's lack the root.
  row.float_roots = (triple.getArch() != llvm::Triple::ppc || subtarget.checkFeatures("+fsqrt")) &&
                    !row.has(Isa::kHexagon);
  if (row.has(Isa::kHexagon)) read_hexagon(row);
}

// Who has an operating system, wide addresses or a core that runs ahead has caches, and signal
// processors that LLVM knows.
void guess_memory(Target& row) {
  const int vectors_reach = 508;
  const bool cached =
      row.pointer_bits == 64 || !row.bare_metal || row.out_of_order || row.has(Isa::kHexagon);
  row = cached ? with_caches(row) : without_caches(row);
  if (!row.has_cache() && row.vector_bits > 0) row.load_reach = vectors_reach;
}

void apply_family(Target& row) {
  const llvm::Triple triple(row.triple);
  row.helper_symbols = kGenericHelpers;
  row.scalar_registers = row.pointer_bits == 64 ? 26 : 12;
  for (const FamilyRow& family : families()) {
    if (family.arch != triple.getArch()) continue;
    row.scalar_registers = family.scalar_registers;
    if (family.pushes_return) row.call_bytes = row.pointer_bits / 8;
    row.helper_symbols.insert(row.helper_symbols.end(), family.more_helpers.begin(),
                              family.more_helpers.end());
  }
  // What the system's library has of the compiler's. Windows' programs say by a symbol that they
  // compute with floats, and ask for large frames page by page.
  if (triple.isOSWindows())
    row.helper_symbols.insert(row.helper_symbols.end(), {"_fltused", "__chkstk", "_chkstk",
                                                         "___chkstk_ms", "_all*", "_aull*"});
  if (triple.isOSDarwin())
    row.helper_symbols.insert(row.helper_symbols.end(), {"bzero", "__bzero"});
  row.bare_metal = triple.getOS() == llvm::Triple::UnknownOS;
  row.position_independent = !row.bare_metal && !triple.isWasm();
  // A place that the linker knows, from which position independent code reaches others.
  if (row.position_independent) row.helper_symbols.emplace_back("_GLOBAL_OFFSET_TABLE_");
}

// What --float-abi means where: on Arm `soft` also keeps the unit itself unused, on RISC-V it is a
// name of the ABI, elsewhere there is nothing to choose.
Status apply_float_abi(Target& row, const llvm::TargetMachine& machine) {
  const llvm::Triple triple(row.triple);
  const llvm::MCSubtargetInfo& has = *machine.getMCSubtargetInfo();
  const auto no_registers = [&](const std::string& way) {
    return error(DiagnosticKind::kTarget,
                 cat("--float-abi ", way, ": ", row.cpu.empty() ? row.name : row.cpu,
                     " has no floating-point registers"))
        .note("--float-abi soft, or a --target, --cpu or --features with an FPU");
  };
  if (row.float_abi == FloatAbi::kDefault) return {};
  const bool is_arm = triple.isARM() || triple.isThumb();
  if (row.float_abi == FloatAbi::kHard && triple.isRISCV()) {
    if (!has.checkFeatures("+f")) return no_registers("hard");
    row.abi = cat(row.pointer_bits == 64 ? "lp64" : "ilp32", has.checkFeatures("+d") ? "d" : "f");
  } else if (row.float_abi != FloatAbi::kSoft && is_arm && !has.checkFeatures("+fpregs")) {
    return no_registers(row.float_abi == FloatAbi::kHard ? "hard" : "softfp");
  } else if (row.float_abi == FloatAbi::kHard) {
    return {};
  } else if (triple.isRISCV()) {
    row.abi = row.pointer_bits == 64 ? "lp64" : "ilp32";
  } else if (!is_arm) {
    return error(DiagnosticKind::kTarget, cat(row.name, " has no soft-float ABI"))
        .note("--float-abi soft and softfp are for Arm's 32-bit processors and RISC-V");
  } else if (row.float_abi == FloatAbi::kSoft) {
    row.features += row.features.empty() ? "-fpregs" : ",-fpregs";
  }
  return {};
}

void say_what_was_assumed(Target& row) {
  assume(row, cat(row.pointer_bits, "-bit pointers, ",
                  row.byte_order == ByteOrder::kBig ? "big" : "little", "-endian"));
  assume(row, row.bare_metal ? "bare metal, code at a fixed place"
                             : "an operating system, position independent code");
  assume(row,
         row.f32_unit ? "f32 arithmetic in hardware" : "f32 arithmetic by the compiler's helpers");
  assume(row, row.vector_bits == 0 ? "no vectors" : cat("vectors of ", row.vector_bits, " bits"));
  assume(row, row.has_cache() ? "a data cache" : "no data cache");
  if (row.cpu.empty()) assume(row, "LLVM's default processor; --cpu names another");
}

}  // namespace

Result<Target> target_for_triple(const std::string& triple, const std::string& cpu,
                                 const std::string& features, FloatAbi float_abi) {
  Target row;
  row.name = triple;
  row.triple = full_triple(triple);
  row.cpu = cpu;
  row.features = features;
  row.float_abi = float_abi;
  HLOCC_TRY_ASSIGN(std::unique_ptr<llvm::TargetMachine> machine, make_target_machine(row));
  const llvm::DataLayout layout = machine->createDataLayout();
  row.pointer_bits = static_cast<int>(layout.getPointerSizeInBits());
  row.byte_order = layout.isBigEndian() ? ByteOrder::kBig : ByteOrder::kLittle;
  apply_family(row);
  HLOCC_TRY(apply_float_abi(row, *machine));
  HLOCC_TRY_ASSIGN(machine, make_target_machine(row));
  ask_cost_tables(row, *machine);
  read_features(row, *machine);
  guess_memory(row);
  say_what_was_assumed(row);
  return row;
}

Target host_row() {
  Target row;
  row.triple = llvm::sys::getDefaultTargetTriple();
  row.cpu = llvm::sys::getHostCPUName().str();
  std::vector<std::string> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  // The table is a hash table; the order must not depend on it.
  std::ranges::sort(features);
  row.features = join(features, ",");
  return row;
}

Result<Target> complete_target(const Target& target) {
  if (!target.triple.empty()) {
    Target row = target;
    row.triple = full_triple(row.triple);
    HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, make_target_machine(row));
    return row;
  }
  const Target machine = host_row();
  const bool this_machine = target.cpu.empty() && target.features.empty();
  HLOCC_TRY_ASSIGN(
      Target row,
      target_for_triple(machine.triple, this_machine ? machine.cpu : target.cpu,
                        this_machine ? machine.features : target.features, target.float_abi));
  row.name = target.name;
  row.backend = target.backend;
  row.board = target.board;
  row.options = target.options;
  row.assumed.clear();
  return row;
}

}  // namespace hlocc::backends
