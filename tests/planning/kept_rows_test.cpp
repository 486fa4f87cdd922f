// Windows of rows that follow one another: what the loop over rows and the steps behind it need in
// the next window is known, has places of its own until the end, and the validator looks.
#include "planning/kept_rows.h"

#include "kernel/window_spacing.h"
#include "planning/programs.h"

namespace hlocc::planning {
namespace {

constexpr int64_t kElements = 8;

// Each row is added to a sum; behind it the sum is combined with what was made of another argument
// before it.
struct Streamed {
  ProgramMaker m;
  Id row = m.argument(kElements), bias = m.argument(kElements);
  Id before = m.scale(bias), sum = kernel::kNone, made = kernel::kNone;

  explicit Streamed(int64_t every) {
    WhileStep loop{.initial = {m.copy(before)}, .carried = {m.value(kElements)}};
    sum = m.value(kElements);
    loop.result = {sum};
    m.steps = &loop.condition;
    loop.condition_value = m.less(loop.carried[0], 1 << 20);
    m.steps = &loop.body;
    loop.next = {m.combine(loop.carried[0], row)};
    m.steps = &m.program.steps;
    m.steps->push_back({loop, {}});
    made = m.scale(m.combine(m.scale(sum), before));
    m.result(made);
    m.program.signature.stream = {0, 0, 3};
    add_stream(m.program, 3);
    if (every > 0) space_windows(m.program, every);
  }

  Plan planned() const {
    Result<Plan> plan = planning::plan(m.program, *preset("cortex-m4f"));
    REQUIRE(plan);
    const Status valid = validate(m.program, *plan);
    if (!valid) FAIL(valid.error().message);
    return *std::move(plan);
  }
};

bool overlap(const Plan& plan, Id a, Id b) {
  const Place &x = plan.places[static_cast<size_t>(a)], &y = plan.places[static_cast<size_t>(b)];
  return x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes;
}

}  // namespace

TEST_CASE("what the next window needs is the loop's state and what was made before it") {
  const Streamed spaced(2), apart(0);
  CHECK(window_spacing(spaced.m.program) == 2);
  CHECK(window_spacing(apart.m.program) == 0);
  CHECK(window_spacing(kernel::Program()) == 0);
  // The other argument is read before the loop alone.
  CHECK(kept_rows(spaced.m.program, spaced.m.program.steps) ==
        std::vector<Id>{spaced.before, spaced.sum});
  CHECK(kept_rows(apart.m.program, apart.m.program.steps).empty());
}

TEST_CASE("what is kept lies apart from all that is behind it") {
  const Streamed spaced(2), apart(0);
  const Plan keeps = spaced.planned(), drops = apart.planned();
  CHECK(window_spacing(keeps) == 2);
  CHECK(window_spacing(drops) == 0);
  CHECK_FALSE(overlap(keeps, spaced.made, spaced.sum));
  CHECK_FALSE(overlap(keeps, spaced.made, spaced.before));
  CHECK(keeps.arena_bytes > drops.arena_bytes);
}

TEST_CASE("the validator refuses a result over what the next window needs") {
  const Streamed spaced(2);
  for (const Id kept : {spaced.sum, spaced.before}) {
    Plan plan = spaced.planned();
    const Place place = plan.places[static_cast<size_t>(kept)];
    plan.places[static_cast<size_t>(spaced.made)] = place;
    plan.result_places[0] = place;
    const Status status = validate(spaced.m.program, plan);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("but finds bytes of") != std::string::npos);
  }
}

}  // namespace hlocc::planning
