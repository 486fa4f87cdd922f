// The planner, rule by rule: what shares memory, what is copied, and how many bytes it takes.
#include "planning/plan.h"

#include "planning/layout.h"

#include "programs.h"

namespace hlocc::planning {
namespace {

const Place& place(const Plan& plan, Id id) { return plan.places[static_cast<size_t>(id)]; }
bool same(const Place& a, const Place& b) { return a.region == b.region && a.offset == b.offset; }

TEST_CASE("a chain of elementwise steps runs in the argument's place") {
  ProgramMaker m;
  const Id x = m.argument(100);
  m.result(m.scale(m.scale(x)));
  const Plan plan = checked(m.program);
  CHECK(plan.arena_bytes == 400);
  CHECK(plan.copies == 0);
  CHECK(plan.argument_place_reused == std::vector<bool>{true});
  CHECK(same(plan.result_places[0], plan.argument_places[0]));
}

TEST_CASE("keep_arguments leaves arguments and results apart") {
  ProgramMaker m;
  const Id x = m.argument(100);
  m.result(m.scale(m.scale(x)));
  m.result(x);
  Target target;
  target.options.keep_arguments = true;
  const Plan plan = checked(m.program, target);
  CHECK(plan.arena_bytes == 1200);
  CHECK(plan.argument_place_reused == std::vector<bool>{false});
  CHECK(plan.copies == 1);
}

TEST_CASE("a value that no step names takes no room, however large it is") {
  ProgramMaker m;
  m.value(100000);
  m.result(m.scale(m.argument(100)));
  CHECK(checked(m.program).arena_bytes == 400);
}

TEST_CASE("steps that cross need two places, and alternate between them") {
  ProgramMaker m;
  Id x = m.argument(100);
  for (int i = 0; i < 6; ++i) x = m.stir(x, 100);
  m.result(x);
  const Plan plan = checked(m.program);
  CHECK(plan.arena_bytes == 800);
  CHECK(plan.live_set_bound == 800);
}

TEST_CASE("a value read twice is not written over where only one of its readers is over") {
  ProgramMaker m;
  const Id s = m.stir(m.argument(8), 20);
  const auto [a, b] = m.both(s, s);
  m.result(m.combine(a, b));
  const Plan plan = checked(m.program);
  CHECK_FALSE(same(place(plan, a), place(plan, s)));
  CHECK_FALSE(same(place(plan, b), place(plan, s)));
}

TEST_CASE("the widest step needs its operands, and results that lie over none") {
  const auto widest = [](const ProgramMaker& m) {
    return widest_step(
        {.program = &m.program, .values = m.program.values, .steps = m.program.steps});
  };
  ProgramMaker combined, stirred, known;
  combined.combine(combined.argument(10), combined.argument(10));
  CHECK(widest(combined) == 80);
  stirred.stir(stirred.argument(10), 5);
  CHECK(widest(stirred) == 60);
  known.combine(known.argument(4), known.constant({1, 2, 3, 4}));
  CHECK(widest(known) == 16);
}

TEST_CASE("a result that runs ahead of its operand lies before it") {
  ProgramMaker m;
  const Id x = m.stir(m.argument(4), 64);
  const Id y = m.pad(x, 4);
  m.result(y);
  const Plan plan = checked(m.program);
  CHECK(place(plan, x).offset - place(plan, y).offset == 16);
  CHECK(plan.arena_bytes == 256 + 16);
}

TEST_CASE("an operand that lives on is not overwritten") {
  ProgramMaker m;
  const Id x = m.stir(m.argument(1), 10);
  const Id y = m.scale(x);
  m.result(m.combine(x, y));
  const Plan plan = checked(m.program);
  CHECK_FALSE(same(place(plan, x), place(plan, y)));
  CHECK(plan.arena_bytes == 80);
}

TEST_CASE("an update shares the place of a value that dies, and copies one that lives") {
  ProgramMaker m;
  const Id x = m.stir(m.argument(3), 50), u = m.argument(1);
  SECTION("dies") {
    m.result(m.update(x, u, 7));
    CHECK(checked(m.program).copies == 0);
  }
  SECTION("dies, though the kernel reads it") {
    m.result(m.update(x, u, 7, true));
    CHECK(checked(m.program).copies == 0);
  }
  SECTION("lives") {
    m.result(m.update(x, u, 7));
    m.result(x);
    CHECK(checked(m.program).copies == 1);
  }
}

TEST_CASE("an updated argument is copied only if the caller brought it") {
  ProgramMaker m;
  const Id x = m.argument(50), u = m.argument(1);
  const Id y = m.update(x, u, 7);
  m.result(y);
  const Plan plan = checked(m.program);
  CHECK(plan.copies == 0);
  CHECK(same(place(plan, x), place(plan, y)));
  REQUIRE(plan.steps.size() == 2);
  CHECK(std::holds_alternative<Copy>(plan.steps[0].what));
}

TEST_CASE("results that are arguments, constants or one value twice are copies") {
  ProgramMaker m;
  const Id x = m.argument(4), y = m.scale(x), c = m.constant({1, 2, 3});
  m.result(y);
  m.result(y);
  m.result(x);
  m.result(c);
  const Plan plan = checked(m.program);
  CHECK(plan.copies == 2 + (same(plan.result_places[2], plan.argument_places[0]) ? 0 : 1));
  CHECK(plan.constant_bytes == 12);
}

TEST_CASE("constants of the same bytes lie in one place") {
  ProgramMaker m;
  const Id a = m.constant({1, 2, 3, 4}), b = m.constant({5, 6}), c = m.constant({1, 2, 3, 4});
  m.result(m.combine(a, c));
  m.result(m.scale(b));
  const Plan plan = checked(m.program);
  CHECK(same(place(plan, a), place(plan, c)));
  CHECK(plan.constant_bytes == 24);
}

TEST_CASE("constants of the same bytes but other widths lie apart: byte orders differ") {
  ProgramMaker m;
  const Id a = m.constant({1, 2}), b = m.constant({1, 2});
  m.program.values[static_cast<size_t>(b)].element = Scalar::kU16;
  m.program.values[static_cast<size_t>(b)].elements = 4;
  m.result(m.scale(a));
  CHECK(planned(m.program).constant_bytes == 16);
  Plan damaged = planned(m.program);
  damaged.places[static_cast<size_t>(b)] = damaged.places[static_cast<size_t>(a)];
  CHECK_FALSE(validate(m.program, damaged));
}

TEST_CASE("scratch lives during its launch only") {
  ProgramMaker m;
  Id x = m.argument(100);
  x = m.reverse(m.reverse(x));
  m.result(x);
  const Plan plan = checked(m.program);
  CHECK(plan.arena_bytes == 800);
  CHECK(std::get<Launch>(plan.steps[0].what).operands.size() == 3);
}

TEST_CASE("a donated argument's place holds the result") {
  ProgramMaker m;
  const Id state = m.argument(20, ValueRole::kState), x = m.argument(20);
  SECTION("updated in place, no copy") {
    m.result(m.combine(state, x), 0);
    const Plan plan = checked(m.program);
    CHECK(plan.copies == 0);
    CHECK(plan.state_bytes == 80);
    CHECK(same(plan.result_places[0], plan.argument_places[0]));
  }
  SECTION("a result made while the state is still read is copied in the end") {
    const Id next = m.scale(x);
    m.result(m.stir(m.combine(state, next), 5));
    m.result(next, 0);
    const Plan plan = checked(m.program);
    CHECK(plan.copies <= 1);
    CHECK(plan.state_bytes == 80);
  }
}

TEST_CASE("two donated arguments may be swapped") {
  ProgramMaker m;
  const Id a = m.argument(8, ValueRole::kState), b = m.argument(8, ValueRole::kState);
  m.result(b, 0);
  m.result(a, 1);
  const Plan plan = checked(m.program);
  CHECK(plan.copies == 3);
  ProgramState state;
  CHECK(execute(m.program, plan,
                std::vector<Bytes>{bytes_of(std::vector<int32_t>(8, 1)),
                                   bytes_of(std::vector<int32_t>(8, 2))},
                &state)
            .ok());
  CHECK(state.values[0] == bytes_of(std::vector<int32_t>(8, 2)));
}

// while (i < 20) { i = 3 i + 1; x = body(x) }
struct Loop {
  ProgramMaker m;
  Id counter = m.argument(1), start = m.argument(64);
  WhileStep loop;

