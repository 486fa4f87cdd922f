// How many bytes the next attempt's palettes have to save, to the byte, and what palettes come to in
// a plan (driver/pipeline/fit_flash.cpp).
#include "driver/pipeline/fit_flash.h"

#include <catch2/catch.hpp>

namespace hlocc::driver {
namespace {

struct SavingRow {
  int64_t chip, budget;  // bytes of flash; 0 and -1: not known
  int64_t bytes, saved, asked;
  int64_t more;
};

TEST_CASE("palettes save what is missing in flash, and no more is asked where none is left") {
  const SavingRow rows[] = {
      // What the chip has.
      {1000, -1, 1000, 0, 0, 0},
      {1000, -1, 1001, 0, 0, 1},
      {1000, -1, 1500, 0, 0, 500},
      {0, -1, 1500, 0, 0, 0},
      // The budget of the command line is asked first, also where it is larger.
      {1000, 900, 950, 0, 0, 50},
      {1000, 2000, 1500, 0, 0, 0},
      {0, 900, 950, 0, 0, 50},
      {0, 1, 2, 0, 0, 1},
      {1000, 0, 1500, 0, 0, 0},  // no plan fits in nothing
      // What palettes save already is saved again.
      {1000, -1, 1100, 500, 500, 600},
      {1000, -1, 1100, 501, 500, 601},
      {1000, -1, 1000, 500, 500, 0},
      // They saved less than was asked for: there are no more.
      {1000, -1, 1100, 499, 500, 0},
  };
  for (const SavingRow& row : rows) {
    Target target;
    target.flash_bytes = row.chip;
    target.options.bytes_to_save = row.asked;
    INFO(row.chip << " " << row.budget << " " << row.bytes << " " << row.saved);
    CHECK(more_to_save(target, row.budget, row.bytes, row.saved) == row.more);
    for (const WeightsCompression other :
         {WeightsCompression::kNone, WeightsCompression::kPalettes}) {
      target.options.weights_compression = other;
      CHECK(more_to_save(target, row.budget, row.bytes, row.saved) == 0);
    }
  }
}

TEST_CASE("a plan is made again until its weights fit, and code of one that does alone") {
  struct Row {
    int64_t flash;
    std::vector<int64_t> asked;  // to be saved, of each plan
  };
  for (const Row& row : {Row{1500, {0}}, Row{1000, {0, 500}}}) {
    Target target;
    target.flash_bytes = row.flash;
    std::vector<int64_t> asked;
    int builds = 0;
    const Result<FittedModel> fitted = fit_flash(
        target, -1,
        [&](const Target& with) -> Result<Planned> {
          asked.push_back(with.options.bytes_to_save);
          Planned out;
          out.plan.constant_bytes = 1500 - asked.back();
          kernel::Launch launch;
          launch.palettes.resize(1);
          launch.palettes[0].bytes_saved = asked.back();
          out.plan.steps.push_back({.what = launch});
          return out;
        },
        [&](const Planned&) -> Result<Artifacts> {
          ++builds;
          return Artifacts();
        });
    REQUIRE(fitted);
    CHECK(asked == row.asked);
    CHECK(builds == 1);
    CHECK(fitted->planned.plan.constant_bytes == row.flash);
  }
}

TEST_CASE("palettes of a plan are summed up over its launches, those in loops too") {
  kernel::Launch one, two, none;
  one.palettes.resize(2);
  one.palettes[0].bytes_saved = 10, one.palettes[0].cycles_added = 1.5;
  one.palettes[1].bytes_saved = 20, one.palettes[1].cycles_added = 2;
  two.palettes.resize(1);
  two.palettes[0].bytes_saved = 5;
  kernel::WhileStep loop;
  loop.body.push_back({.what = two});
  kernel::Steps steps;
  steps.push_back({.what = one});
  steps.push_back({.what = none});
  steps.push_back({.what = std::move(loop)});
  const PaletteTotals totals = palettes_of(steps);
  CHECK(totals.layers == 2);
  CHECK(totals.bytes_saved == 35);
  CHECK(totals.cycles_added == 3.5);
  CHECK(palettes_of({}).layers == 0);
}

}  // namespace
}  // namespace hlocc::driver
