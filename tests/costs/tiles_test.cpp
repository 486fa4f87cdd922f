// Register tiles: what is chosen, chip by chip, with sizes on both sides of every bound.
#include "costs/tiles.h"

#include <catch2/catch.hpp>

#include "costs/chips.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {

using namespace costs;

// What is chosen, target by target: no choice changes results, and so nothing else would show that
// a condition of the costs was turned round. A change of the costs is a change of golden/tiles.txt.
TEST_CASE("tiles of every size on every kind of chip are the golden ones", "[costs]") {
  const auto text = [](const TileSize& t) {
    return cat(" ", t.rows, "x", t.vectors, "x", t.lanes, t.even ? "e" : "", t.masked ? "m" : "");
  };
  const auto of_chip = [&](const Target& target) {
    std::string all;
    for (kernel::Scalar element :
         {kernel::Scalar::kF32, kernel::Scalar::kF64, kernel::Scalar::kS32})
      for (int64_t rows : {1, 3, 7, 13}) {
        all += cat("  ", kernel::scalar_name(element), " ", rows, ":");
        for (int64_t columns : {1, 3, 4, 7, 9, 13, 16, 100}) {
          all += text(choose_tile(target, element, rows, columns));
          for (int64_t depth : {3, 4000})
            all += text(choose_tile(target, element, rows, columns, depth, rows != 3));
          for (int64_t multiplier : {1, 5})
            all +=
                text(choose_depthwise_tile(target, element, rows, columns, multiplier, rows == 3));
        }
        all += "\n";
      }
    all += "  sums a cell:";
    for (int cells : {1, 2, 3, 7, 8}) all += cat(" ", sums_a_cell(target, cells));
    return all + "\n";
  };
  check_golden("golden/tiles.txt", by_chip(all_chips(), of_chip));
}

TEST_CASE("steps of an iteration are the golden ones", "[costs]") {
  const auto of_chip = [](const Target& target) {
    std::string all;
    for (int cells : {1, 2, 8}) {
      all += cat("  ", cells, ":");
      for (int64_t count : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 25, 31, 32, 33, 34, 64, 65, 67, 70})
        for (bool whole : {false, true})
          all += cat(" ", steps_an_iteration(target, count, cells, whole, 4));
      all += "\n";
    }
    return all;
  };
  check_golden("golden/steps.txt", by_chip(all_chips(), of_chip));
  // Steps of many sums of integers are few where floats' are not.
  const Target with_floats = *preset("rv32imafc"), with_vectors = *preset("cortex-m55");
  const auto steps = [](const Target& target, int cells, bool floats) {
    return steps_an_iteration(target, 64, cells, false, 4, floats);
  };
  CHECK(steps(with_floats, 9, false) == 2);
  CHECK(steps(with_floats, 8, false) == 4);
  CHECK(steps(with_floats, 9, true) == 4);
  CHECK(steps(with_vectors, 9, false) == 4);
}

TEST_CASE("truth values fill registers of HVX, or are taken one by one", "[costs]") {
  const auto lanes = [](const char* name, kernel::Scalar element, int64_t columns) {
    return choose_tile(*preset(name), element, 4, columns).lanes;
  };
  using enum kernel::Scalar;
  CHECK(lanes("hexagon-v67-hvx", kPred, 32) == 32);
  CHECK(lanes("hexagon-v67-hvx", kPred, 31) == 1);
  CHECK(lanes("hexagon-v67-hvx", kS32, 31) == 16);
  CHECK(lanes("cortex-m55", kPred, 3) == 2);
}

TEST_CASE("a tile whose last rows are made twice", "[costs]") {
  const Target rv = *preset("rv32imc");
  const auto rows = [](const Target& target, int64_t rows, int64_t cells) {
    const auto tile = choose_overlapping_tile(target, kernel::Scalar::kS32, rows, 64, cells);
    return tile ? tile->rows : 0;
  };
  CHECK(rows(rv, 125, 10) == 4);
  // Half as many cells more; rows that the tile divides; too many made twice for so few.
  CHECK(rows(rv, 125, 11) == 0);
  CHECK(rows(rv, 124, 10) == 0);
  CHECK(rows(rv, 13, 10) == 0);
  // Exactly half as many.
  int exact = 0;
  for (int64_t columns = 1; columns <= 16; ++columns) {
    const TileSize tile = choose_tile(rv, kernel::Scalar::kS32, 27720, columns);
    const int64_t cells = 2 * tile.rows * tile.vectors;
    if (cells % 3 != 0) continue;
    const auto pays = [&](int64_t beside) {
      return choose_overlapping_tile(rv, kernel::Scalar::kS32, 125, columns, beside).has_value();
    };
    exact += pays(cells / 3) && !pays(cells / 3 + 1);
  }
  CHECK(exact > 0);
  CHECK(rows(*preset("cortex-m55"), 125, 1) == 0);
  CHECK(rows(*preset("cortex-a53"), 125, 1) == 0);
  Target small = rv;
  small.options.level = Level::kOs;
  CHECK(rows(small, 125, 1) == 0);
  Target cached = rv;
  cached.flash_constrained = false;
  CHECK(rows(cached, 125, 1) == 0);
}

}  // namespace hlocc::tests
