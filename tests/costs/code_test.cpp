// How much code is spelled out: both sides of each bound, where flash is constrained, where it is not, and
// at -Os.
#include "costs/code.h"

#include <catch2/catch.hpp>

namespace hlocc::tests {
namespace {

Target at_os(Target target) {
  target.options.level = Level::kOs;
  return target;
}
const Target flash_chip = *preset("cortex-m4f"), linux_chip = *preset("cortex-a53");

}  // namespace

TEST_CASE("less is spelled out where flash is constrained, and nothing at -Os", "[costs]") {
  CHECK(costs::most_pixels_alone(flash_chip) == 3);
  CHECK(costs::most_pixels_alone(linux_chip) == 3);
  CHECK(costs::most_pixels_alone(at_os(linux_chip)) == 0);
  CHECK(costs::most_tiles_alone(flash_chip) == 0);
  CHECK(costs::most_tiles_alone(linux_chip) == 3);
  CHECK(costs::most_taps(flash_chip) == 20);
  CHECK(costs::most_taps(linux_chip) == 48);
  CHECK(costs::most_taps(at_os(linux_chip)) == 0);
}

TEST_CASE("several elements an iteration pay for loops of some length", "[costs]") {
  CHECK_FALSE(costs::several_pay(flash_chip, 255));
  CHECK(costs::several_pay(flash_chip, 256));
  CHECK(costs::several_pay(linux_chip, 1));
  CHECK_FALSE(costs::several_pay(at_os(linux_chip), 100000));
  CHECK(costs::elements_an_iteration(flash_chip, 255) == 1);
  CHECK(costs::elements_an_iteration(flash_chip, 256) == 4);
}

TEST_CASE("short rows that layers share have low tiles", "[costs]") {
  CHECK(costs::pixels_for_shared_tile(2) == 2);
  CHECK(costs::pixels_for_shared_tile(35) == 3);
  CHECK(costs::pixels_for_shared_tile(36) == 36);
}

TEST_CASE("a tile of gates fits the registers and the width", "[costs]") {
  const auto tile = [](const Target& target, int gates, int64_t rows, int64_t width, int lanes,
                       bool wide = false) {
    const costs::GatesTile t = costs::choose_gates_tile(target, gates, rows, width, lanes, wide);
    return std::pair(t.rows, t.vectors);
  };
  // 32 scalar registers: 4 gates of 4 columns and what is beside them.
  CHECK(tile(flash_chip, 4, 1, 64, 1) == std::pair(1, 4));
  CHECK(tile(flash_chip, 4, 1, 3, 1) == std::pair(1, 2));
  CHECK(tile(flash_chip, 4, 1, 1, 1) == std::pair(1, 1));
  // Vectors: as many as keep the arithmetic busy.
  CHECK(tile(linux_chip, 3, 1, 64, 4) == std::pair(1, 2));
  CHECK(tile(linux_chip, 6, 1, 64, 4) == std::pair(1, 1));
  CHECK(tile(linux_chip, 4, 2, 64, 4) == std::pair(2, 1));
  CHECK(tile(at_os(linux_chip), 3, 1, 64, 4) == std::pair(1, 1));
  // Sums of 64 bits have no registers here.
  CHECK(tile(flash_chip, 4, 1, 64, 1, true) == std::pair(1, 1));
}

TEST_CASE("copies go by registers where these are loaded from anywhere") {
  Target chip = *preset("cortex-m4f");
  CHECK(costs::copied_lanes(chip, 8) == 4);
  CHECK(costs::copied_lanes(chip, 16) == 2);
  CHECK(costs::copied_lanes(chip, 32) == 1);
  CHECK(costs::copied_lanes(chip, 64) == 0);
  for (const char* other : {"cortex-m0", "cortex-m3", "rv32imc", "cortex-m55", "cortex-a53"})
    CHECK(costs::copied_lanes(*preset(other), 8) == 0);
  chip.options.level = Level::kOs;
  CHECK(costs::copied_lanes(chip, 8) == 0);
}

}  // namespace hlocc::tests
