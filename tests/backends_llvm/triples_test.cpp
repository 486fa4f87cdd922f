// What is read of triples, processors and features: the row of each as a golden, or why there is
// none; the facts that its headers ask compilers for; what functions and machines are told.
#include <catch2/catch.hpp>

#include "backends/llvm/core_facts.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "support/golden.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using tests::require;

struct Asked {
  const char *triple, *cpu, *features;
  FloatAbi abi = FloatAbi::kDefault;
};
constexpr FloatAbi kSoft = FloatAbi::kSoft, kSoftfp = FloatAbi::kSoftfp, kHard = FloatAbi::kHard;

constexpr Asked kAsked[] = {
    {"aarch64-none-elf", "", ""},
    {"aarch64-none-elf", "", "", kHard},
    {"aarch64-none-elf", "", "", kSoftfp},
    {"aarch64-none-elf", "cortex-a53", "-neon"},
    {"aarch64-unknown-linux-gnu", "cortex-a76", ""},
    {"aarch64-linux-gnu", "", ""},
    {"arm-linux-gnueabihf", "cortex-a9", ""},
    {"x86_64-linux-gnu", "", ""},
    {"riscv64-linux-gnu", "", "+m,+f,+d"},
    {"marsupial-linux-gnu", "", ""},
    {"aarch64-none-elf", "cortex-a53", "+"},
    {"aarch64-none-elf", "cortex-a53", "-crypto,-neon"},
    {"aarch64-none-elf", "cortex-a53", "-warp"},
    {"aarch64-none-elf", "cortex-m4", ""},
    {"aarch64-apple-darwin", "", ""},
    {"armv7a-none-eabi", "cortex-a9", ""},
    {"armv7a-none-eabihf", "cortex-a9", ""},
    {"armv7a-none-eabi", "cortex-m4", ""},
    {"armv7a-none-eabi", "generic", ""},
    {"armv7a-none-eabi", "cortex-a9", "+mve"},
    {"armv7a-none-eabi", "cortex-a9", "", kSoft},
    {"armv7a-none-eabi", "cortex-a9", "", kSoftfp},
    {"armv7a-none-eabi", "cortex-a9", "-fpregs", kHard},
    {"armv7a-unknown-linux-gnueabihf", "cortex-a9", "+neon"},
    {"armv7a-unknown-linux-musleabihf", "cortex-a9", ""},
    {"armv7a-unknown-linux-gnueabi", "cortex-a9", ""},
    {"arm-none-eabi", "cortex-a9", ""},
    {"armeb-none-eabi", "cortex-r5", ""},
    {"thumbv6m-none-eabi", "cortex-m0", ""},
    {"thumbv6m-none-eabi", "cortex-m0", "+fpregs"},
    {"thumbv7em-none-eabi", "cortex-m4", ""},
    {"thumbv7em-none-eabi", "cortex-m7", ""},
    {"thumbv7em-none-eabi", "", ""},
    {"thumbv7em-none-eabi", "cortex-a9", ""},
    {"thumbv7em-none-eabi", "generic", ""},
    {"thumbv7em-none-eabi", "cortex-m4", "", kSoft},
    {"thumbv7em-none-eabi", "cortex-m4", "+dsp", kSoft},
    {"thumbv7em-none-eabi", "cortex-m4", "", kSoftfp},
    {"thumbv7em-none-eabi", "cortex-m4", "+neon"},
    {"thumbv7m-none-eabi", "cortex-m3", ""},
    {"thumbv7m-none-eabi", "cortex-m3", "", kHard},
    {"thumbv7m-none-eabi", "cortex-m3", "", kSoftfp},
    {"thumbv7m-none-eabi", "cortex-m3", "+vfp4d16sp"},
    {"thumbv8m.main-none-eabi", "cortex-m33", "-dsp"},
    {"thumbv8.1m.main-none-eabihf", "cortex-m55", ""},
    {"thumbv8.1m.main-none-eabihf", "cortex-m55", "-mve.fp"},
    {"riscv32-unknown-elf", "", "+m"},
    {"riscv32-unknown-elf", "", "+m,+f"},
    {"riscv32-unknown-elf", "", "+m,+f", kHard},
    {"riscv32-unknown-elf", "", "+m,+f,+d", kHard},
    {"riscv32-unknown-elf", "", "+m,+f", kSoft},
    {"riscv32-unknown-elf", "", "+m", kHard},
    {"riscv32-unknown-elf", "", "+64bit"},
    {"riscv32-unknown-elf", "", "+m,-32bit"},
    {"riscv32-unknown-elf", "", "+zcmp,+zcd"},
    {"riscv32-unknown-elf", "", "", kSoftfp},
    {"riscv64-unknown-elf", "", "+m,+f,+d,+v"},
    {"riscv64-unknown-elf", "", "+m,+f", kHard},
    {"riscv64-unknown-elf", "", "+m,+f,+d", kSoft},
    {"riscv64-unknown-linux-gnu", "sifive-u74", ""},
    {"riscv64-unknown-linux-gnu", "rocket", ""},
    {"riscv64-unknown-linux-gnu", "generic-rv32", ""},
    {"riscv64-unknown-linux-gnu", "generic", ""},
    {"riscv32-unknown-elf", "rocket", ""},
    {"riscv32-unknown-elf", "sifive-u74", ""},
    {"x86_64-unknown-linux-gnu", "", ""},
    {"x86_64-unknown-linux-gnu", "haswell", ""},
    {"x86_64-unknown-linux-gnu", "skylake-avx512", ""},
    {"x86_64-unknown-linux-gnu", "", "", kSoft},
    {"x86_64-pc-windows-msvc", "", ""},
    {"i686-unknown-linux-gnu", "", ""},
    {"hexagon-unknown-elf", "hexagonv67", ""},
    {"hexagon-unknown-elf", "hexagonv67", "+hvxv67,+hvx-length128b"},
    {"hexagon-unknown-elf", "hexagonv66", "+hvxv67,+hvx-length128b"},
    {"hexagon-unknown-elf", "hexagonv66", "+hvxv66,+hvx-length128b"},
    {"hexagon-unknown-elf", "hexagonv67", "+hvxv67,+hvx-length64b"},
    {"powerpc64le-unknown-linux-gnu", "", ""},
    {"powerpc-unknown-linux-gnu", "", ""},
    {"powerpc-unknown-linux-gnu", "pwr8", ""},
    {"mips-unknown-linux-gnu", "", ""},
    {"sparc64-unknown-linux-gnu", "", ""},
    {"s390x-unknown-linux-gnu", "z15", ""},
    {"avr-unknown-unknown", "atmega2560", ""},
    {"msp430-none-elf", "", ""},
    {"wasm32-unknown-unknown", "", "+simd128"},
    {"wasm32-unknown-unknown", "", ""},
    {"aarch64-none-elf", "cortex-r82", ""},
    {"armv5te-none-eabi", "arm926ej-s", "+vfp2"},
};

