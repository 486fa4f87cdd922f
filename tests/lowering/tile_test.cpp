// How rows and columns are cut into runs of tiles, over a dense grid of sizes: whatever the choice,
// each row and each column belongs to one run, and no tile that counts on its windows lying inside
// touches a border.
#include "lowering/contraction/tile.h"

#include <cstdlib>
#include <fstream>

#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using namespace costs;

// What holds of every cut of rows 0 .. count: runs in order, one after the other, in whole tiles.
void check_partition(const std::vector<RowRun>& runs, int64_t count) {
  int64_t at = 0;
  for (const RowRun& run : runs) {
    REQUIRE(run.begin == at);
    REQUIRE(run.height >= 1);
    REQUIRE((run.end - run.begin) % run.height == 0);
    at = run.end;
  }
  REQUIRE(at == count);
}

// Rows [first, last) are alike. A tile of a run without a border may stand anywhere among those;
// one that is alone in its run stands at a number, so that what it sees is known.
void check_border(const std::vector<RowRun>& runs, int64_t first, int64_t last) {
  for (const RowRun& run : runs) {
    if (run.bordered || (!run.kept && run.end - run.begin == run.height)) continue;
    REQUIRE((run.end == run.begin || run.begin >= first));
    REQUIRE((run.end == run.begin || run.end <= last));
  }
}

}  // namespace

TEST_CASE("rows are cut into tiles", "[lowering]") {
  for (int64_t count = 1; count < 24; ++count)
    for (int height = 1; height <= 9; ++height)
      for (bool even : {false, true}) {
        INFO(cat(count, " rows, tiles of ", height, even ? ", even" : ""));
        check_partition(cut_rows(count, height, even), count);
        for (const RowRun& run : cut_rows(count, height, even)) CHECK(run.height <= height);
      }
}

TEST_CASE("rows with a border are cut into tiles inside and tiles at known places", "[lowering]") {
  for (int64_t count = 1; count < 14; ++count)
    for (int64_t first = 0; first <= count; ++first)
      for (int64_t last = first; last <= count; ++last)
        for (int height = 1; height <= 6; ++height)
          for (int most : {0, 1, 3}) {
            INFO(cat(count, " rows, alike from ", first, " to ", last, ", tiles of ", height, ", ",
                     most, " alone"));
            const std::vector<RowRun> runs = cut_rows_with_border(count, first, last, height, most);
            check_partition(runs, count);
            check_border(runs, first, last);
          }
}

TEST_CASE("rows that pictures share have their borders in the tiles at their ends", "[lowering]") {
  int cuts = 0;
  for (int64_t count = 0; count < 26; ++count)
    for (int64_t first = 0; first <= count; ++first)
      for (int64_t last = first; last <= count; ++last)
        for (int longest : {3, 6}) {
          INFO(cat(count, " rows, alike from ", first, " to ", last, ", tiles of up to ", longest));
          const auto runs = cut_rows_alike(count, first, last, longest);
          if (!runs) continue;
          ++cuts;
          check_partition(*runs, count);
          check_border(*runs, first, last);
          for (const RowRun& run : *runs) REQUIRE(run.height <= longest);
        }
  CHECK(cuts > 100);
}

TEST_CASE("columns are cut into tiles", "[lowering]") {
  for (int64_t count = 1; count < 70; ++count)
    for (int vectors : {1, 2, 3, 4})
      for (int lanes : {1, 2, 4, 8})
        for (bool even : {false, true})
          for (bool masked : {false, true}) {
            if (masked && (!even || lanes == 1)) continue;
            INFO(cat(count, " columns, ", vectors, " vectors of ", lanes, even ? ", even" : "",
                     masked ? ", masked" : ""));
            int64_t at = 0, seen = 0;
            for (const ColumnRun& run : cut_columns(count, {.rows = 1,
                                                           .vectors = vectors,
                                                           .lanes = lanes,
                                                           .even = even,
                                                           .masked = masked})) {
              REQUIRE(run.begin == at);
              REQUIRE(run.vectors <= vectors);
              REQUIRE(run.lanes <= lanes);
              REQUIRE((run.end - run.begin) % run.step() == 0);
              REQUIRE(run.active < run.lanes);
              // One tile whose last vector has some columns ends behind them.
              if (run.active > 0) REQUIRE(run.end - run.begin == run.step());
              seen += run.end - run.begin - (run.active > 0 ? run.lanes - run.active : 0);
              at = run.end;
            }
            REQUIRE(seen == count);
          }
}

