// RAM against cycles: which attempts the curve makes, and which points stay.
#include "driver/pipeline/ram_curve.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "support/text.h"

namespace hlocc::driver {
namespace {

// Arena and cycles are what `arena` and `cycles` say of the decisions.
struct Attempts {
  std::vector<Decisions> made;
  int64_t (*arena)(const Decisions&);
  double (*cycles)(const Decisions&) = [](const Decisions&) { return 0.0; };
  Result<std::vector<CurvePoint>> curve(size_t instructions) {
    return ram_curve(
        [this](const Decisions& decisions) -> Result<std::optional<Planned>> {
          made.push_back(decisions);
          if (arena(decisions) < 0) return error(DiagnosticKind::kInternal, "no plan");
          if (arena(decisions) == 0) return std::optional<Planned>();
          std::optional<Planned> planned(std::in_place);
          planned->plan.arena_bytes = arena(decisions);
          planned->plan.waits = cycles(decisions);
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

TEST_CASE(
    "the points of a curve are those that more RAM makes faster, each with its plan's words") {
  Attempts attempts{
      {},
      [](const Decisions& d) -> int64_t { return d.rows_above.value_or(7000) + 1000; },
      [](const Decisions& d) -> double {
        if (!d.rows_above) return d.winograd ? 10 : 20;
        return *d.rows_above == 0 ? 100 : *d.rows_above < 4000 ? 50 : 30;
      }};
  const auto points = attempts.curve(kMostSearchedInstructions);
  REQUIRE(points);
  CHECK(attempts.made.size() == kMostCurvePoints);
  std::string told;
  for (const CurvePoint& point : *points)
    told += cat(point.arena_bytes, " of ", std::llround(point.cycles), ": ", point.plan, "\n");
  // Of as many cycles the least RAM; of as much RAM the fewest cycles.
  CHECK(told ==
        "1000 of 100: as few rows as can be\n2875 of 50: row by row above 1875 bytes\n"
        "5500 of 30: row by row above 4500 bytes\n8000 of 10: as it comes\n");
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
