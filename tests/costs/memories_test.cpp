// What accesses to memories cost, by what memories are called, and how many a launch does.
#include "costs/memories.h"

#include <catch2/catch.hpp>

#include "kernel/builder.h"

namespace hlocc::tests {
namespace {

using namespace kernel;

std::vector<double> waits(const std::vector<MemoryOption>& memories) {
  return costs::waits_of(memories);
}

}  // namespace

TEST_CASE("waits are asked for, or those of the name, or the last memory is slow", "[costs]") {
  CHECK(costs::waits_of("DTCM", 9) == 0);
  CHECK(costs::waits_of("sram2", 9) == 1);
  CHECK(costs::waits_of("AXI", 9) == 2);
  CHECK(costs::waits_of("sdram", 9) > costs::waits_of("axi_sram", 9));
  CHECK(costs::waits_of("psram1", 9) > costs::waits_of("sram1", 9));
  CHECK(costs::waits_of("bank", 9) == 9);
  CHECK(waits({{"fast", 1}, {"slow", 1}}) == std::vector<double>{0, 2});
  CHECK(waits({{"a", 1}, {"b", 1}, {"c", 1}}) == std::vector<double>{0, 0, 2});
  CHECK(waits({{"slow", 1, 0}, {"fast", 1, 7}}) == std::vector<double>{0, 7});
}

TEST_CASE("caches hide what flash waits", "[costs]") {
  CHECK(costs::flash_waits(*preset("cortex-m4f")) > 0);
  CHECK(costs::flash_waits(*preset("cortex-a53")) == 0);
}

TEST_CASE("accesses are words, by buffer that a launch binds", "[costs]") {
  Builder b("k");
  const auto buffer = [&](const char* name, Scalar element, Direction direction, Space space) {
    return b.buffer(
        {.name = name, .element = element, .elements = 64, .direction = direction, .space = space});
  };
  const BufferId x = buffer("x", Scalar::kF32, Direction::kIn, Space::kArena),
                 y = buffer("y", Scalar::kF64, Direction::kOut, Space::kArena),
                 own = buffer("own", Scalar::kF32, Direction::kScratch, Space::kStack),
                 held = buffer("held", Scalar::kF32, Direction::kScratch, Space::kArena);
  b.loop(10, [&](ValueId i) {
    const ValueId one = b.load(x, Affine::of(i));
    b.store(own, Affine::of(i), one);
    b.loop(3, [&](ValueId j) { b.store(held, Affine::of(j), one); });
    b.store(y, Affine::of(i), b.convert(one, Scalar::kF64));
  });
  const Kernel kernel = b.finish();
  const Target target = *preset("cortex-m4f");
  // An f64 is two words; scratch in the stack is bound by no launch.
  CHECK(costs::launch_accesses(kernel, {}, target) == std::vector<double>{10, 20, 30});
}

TEST_CASE("ranges of a launch count together", "[costs]") {
  Builder b("k");
  const BufferId x = b.buffer({.name = "x", .elements = 64, .direction = Direction::kIn}),
                 y = b.buffer({.name = "y", .elements = 64, .direction = Direction::kOut});
  b.parameter();
  b.loop(5, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  const Kernel kernel = b.finish();
  CHECK(costs::launch_accesses(kernel, {.ranges = 3}, *preset("cortex-m4f")) ==
        std::vector<double>{15, 15});
}

}  // namespace hlocc::tests
