// What ecosystems call targets: names that their own documents have, and nothing where they know
// nothing.
#include "target/ecosystems.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

EcosystemNames names_of(const char* target, std::initializer_list<CoreFact> facts = {}) {
  const Target row = *preset(target);
  return ecosystem_names(row, {core_family(row.triple), facts});
}

TEST_CASE("triples are of families") {
  CHECK(core_family("thumbv7em-none-eabihf") == CoreFamily::kArm);
  CHECK(core_family("arm64-apple-macosx") == CoreFamily::kAarch64);
  CHECK(core_family("armv7-unknown-linux-gnueabihf") == CoreFamily::kArm);
  CHECK(core_family("riscv32-unknown-elf") == CoreFamily::kRiscv);
  CHECK(core_family("x86_64-unknown-linux-gnu") == CoreFamily::kX86_64);
  CHECK(core_family("i686-unknown-linux-gnu") == CoreFamily::kX86);
  CHECK(core_family("xtensa-unknown-unknown") == CoreFamily::kXtensa);
  CHECK(core_family("pdp11-unknown-elf") == CoreFamily::kOther);
}

TEST_CASE("ecosystems have names for cores that they know") {
  using enum CoreFact;
  const EcosystemNames m4f =
      names_of("cortex-m4f", {kArmProfileM, kArmV6M, kArmV7, kArmV8Base, kArmThumb2, kArmDsp,
                              kArmF32, kArmFma, kArmHardFloat});
  CHECK(m4f.meson == "arm");
  CHECK(m4f.conan == "armv7hf");
  CHECK(m4f.rust == "thumbv7em-none-eabihf");
  CHECK(m4f.kconfig == "CPU_CORTEX_M4 && FPU && FP_HARDABI");
  CHECK(m4f.arduino == "cortex-m4/fpv4-sp-d16-hard");
  CHECK(m4f.cmsis_core == "Cortex-M4");
  CHECK(m4f.cmsis_fpu == "SP_FPU");
  CHECK(m4f.cmsis_mve.empty());
  CHECK(m4f.cmsis_dsp.empty());
  CHECK(m4f.deb.empty());
  CHECK(m4f.idf.empty());
  const EcosystemNames m0 = names_of("cortex-m0plus", {kArmProfileM, kArmV6M, kArmSoftFloat});
  CHECK(m0.conan == "armv7");
  CHECK(m0.rust == "thumbv6m-none-eabi");
  CHECK(m0.kconfig == "CPU_CORTEX_M0PLUS && !FP_HARDABI");
  CHECK(m0.arduino == "cortex-m0plus");
  CHECK(m0.cmsis_core == "Cortex-M0+");
  const EcosystemNames m55 = names_of(
      "cortex-m55", {kArmProfileM, kArmV6M, kArmV7, kArmV8Base, kArmV8, kArmThumb2, kArmDsp,
                     kArmF32, kArmF64, kArmFma, kArmMve, kArmMveFloat, kArmHardFloat});
  CHECK(m55.rust == "thumbv8m.main-none-eabihf");
  CHECK(m55.cmsis_mve == "FP_MVE");
  CHECK(m55.cmsis_dsp.empty());
  CHECK(m55.cmsis_fpu == "DP_FPU");
  CHECK(m55.kconfig.ends_with("ARMV8_1_M_MVEF"));
  CHECK(names_of("cortex-m23", {kArmV6M, kArmV8Base, kArmSoftFloat}).rust ==
        "thumbv8m.base-none-eabi");
  CHECK(names_of("cortex-m3", {kArmThumb2, kArmSoftFloat}).rust == "thumbv7m-none-eabi");

  const EcosystemNames c3 = names_of("esp32c3", {kRiscvM, kRiscvC, kRiscvSoftAbi});
  CHECK(c3.rust == "riscv32imc-unknown-none-elf");
  CHECK(c3.idf == "esp32c3 esp32c2");
  CHECK(c3.arduino == "esp32c3");
  CHECK(c3.vcpkg == "riscv32");
  CHECK(c3.cmsis_core.empty());
  CHECK(c3.kconfig == "RISCV && !64BIT && RISCV_ISA_EXT_M && RISCV_ISA_EXT_C && !FLOAT_HARD");
  const EcosystemNames rv64 = names_of("rv64gc", {kRiscvM, kRiscvA, kRiscvF, kRiscvD, kRiscvC});
  CHECK(rv64.rust == "riscv64gc-unknown-none-elf");
  CHECK(rv64.vcpkg == "riscv64");
  CHECK(rv64.kconfig.starts_with("RISCV && 64BIT && "));

  const EcosystemNames a53 = names_of("cortex-a53");
  CHECK(a53.deb == "arm64");
  CHECK(a53.triplet == "aarch64-linux-gnu");
  CHECK(a53.rust == "aarch64-unknown-linux-gnu");
  CHECK(a53.kconfig.empty());
  CHECK(a53.arduino.empty());
  CHECK(names_of("armv7-linux", {kArmHardFloat}).rust == "armv7-unknown-linux-gnueabihf");
  CHECK(names_of("arm1176-linux", {kArmHardFloat}).rust == "arm-unknown-linux-gnueabihf");
  const EcosystemNames riscv = names_of("riscv64-linux");
  CHECK(riscv.rust == "riscv64gc-unknown-linux-gnu");
  CHECK(riscv.kconfig.empty());
  CHECK(names_of("mipsel-linux").conan.empty());
  CHECK(names_of("mips-linux").conan == "mips");

  const EcosystemNames lx6 = names_of("xtensa-lx6");
  CHECK(lx6.idf == "esp32");
  CHECK(lx6.rust.empty());
  CHECK(lx6.kconfig == "SOC_SERIES_ESP32");
  CHECK(names_of("hexagon-v67").conan.empty());
  CHECK(names_of("hexagon-v67").rust.empty());
  CHECK(names_of("wasm32").arduino.empty());
  CHECK(names_of("wasm32").rust == "wasm32-unknown-unknown");
}

TEST_CASE("CMSIS knows cores of its profile as firmware, and Debian families that it has") {
  const auto with_cpu = [](const char* row, const char* cpu) {
    Target target = *preset(row);
    target.cpu = cpu;
    return ecosystem_names(target, {core_family(target.triple), {}}).cmsis_core;
  };
  CHECK(with_cpu("cortex-m4f", "cortex-m7") == "Cortex-M7");
  CHECK(with_cpu("cortex-m4f", "cortex-r5").empty());
  CHECK(with_cpu("armv7-linux", "cortex-m7").empty());
  Target big = *preset("ppc64le-linux");
  big.byte_order = ByteOrder::kBig;
  const EcosystemNames unknown = ecosystem_names(big, {CoreFamily::kPowerPc, {}});
  CHECK((unknown.meson.empty() && unknown.triplet.empty() && unknown.rust.empty()));
}

}  // namespace
}  // namespace hlocc
