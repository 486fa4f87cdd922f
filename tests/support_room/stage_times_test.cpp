// Who has used which time.
#include "support/stage_times.h"

#include <catch2/catch.hpp>

using namespace hlocc;

TEST_CASE("what a child measured is not charged again to the stage that waits for it") {
  StageTimes times;
  times.add({"code generation", 50, 100});
  times.charge("waiting");
  times.add({"code generation", 5, 10});
  REQUIRE(times.rows().size() == 2);
  CHECK(times.rows()[0].cpu_seconds == 55);
  CHECK(times.rows()[0].wall_seconds == 110);
  // Nothing of the hundred seconds is left for this one.
  CHECK(times.rows()[1].wall_seconds < 0);
}
