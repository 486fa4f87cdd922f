// Lanes along the reduction: for which columns, in which tiles, chip by chip.
#include "costs/reduction_lanes.h"

#include <catch2/catch.hpp>

#include "costs/chips.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {

using namespace costs;

TEST_CASE("columns that go along the reduction are the golden ones", "[costs]") {
  const auto text = [](const Target& target) {
    std::string all;
    for (kernel::Scalar sum : {kernel::Scalar::kPred, kernel::Scalar::kF32, kernel::Scalar::kF64,
                               kernel::Scalar::kS8, kernel::Scalar::kS64}) {
      for (int64_t depth : {1, 8, 16, 31, 32, 63, 64, 128, 640})
        for (int64_t side : {1, 2, 4, 16, 64, 640}) {
          // So much of the depth lies side by side.
          if (depth % side != 0 || (sum != kernel::Scalar::kF32 && side != depth && side != 2))
            continue;
          all += cat("  ", kernel::scalar_name(sum), " ", depth, " by ", side, ":");
          for (int64_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 19, 20, 21, 33}) {
            const ReductionLanes along = choose_reduction_lanes(target, sum, depth, side, columns);
            all += along.columns == 0 ? " ." : cat(" ", along.columns, "/", along.lanes);
          }
          all += '\n';
        }
    }
    return all;
  };
  check_golden("golden/reduction_lanes.txt", by_chip(all_chips(), text));
}

TEST_CASE("tiles along the reduction are the golden ones", "[costs]") {
  const auto text = [](const Target& target) {
    std::string all;
    for (bool masks : {false, true})
      for (int lanes : {2, 8}) {
        for (int64_t rows : {1, 2, 5, 8, 20}) {
          all += cat(masks ? "  masks, " : "  ", lanes, " lanes, ", rows, " rows:");
          for (int64_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 17}) {
            const InnerTile t = choose_inner_tile(target, rows, columns, lanes, masks);
            all += cat(" ", t.rows, "x", t.columns);
          }
          all += '\n';
        }
        for (int height : {1, 4}) {
          all += cat(masks ? "  masks, " : "  ", lanes, " lanes, cut at ", height, ":");
          for (int64_t columns : {0, 1, 3, 7, 8, 13, 17})
            for (int64_t before : {0, 16}) {
              all += " |";
              for (const ColumnRun& c :
                   cut_reduction_lanes(target, {lanes, columns}, columns + before, height, masks))
                all += cat(" ", c.begin, "-", c.end, "/", c.vectors);
            }
          all += '\n';
        }
      }
    return all;
  };
  check_golden("golden/inner_tiles.txt", by_chip(all_chips(), text));
}

TEST_CASE("right sides that should lie in rows are the golden ones", "[costs]") {
  const auto text = [](const Target& target) {
    std::string all = "  ";
    for (int64_t rows : {7, 8, 9})
      for (int64_t columns : {1, 2, 3, 7, 8, 9, 15, 16}) {
        for (int64_t depth : {7, 8, 9, 15, 16, 17, 24, 48, 500})
          all += sign(wants_rows(target, rows, depth, columns));
        all += ' ';
      }
    return all + '\n';
  };
  check_golden("golden/rows.txt", by_chip(all_chips(), text));
}

}  // namespace hlocc::tests
