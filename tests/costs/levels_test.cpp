// Levels of tiles: on both sides of each bound.
#include "costs/levels.h"

#include <catch2/catch.hpp>

namespace hlocc::tests {

using namespace costs;

namespace {

// Caches of 4 KB and 64 KB.
Target small_caches() {
  Target target = *preset("x86_64-linux");
  target.cache_bytes = {4 << 10, 64 << 10};
  return target;
}

constexpr TileLevel kTile{.rows = 4, .columns = 32, .depth = 1};

}  // namespace

TEST_CASE("rows are outermost where weights stay in the nearest cache", "[costs]") {
  const Target target = small_caches();
  LevelForm form{.rows = 64, .columns = 16, .depth = 32, .tile = kTile};
  const TileLevels by_rows = {{.rows = 4}, kTile}, by_columns = {{.columns = 32}, kTile};
  // Half of 4 KB.
  CHECK(levels_of(form, target) == by_rows);
  form.depth = 33;
  CHECK(levels_of(form, target) == by_columns);
  form.across = false;
  CHECK(levels_of(form, target) == by_rows);
  Target other = target;
  other.options.level = Level::kOs;
  CHECK(levels_of(form, other) == by_columns);
  other = target;
  other.out_of_order = false;
  CHECK(levels_of(form, other) == by_columns);
}

TEST_CASE("rows beyond the last cache go by in blocks", "[costs]") {
  const Target target = small_caches();
  // 512 bytes a row: 128 of them are 64 KB, half of the cache holds 64.
  LevelForm form{.rows = 129, .columns = 256, .depth = 128, .tile = kTile};
  const TileLevels by_columns = {{.columns = 32}, kTile},
                   blocks = {{.rows = 64}, {.columns = 32}, kTile};
  CHECK(levels_of(form, target) == blocks);
  form.rows = 128;
  CHECK(levels_of(form, target) == by_columns);
  // Blocks are whole tiles of rows.
  form.rows = 200, form.tile.rows = 6;
  CHECK(levels_of(form, target)[0] == TileLevel{.rows = 60});
  form.tile.rows = 4;
  // Weights are read once for each of four blocks, or the rows once for each tile of columns.
  for (const auto& [columns, pays] : {std::pair{32, false}, {64, true}, {96, true}}) {
    form.columns = columns;
    CHECK((levels_of(form, target) == blocks) == pays);
  }
  // A block of one tile; as many bytes either way.
  form.tile.rows = 64;
  CHECK(levels_of(form, target)[0] == TileLevel{.rows = 64});
  form.tile.rows = 65;
  CHECK(levels_of(form, target)[0] == TileLevel{.columns = 32});
  form = {.rows = 192, .columns = 96, .depth = 128, .tile = {4, 64, 1}};
  CHECK(levels_of(form, target)[0] == TileLevel{.columns = 64});
  form.rows = 191;
  CHECK(levels_of(form, target)[0] == TileLevel{.columns = 64});
  form.rows = 193, form.columns = 128;
  CHECK(levels_of(form, target)[0] == TileLevel{.columns = 64});
  form = {.rows = 200, .depth = 128, .tile = kTile};
  form.columns = 4096, form.tile.columns = 4096;
  CHECK(levels_of(form, target) == TileLevels{{.columns = 4096}, form.tile});
  // A row that is larger than the cache makes no block.
  form = {.rows = 8, .columns = 256, .depth = 1 << 15, .tile = kTile};
  CHECK(levels_of(form, target) == by_columns);
  form = {.rows = 200, .columns = 256, .depth = 128, .tile = kTile};
  Target other = target;
  other.options.level = Level::kOz;
  CHECK(levels_of(form, other) == by_columns);
  other = target;
  other.cache_bytes.clear();
  CHECK(levels_of(form, other) == by_columns);
}

}  // namespace hlocc::tests
