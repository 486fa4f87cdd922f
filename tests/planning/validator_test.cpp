// What the validator refuses, rule by rule: a good plan, one damage, and the words of the rule that
// sees it. random_test.cpp damages plans at random and shows that something is seen; this shows
// that each rule has its own case.
#include <functional>

#include "planning/plan.h"
#include "programs.h"

namespace hlocc::planning {
namespace {

struct Damage {
  const char* what;
  std::function<void(Plan&)> change;
  const char* words;
};

void refuses(const Program& program, const std::vector<Damage>& damages) {
  const Plan good = planned(program);
  for (const Damage& damage : damages) {
    INFO(damage.what << "\n" << to_text(good));
    Plan bad = good;
    damage.change(bad);
    const Status status = validate(program, bad);
    REQUIRE_FALSE(status);
    INFO(status.error().message);
    CHECK(status.error().message.find(damage.words) != std::string::npos);
  }
}

template <typename T>
T& at(Plan& plan, size_t n) {
  return std::get<T>(plan.steps[n].what);
}
Place& place(Plan& plan, Id id) { return plan.places[static_cast<size_t>(id)]; }
Launch& launch(Plan& plan, size_t n) { return at<Launch>(plan, n); }

// A value of the plan alone, at that place.
Id added(Plan& plan, int64_t n, Place where) {
  where.bytes = 4 * n;
  plan.values.push_back({.name = "added", .element = Scalar::kS32, .elements = n});
  plan.places.push_back(where);
  return static_cast<Id>(plan.values.size() - 1);
}
void insert_copy(Plan& plan, size_t at, Id from, Id to) {
  plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(at), Step{Copy{from, to}, {}});
}

TEST_CASE("the validator refuses steps that are not the program's") {
  ProgramMaker m;
  const Id x = m.argument(8), s = m.stir(x, 8), t = m.stir(s, 8);
  m.result(m.scale(t));
  refuses(
      m.program,
      {{"one less", [](Plan& p) { p.steps.erase(p.steps.begin() + 1); }, "reads"},
       {"the last one less", [](Plan& p) { p.steps.pop_back(); }, "is missing"},
       {"one twice", [](Plan& p) { p.steps.push_back(p.steps.back()); }, "does not have"},
       {"a call that makes the same",
        [](Plan& p) {
          const Id made = launch(p, 2).operands[1];
          p.steps.back().what = UserCall{"f", {}, {made}};
        },
        "does not have"},
       {"another kernel", [](Plan& p) { launch(p, 1).kernel = 1; }, "another kernel"},
       {"another number", [](Plan& p) { launch(p, 1).integers.push_back(1); }, "another kernel"},
       {"in ranges", [](Plan& p) { launch(p, 1).ranges = 2; }, "another kernel"},
       {"another operand", [&](Plan& p) { launch(p, 1).operands[0] = x; }, "reads"},
       {"a value that is none", [](Plan& p) { launch(p, 1).operands[0] = 99; }, "no such value"},
       {"the value behind the last",
        [](Plan& p) { launch(p, 1).operands[0] = static_cast<Id>(p.values.size()); },
        "no such value"}});
}

TEST_CASE("the validator refuses copies of nothing, to nowhere and over themselves") {
  ProgramMaker m;
  const Id x = m.argument(8), s = m.stir(x, 8), t = m.stir(s, 8);
  m.result(t);
  m.result(s);
  const auto copies = [](size_t n, auto ends) {
    return [=](Plan& p) {
      const auto [from, to] = ends(p);
      insert_copy(p, n, from, to);
    };
  };
  const auto end = [](const Plan& p) { return Place{Region::kArena, p.arena_bytes, 0}; };
  const auto room = [&](auto ends) {
    return [=](Plan& p) {
      const auto [from, to] = ends(p);
      p.arena_bytes += 64;
      insert_copy(p, 2, from, to);
    };
  };
  refuses(
      m.program,
      {{"from nobody", copies(1, [&](Plan&) { return std::pair(-1, s); }), "a copy of no value"},
       {"to nobody", copies(1, [&](Plan&) { return std::pair(x, 99); }), "a copy of no value"},
       {"of another size", room([&](Plan& p) { return std::pair(s, added(p, 4, end(p))); }),
        "different sizes"},
       {"to where it is", room([&](Plan& p) { return std::pair(s, added(p, 8, place(p, s))); }),
        "where the bytes already are"},
       {"of what nobody wrote",
        [&](Plan& p) {
          const Id a = added(p, 8, end(p));
          p.arena_bytes += 64;
          Place next = end(p);
          next.offset -= 32;
          const Id b = added(p, 8, next);
          insert_copy(p, 2, a, b);
        },
        "bytes that no value has"},
       {"over itself",
        [&](Plan& p) {
          Place next = end(p);
          const Id a = added(p, 8, next);
          next.offset += 4;
          const Id b = added(p, 8, next);
          p.arena_bytes += 64;
          insert_copy(p, 2, a, b);
          insert_copy(p, 2, s, a);
        },
        "over itself"}});
}

TEST_CASE("the validator refuses results over what is read, and two in one place") {
  SECTION("crossing") {
    ProgramMaker m;
    const Id x = m.argument(8), s = m.stir(x, 8), t = m.stir(s, 8);
    m.result(t);
    refuses(m.program,
            {{"in place", [&](Plan& p) { place(p, t) = place(p, s); }, "while that is"}});
  }
  SECTION("further ahead than is allowed") {
    ProgramMaker m;
    const Id s = m.stir(m.argument(4), 64), y = m.pad(s, 4);
    m.result(y);
    refuses(m.program, {{"four bytes on",
                         [&](Plan& p) {
                           p.arena_bytes += 4;
                           place(p, y).offset += 4;
                           p.result_places[0].offset += 4;
                         },
                         "while that is"}});
  }
  SECTION("over the operand of which nothing is said") {
    ProgramMaker m;
    const Id x = m.argument(8), s = m.stir(x, 8), t = m.stir(s, 8), y = m.combine(s, t);
    std::get<Launch>(m.program.steps.back().what).overlaps.pop_back();
    m.result(y);
    const auto over = [&](Id operand) {
      return [&m, y, operand](Plan& p) { place(p, y) = p.result_places[0] = place(p, operand); };
    };
    refuses(m.program, {{"the second", over(t), "while that is"}});
    Plan good = planned(m.program);
    over(s)(good);
    CHECK(validate(m.program, good));
  }
  SECTION("over the operand that another result may lie over") {
    ProgramMaker m;
    const Id x = m.argument(8), s = m.stir(x, 8), t = m.stir(s, 8);
    const auto [a, b] = m.both(s, t);
    m.result(m.stir(a, 8));
    m.result(b);
    refuses(m.program, {{"crossed", [&](Plan& p) { place(p, a) = place(p, t); }, "while that is"}});
  }
  SECTION("with its scratch") {
    ProgramMaker m;
    const Id y = m.reverse(m.argument(100));
    m.result(y);
    refuses(m.program, {{"without scratch", [](Plan& p) { launch(p, 0).operands.pop_back(); },
                         "too few places"},
                        {"scratch at the result",
                         [&](Plan& p) { place(p, launch(p, 0).operands[2]) = place(p, y); },
                         "are written to one place"}});
  }
}

TEST_CASE("the validator refuses updates of what is not there") {
  ProgramMaker m;
  const Id x = m.stir(m.argument(3), 50), u = m.argument(1), y = m.update(x, u, 7);
  m.result(y);
  refuses(m.program, {{"none", [](Plan& p) { launch(p, 1).updates.clear(); }, "other updates"},
                      {"elsewhere",
                       [&](Plan& p) {
                         place(p, y).offset += 200;
                         p.result_places[0].offset += 200;
                         p.arena_bytes += 200;
                       },
                       "lies elsewhere"},
                      {"of something else",
                       [&](Plan& p) {
                         launch(p, 1).updates[0].from = y;
                         launch(p, 0).operands[1] = y;
                       },
                       ""}});
}

TEST_CASE("an update of nothing may lie anywhere") {
  ProgramMaker m;
  const Id x = m.copy(m.argument(0)), u = m.argument(1), y = m.value(0);
  Builder b("update_of_nothing");
  b.buffer({.name = "u", .element = Scalar::kS32, .elements = 1, .direction = Direction::kIn});
  b.buffer({.name = "y", .element = Scalar::kS32, .elements = 0, .direction = Direction::kOut});
  m.program.kernels.push_back(b.finish());
  m.launch({.kernel = 0, .operands = {u, y}, .updates = {{1, x}}});
  m.result(y);
  Plan plan = planned(m.program);
  place(plan, y).offset += 4;
  plan.result_places[0].offset += 4;
  plan.arena_bytes += 4;
  const Status status = validate(m.program, plan);
  INFO((status ? "" : status.error().message) << to_text(plan));
  CHECK(status);
}

TEST_CASE("the validator refuses calls that are not the program's") {
  ProgramMaker m;
  const Id x = m.argument(8), s = m.stir(x, 8), a = m.value(8), b = m.value(8);
  m.steps->push_back({UserCall{"f", {x, s}, {a, b}}, {}});
  m.result(a);
  m.result(b);
  const auto call = [](Plan& p) -> UserCall& { return at<UserCall>(p, 1); };
  refuses(m.program,
          {{"another", [&](Plan& p) { call(p).symbol = "g"; }, "another call"},
           {"of less", [&](Plan& p) { call(p).operands.pop_back(); }, "another call"},
           {"of a result more",
            [&](Plan& p) {
              call(p).results.push_back(added(p, 8, {Region::kArena, p.arena_bytes, 0}));
              p.arena_bytes += 64;
            },
            "another call"},
           {"with its results turned round",
            [&](Plan& p) { std::swap(call(p).results[0], call(p).results[1]); }, "does not have"},
           {"with its operands turned round",
            [&](Plan& p) { std::swap(call(p).operands[0], call(p).operands[1]); }, "reads"},
           {"a result over an operand",
            [&](Plan& p) { place(p, a) = p.result_places[0] = place(p, s); }, "over its operand"},
           {"both results in one place",
            [&](Plan& p) { place(p, b) = p.result_places[1] = place(p, a); }, "in one place"}});
}

TEST_CASE("the validator refuses whiles that are not the program's") {
  ProgramMaker m;
  const Id i = m.argument(1), x = m.argument(8);
  WhileStep loop{.initial = {i, x}, .carried = {m.value(1), m.value(8)}};
  loop.result = {m.value(1), m.value(8)};
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], 20);
  m.steps = &loop.body;
  loop.next = {m.scale(loop.carried[0]), m.stir(loop.carried[1], 8)};
  m.steps = &m.program.steps;
  m.steps->push_back({loop, {{"while"}}});
  for (const Id id : loop.result) m.result(id);
  const auto find = [](Plan& p) -> WhileStep& {
    for (Step& step : p.steps)
      if (auto* found = std::get_if<WhileStep>(&step.what)) return *found;
    FAIL("no while");
    return at<WhileStep>(p, 0);
  };
  const auto away = [](Plan& p, Id id) {
    place(p, id).offset = p.arena_bytes;
    p.arena_bytes += 64;
  };
  refuses(m.program,
          {{"carries more", [&](Plan& p) { find(p).carried.push_back(added(p, 1, place(p, i))); },
            "another while"},
           {"gives more", [&](Plan& p) { find(p).result.push_back(added(p, 1, place(p, i))); },
            "another while"},
           {"starts with less", [&](Plan& p) { find(p).initial.pop_back(); }, "another while"},
           {"hands less on", [&](Plan& p) { find(p).next.pop_back(); }, "another while"},
           {"starts elsewhere", [&](Plan& p) { away(p, find(p).initial[1]); }, ""},
           {"hands on elsewhere", [&](Plan& p) { away(p, find(p).next[1]); }, ""},
           {"gives elsewhere", [&](Plan& p) { away(p, find(p).result[1]); }, "do not share"},
           {"hands on what is none", [&](Plan& p) { find(p).next[1] = 99; }, "no such value"},
           {"asks another question", [&](Plan& p) { find(p).condition_value = find(p).carried[0]; },
            ""}});
}