std::string facts_of(const Target& t) {
  std::string out =
      cat("  pointers ", t.pointer_bits, t.byte_order == ByteOrder::kBig ? " big" : " little",
          ", abi '", t.abi, "', calls push ", t.call_bytes, ", vectors ", t.vector_bits, " x ",
          t.vector_registers, ", registers ", t.scalar_registers, ", reach ", t.load_reach,
          ", caches ", t.cache_bytes.size(), ", features '", t.features, "'\n  is");
  const std::pair<bool, const char*> facts[] = {{t.bare_metal, "bare"},
                                                {t.position_independent, "pic"},
                                                {t.style == KernelStyle::kSimd, "simd"},
                                                {t.float_vectors, "float_vectors"},
                                                {t.f32_unit, "f32"},
                                                {t.f64_unit, "f64"},
                                                {t.fma, "fma"},
                                                {t.f64_fma, "f64_fma"},
                                                {t.hardware_divide, "divide"},
                                                {t.multiply_by_lane, "by_lane"},
                                                {t.multiply_by_scalar, "by_scalar"},
                                                {t.out_of_order, "out_of_order"},
                                                {t.dual_issue, "dual_issue"},
                                                {t.masked_vectors, "masks"},
                                                {t.f16_conversion, "f16"},
                                                {t.float_roots, "roots"},
                                                {t.widest_element == 64, "wide_elements"}};
  for (const auto& [is, name] : facts)
    if (is) out += cat(" ", std::string(name));
  out += "\n  has";
  for (const IsaInfo& info : kIsaTable)
    if (t.has(info.isa)) out += cat(" ", info.name);
  out += cat("\n  helpers ", t.helper_symbols.size(), ", last ", t.helper_symbols.back(),
             "\n  assumed ", join(t.assumed, "; "), "\n  needs");
  for (const CoreFact fact : require(core_needs(t)).facts)
    out += cat(" ", core_facts()[static_cast<size_t>(fact)].feature);
  return out + "\n";
}

TEST_CASE("triples have their golden rows") {
  std::string out;
  for (const Asked& asked : kAsked) {
    constexpr const char* kAbis[] = {"", " soft", " softfp", " hard"};
    out += cat(std::string(asked.triple), " '", std::string(asked.cpu), "' '",
               std::string(asked.features), "'", kAbis[static_cast<int>(asked.abi)], "\n");
    const Result<Target> row =
        target_for_triple(asked.triple, asked.cpu, asked.features, asked.abi);
    out += row ? facts_of(*row) : "  " + row.error().message + "\n";
  }
  tests::check_golden("golden/triples.txt", out);
}