  void make(const std::function<std::vector<Id>(std::span<const Id>)>& body,
            std::vector<Id> initial) {
    loop.initial = {counter};
    loop.carried = {m.value(1)};
    loop.result = {m.value(1)};
    for (const Id id : initial) {
      loop.initial.push_back(id);
      loop.carried.push_back(m.value(m.elements(id)));
      loop.result.push_back(m.value(m.elements(id)));
    }
    m.steps = &loop.condition;
    loop.condition_value = m.less(loop.carried[0], 20);
    m.steps = &loop.body;
    loop.next = {m.scale(loop.carried[0])};
    for (const Id id : body(std::span(loop.carried).subspan(1))) loop.next.push_back(id);
    m.steps = &m.program.steps;
    m.steps->push_back({loop, {{"while"}}});
    for (const Id id : loop.result) m.result(id);
  }
};

TEST_CASE_METHOD(Loop, "a while whose body works in place copies nothing") {
  make([&](std::span<const Id> carried) { return std::vector<Id>{m.scale(carried[0])}; }, {start});
  const Plan plan = checked(m.program);
  CHECK(plan.copies == 0);
  // The array, the counter and the condition.
  CHECK(plan.arena_bytes == 256 + 4 + 1);
}

TEST_CASE_METHOD(Loop, "a while that updates state in place copies nothing") {
  make(
      [&](std::span<const Id> carried) {
        return std::vector<Id>{m.update(carried[0], loop.next[0], 3)};
      },
      {start});
  CHECK(checked(m.program).copies == 0);
}

TEST_CASE_METHOD(Loop, "a while whose body crosses copies once a turn") {
  make([&](std::span<const Id> carried) { return std::vector<Id>{m.stir(carried[0], 64)}; },
       {start});
  const Plan plan = checked(m.program);
  CHECK(plan.copies_in_loops == 1);
}

TEST_CASE_METHOD(Loop, "a while that swaps what it carries goes through a temporary") {
  const Id other = m.scale(start);
  make(
      [&](std::span<const Id> carried) {
        return std::vector<Id>{carried[1], carried[0]};
      },
      {start, other});
  CHECK(checked(m.program).copies_in_loops == 3);
}

TEST_CASE_METHOD(Loop, "a while that starts twice from one value copies it") {
  make(
      [&](std::span<const Id> carried) {
        return std::vector<Id>{m.scale(carried[0]), m.combine(carried[1], carried[0])};
      },
      {start, start});
  checked(m.program);
}

TEST_CASE("windows of a chain hand rows on without a row to spare") {
  // Two windows of three rows of 8, of which the loop carries two; what makes the second's row
  // reads all of the first.
  ProgramMaker m;
  const Id x = m.argument(8);
  WhileStep loop{.initial = {m.constant({0}), m.stir(x, 16), m.stir(x, 16)}};
  for (const Id id : loop.initial) {
    loop.carried.push_back(m.value(m.elements(id)));
    loop.result.push_back(m.value(m.elements(id)));
  }
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], 20);
  m.steps = &loop.body;
  const auto window_of = [&](Id kept, Id row) { return m.join({{kept, 0, 16}, {row, 0, 8}}); };
  const Id first = window_of(loop.carried[2], m.stir(loop.carried[0], 8));
  const Id row = m.stir(m.stir(first, 8), 8), second = window_of(loop.carried[1], row);
  // From the last to the first they move to where the next iteration looks for them.
  const Id last = m.move(m.join({{second, 8, 16}}));
  loop.next = {m.scale(loop.carried[0]), last, m.move(m.join({{first, 8, 16}}))};
  m.steps = &m.program.steps;
  m.program.steps.push_back({loop, {}});
  m.result(m.stir(loop.result[1], 1));
  const Plan plan = checked(m.program);
  CHECK(plan.copies_in_loops == 0);
  // Four rows that are kept, a new one, and one that the next is made of; the counter.
  CHECK(plan.arena_bytes == 4 * (4 * 8 + 8 + 8 + 1));
}

