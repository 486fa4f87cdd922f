// The watch on the accesses of ranges: what is whose where buffers share bytes, and how often what
// one range wrote ends and another's begins.
#include "kernel/ranges/race_watch.h"

#include <array>
#include <catch2/catch.hpp>

#include "kernel/ranges_pieces.h"

namespace hlocc::kernel {

TEST_CASE("the watch knows what is whose where buffers share bytes", "[kernel]") {
  Pieces p;
  p.scratch("own", 4, Space::kStack);
  p.scratch("s", 4, Space::kArena);
  const Kernel kernel = p.b.finish();
  enum { kX, kY, kZ, kOwn, kS };
  std::array<std::byte, 256> memory{};
  const std::span<std::byte> all(memory);
  // x begins four elements before y, and ends in it; z and the scratch lie behind.
  const std::vector<std::span<std::byte>> buffers{all.subspan(0, 32), all.subspan(16, 32),
                                                  all.subspan(64, 32), all.subspan(96, 16)};
  RaceWatch watch(kernel, buffers);
  watch.begin(0);
  CHECK(watch.store(kY, 0));
  CHECK(watch.store(kY, 0));
  CHECK(watch.load(kX, 5));
  CHECK(watch.store(kS, 1));
  watch.begin(1);
  CHECK(watch.load(kX, 3));  // before y
  CHECK(!watch.load(kX, 4));
  CHECK(watch.fault() == "range 1 reads element 4 of x, which range 0 uses too");
  CHECK(!watch.store(kY, 0));
  CHECK(watch.fault() == "range 1 writes element 0 of y, which range 0 uses too");
  CHECK(!watch.store(kY, 1));  // range 0 reads it as x[5]
  CHECK(watch.load(kX, 5));
  CHECK(watch.store(kY, 7));
  CHECK(watch.store(kZ, 0));
  CHECK(watch.store(kOwn, 1));  // each range's own
  CHECK(watch.store(kS, 0));
  CHECK(!watch.store(kS, 1));
  watch.begin(2);
  CHECK(!watch.store(kY, 1));
  CHECK(watch.fault() == "range 2 writes element 1 of y, which other ranges use too");
  CHECK(!watch.load(kY, 7));
  CHECK(watch.load(kX, 6));
  CHECK(watch.store(kY, 2));
}

TEST_CASE("a buffer may go on behind what is written", "[kernel]") {
  Pieces p;
  const Kernel kernel = p.b.finish();
  std::array<std::byte, 256> memory{};
  const std::span<std::byte> all(memory);
  const std::vector<std::span<std::byte>> buffers{all.subspan(16, 96), all.subspan(16, 32),
                                                  all.subspan(192, 32)};
  RaceWatch watch(kernel, buffers);
  watch.begin(0);
  CHECK(watch.store(1, 7));
  watch.begin(1);
  CHECK(!watch.load(0, 7));
  for (const int64_t at : {8, 9, 23}) CHECK(watch.load(0, at));
}

TEST_CASE("changes of a range are counted from one end of each result to the other", "[kernel]") {
  Pieces p;
  const Kernel kernel = p.b.finish();
  std::array<std::byte, 256> memory{};
  const std::span<std::byte> all(memory);
  const std::vector<std::span<std::byte>> buffers{all.subspan(0, 0), all.subspan(0, 96),
                                                  all.subspan(128, 96)};
  const auto changes = [&](const std::vector<std::pair<int, int64_t>>& of_y,
                           const std::vector<std::pair<int, int64_t>>& of_z = {}) {
    RaceWatch watch(kernel, buffers);
    for (const auto& [buffer, stores] : {std::pair{1, of_y}, {2, of_z}})
      for (const auto& [range, at] : stores) {
        watch.begin(range);
        REQUIRE(watch.store(buffer, at));
      }
    return watch.changes();
  };
  CHECK(changes({}) == 0);
  CHECK(changes({{0, 0}, {0, 1}, {1, 2}, {1, 3}}) == 1);
  CHECK(changes({{0, 0}, {1, 1}, {0, 2}, {1, 3}}) == 3);
  // What nobody writes in between is no change, and neither is another result.
  CHECK(changes({{0, 0}, {0, 5}, {1, 9}}) == 1);
  CHECK(changes({{0, 3}}, {{1, 4}}) == 0);
}

}  // namespace hlocc::kernel