TEST_CASE("what is asked of the host's row is not this machine's") {
  const Target here = require(complete_target(*preset("host")));
  Target asked = *preset("host");
  asked.cpu = here.cpu;
  CHECK(require(complete_target(asked)).cpu == here.cpu);
  CHECK(require(complete_target(asked)).features.empty());
  REQUIRE_FALSE(here.features.empty());
  asked.cpu = "";
  asked.features = split(here.features, ',')[0];
  CHECK(require(complete_target(asked)).features == asked.features);
  CHECK(require(complete_target(asked)).cpu.empty());
}

TEST_CASE("loops of RISC-V's small cores begin at words of flash, unless size matters") {
  const auto alignment = [](const char* name, Level level) {
    Target target = *preset(name);
    target.options.level = level;
    return require(make_target_machine(require(complete_target(target))))->Options.LoopAlignment;
  };
  CHECK(alignment("rv32imc", Level::kO2) == 8);
  CHECK(alignment("rv32imc", Level::kOs) == 0);
  CHECK(alignment("riscv64-linux", Level::kO2) == 0);
  CHECK(alignment("cortex-m4", Level::kO2) == 0);
}

TEST_CASE("LLVM is told how floats are passed") {
  const auto told = [](FloatAbi abi) {
    Target target = *preset("cortex-m4f");
    target.float_abi = abi;
    return require(make_target_machine(require(complete_target(target))))->Options.FloatABIType;
  };
  CHECK(told(FloatAbi::kSoft) == llvm::FloatABI::Soft);
  CHECK(told(FloatAbi::kSoftfp) == llvm::FloatABI::Soft);
  CHECK(told(FloatAbi::kHard) == llvm::FloatABI::Hard);
  CHECK(told(FloatAbi::kDefault) == llvm::FloatABI::Hard);  // the triple's
}

// Names of the attributes that a function gets.
std::string attributes_of(const char* name, int vector_bits, Level level) {
  Target target = require(complete_target(*preset(name)));
  target.vector_bits = vector_bits;
  target.options.level = level;
  llvm::LLVMContext context;
  llvm::Module module("attributes", context);
  llvm::Function* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::Function::ExternalLinkage, "f", module);
  set_function_attributes(*function, target);
  std::string out;
  for (const char* attribute : {"prefer-vector-width", "min-legal-vector-width", "target-cpu",
                                "target-features", "no-builtins"})
    if (function->hasFnAttribute(attribute))
      out += cat(std::string(attribute), "=",
                 std::string(attribute).starts_with("target-features")
                     ? "..."
                     : function->getFnAttribute(attribute).getValueAsString().str(),
                 " ");
  for (const auto& [attribute, word] : {std::pair{llvm::Attribute::NoRedZone, "noredzone"},
                                        {llvm::Attribute::OptimizeForSize, "optsize"},
                                        {llvm::Attribute::MinSize, "minsize"},
                                        {llvm::Attribute::NoUnwind, "nounwind"}})
    if (function->hasFnAttribute(attribute)) out += cat(std::string(word), " ");
  return out;
}

TEST_CASE("no function has a red zone, which an interrupt would overwrite") {
  const auto has_none = [](const char* triple) {
    Target target;
    target.triple = triple;
    llvm::LLVMContext context;
    llvm::Module module("zones", context);
    llvm::Function* function =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                               llvm::Function::ExternalLinkage, "f", module);
    set_function_attributes(*function, target);
    return function->hasFnAttribute(llvm::Attribute::NoRedZone);
  };
  for (const char* triple : {"x86_64-linux-gnu", "powerpc64le-linux-gnu", "powerpc64-linux-gnu"})
    CHECK(has_none(triple));
  for (const char* triple : {"aarch64-none-elf", "i686-linux-gnu", "powerpc-linux-gnu"})
    CHECK_FALSE(has_none(triple));
}

TEST_CASE("functions say for which processor they are, and how wide x86's vectors are") {
  std::string out;
  for (const char* name : {"x86_64-linux", "cortex-a53", "hexagon-v67-hvx", "cortex-m4"})
    for (const int bits : {0, 128, 256})
      out += cat(std::string(name), " ", bits, ": ", attributes_of(name, bits, Level::kO2), "\n");
  out += cat("-Os: ", attributes_of("cortex-m4", 0, Level::kOs), "\n");
  out += cat("-Oz: ", attributes_of("cortex-m4", 0, Level::kOz), "\n");
  tests::check_golden("golden/attributes.txt", out);
}

}  // namespace
}  // namespace hlocc::backends