TEST_CASE("the validator refuses conditionals that are not the program's") {
  ProgramMaker m;
  const Id x = m.argument(100), p = m.pick(x);
  ConditionalStep choice{.selector = p,
                         .branches = std::vector<Steps>(2),
                         .yields = {{}, {}},
                         .results = {m.value(100)}};
  m.steps = &choice.branches[0];
  choice.yields[0] = {m.stir(m.stir(x, 100), 100)};
  m.steps = &choice.branches[1];
  choice.yields[1] = {m.stir(m.stir(x, 100), 100)};
  m.steps = &m.program.steps;
  m.steps->push_back({choice, {}});
  m.result(choice.results[0]);
  const auto find = [](Plan& plan) -> ConditionalStep& { return at<ConditionalStep>(plan, 1); };
  refuses(m.program,
          {{"of fewer branches",
            [&](Plan& plan) {
              find(plan).branches.pop_back();
              find(plan).yields.pop_back();
            },
            "another conditional"},
           {"of a result more",
            [&](Plan& plan) {
              const Id more = added(plan, 100, place(plan, find(plan).results[0]));
              find(plan).results.push_back(more);
            },
            "another conditional"},
           {"asks something else", [&](Plan& plan) { find(plan).selector = x; }, "another size"},
           {"a branch yields what is none", [&](Plan& plan) { find(plan).yields[1][0] = 99; },
            "no such value"},
           {"a branch yields elsewhere",
            [&](Plan& plan) {
              place(plan, find(plan).yields[1][0]).offset = plan.arena_bytes;
              plan.arena_bytes += 400;
            },
            "do not share"},
           {"the branches turned round",
            [&](Plan& plan) { std::swap(find(plan).branches[0], find(plan).branches[1]); },
            "does not have"}});
}

