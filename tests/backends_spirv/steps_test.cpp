// Commands that wait and those that need not; segments and the host's steps between them.
#include <catch2/catch.hpp>

#include "backends/spirv/hazards.h"
#include "backends/spirv/table_steps.h"
#include "hlocc_launch_table.h"

namespace hlocc::backends {
namespace {

TEST_CASE("a command waits where bytes meet and one of both writes") {
  const auto waits = [](DeviceAccess before, DeviceAccess now) {
    Hazards hazards;
    hazards.begin_list();
    CHECK(hazards.must_wait({before}));  // the first of a list
    return hazards.must_wait({now});
  };
  CHECK(waits({0, 0, 16, true}, {0, 8, 24, false}));
  CHECK(waits({0, 0, 16, false}, {0, 15, 16, true}));
  CHECK(waits({0, 0, 16, true}, {0, 0, 16, true}));
  CHECK_FALSE(waits({0, 0, 16, false}, {0, 0, 16, false}));
  CHECK_FALSE(waits({0, 0, 16, true}, {0, 16, 24, true}));
  CHECK_FALSE(waits({0, 16, 32, true}, {0, 0, 16, true}));
  CHECK_FALSE(waits({0, 0, 16, true}, {1, 0, 16, true}));
}

TEST_CASE("a wait is for all commands before, and is forgotten behind it") {
  Hazards hazards;
  hazards.begin_list();
  CHECK(hazards.must_wait({{0, 0, 8, true}}));
  CHECK_FALSE(hazards.must_wait({{0, 8, 16, true}}));
  CHECK(hazards.must_wait({{0, 0, 8, false}, {0, 16, 24, true}}));
  CHECK_FALSE(hazards.must_wait({{0, 8, 16, false}}));
  CHECK(hazards.must_wait({{0, 16, 24, false}}));
}

TEST_CASE("a loop is a segment, a test, a segment and a jump") {
  TableSteps steps;
  const size_t begin = steps.here();
  steps.launch(3, 2, {7, 8}, {{0, 0, 4, true}});
  const TableSteps::Placeholder over = steps.unless({0, 12});
  steps.copy({0, 16}, {2, 20}, 4);
  steps.fill(steps.jump(), begin);
  steps.fill(over, steps.here());
  constexpr uint32_t at = 100, end = at + 11 + 4 + 11 + 2;
  CHECK(steps.finish(at) == std::vector<uint32_t>{HLOCC_STEP_SEGMENT,   0,  1,  7,              //
                                                  HLOCC_COMMAND_LAUNCH, 1,  3,  2,   2, 7,  8,  //
                                                  HLOCC_STEP_UNLESS,    0,  12, end,            //
                                                  HLOCC_STEP_SEGMENT,   1,  1,  7,              //
                                                  HLOCC_COMMAND_COPY,   1,  0,  16,  2, 20, 4,  //
                                                  HLOCC_STEP_JUMP,      at,                     //
                                                  HLOCC_STEP_END});
  CHECK(steps.segments() == 2);
  CHECK(steps.launches() == 1);
  CHECK(steps.copies() == 1);
  CHECK(steps.waits() == 2);
}

TEST_CASE("a choice has a place for each branch") {
  TableSteps steps;
  const std::vector<TableSteps::Placeholder> ways = steps.choose({1, 4}, 4, 2);
  steps.fill(ways[0], steps.here());
  const TableSteps::Placeholder end = steps.jump();
  steps.fill(ways[1], steps.here());
  steps.fill(end, steps.here());
  CHECK(steps.finish(0) == std::vector<uint32_t>{HLOCC_STEP_CHOOSE, 1, 4, 4, 2, 7, 9,
                                                 HLOCC_STEP_JUMP, 9, HLOCC_STEP_END});
}

}  // namespace
}  // namespace hlocc::backends
