// Tiles of groups of threads: what fits a device is taken, what loads least of it, and as long as
// there are groups enough.
#include "costs/shared_tiles.h"

#include <catch2/catch.hpp>

#include "kernel/ranges/prove_ranges.h"
#include "target/gpu.h"

namespace hlocc::costs {
namespace {

Target roomy() { return target_of(**find_gpu("vulkan-nvidia"), {}); }

std::string tile_of(const Target& target, const SharedProduct& product) {
  const std::optional<SharedTile> tile = choose_shared_tile(target, product);
  return tile ? std::to_string(tile->rows) + "x" + std::to_string(tile->columns) : "none";
}

TEST_CASE("large products have large tiles, and few results small ones", "[costs]") {
  const auto square = [](int64_t size) {
    return tile_of(roomy(), {.rows = size, .columns = size, .depth = 256});
  };
  CHECK(square(256) == "64x64");
  CHECK(square(255) == "64x64");
  CHECK(square(128) == "32x32");
  CHECK(square(64) == "16x16");
  CHECK(square(32) == "8x8");
  CHECK(square(8) == "8x8");
  CHECK(tile_of(roomy(), {.batches = 16, .rows = 64, .columns = 64, .depth = 32}) == "64x64");
}

TEST_CASE("tiles fit threads, shared memory, registers and groups", "[costs]") {
  const SharedProduct large = {.rows = 1024, .columns = 1024, .depth = 256};
  const auto with = [&](void (*change)(Target&)) {
    Target target = roomy();
    change(target);
    return tile_of(target, large);
  };
  CHECK(with([](Target&) {}) == "64x64");
  CHECK(with([](Target& t) { t.simt.threads = 256; }) == "64x64");
  CHECK(with([](Target& t) { t.simt.threads = 255; }) == "32x64");
  CHECK(with([](Target& t) { t.simt.threads = 64; }) == "32x32");
  CHECK(with([](Target& t) { t.simt.threads = 63; }) == "none");
  CHECK(with([](Target& t) { t.simt.shared_bytes = 128 * 16 * 4; }) == "64x64");
  CHECK(with([](Target& t) { t.simt.shared_bytes = 128 * 16 * 4 - 1; }) == "32x64");
  CHECK(with([](Target& t) { t.simt.shared_bytes = 1023; }) == "none");
  CHECK(with([](Target& t) { t.scalar_registers = 32; }) == "64x64");
  CHECK(with([](Target& t) { t.scalar_registers = 31; }) == "16x32");
  CHECK(with([](Target& t) { t.simt.groups = 256; }) == "64x64");
  CHECK(with([](Target& t) { t.simt.groups = 255; }) == "none");
  CHECK(with([](Target& t) { t.style = KernelStyle::kScalar; }) == "none");
}

TEST_CASE("products that are not shared", "[costs]") {
  const auto with = [](void (*change)(SharedProduct&)) {
    SharedProduct product = {.rows = 8, .columns = 8, .depth = 16};
    change(product);
    return tile_of(roomy(), product) != "none";
  };
  CHECK(with([](SharedProduct&) {}));
  CHECK_FALSE(with([](SharedProduct& p) { p.rows = 7; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.columns = 7; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.depth = 15; }));
  CHECK(with([](SharedProduct& p) { p.depth = 65536; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.depth = 65537; }));
  CHECK(with([](SharedProduct& p) { p.sum = kernel::Scalar::kS32; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.sum = kernel::Scalar::kF64; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.sum = kernel::Scalar::kPred; }));
  CHECK(with([](SharedProduct& p) { p.batches = 1024, p.rows = 128, p.columns = 128; }));
  CHECK_FALSE(with([](SharedProduct& p) { p.batches = 1025, p.rows = 128, p.columns = 128; }));
}

}  // namespace
}  // namespace hlocc::costs
