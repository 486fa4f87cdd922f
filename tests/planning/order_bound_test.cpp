// What no plan can beat: never above what the planner finds, and as a rule just that.
#include "planning/order_bound.h"

#include "planning/random_programs.h"
#include "support/budget.h"

namespace hlocc::planning {
namespace {

// Values lie at multiples of a word.
Target scalar() {
  Target target;
  target.vector_bits = 0;
  return target;
}

int64_t bound_of(const Program& program, const Target& target = {}) {
  const std::optional<OrderBound> bound = order_bound(program, target);
  REQUIRE(bound);
  return bound->bytes;
}

TEST_CASE("no plan of a drawn program is below the bound, and most meet it") {
  int met = 0, all = 0;
  const auto look = [&](const Program& program, uint64_t seed) {
    INFO("seed " << seed);
    Target target = scalar();
    target.options.keep_arguments = seed % 5 == 0;
    const int64_t bound = bound_of(program, target),
                  arena = planned_and_valid(program, target).arena_bytes;
    CHECK(bound <= arena);
    ++all;
    met += bound == arena;
  };
  for (uint64_t seed = 0; seed < 400; ++seed) look(Generator(seed).run(), seed);
  for (uint64_t seed = 0; seed < 300; ++seed) look(Generator::joining(seed), seed);
  for (uint64_t seed = 0; seed < 200; ++seed) look(Generator::flat(seed), seed);
  CHECK(met > all / 3);
}

TEST_CASE("the bound is that of the best order, not of the one given") {
  ProgramMaker m;
  const Id x = m.argument(16);
  // Two large values, each read by a step that leaves little.
  const Id a = m.stir(x, 100), b = m.stir(x, 92);
  const Id c = m.stir(a, 4), d = m.stir(b, 4);
  m.result(m.combine(c, d));
  // x, a and c; then b beside c alone.
  CHECK(bound_of(m.program) == 4 * (100 + 16 + 4));
  CHECK(planned_and_valid(m.program, scalar()).arena_bytes == 4 * (100 + 16 + 4));
}

TEST_CASE("results lie over operands in the bound, too, but not over what is read later") {
  ProgramMaker m;
  const Id x = m.argument(50), y = m.scale(x);
  SECTION("in place") {
    m.result(m.scale(y));
    CHECK(bound_of(m.program) == 200);
  }
  SECTION("read again") {
    m.result(m.combine(m.scale(y), x));
    CHECK(bound_of(m.program) == 400);
  }
  SECTION("behind a few more bytes") {
    m.result(m.pad(y, 3));
    CHECK(bound_of(m.program) == 212);
  }
  SECTION("an argument that is kept") {
    m.result(y);
    Target keeping;
    keeping.options.keep_arguments = true;
    CHECK(bound_of(m.program) == 200);
    CHECK(bound_of(m.program, keeping) == 400);
  }
}

TEST_CASE("a value that is joined of others takes no bytes of its own") {
  ProgramMaker m;
  const Id x = m.argument(4);
  const Id a = m.stir(x, 30), b = m.stir(x, 20);
  // Half of a is in the window, and a is read before.
  const Id sum = m.stir(a, 1);
  const Id window = m.join({{a, 0, 15}, {b, 0, 20}});
  m.result(m.combine(m.stir(window, 1), sum));
  const Program program = m.program;
  CHECK(bound_of(program) <= planned_and_valid(program).arena_bytes);
  // While the window is read, with what it becomes and the sum.
  CHECK(bound_of(program) >= 4 * (15 + 20 + 1 + 1));
}

TEST_CASE("results are there at the end, known ones, too, and each once") {
  ProgramMaker m;
  const Id x = m.argument(3), known = m.constant({1, 2, 3, 4, 5});
  m.result(known);
  CHECK(bound_of(m.program) == 20);
  m.result(known);
  m.result(m.scale(x));
  CHECK(bound_of(m.program) == 20 + 12);
}

TEST_CASE("a state's place is no arena") {
  ProgramMaker m;
  const Id state = m.argument(40, ValueRole::kState);
  m.result(m.scale(state), 0);
  CHECK(bound_of(m.program) == 0);
  Target keeping;
  keeping.options.keep_arguments = true;
  CHECK(bound_of(m.program, keeping) == 0);
  ProgramMaker two;
  const Id other = two.argument(40, ValueRole::kState);
  two.result(two.stir(other, 40), 0);  // never in place
  CHECK(bound_of(two.program) == 160);
}

TEST_CASE("steps of queues have an order that is given") {
  int with = 0, without = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Program program = Generator::wild(seed);
    const bool has_bound = order_bound(program, {}).has_value();
    CHECK(has_bound != uses_queues(program.steps));
    ++(has_bound ? with : without);
  }
  CHECK(with > 5);
  CHECK(without > 5);
}

TEST_CASE("a search that is stopped has a bound all the same") {
  ProgramMaker m;
  const Id x = m.argument(1);
  std::vector<Id> ends;
  for (int i = 0; i < 40; ++i) ends.push_back(m.stir(m.stir(x, 50 + i % 9), 2));
  Id all = ends[0];
  for (size_t i = 1; i < ends.size(); ++i) all = m.combine(all, ends[i]);
  m.result(all);
  const int64_t arena = planned_and_valid(m.program, scalar()).arena_bytes;
  Budget budget({.work = 30'000});
  budget.spend(14'000);
  const BudgetScope scope(&budget);
  const auto bound = order_bound(m.program, {});
  REQUIRE(bound);
  CHECK_FALSE(bound->is_exact);
  CHECK(bound->bytes > 0);
  CHECK(bound->bytes <= arena);
}

// A chain with branches: as many buffers as a large network has.
TEST_CASE("five hundred buffers are planned with bounded effort") {
  Random random(3);
  ProgramMaker m;
  std::vector<Id> there = {m.argument(64)};
  while (there.size() < 500) {
    const Id x = there[there.size() - 1 -
                       static_cast<size_t>(random.below(std::min<size_t>(6, there.size())))];
    there.push_back(random.below(3) == 0 ? m.scale(x) : m.stir(x, 1 + random.below(200)));
  }
  m.result(there.back());
  Budget budget({.work = Budget::kMost / 4});
  const BudgetScope scope(&budget);
  const Plan plan = planned_and_valid(m.program);
  CHECK(bound_of(m.program) <= plan.arena_bytes);
  // A second is worth about 1,000 million.
  CHECK(budget.work() < 200'000'000);
}

}  // namespace
}  // namespace hlocc::planning
