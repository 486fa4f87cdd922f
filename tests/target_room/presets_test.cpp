// What the table says of chips that data sheets say, and which symbols may stay for the linker.
#include <catch2/catch.hpp>

#include "target/elf_facts.h"
#include "target/target.h"

namespace hlocc {
namespace {

TEST_CASE("chips have the memory of their data sheets") {
  struct Row {
    const char* name;
    int64_t ram, flash;
  };
  for (const Row& row : {Row{"avr-mega2560", 8192, 262144}, {"xtensa-lx106", 81920, 1048576}}) {
    INFO(row.name);
    CHECK(preset(row.name)->ram_bytes == row.ram);
    CHECK(preset(row.name)->flash_bytes == row.flash);
  }
  // A core alone has none: the chip is the user's.
  CHECK(preset("cortex-m4f")->ram_bytes == 0);
  CHECK(preset("cortex-m4f")->flash_bytes == 0);
}

TEST_CASE("NEON is there with vectors whose lanes lie in the order of their bytes") {
  Target a53 = *preset("cortex-a53");
  CHECK(a53.has_neon());
  CHECK(preset("armv7-linux")->has_neon());
  for (const char* chip : {"cortex-m55", "cortex-m4", "x86_64-linux", "riscv64v-linux"})
    CHECK_FALSE(preset(chip)->has_neon());
  a53.byte_order = ByteOrder::kBig;
  CHECK_FALSE(a53.has_neon());
  a53 = *preset("cortex-a53");
  a53.vector_bits = 0;
  CHECK_FALSE(a53.has_neon());
}

TEST_CASE("helpers are known by the beginning and the end of their names") {
  const Target arm = *preset("cortex-m4"), riscv = *preset("rv32imc");
  CHECK((is_allowed_symbol(arm, "hlocc_memcpy") && is_allowed_symbol(arm, "__aeabi_fmul")));
  CHECK_FALSE((is_allowed_symbol(arm, "malloc") || is_allowed_symbol(arm, "__mulsf3")));
  CHECK((is_allowed_symbol(riscv, "__mulsf3") && is_allowed_symbol(riscv, "__fixsfsi")));
  CHECK_FALSE((is_allowed_symbol(riscv, "__aeabi_fmul") || is_allowed_symbol(riscv, "mulsf3")));
  // One star stands for nothing at least: the two halves share no letter.
  CHECK(is_allowed_symbol(riscv, "__sf3"));
  CHECK_FALSE(is_allowed_symbol(riscv, "_sf3"));
  Target own;
  own.helper_symbols = {"a_*_b"};
  CHECK((is_allowed_symbol(own, "a__b") && !is_allowed_symbol(own, "a_b")));
  // A preset without an operating system promises no libc; of other triples nothing is known.
  const Target a53 = *preset("cortex-a53");
  for (const char* name : {"memcpy", "memset", "memmove"}) {
    CHECK((is_allowed_symbol(own, name) && is_allowed_symbol(a53, name)));
    CHECK_FALSE((is_allowed_symbol(arm, name) || is_allowed_symbol(riscv, name)));
  }
  CHECK_FALSE(is_allowed_symbol(a53, "hlocc_memcpy"));
  CHECK(is_allowed_symbol(*preset("i686-linux"), "_GLOBAL_OFFSET_TABLE_"));
  CHECK_FALSE(is_allowed_symbol(*preset("x86_64-linux"), "_GLOBAL_OFFSET_TABLE_"));
}

TEST_CASE("caches, lanes and options of a row") {
  const Target a53 = *preset("cortex-a53"), scalar = *preset("riscv64-linux");
  CHECK((a53.cache(0) == 32 << 10 && a53.cache(2) == 8 << 20 && a53.cache(3) == 0));
  CHECK((a53.lanes(32) == 4 && scalar.lanes(32) == 1));
  CHECK((a53.style == KernelStyle::kSimd && scalar.style == KernelStyle::kScalar));
  Target row;
  row.vector_bits = 128;
  row.widest_element = 32;
  CHECK((row.lanes(32) == 4 && row.lanes(64) == 1));
  CHECK(row.uses_winograd());
  row.options.winograd = false;
  CHECK_FALSE(row.uses_winograd());
  row.options.winograd = true;
  row.decisions.winograd = false;
  CHECK_FALSE(row.uses_winograd());
  for (const Level level : {Level::kO0, Level::kO3, Level::kOs, Level::kOz}) {
    row.options.level = level;
    CHECK(row.options.for_size() == (level >= Level::kOs));
  }
}

TEST_CASE("a section holds its first byte and its last, and none beside them") {
  ElfSection section;
  section.address = 16;
  section.bytes = 4;
  CHECK((section.holds(16) && section.holds(19)));
  CHECK_FALSE((section.holds(15) || section.holds(20)));
}

}  // namespace
}  // namespace hlocc
