// The table of chips: every row has a core that there is, sizes that make sense, and names of its
// own.
#include "target/chips.h"

#include <catch2/catch.hpp>

#include <set>

namespace hlocc {
namespace {

TEST_CASE("every chip is a preset with memories") {
  std::set<std::string_view> names;
  for (const Chip& chip : chips()) {
    INFO(chip.name);
    const std::optional<Target> core = preset(chip.core);
    REQUIRE(core.has_value());
    CHECK(names.insert(chip.name).second);
    CHECK_FALSE(preset(chip.name).has_value());
    CHECK(find_chip(chip.name) == &chip);
    CHECK((core->bare_metal ? chip.ram_bytes >= 2048 : chip.ram_bytes == 0));
    const bool is_external = chip.memories.find("flash is external") != std::string_view::npos;
    CHECK((chip.flash_bytes > 0 || is_external || !core->bare_metal));
    const Target target = on_chip(*core, chip);
    CHECK(target.name == chip.name);
    CHECK(target.board == core->board);
    CHECK(target.ram_bytes == chip.ram_bytes);
    CHECK(target.flash_bytes == chip.flash_bytes);
  }
  CHECK(names.size() >= 120);
  CHECK(chip_names().size() == names.size());
}

std::string_view found(std::string_view name) {
  const Chip* chip = find_chip(name);
  return chip == nullptr ? "" : chip->name;
}

TEST_CASE("presets stand under their kind of machine") {
  CHECK(family_of(*preset("cortex-m4f")) == "bare metal, Arm");
  CHECK(family_of(*preset("rv32imc")) == "bare metal, RISC-V");
  CHECK(family_of(*preset("avr-mega2560")) == "bare metal, by C and a compiler of yours");
  CHECK(family_of(*preset("riscv64-linux")) == "Linux");
  CHECK(family_of(*preset("wasm32")) == "other");
  CHECK(family_of(*preset("host")) == "this machine");
}

TEST_CASE("chips that have a fast memory know both") {
  const std::vector<ChipMemory> memories = memories_of(*find_chip("stm32f407ve"));
  REQUIRE(memories.size() == 2);
  CHECK(memories[0].name == "ccm");
  CHECK(memories[0].bytes == 64 << 10);
  CHECK(memories[1].name == "sram");
  CHECK(memories[1].bytes == 128 << 10);
  CHECK(memories_of(*find_chip("stm32f401re")).empty());
  int with_memories = 0;
  for (const Chip& chip : chips()) with_memories += memories_of(chip).empty() ? 0 : 1;
  CHECK(with_memories == 19);
}

TEST_CASE("memories of other families") {
  const auto text = [](std::string_view name) {
    std::string out;
    for (const ChipMemory& one : memories_of(*find_chip(name)))
      out += std::string(one.name) + " " + std::to_string(one.bytes >> 10) + "K ";
    return out;
  };
  CHECK(text("nucleo-f303-e") == "ccm 16K sram 64K ");
  CHECK(text("stm32f303cbt6") == "ccm 8K sram 32K ");
  CHECK(text("stm32f303cc") == "ccm 8K sram 40K ");
  CHECK(text("stm32f334r8") == "ccm 4K sram 12K ");
  CHECK(text("stm32h723zg") == "dtcm 128K sram 320K ");
  CHECK(text("mimxrt1010-evk") == "dtcm 32K ocram 64K ");
  CHECK(text("mimxrt1052") == "dtcm 128K ocram 256K ");
  CHECK(text("mimxrt1060-evk") == "dtcm 128K ocram 768K ");
  CHECK(text("mimxrt1064") == "dtcm 128K ocram 768K ");
  CHECK(text("esp32-s3-wroom-1-n16r8") == "sram 512K psram 8192K ");
  CHECK(text("esp32-wrover-e-n4r8") == "sram 320K psram 8192K ");
  // The modules without it.
  CHECK(text("esp32-s3-wroom-1-n16") == "");
  CHECK(text("esp32-devkitc") == "");
  CHECK(text("stm32f302r8") == "");
  CHECK(text("mimxrt1015") == "");
}

TEST_CASE("chips answer to packages, boards and other spellings") {
  const std::pair<const char*, const char*> rows[] = {
      {"stm32f407vg", "stm32f407vg"},
      {"STM32F407VGT6", "stm32f407vg"},
      {"stm32f407zgt6", "stm32f407vg"},
      {"stm32f407ve", "stm32f407ve"},
      {"nucleo_f401re", "stm32f401re"},
      {"Nucleo-F401RE", "stm32f401re"},
      {"bluepill_f103c8", "stm32f103c8"},
      {"esp32", "esp32"},
      {"esp32s3", "esp32s3"},
      {"ESP32-S3-DevKitC-1", "esp32s3"},
      {"esp32-c3-devkitm-1", "esp32c3-devkitm"},
      {"rpi_pico", "rp2040"},
      {"pico", "rp2040"},
      {"pico2", "rpi-pico2"},
      {"pico_w", "rp2040"},
      {"pico2_w", "rpi-pico2"},
      {"rp2350a-hazard3", ""},
      {"rp2350-hazard3", "rp2350-riscv"},
      {"rpi_zero_w", "rpi-zero"},
      {"RPI_ZERO_W", "rpi-zero"},
      {"rpi_zero_2w", "rpi-zero2"},
      {"rpi_4b", "rpi4"},
      {"teensy 4.1", "teensy41"},
      {"ATSAMD21G18A", "samd21g18"},
      {"r7fa4m1ab3cfm", "ra4m1"},
      {"ch32v307vct6", "ch32v307vc"},
      {"nrf52840_xxaa", "nrf52840"},
      // Just beside: another size, another family, presets, nothing.
      {"stm32f407v", ""},
      {"stm32f999vg", ""},
      {"esp32s9", ""},
      {"esp32x", ""},
      {"cortex-m4f", ""},
      {"esp32c3", ""},
      {"rp2350", ""},
      {"", ""},
      {"*", ""}};
  for (const auto& [name, chip] : rows) {
    INFO(name);
    CHECK(found(name) == chip);
  }
  // Names of up to 64 characters are looked for.
  const std::string longest = "stm32f407vg" + std::string(53, 'x');
  CHECK(found(longest) == "stm32f407vg");
  CHECK(found(longest + "x").empty());
}

}  // namespace
}  // namespace hlocc
