// What the table says of chips that data sheets say, and which symbols may stay for the linker.
#include <catch2/catch.hpp>

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

TEST_CASE("helpers are known by the beginning and the end of their names") {
  const Target arm = *preset("cortex-m4"), riscv = *preset("rv32imc");
  CHECK((is_allowed_symbol(arm, "memcpy") && is_allowed_symbol(arm, "__aeabi_fmul")));
  CHECK_FALSE((is_allowed_symbol(arm, "malloc") || is_allowed_symbol(arm, "__mulsf3")));
  CHECK((is_allowed_symbol(riscv, "__mulsf3") && is_allowed_symbol(riscv, "__fixsfsi")));
  CHECK_FALSE((is_allowed_symbol(riscv, "__aeabi_fmul") || is_allowed_symbol(riscv, "mulsf3")));
  // One star stands for nothing at least: the two halves share no letter.
  CHECK(is_allowed_symbol(riscv, "__sf3"));
  CHECK_FALSE(is_allowed_symbol(riscv, "_sf3"));
}

}  // namespace
}  // namespace hlocc
