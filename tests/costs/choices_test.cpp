// Yes or no, chip by chip, on both sides of every bound: dots turned round, fusions, panels of
// weights. No choice changes results, and so nothing else would show that a condition was turned
// round.
#include <catch2/catch.hpp>

#include "costs/chips.h"
#include "costs/depthwise_windows.h"
#include "costs/dot.h"
#include "costs/fusion.h"
#include "costs/palettes.h"
#include "costs/smallest_arena.h"
#include "costs/threads.h"
#include "costs/weights.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using namespace costs;

// A number and its neighbours.
std::vector<int64_t> around(std::initializer_list<int64_t> numbers) {
  std::vector<int64_t> all;
  for (int64_t n : numbers)
    for (int64_t step : {-1, 0, 1}) all.push_back(n + step);
  return all;
}

std::string dots(const Target& target) {
  std::string all = "  moved ";
  for (int64_t rows : around({4, 48}))
    for (int64_t depth : around({5 * rows, 20})) {
      for (int kind = 0; kind < 4; ++kind)
        all += sign(is_better_moved(target, rows, depth, kind % 2 == 1, kind / 2 == 1));
      all += ' ';
    }
  all += cat("\n  turned ", sign(reads_turned(target)), ' ');
  for (int64_t rows : around({4, 9}))
    for (int64_t columns : around({4, 9})) all += sign(stays_turned(target, rows, columns));
  return all + '\n';
}

std::string fusions(const Target& target) {
  std::string all =
      cat("  group ", most_group_cost(target), ", epilogue ", longest_epilogue(target, false), " ",
          longest_epilogue(target, true), ", views ", sign(reads_through_views(target)), ", gates ",
          sign(gates_pay(target)), ", chains ", sign(chains_by_rows(target)), ", rows ");
  for (int64_t lanes : around({8})) all += sign(rows_pay(target, lanes));
  all += "\n  serpentine ";
  for (int64_t rows : around({4}))
    for (int64_t bytes : around({target.cache(0), target.cache(2) / 2}))
      all += sign(serpentine_pays(target, rows, bytes));
  all += ", row tiles ";
  const int64_t handed = target.cache(1) * 25 / 64, weights = target.cache(1) * 3 / 16;
  for (int64_t bytes : around({handed}))
    for (int64_t beside : around({weights})) all += sign(row_tiles_pay(target, bytes, beside));
  all += ", pooled ";
  for (int64_t window : around({4})) {
    for (int64_t bytes : around({handed}))
      all += sign(pooled_rows_pay(target, window, 8, bytes, weights));
    all += sign(pooled_rows_pay(target, window, 8, handed, weights + 1));
  }
  return all + '\n';
}

std::string weights(const Target& target) {
  std::string all = "  panels ";
  for (hlo::PrimitiveType type :
       {hlo::PrimitiveType::kF32, hlo::PrimitiveType::kF16, hlo::PrimitiveType::kS8})
    for (int64_t columns : around({64, target.cache(0) / 4, target.cache(0) / 16}))
      all += sign(panels_pay(target, 1, columns, type));
  all += ", prefetch ";
  for (int64_t rows : around({8, 256}))
    for (int64_t bytes : around({2 * target.cache(0)}))
      all += sign(prefetch_pays(target, bytes, rows, 4));
  return all + cat(", lines ", sign(columns_begin_lines(target)), '\n');
}

}  // namespace

TEST_CASE("choices of every kind of chip are the golden ones", "[costs]") {
  check_golden("golden/choices.txt", by_chip(all_chips(), [](const Target& target) {
                 return dots(target) + fusions(target) + weights(target);
               }));
}

TEST_CASE("what just pays and what does not", "[costs]") {
  // Ranges: the longest and their start are less than nine tenths of the whole.
  const Target m4 = *preset("cortex-m4f"), a53 = *preset("cortex-a53");
  CHECK(ranges_pay(10'000, 7'499, m4));
  CHECK(!ranges_pay(10'000, 7'500, m4));
  // Palettes: more than four bytes an operation.
  CHECK(palette_pays(41, 10));
  CHECK(!palette_pays(40, 10));
  CHECK(most_looked_up_bytes(m4) < most_looked_up_bytes(a53));
  // State that few rows of a loop read.
  CHECK(reads_state_in_place(m4, 3));
  CHECK(!reads_state_in_place(m4, 4));
  CHECK(!reads_state_in_place(a53, 3));
  // Strips of rows that were decided on.
  Target strips = m4;
  strips.decisions.row_strips = true;
  CHECK(!chains_by_rows(m4));
  CHECK(chains_by_rows(strips));
  CHECK(!row_tiles_pay(m4, 0, 1));
  CHECK(row_tiles_pay(strips, 0, 1));
  CHECK(products_read_nibbles(m4));
  CHECK(!products_read_nibbles(*preset("cortex-m55")));
  CHECK(!products_read_nibbles(*preset("rv64gc")));
  CHECK(WindowsPlan{.scratch = 1024}.in_stack());
  CHECK(!WindowsPlan{.scratch = 1025}.in_stack());
}

TEST_CASE("what a slower plan's bytes count for", "[costs]") {
  CHECK(bytes_that_count(1000, 50, 50) == 1000);
  CHECK(bytes_that_count(1000, 53, 50) == 1000);
  CHECK(bytes_that_count(1000, 54, 50) == 1200);
  CHECK(bytes_that_count(1000, 2, 1) == Approx(1000 * (1.2 + 0.9)));
  CHECK(bytes_that_count(1000, 5, 0) == 1000);
}

TEST_CASE("channels that are taken at once", "[costs]") {
  for (const auto& [name, channels] :
       {std::pair("cortex-m4f", 4), {"cortex-a53", 8}, {"wide", 16}, {"wider", 16}})
    CHECK(channels_at_once(chip(name)) == channels);
}

TEST_CASE("a product is made the other way round where its right side is narrow", "[costs]") {
  CHECK(is_better_turned(16, 100, 8, true));
  CHECK(!is_better_turned(15, 100, 8, true));
  CHECK(!is_better_turned(16, 100, 9, true));
  CHECK(is_better_turned(100, 1, 1, true));
  CHECK(is_better_turned(7, 7, 100, false));
  CHECK(!is_better_turned(8, 7, 100, false));
}

}  // namespace hlocc::tests
