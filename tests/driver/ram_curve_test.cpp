// RAM against cycles: which attempts the curve makes, and which points stay.
#include "driver/pipeline/ram_curve.h"

#include <catch2/catch.hpp>

namespace hlocc::driver {
namespace {

// The arena is what `arena` says of the decisions; nothing runs, so all take no cycles.
struct Attempts {
  std::vector<Decisions> made;
  int64_t (*arena)(const Decisions&);
  Result<std::vector<CurvePoint>> curve(size_t instructions) {
    return ram_curve(
        [this](const Decisions& decisions) -> Result<std::optional<Planned>> {
          made.push_back(decisions);
          if (arena(decisions) < 0) return error(DiagnosticKind::kInternal, "no plan");
          if (arena(decisions) == 0) return std::optional<Planned>();
          std::optional<Planned> planned(std::in_place);
          planned->plan.arena_bytes = arena(decisions);
          return planned;
        },
        instructions, *preset("cortex-a53"));
  }
};

}  // namespace

TEST_CASE("a curve goes from the plan as it comes to the fewest rows, in ten attempts") {
  Attempts attempts{
      {}, [](const Decisions& d) -> int64_t { return d.rows_above.value_or(9000) + 1000; }};
  const auto points = attempts.curve(10);
  REQUIRE(points);
  REQUIRE(attempts.made.size() == kMostCurvePoints);
  CHECK_FALSE(attempts.made[0].rows_above);
  CHECK(attempts.made[1].rows_above == 0);
  CHECK(attempts.made[2].rows_above == 1000 + 9000 / 8);
  CHECK(attempts.made[8].rows_above == 1000 + 9000 * 7 / 8);
  CHECK_FALSE(attempts.made[9].winograd);
  CHECK_FALSE(attempts.made[9].rows_above);
  // More RAM for as many cycles is no point.
  REQUIRE(points->size() == 1);
  CHECK(points->front().arena_bytes == 1000);
  CHECK(points->front().plan == "as few rows as can be");
}

TEST_CASE("where rows take no less, and in large modules, a curve takes two attempts") {
  Attempts same{{}, [](const Decisions&) -> int64_t { return 500; }};
  REQUIRE(same.curve(10));
  CHECK(same.made.size() == 2);
  Attempts large{{}, [](const Decisions& d) -> int64_t { return d.rows_above ? 1 : 2; }};
  REQUIRE(large.curve(kMostSearchedInstructions + 1));
  CHECK(large.made.size() == 2);
}

TEST_CASE("what comes to the program of an earlier attempt is no point of a curve") {
  Attempts same{{}, [](const Decisions& d) -> int64_t { return d.rows_above ? 0 : 7; }};
  const auto points = same.curve(10);
  REQUIRE(points);
  CHECK(same.made.size() == 2);
  CHECK(points->size() == 1);
}

TEST_CASE("a plan that fails ends the curve") {
  Attempts attempts{{}, [](const Decisions& d) -> int64_t { return d.rows_above == 0 ? -1 : 5; }};
  CHECK_FALSE(attempts.curve(10));
}

}  // namespace hlocc::driver
