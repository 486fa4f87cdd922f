// The table of presets: one row a chip. A new chip is a new row here and a toolchain file; no code
// elsewhere. A chip whose core is in the table already is that row under another name (`like`).
#include "target/target.h"

#include "target/memory_functions.h"

namespace hlocc {
namespace {

const std::vector<std::string> kArmHelpers = {"__aeabi_*", "__gnu_*"};
const std::vector<std::string> kRiscvHelpers = {"__*si3",    "__*di3",   "__*sf3", "__*df3",
                                                "__*sf2",    "__*df2",   "__fix*", "__float*",
                                                "__extend*", "__trunc*", "__*di2", "__*si2"};

Target arm(const char* name, const char* triple, const char* cpu, const char* features,
           FloatAbi abi, const char* board) {
  Target t;
  t.name = name;
  t.triple = triple;
  t.cpu = cpu;
  t.features = features;
  t.float_abi = abi;
  t.board = board;
  t.helper_symbols = kArmHelpers;
  t.isa = {Isa::kThumb2};
  return without_caches(t);
}

// What it has, and these.
Target with(Target t, IsaSet isa) {
  for (const IsaInfo& info : kIsaTable)
    if (isa.contains(info.isa)) t.isa.add(info.isa);
  return t;
}

Target with_fpu(Target t, bool f64, bool fma) {
  t.f32_unit = true;
  t.f64_unit = f64;
  t.fma = fma;
  t.vector_registers = 32;
  return t;
}

Target cortex_m0() {
  Target t = arm("cortex-m0", "thumbv6m-none-eabi", "cortex-m0", "", FloatAbi::kSoft, "cortex-m0");
  t.hardware_divide = false;
  t.isa = {};
  t.scalar_registers = 7;
  return t;
}

// What Armv6-M has, and a divider.
Target cortex_m23() {
  Target t =
      arm("cortex-m23", "thumbv8m.base-none-eabi", "cortex-m23", "", FloatAbi::kSoft, "cortex-m23");
  t.isa = {};
  t.scalar_registers = 7;
  return t;
}

Target cortex_m55() {
  Target t = with_fpu(arm("cortex-m55", "thumbv8.1m.main-none-eabihf", "cortex-m55", "+mve.fp",
                          FloatAbi::kHard, "cortex-m55"),
                      true, true);
  t.style = KernelStyle::kSimd;
  t.vector_bits = 128;
  t.vector_registers = 8;
  t.multiply_by_scalar = true;
  // Vectors' loads have short offsets.
  t.load_reach = 508;
  return with(t, {Isa::kDsp, Isa::kFpArmv8, Isa::kMve});
}

Target riscv(const char* name, const char* triple, const char* cpu, const char* features,
             const char* abi, int bits) {
  Target t;
  t.name = name;
  t.triple = triple;
  t.cpu = cpu;
  t.features = features;
  t.abi = abi;
  t.board = name;
  t.pointer_bits = bits;
  t.scalar_registers = 26;
  t.helper_symbols = kRiscvHelpers;
  t.isa = {Isa::kRiscv};
  return without_caches(t);
}

Target rv64gc() {
  Target t = with_fpu(
      riscv("rv64gc", "riscv64-unknown-elf", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d", 64), true,
      true);
  t.code_model = CodeModel::kMedium;
  return with_caches(t);
}

Target linux_row(Target t, int bits, int vector_bits, int registers) {
  t.bare_metal = false;
  t.position_independent = true;
  t.pointer_bits = bits;
  t.vector_bits = vector_bits;
  t.vector_registers = registers;
  t.style = vector_bits > 0 ? KernelStyle::kSimd : KernelStyle::kScalar;
  t.f32_unit = t.f64_unit = true;
  return with_caches(t);
}

Target cortex_a53() {
  Target t;
  t.name = t.board = "cortex-a53";
  t.triple = "aarch64-unknown-linux-gnu";
  t.cpu = "cortex-a53";
  t.scalar_registers = 28;
  t.fma = t.multiply_by_lane = t.f16_conversion = true;
  t.isa = {Isa::kAArch64};
  return linux_row(t, 64, 128, 32);
}

// Dot products of bytes, and a core that runs ahead.
Target cortex_a76() {
  Target t = cortex_a53();
  t.name = t.board = "cortex-a76-linux";
  t.cpu = "cortex-a76";
  t.isa.add(Isa::kDotprod);
  t.out_of_order = true;
  return t;
}

// Raspberry Pi 4's core, and that of others that have no dot products and run ahead.
Target cortex_a72() {
  Target t = cortex_a53();
  t.name = t.board = "cortex-a72-linux";
  t.cpu = "cortex-a72";
  t.out_of_order = true;
  return t;
}

// Raspberry Pi Zero's core: floats by VFPv2, no vectors.
Target arm1176_linux() {
  Target t = arm("arm1176-linux", "armv6-unknown-linux-gnueabihf", "arm1176jzf-s", "",
                 FloatAbi::kHard, "arm1176-linux");
  t.hardware_divide = false;
  t.isa = {};
  return linux_row(t, 32, 0, 32);
}

Target armv7_linux(const char* name, const char* cpu, bool out_of_order) {
  Target t = arm(name, "armv7-unknown-linux-gnueabihf", cpu, "+neon,+vfp4", FloatAbi::kHard, name);
  t.out_of_order = out_of_order;
  t.fma = t.multiply_by_lane = true;
  t.isa = {Isa::kThumb2, Isa::kNeon, Isa::kDsp};
  return linux_row(t, 32, 128, 16);
}

Target riscv64_linux(bool vectors) {
  Target t =
      riscv(vectors ? "riscv64v-linux" : "riscv64-linux", "riscv64-unknown-linux-gnu",
            "generic-rv64", vectors ? "+m,+a,+f,+d,+c,+v,+zvl128b" : "+m,+a,+f,+d,+c", "lp64d", 64);
  t.fma = true;
  t.multiply_by_scalar = vectors;
  if (vectors) t.isa.add(Isa::kRvv);
  // Vectors of 128 bits are used in groups of two (LMUL 2): half the registers, half the
  // instructions; the first group is where masks live.
  return vectors ? linux_row(t, 64, 256, 15) : linux_row(t, 64, 0, 32);
}

Target s390x_linux() {
  Target t;
  t.name = t.board = "s390x-linux";
  t.triple = "s390x-unknown-linux-gnu";
  t.cpu = "z13";
  t.out_of_order = true;
  t.byte_order = ByteOrder::kBig;
  t.scalar_registers = 12;
  t.fma = true;
  t = linux_row(t, 64, 128, 32);
  // z13's vectors hold doubles and integers; f32 vectors came with z14.
  t.float_vectors = false;
  t.helper_symbols = {"__*di3", "__*ti3"};
  return t;
}

// A core that is known by its triple and LLVM's name of it, under Linux.
Target linux_core(const char* name, const char* triple, const char* cpu, int bits, int vector_bits,
                  int registers) {
  Target t;
  t.name = t.board = name;
  t.triple = triple;
  t.cpu = cpu;
  t.scalar_registers = bits == 64 ? 26 : 12;
  t.helper_symbols = kRiscvHelpers;
  t.helper_symbols.insert(t.helper_symbols.end(), {"__*ti3", "__*di3"});
  return linux_row(t, bits, vector_bits, registers);
}

Target loongarch64_linux() {
  Target t =
      linux_core("loongarch64-linux", "loongarch64-unknown-linux-gnu", "generic-la64", 64, 0, 32);
  t.features = "+d,+f";
  t.abi = "lp64d";
  t.fma = true;
  return t;
}

// The floating-point registers work with both of the ABI's modes.
Target mips_linux(const char* name, const char* triple, ByteOrder order) {
  Target t = linux_core(name, triple, "mips32r2", 32, 0, 16);
  t.features = "+fpxx,+nooddspreg";
  t.byte_order = order;
  t.helper_symbols.emplace_back("_gp_disp");  // where the linker says that the globals are
  return t;
}

Target ppc64le_linux() {
  Target t = linux_core("ppc64le-linux", "powerpc64le-unknown-linux-gnu", "pwr8", 64, 128, 64);
  t.helper_symbols.emplace_back(".TOC.");
  t.out_of_order = t.fma = true;
  return t;
}

// SSE2 and nothing newer: any machine of the last twenty years.
Target x86_linux(const char* name, const char* triple, const char* cpu, int bits) {
  Target t = linux_core(name, triple, cpu, bits, 128, bits == 64 ? 16 : 8);
  t.scalar_registers = bits == 64 ? 14 : 6;
  t.call_bytes = bits / 8;
  t.out_of_order = true;
  t.isa = {Isa::kSse2};
  if (bits == 32) t.helper_symbols.emplace_back("_GLOBAL_OFFSET_TABLE_");
  return t;
}

// WebAssembly with vectors: an engine makes the machine's code of it. What x86-64 has of registers
// is what engines can count on.
Target wasm32() {
  Target t;
  t.name = t.board = "wasm32";
  t.triple = "wasm32-unknown-unknown";
  t.cpu = "generic";
  t.features = "+simd128,+bulk-memory,+nontrapping-fptoint";
  t.out_of_order = true;
  t.helper_symbols = {"__*ti3", "__stack_pointer"};
  t = linux_row(t, 32, 128, 16);
  t.bare_metal = true;
  t.position_independent = false;
  return t;
}

// An ATmega2560: a multiplier of bytes, 8 KB of RAM, 256 KB of flash that loads do not reach.
// LLVM's AVR is no match for avr-gcc, which its C is for.
Target avr_mega2560() {
  Target t;
  t.name = t.board = "avr-mega2560";
  t.triple = "avr-unknown-unknown";
  t.cpu = "atmega2560";
  t.backend = "c";
  t.pointer_bits = 16;
  t.hardware_divide = t.float_roots = false;
  t.scalar_registers = 7;
  t.ram_bytes = 8 << 10;
  t.flash_bytes = 256 << 10;
  t.constants_apart = true;
  t.double_is_f64 = false;
  return without_caches(t);
}

// ESP8266's core: it multiplies words and divides in software. LLVM 19 can't select a
// multiplication for it; its C is for GNU's compiler.
Target xtensa_lx106() {
  Target t;
  t.name = t.board = "xtensa-lx106";
  t.triple = "xtensa-unknown-unknown";
  t.cpu = "lx106";
  t.backend = "c";
  t.hardware_divide = t.float_roots = false;
  t.scalar_registers = 12;
  t.ram_bytes = 80 << 10;
  t.flash_bytes = 1 << 20;
  return without_caches(t);
}

// Cores of ESP32 and ESP32-S3: they divide, and have a float unit of single precision.
Target xtensa_with_fpu(const char* name, const char* cpu) {
  Target t = xtensa_lx106();
  t.name = t.board = name;
  t.cpu = cpu;
  t.hardware_divide = t.f32_unit = true;
  t.vector_registers = 16;
  t.ram_bytes = t.flash_bytes = 0;
  return t;
}

// Hexagon without its vectors, in whatever image it is linked into: floats in the scalar registers,
// of which the ABI's small data section, reached from a register, is not asked for.
Target hexagon_v67() {
  Target t;
  t.name = t.board = "hexagon-v67";
  t.triple = "hexagon-unknown-elf";
  t.cpu = "hexagonv67";
  t.features = "-small-data";
  t.f32_unit = t.f64_unit = t.fma = true;
  t.f64_fma = t.float_roots = t.hardware_divide = false;
  t.isa = {Isa::kHexagon};
  // Floats and integers share them.
  t.scalar_registers = t.vector_registers = 24;
  t.call_bytes = 8;
  // Quotients, of doubles too; of floats at -Os.
  t.helper_symbols = {"__hexagon_*si3", "__hexagon_*di3", "__hexagon_divdf3", "__hexagon_divsf3"};
  return with_caches(t);
}

// The same with vectors of 128 bytes, of integers: those of floats are newer, and no emulator's.
Target hexagon_v67_hvx() {
  Target t = hexagon_v67();
  t.name = t.board = "hexagon-v67-hvx";
  t.features = "+hvxv67,+hvx-length128b,-small-data";
  t.style = KernelStyle::kSimd;
  t.vector_bits = 1024;
  t.widest_element = 32;
  t.vector_registers = 32;
  t.float_vectors = false;
  t.isa.add(Isa::kHvx);
  // A frame that holds vectors begins at a multiple of their size.
  t.call_bytes += t.vector_bits / 8;
  return t;
}

// Another chip with the same core, or one that differs in its processor's name alone.
Target like(Target t, const char* name, const char* cpu = nullptr) {
  t.name = t.board = name;
  if (cpu != nullptr) t.cpu = cpu;
  return t;
}

Target m7(Target t) {
  t.dual_issue = true;
  return with(std::move(t), {Isa::kDsp, Isa::kFpArmv8});
}

// The row is completed by backends/llvm, which knows this machine.
Target host() {
  Target t;
  t.name = "host";
  t.bare_metal = false;
  t.position_independent = true;
  return t;
}

std::vector<Target> make_presets() {
  const auto hard = FloatAbi::kHard;
  const auto soft = FloatAbi::kSoft;
  const char* eabi = "thumbv7em-none-eabi";
  const char* eabihf = "thumbv7em-none-eabihf";
  // vfma takes three cycles on an M4: multiply and add are as fast and round as written.
  const Target m4f =
      with(with_fpu(arm("cortex-m4f", eabihf, "cortex-m4", "+vfp4d16sp", hard, "cortex-m4f"), false,
                    false),
           {Isa::kDsp});
  const Target m33 = with(with_fpu(arm("cortex-m33", "thumbv8m.main-none-eabihf", "cortex-m33",
                                       "+fp-armv8d16sp", hard, "cortex-m33"),
                                   false, true),
                          {Isa::kDsp, Isa::kFpArmv8});
  const Target rv32imc =
      riscv("rv32imc", "riscv32-unknown-elf", "generic-rv32", "+m,+c", "ilp32", 32);
  const Target rv32imac =
      riscv("rv32imac", "riscv32-unknown-elf", "generic-rv32", "+m,+a,+c", "ilp32", 32);
  const Target rv32imafc = with_fpu(
      riscv("rv32imafc", "riscv32-unknown-elf", "generic-rv32", "+m,+a,+f,+c", "ilp32f", 32), false,
      true);
  return {
      cortex_m0(),
      like(cortex_m0(), "cortex-m0plus", "cortex-m0plus"),
      arm("cortex-m3", "thumbv7m-none-eabi", "cortex-m3", "", soft, "cortex-m3"),
      // LLVM's cortex-m4 has an FPU; without its registers all of it goes, not the newest part
      // alone.
      with(arm("cortex-m4", eabi, "cortex-m4", "-fpregs", soft, "cortex-m4"), {Isa::kDsp}),
      m4f,
      m7(with_fpu(arm("cortex-m7", eabihf, "cortex-m7", "+fp-armv8d16", hard, "cortex-m7"), true,
                  true)),
      // LLVM's cortex-m7 computes doubles; this one does not.
      m7(with_fpu(
          arm("cortex-m7sp", eabihf, "cortex-m7", "+fp-armv8d16sp,-fp64", hard, "cortex-m7sp"),
          false, true)),
      m33,
      with(arm("cortex-m33-nofp", "thumbv8m.main-none-eabi", "cortex-m33", "-fpregs", soft,
               "cortex-m33-nofp"),
           {Isa::kDsp}),
      like(m33, "rp2350"),
      cortex_m55(),
      like(cortex_m55(), "cortex-m85", "cortex-m85"),
      rv32imc,
      like(rv32imc, "esp32c3"),
      rv32imac,
      like(rv32imac, "esp32c6"),
      rv32imafc,
      like(rv32imafc, "ch32v307"),
      rv64gc(),
      like(rv64gc(), "k210"),
      cortex_a53(),
      armv7_linux("armv7-linux", "cortex-a15", true),
      armv7_linux("cortex-a7-linux", "cortex-a7", false),
      riscv64_linux(false),
      riscv64_linux(true),
      s390x_linux(),
      cortex_a76(),
      x86_linux("x86_64-linux", "x86_64-unknown-linux-gnu", "x86-64", 64),
      x86_linux("i686-linux", "i686-unknown-linux-gnu", "pentium4", 32),
      ppc64le_linux(),
      loongarch64_linux(),
      mips_linux("mips-linux", "mips-unknown-linux-gnu", ByteOrder::kBig),
      mips_linux("mipsel-linux", "mipsel-unknown-linux-gnu", ByteOrder::kLittle),
      wasm32(),
      avr_mega2560(),
      xtensa_lx106(),
      xtensa_with_fpu("xtensa-lx6", "lx6"),
      xtensa_with_fpu("xtensa-lx7", "lx7"),
      cortex_m23(),
      arm1176_linux(),
      cortex_a72(),
      hexagon_v67(),
      hexagon_v67_hvx(),
      like(hexagon_v67(), "hexagon-v68", "hexagonv68"),
      like(hexagon_v67(), "hexagon-v73", "hexagonv73"),
      host(),
  };
}

const std::vector<Target>& presets() {
  static const std::vector<Target>& rows = *new std::vector<Target>(make_presets());
  return rows;
}

bool matches(std::string_view pattern, std::string_view symbol) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == symbol;
  const std::string_view head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  return symbol.size() >= head.size() + tail.size() && symbol.starts_with(head) &&
         symbol.ends_with(tail);
}

}  // namespace

Target with_caches(Target row) {
  row.cache_bytes = {32 << 10, 1 << 20, 8 << 20};
  row.pipelined = true;
  row.flash_constrained = row.ram_constrained = false;
  row.load_reach = 0;
  row.strength_reduction = true;
  return row;
}

Target without_caches(Target row) {
  row.cache_bytes.clear();
  row.pipelined = false;
  row.flash_constrained = row.ram_constrained = true;
  row.load_reach = 1020;
  row.strength_reduction = false;
  return row;
}

std::optional<Target> preset(std::string_view name) {
  for (const Target& row : presets())
    if (row.name == name) return row;
  return std::nullopt;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Target& row : presets()) names.push_back(row.name);
  return names;
}

bool is_allowed_symbol(const Target& target, std::string_view symbol) {
  if (symbol == kOwnCopy) return target.bare_metal;
  // Of a triple that is no preset it is not known what LLVM makes up.
  const bool promises_libc = !target.bare_metal || !preset(target.name);
  if (symbol == "memcpy" || symbol == "memset" || symbol == "memmove") return promises_libc;
  for (const std::string& pattern : target.helper_symbols)
    if (matches(pattern, symbol)) return true;
  return false;
}

}  // namespace hlocc
