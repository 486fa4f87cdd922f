// What lies in the arena while each step runs, against sums made by hand.
#include "planning/alive.h"

#include <algorithm>
#include <set>

#include "programs.h"

namespace hlocc::planning {
namespace {

std::vector<int64_t> bytes_of_steps(const Program& program, const Plan& plan,
                                    const Target& target = {}) {
  std::vector<int64_t> bytes;
  for (const AliveStep& one : find_alive(program, plan, target).steps) bytes.push_back(one.bytes);
  return bytes;
}

TEST_CASE("a step needs what it reads and writes, one in place only once") {
  ProgramMaker m;
  const Id x = m.argument(100);
  const Id y = m.stir(x, 50);
  m.result(m.scale(y));
  const Plan plan = checked(m.program);
  CHECK(bytes_of_steps(m.program, plan) == std::vector<int64_t>{600, 200});
  const Alive alive = find_alive(m.program, plan, {});
  REQUIRE(alive.steps.size() == 2);
  CHECK(alive.values_at(0, plan) == std::vector<Id>{x, y});
  CHECK(alive.steps[0].step == &plan.steps[0]);
}

TEST_CASE("what later steps read and what a result holds stays alive") {
  ProgramMaker m;
  const Id x = m.stir(m.argument(1), 10);
  const Id kept = m.stir(x, 30);
  const Id y = m.stir(x, 20);
  m.result(kept);
  m.result(m.scale(y));
  const Plan plan = checked(m.program);
  std::vector<int64_t> bytes = bytes_of_steps(m.program, plan);
  REQUIRE(bytes.size() == 4);
  CHECK(bytes[0] == 44);
  CHECK(bytes.back() == 4 * (30 + 20));
  CHECK(*std::max_element(bytes.begin(), bytes.end()) == plan.live_set_bound);
}

TEST_CASE("arguments that are kept are alive to the end") {
  ProgramMaker m;
  m.result(m.stir(m.stir(m.argument(100), 10), 5));
  CHECK(bytes_of_steps(m.program, checked(m.program)) == std::vector<int64_t>{440, 60});
  Target target;
  target.options.keep_arguments = true;
  CHECK(bytes_of_steps(m.program, checked(m.program, target), target) ==
        std::vector<int64_t>{440, 460});
}

TEST_CASE("loops and branches are no steps of their own, values of no bytes no stretches") {
  ProgramMaker m;
  const Id x = m.argument(8), empty = m.copy(m.argument(0));
  WhileStep loop{.initial = {x}, .carried = {m.value(8)}, .result = {m.value(8)}};
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], 20);
  m.steps = &loop.body;
  loop.next = {m.stir(loop.carried[0], 8)};
  m.steps = &m.program.steps;
  m.steps->push_back({loop, {}});
  ConditionalStep choice{.selector = m.pick(loop.result[0]),
                         .branches = std::vector<Steps>(1),
                         .yields = {{}},
                         .results = {m.value(8)}};
  m.steps = &choice.branches[0];
  choice.yields[0] = {m.stir(x, 8)};
  m.steps = &m.program.steps;
  m.steps->push_back({choice, {}});
  m.result(choice.results[0]);
  m.result(empty);
  const Plan plan = checked(m.program);
  const Alive alive = find_alive(m.program, plan, {});
  std::set<const Step*> wanted, found;
  for_each_step(plan.steps, [&](const Step& step) {
    if (!std::holds_alternative<WhileStep>(step.what) &&
        !std::holds_alternative<ConditionalStep>(step.what))
      wanted.insert(&step);
  });
  for (const AliveStep& one : alive.steps) found.insert(one.step);
  CHECK(found == wanted);
  CHECK(alive.steps.size() == wanted.size());
  for (const AliveStretch& stretch : alive.stretches) {
    CHECK(plan.places[static_cast<size_t>(stretch.value)].bytes > 0);
    CHECK(stretch.first <= stretch.last);
  }
  // Each value among those of its first and last step, and not behind.
  for (const AliveStretch& stretch : alive.stretches) {
    const auto is_there = [&](int step) {
      return std::ranges::count(alive.values_at(step, plan), stretch.value) > 0;
    };
    CHECK(is_there(stretch.first));
    CHECK(is_there(stretch.last));
  }
  CHECK(alive.values_at(static_cast<int>(alive.steps.size()), plan).empty());
}

TEST_CASE("a program whose arena holds nothing has steps all the same") {
  ProgramMaker m;
  m.result(m.copy(m.argument(0)));
  const Plan plan = checked(m.program);
  for (const AliveStep& one : find_alive(m.program, plan, {}).steps) CHECK(one.bytes == 0);
  CHECK(find_alive(m.program, plan, {}).stretches.empty());
}

TEST_CASE("scratch is alive in its launch alone, constants never") {
  ProgramMaker m;
  const Id x = m.combine(m.argument(10), m.constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  m.result(m.scale(m.reverse(x)));
  const std::vector<int64_t> bytes = bytes_of_steps(m.program, checked(m.program));
  CHECK(bytes == std::vector<int64_t>{40, 80, 40});
}

}  // namespace
}  // namespace hlocc::planning