TEST_CASE("a conditional's branches share memory and yield into one place") {
  ProgramMaker m;
  const Id x = m.argument(100), p = m.pick(x);
  ConditionalStep choice{.selector = p,
                         .branches = std::vector<Steps>(2),
                         .yields = {{}, {}},
                         .results = {m.value(100)}};
  m.steps = &choice.branches[0];
  choice.yields[0] = {m.stir(m.stir(x, 100), 100)};
  m.steps = &choice.branches[1];
  choice.yields[1] = {m.scale(m.stir(x, 100))};
  m.steps = &m.program.steps;
  m.steps->push_back({choice, {}});
  m.result(choice.results[0]);
  const Plan plan = checked(m.program);
  CHECK(plan.copies == 0);
  CHECK(plan.arena_bytes <= 804);
}

TEST_CASE("the order of steps is searched for the lowest peak") {
  // Two wide values made early and reduced late: better one after the other.
  ProgramMaker m;
  const Id x = m.argument(2);
  std::vector<Id> wide;
  for (int i = 0; i < 6; ++i) wide.push_back(m.stir(m.scale(x), 1000));
  Id sum = m.stir(wide[0], 2);
  for (int i = 1; i < 6; ++i) sum = m.combine(sum, m.stir(wide[static_cast<size_t>(i)], 2));
  m.result(sum);
  const Plan plan = checked(m.program);
  CHECK(plan.arena_bytes < 4100);
}

