// Which steps a profile times: copies of bytes to where they are take none.
#include "planning/timed_steps.h"

#include "programs.h"

namespace hlocc::planning {

TEST_CASE("a copy takes time unless the bytes are there") {
  Plan plan;
  plan.places = {{Region::kArena, 0, 16, 0}, {Region::kArena, 0, 16, 0}};
  const Step copy{Copy{0, 1}, {}};
  CHECK_FALSE(takes_time(copy, plan));
  Place& to = plan.places[1];
  to.offset = 16;
  CHECK(takes_time(copy, plan));
  to = {Region::kState, 0, 16, 0};
  CHECK(takes_time(copy, plan));
  to = {Region::kArena, 0, 16, 1};
  CHECK(takes_time(copy, plan));
  plan.places[0] = to;
  CHECK_FALSE(takes_time(copy, plan));
  CHECK(takes_time({Wait{0}, {}}, plan));
  CHECK_FALSE(takes_time({WhileStep{}, {}}, plan));
  CHECK_FALSE(takes_time({ConditionalStep{}, {}}, plan));
}

}  // namespace hlocc::planning