TEST_CASE("a plan of a program without a signature is validated") {
  ProgramMaker m;
  m.result(m.stir(m.argument(8), 8));
  m.program.signature = {};
  const Plan good = planned(m.program);
  CHECK(validate(m.program, good));
  refuses(m.program, {{"a result elsewhere", [](Plan& p) { p.result_places[0].offset += 1 << 20; },
                       "finds bytes of nothing"}});
}

TEST_CASE("the validator refuses places outside of their regions") {
  ProgramMaker m;
  const Id x = m.argument(8), c = m.constant({1, 2, 3, 4, 5, 6, 7, 8}), s = m.stir(x, 8);
  const Id state = m.argument(8, ValueRole::kState);
  m.result(m.combine(m.combine(s, c), state), 1);
  refuses(m.program,
          {{"no place for one", [](Plan& p) { p.places.pop_back(); }, "not every value"},
           {"one value less",
            [&](Plan& p) {
              p.values.resize(static_cast<size_t>(state));
              p.places.resize(static_cast<size_t>(state));
            },
            "not every value"},
           {"another size", [&](Plan& p) { place(p, s).bytes = 28; }, "of another size"},
           {"before the arena", [&](Plan& p) { place(p, s).offset = -1; }, "outside of its region"},
           {"in no memory",
            [&](Plan& p) { place(p, s).memory = p.values[static_cast<size_t>(s)].memory = -1; },
            "there is no memory -1"},
           {"behind the arena", [](Plan& p) { --p.arena_bytes; }, "outside of its region"},
           {"behind the constants", [](Plan& p) { --p.constant_bytes; }, "outside of its region"},
           {"behind the state", [](Plan& p) { --p.state_bytes; }, "outside of its region"},
           {"at an odd address",
            [&](Plan& p) {
              ++place(p, s).offset;
              p.arena_bytes += 4;
            },
            "odd address"},
           {"a constant in the arena", [&](Plan& p) { place(p, c).region = Region::kArena; },
            "another role"},
           {"a temporary among constants",
            [&](Plan& p) { place(p, s).region = Region::kConstant, place(p, s).offset = 0; },
            "another role"},
           {"state in the arena", [&](Plan& p) { place(p, state).region = Region::kArena; },
            "outside of the state"},
           {"an argument in the state",
            [&](Plan& p) {
              place(p, x).region = Region::kState;
              p.state_bytes += 64;
            },
            "outside of the arena"},
           {"a leaf without a place", [](Plan& p) { p.result_places.clear(); }, "not every leaf"},
           {"an argument without a place", [](Plan& p) { p.argument_places.pop_back(); },
            "not every leaf"},
           {"an argument of which nothing is said",
            [](Plan& p) { p.argument_place_reused.pop_back(); }, "not every leaf"},
           {"an argument of two places", [](Plan& p) { p.argument_places[0].offset += 32; },
            "two places"}});
}