TEST_CASE("the text of a plan shows places and steps") {
  ProgramMaker m;
  const Id x = m.argument(4);
  m.result(m.scale(x));
  CHECK(to_text(checked(m.program)) ==
        "plan arena 16 (alive at the worst step 16) align 16, state 0, constants 0, copies 0, in "
        "loops 0\n"
        "  arena 0 .. 16  0 v0\n"
        "  arena 0 .. 16  1 v1\n"
        "  launch kernel 0(%v0, %v1) overlap(1, 0, 0)\n");
}

TEST_CASE("an argument that nobody reads, alone in its program") {
  ProgramMaker m;
  m.argument(8);
  CHECK(planned(m.program).argument_place_reused == std::vector<bool>{false});
}

TEST_CASE("scratch in the stack has no place") {
  ProgramMaker m;
  Builder b("stacked");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 8}),
                 y = b.buffer({.name = "y",
                               .element = Scalar::kS32,
                               .elements = 8,
                               .direction = Direction::kOut}),
                 held = b.buffer({.name = "t",
                                  .element = Scalar::kS32,
                                  .elements = 8,
                                  .direction = Direction::kScratch,
                                  .space = Space::kStack,
                                  .alignment = 64});
  b.loop(8, [&](ValueId i) { b.store(held, Affine::of(i), b.load(x, Affine::of(i))); });
  b.loop(8, [&](ValueId i) { b.store(y, Affine::of(i), b.load(held, Affine::of(i, -1, 7))); });
  m.program.kernels.push_back(b.finish());
  m.result(m.launch({.kernel = 0, .operands = {m.argument(8), m.value(8)}}));
  CHECK(checked(m.program).arena_bytes == 64);
}

}  // namespace
}  // namespace hlocc::planning
