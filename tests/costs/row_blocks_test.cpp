// Rows of feature maps that are taken together: as many as the cache holds, and not one more.
#include "costs/row_blocks.h"

#include <catch2/catch.hpp>

#include "costs/code.h"

namespace hlocc::tests {

using namespace costs;

TEST_CASE("rows of a convolution stay in the cache", "[costs]") {
  const Target a53 = *preset("cortex-a53");
  const int64_t cache = cached_row_bytes(a53);
  REQUIRE(cache > 64);
  CHECK(rows_of_convolution(a53, 8, cache / 8) == 8);
  CHECK(rows_of_convolution(a53, 8, cache / 8 + 1) == cache / 2 / (cache / 8 + 1));
  CHECK(rows_of_convolution(a53, 8, 2 * cache) == 1);
  CHECK(rows_of_convolution(*preset("cortex-m4f"), 8, 1 << 30) == 8);
}

TEST_CASE("row tiles divide the rows", "[costs]") {
  const Target a53 = *preset("cortex-a53"), m4 = *preset("cortex-m4f");
  const int64_t cache = cached_row_bytes(a53);
  CHECK(rows_of_row_tiles(a53, 12, 8, 4, {.a_row = cache / 4}) == 4);
  CHECK(rows_of_row_tiles(a53, 10, 8, 4, {.a_row = cache / 4}) == 2);
  CHECK(rows_of_row_tiles(a53, 12, 8, 4, {.a_row = cache / 4, .beside = cache / 2}) == 2);
  CHECK(rows_of_row_tiles(a53, 12, 8, 4, {.a_row = cache, .beside = 4}) == 1);
  // Without a cache as few as fill a tile.
  CHECK(rows_of_row_tiles(m4, 12, 8, 8, {.a_row = 1}) == 1);
  CHECK(rows_of_row_tiles(m4, 12, 3, 8, {.a_row = 1}) == 3);
}

TEST_CASE("a block of a pool grows as far as the cache", "[costs]") {
  const Target a53 = *preset("cortex-a53");
  const int64_t cache = cached_row_bytes(a53);
  CHECK(rows_of_pool(a53, 100, 1, {.a_row = cache / 4}) == 4);
  CHECK(rows_of_pool(a53, 100, 1, {.a_row = cache / 4, .beside = 4}) == 3);
  CHECK(rows_of_pool(a53, 2, 1, {.a_row = cache / 4}) == 2);
  CHECK(rows_of_pool(a53, 100, 6, {.a_row = cache / 4}) == 6);
  CHECK(rows_of_pool(*preset("cortex-m4f"), 100, 6, {.a_row = 1}) == 6);
}

}  // namespace hlocc::tests
