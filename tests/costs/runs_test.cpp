// How rows and columns are cut into runs of tiles, over a dense grid of sizes: whatever the choice,
// each row and each column belongs to one run, and no tile that counts on its windows lying inside
// touches a border.
#include "costs/runs.h"

#include <catch2/catch.hpp>

#include "support/golden.h"
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

TEST_CASE("rows are cut into tiles", "[costs]") {
  for (int64_t count = 1; count < 24; ++count)
    for (int height = 1; height <= 9; ++height)
      for (bool even : {false, true}) {
        INFO(cat(count, " rows, tiles of ", height, even ? ", even" : ""));
        check_partition(cut_rows(count, height, even), count);
        for (const RowRun& run : cut_rows(count, height, even)) CHECK(run.height <= height);
      }
}

TEST_CASE("rows with a border are cut into tiles inside and tiles at known places", "[costs]") {
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

TEST_CASE("rows that pictures share have their borders in the tiles at their ends", "[costs]") {
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

TEST_CASE("columns are cut into tiles", "[costs]") {
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

// Every cut of some sizes: how many runs there are and where they end changes no result, but how
// fast it comes.
TEST_CASE("cuts of rows and columns are the golden ones", "[costs]") {
  std::string all;
  const auto rows_text = [](const std::vector<RowRun>& runs) {
    std::string text;
    for (const RowRun& r : runs)
      text += cat(" ", r.begin, "-", r.end, "/", r.height, r.bordered ? "b" : "", r.kept ? "k" : "",
                  r.overlapping ? "o" : "");
    return text;
  };
  for (int64_t count : {0, 1, 2, 5, 6, 7, 8, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64})
    for (int height : {1, 2, 4, 6})
      all += cat("rows ", count, " by ", height, ":", rows_text(cut_rows(count, height)), " even",
                 rows_text(cut_rows(count, height, true)), " overlapping",
                 rows_text(cut_rows_overlapping(count, height)), "\n");
  for (int64_t count : {1, 4, 5, 13, 14})
    for (int64_t first : {0, 1, 2, 5})
      for (int64_t after : {0, 1, 2, 5}) {
        if (first > count || after > count) continue;
        all += cat("rows ", count, " border ", first, " ", after, ":");
        for (int height : {1, 2, 4, 5})
          for (int most : {0, 1, 3})
            all += cat(" |", rows_text(cut_rows_with_border(
                                 count, first, std::max(first, count - after), height, most)));
        all += "\n";
      }
  for (int64_t count : {0, 2, 3, 4, 5, 6, 7, 12, 14, 20, 28})
    for (int64_t first : {0, 1, 2, 3, 4})
      for (int64_t after : {0, 1, 2, 3, 4}) {
        all += cat("rows ", count, " alike ", first, " ", after, ":");
        for (int longest : {2, 3, 4, 6, 7, 8}) {
          const auto runs = cut_rows_alike(count, first, count - after, longest);
          all += runs ? cat(" |", rows_text(*runs)) : " | none";
        }
        all += "\n";
      }
  for (int64_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 33, 40})
    for (int vectors : {1, 2, 3}) {
      all += cat("columns ", count, " by ", vectors, ":");
      for (int lanes : {1, 4, 8})
        for (int kind : {0, 1, 2}) {
          all += " |";
          const TileSize tile{.rows = 1,
                              .vectors = vectors,
                              .lanes = lanes,
                              .even = kind > 0,
                              .masked = kind > 1 && lanes > 1};
          for (const ColumnRun& c : cut_columns(count, tile))
            all += cat(" ", c.begin, "-", c.end, "/", c.vectors, "x", c.lanes,
                       c.active > 0 ? cat("a", c.active) : "");
        }
      all += "\n";
    }
  check_golden("golden/runs.txt", all);
}

}  // namespace hlocc::tests