TEST_CASE("the validator refuses constants that overwrite one another") {
  ProgramMaker m;
  const Id a = m.constant({1, 2, 3, 4}), b = m.constant({3, 4, 5, 6}), c = m.constant({9});
  m.result(m.stir(m.combine(a, b), 4));
  m.result(m.stir(c, 1));
  refuses(
      m.program,
      {{"in one place", [&](Plan& p) { place(p, b).offset = place(p, a).offset; }, "overwritten"},
       {"one over the end of another",
        [&](Plan& p) { place(p, b).offset = place(p, a).offset + 12; }, "overwritten"},
       {"one inside another", [&](Plan& p) { place(p, c).offset = place(p, a).offset + 8; },
        "overwritten"}});
  // Those that agree where they meet may.
  Plan good = planned(m.program);
  place(good, a).offset = 0;
  place(good, b).offset = 8;
  place(good, c).offset = 24;
  good.constant_bytes = 28;
  CHECK(validate(m.program, good));
}

TEST_CASE("the validator sees single bytes") {
  ProgramMaker m;
  const Id four = m.constant({1 << 24});
  const Id one = m.value(1, ValueRole::kConstant, Scalar::kS8);
  m.program.values.back().data = std::make_shared<const Bytes>(Bytes{std::byte{1}});
  const Id yes = m.less(m.combine(m.argument(1), four), 3);
  m.result(yes);
  m.result(yes);
  m.result(one);
  m.program.signature = {};
  refuses(m.program,
          {{"a constant in the last byte of a wider one",
            [&](Plan& p) { place(p, one).offset = place(p, four).offset + 3; }, "overwritten"},
           {"two results in one place", [](Plan& p) { p.result_places[1] = p.result_places[0]; },
            "share bytes"},
           {"a copy to where it is",
            [&](Plan& p) {
              const Id same = added(p, 1, place(p, yes));
              p.values.back().element = Scalar::kPred;
              place(p, same) = place(p, yes);
              insert_copy(p, p.steps.size(), yes, same);
            },
            "where the bytes already are"}});
}

