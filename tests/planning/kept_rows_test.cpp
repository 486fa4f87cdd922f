// Windows of rows that follow one another: what the loop over rows and the steps behind it need in
// the next window is known, has places of its own until the end, and the validator looks.
#include "planning/kept_rows.h"

#include "kernel/program_values.h"
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
  CHECK(kept_rows(spaced.m.program, {}).empty());
}

TEST_CASE("of a plan's states the one of its stream says how far windows are apart") {
  Plan plan = Streamed(2).planned();
  REQUIRE(window_spacing(plan) == 2);
  // In front of it another state, of no bytes, in its very place; one elsewhere.
  const auto state = static_cast<size_t>(
      std::ranges::find_if(plan.values,
                           [](const ProgramValue& value) {
                             return value.role == ValueRole::kState && value.leaf == kernel::kNone;
                           }) -
      plan.values.begin());
  ProgramValue users = plan.values[state], other = users;
  users.leaf = 0, users.elements = 0;
  other.elements = 1;
  Place elsewhere = plan.places[state];
  elsewhere.offset += 64;
  plan.values.insert(plan.values.begin(), {users, other});
  plan.places.insert(plan.places.begin(), {plan.places[state], elsewhere});
  CHECK(window_spacing(plan) == 2);
  plan.stream.reset();
  CHECK(window_spacing(plan) == 0);
}

TEST_CASE("a streamed argument lies in no memory, whatever memories there are") {
  Target target = *preset("cortex-m4f");
  target.options.memories = {{"fast", 200}, {"slow", 4000}};
  for (const int64_t every : {0, 2}) {
    const Streamed streamed(every);
    const Result<Plan> plan = planning::plan(streamed.m.program, target);
    REQUIRE(plan);
    CHECK(plan->pieces.size() == 2);
    const Status valid = validate(streamed.m.program, *plan);
    INFO((valid ? "" : valid.error().message) << to_text(*plan));
    CHECK(valid);
  }
}

TEST_CASE("a copy that planning made may be what the next window needs") {
  const Streamed spaced(2);
  Plan plan = spaced.planned();
  // The first that is none of the program's, which goes behind all others.
  const size_t number = spaced.m.program.values.size();
  const auto added = static_cast<Id>(number);
  REQUIRE(plan.values.size() > number);
  const auto behind = static_cast<Id>(plan.values.size());
  plan.values.push_back(ProgramValue(plan.values[number]));
  plan.places.push_back(Place(plan.places[number]));
  replace_values(plan.steps, [&](Id id) { return id == added ? behind : id; });
  plan.values[number] = plan.values[static_cast<size_t>(spaced.before)];
  plan.places[number] = {Region::kArena, plan.arena_bytes, 4 * kElements};
  plan.arena_bytes += 4 * kElements;
  const auto loop = std::ranges::find_if(
      plan.steps, [](const Step& step) { return std::holds_alternative<WhileStep>(step.what); });
  plan.steps.insert(loop, Step{Copy{spaced.before, added}, {}});
  for (Step& step : plan.steps)
    if (auto* launch = std::get_if<Launch>(&step.what); launch && launch->operands.size() == 3)
      launch->operands[1] = added;
  CHECK(std::ranges::count(kept_rows(spaced.m.program, plan.steps), added) == 1);
  const Status valid = validate(spaced.m.program, plan);
  INFO((valid ? "" : valid.error().message) << to_text(plan));
  CHECK(valid);
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