// What is chosen, target by target: no choice changes results, and so nothing else would show that
// a condition of the costs was turned round. A change of the costs is a change of golden/tiles.txt.
TEST_CASE("tiles of every size on every kind of chip are the golden ones", "[lowering]") {
  std::vector<std::pair<std::string, Target>> targets;
  for (const char* name : {"cortex-m0", "cortex-m4", "cortex-m4f", "cortex-m7", "cortex-m55",
                           "rv32imc", "rv32imafc", "rv64gc", "cortex-a53", "riscv64v-linux"})
    targets.emplace_back(name, *preset(name));
  targets.emplace_back("wide", machines().back().target);
  Target masked = machines().back().target;
  masked.vector_registers = 32;
  masked.vector_bits = 512;
  targets.emplace_back("wider", masked);
  for (size_t n = 0, count = targets.size(); n < count; ++n) {
    Target small = targets[n].second;
    small.options.level = n % 2 == 0 ? Level::kOs : Level::kOz;
    targets.emplace_back(targets[n].first + " small", small);
  }
  const auto text = [](const TileSize& t) {
    return cat(" ", t.rows, "x", t.vectors, "x", t.lanes, t.even ? "e" : "", t.masked ? "m" : "");
  };
  std::string all;
  for (const auto& [name, target] : targets)
    for (kernel::Scalar element :
         {kernel::Scalar::kF32, kernel::Scalar::kF64, kernel::Scalar::kS32})
      for (int64_t rows : {1, 3, 8, 13}) {
        all += cat(name, " ", kernel::scalar_name(element), " ", rows, ":");
        for (int64_t columns : {1, 3, 9, 16, 100}) {
          all += text(choose_tile(target, element, rows, columns));
          for (int64_t depth : {3, 4000})
            all += text(choose_tile(target, element, rows, columns, depth, rows != 3));
          for (int64_t multiplier : {1, 5})
            all +=
                text(choose_depthwise_tile(target, element, rows, columns, multiplier, rows == 3));
        }
        all += cat(" ", sums_a_cell(target, static_cast<int>(rows)), "\n");
      }
  if (std::getenv("HLOCC_REGENERATE") != nullptr) std::ofstream("golden/tiles.txt") << all;
  std::ifstream file("golden/tiles.txt");
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::string> got = split(all, '\n'), wanted = split(golden, '\n');
  REQUIRE(got.size() == wanted.size());
  for (size_t n = 0; n < got.size(); ++n) CHECK(got[n] == wanted[n]);
}

// Pads wider than what a tile of a shared kernel holds at its right end.
TEST_CASE("strided depthwise windows that reach far over both borders", "[lowering]") {
  for (int64_t size : {3, 5, 7})
    for (int64_t stride : {1, 2, 3})
      for (int64_t extent : {9, 10, 11, 12, 16})
        for (int64_t pad = size / 2; pad < size; pad += 2) {
          const int64_t out = (extent + 2 * pad - size) / stride + 1;
          const std::string side = cat(size),
                            sides = cat("{size=", side, "x", side, " stride=", stride, "x", stride,
                                        " pad=", pad, "_", pad, "x", pad, "_", pad, "}");
          agrees(cat("a = f32", dims({1, extent, extent, 2}), " parameter(0)\n b = f32",
                     dims({size, size, 1, 2}), " parameter(1)\n ROOT r = f32",
                     dims({1, out, out, 2}), " convolution(a, b), window=", sides,
                     ", dim_labels=b01f_01io->b01f, feature_group_count=2"),
                 Passes::kNone);
        }
}

}  // namespace hlocc::tests