TEST_CASE("what a loop carries of no bytes may lie anywhere") {
  ProgramMaker m;
  const Id x = m.argument(1), none = m.copy(m.argument(0));
  WhileStep loop{.initial = {x, none}, .carried = {m.value(1), m.value(0)}};
  loop.result = {m.value(1), m.value(0)};
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], 20);
  m.steps = &loop.body;
  loop.next = {m.scale(loop.carried[0]), m.copy(loop.carried[1])};
  m.steps = &m.program.steps;
  m.steps->push_back({loop, {}});
  m.result(loop.result[0]);
  Plan plan = planned(m.program);
  place(plan, loop.carried[1]).offset += 4;
  place(plan, loop.next[1]).offset += 8;
  plan.arena_bytes += 64;
  const Status status = validate(m.program, plan);
  INFO((status ? "" : status.error().message) << to_text(plan));
  CHECK(status);
}

TEST_CASE("the validator refuses results that share bytes or lie among constants") {
  ProgramMaker m;
  const Id x = m.argument(8), c = m.constant({1, 2, 3, 4});
  const Id a = m.stir(x, 8), b = m.stir(a, 8);
  m.result(a);
  m.result(b);
  m.result(c);
  refuses(m.program,
          {{"two in one place", [](Plan& p) { p.result_places[1] = p.result_places[0]; }, "reads"},
           {"one among constants", [&](Plan& p) { p.result_places[2] = place(p, c); },
            "a constant's place"}});
}

TEST_CASE("the validator refuses joins that are not the program's, or of other bytes") {
  ProgramMaker m;
  const Id x = m.argument(8), rows = m.stir(x, 8), more = m.stir(x, 4);
  const Id window = m.join({{rows, 4, 4}, {more, 0, 4}});
  m.result(m.stir(window, 3));
  const auto join = [](Plan& p) -> Join& { return at<Join>(p, 2); };
  refuses(m.program,
          {{"a run less", [&](Plan& p) { join(p).runs.pop_back(); }, "another join"},
           {"another run", [&](Plan& p) { join(p).runs[0].offset = 0; }, "another join"},
           {"a shorter run", [&](Plan& p) { join(p).runs[1].bytes = 8; }, "another join"},
           {"bytes of another value", [&](Plan& p) { join(p).runs[1].from = rows; }, "reads"},
           {"no such value", [&](Plan& p) { join(p).runs[1].from = 99; }, "no such value"},
           {"a whole a row too far",
            [&](Plan& p) { place(p, window).offset = place(p, rows).offset + 4; }, "over itself"},
           {"a part that is written over",
            [&](Plan& p) { place(p, more).offset = place(p, rows).offset + 16; }, "reads"}});
  // Parts that lie elsewhere are moved.
  Plan moved = planned(m.program);
  place(moved, window).offset = moved.arena_bytes;
  moved.arena_bytes += 32;
  CHECK(validate(m.program, moved));
}

}  // namespace
}  // namespace hlocc::planning
