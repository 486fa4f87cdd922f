// Which stores of bytes are one instruction: both sides of each condition.
#include <catch2/catch.hpp>

#include "kernel/legalize/byte_stores.h"
#include "legalize/harness.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kOfEight = 0xffff / 7, kOfFour = 0xffff / 3;

bool scatters(int lanes, int64_t stride, Scalar scalar = Scalar::kS8,
              const char* chip = "cortex-m55") {
  Access access;
  access.lane_stride = stride;
  return scatters_bytes(access, {scalar, static_cast<uint16_t>(lanes)}, target_named(chip));
}

TEST_CASE("bytes are scattered by MVE alone, in fours and eights", "[legalize]") {
  for (const int lanes : {1, 2, 3, 4, 5, 7, 8, 9, 16}) {
    INFO(lanes);
    CHECK(scatters(lanes, 2) == (lanes == 4 || lanes == 8));
    for (const char* chip : {"cortex-m4", "cortex-a53", "x86_64-linux", "riscv64v-linux"})
      CHECK_FALSE(scatters(lanes, 2, Scalar::kS8, chip));
  }
}

TEST_CASE("bytes are scattered as far as offsets reach", "[legalize]") {
  for (const auto& [lanes, farthest] : {std::pair{4, kOfFour}, {8, kOfEight}}) {
    CHECK(scatters(lanes, farthest));
    CHECK_FALSE(scatters(lanes, farthest + 1));
    CHECK_FALSE(scatters(lanes, INT64_MAX));
    for (const int64_t none : {1, 0, -1, -2}) CHECK_FALSE(scatters(lanes, none));
  }
}

TEST_CASE("what is scattered has 8 bits", "[legalize]") {
  using enum Scalar;
  CHECK(scatters(8, 2, kU8));
  for (const Scalar other : {kPred, kS4, kU4, kS16, kU16, kS32, kF32, kF8E5M2})
    CHECK_FALSE(scatters(8, 2, other));
}

TEST_CASE("masks and places of lanes are not scattered by a stride", "[legalize]") {
  Access access;
  access.lane_stride = 2;
  const Type type{Scalar::kS8, 8};
  const Target mve = target_named("cortex-m55");
  REQUIRE(scatters_bytes(access, type, mve));
  Access masked = access, indexed = access;
  masked.mask = indexed.lane_indices = 0;
  CHECK_FALSE(scatters_bytes(masked, type, mve));
  CHECK_FALSE(scatters_bytes(indexed, type, mve));
}

}  // namespace
}  // namespace hlocc::kernel
