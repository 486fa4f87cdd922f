// Which values of a run are known, and how often loops run that hang on them, on each side of what
// is asked: sizes, places that meet, kernels that read something unknown, steps with control.
#include "backends/spirv/known_loops.h"

#include <catch2/catch.hpp>
#include <functional>

#include "backends_spirv/plans.h"

namespace hlocc::backends {
namespace {

using planning::Id;
using planning::Plan;
using planning::ProgramMaker;

// Launches and copies as a run has them.
RunSteps run_of(const Plan& plan, const kernel::Steps& steps) {
  RunSteps out;
  for (const kernel::Step& step : steps) {
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what)) {
      RunLaunch run{launch, {}};
      for (const Id operand : launch->operands) run.operands.push_back(address_of(plan, operand));
      out.push_back({std::move(run)});
    } else if (const auto* copy = std::get_if<kernel::Copy>(&step.what)) {
      out.push_back({RunCopy{address_of(plan, copy->to), address_of(plan, copy->from),
                             plan.places[static_cast<size_t>(copy->to)].bytes}});
    }
  }
  return out;
}

// What is done to the plan, and to the steps that are played.
struct Changes {
  std::function<void(Plan&)> plan = [](Plan&) {};
  std::function<void(const Plan&, RunSteps&)> steps = [](const Plan&, RunSteps&) {};
};

// Whether x is known behind the maker's steps: a loop that goes on as long as x[0] is below 1, which
// it is not, is then known to end at once.
bool knows(ProgramMaker& m, Id x, const Changes& changes = {}) {
  kernel::Steps condition;
  m.steps = &condition;
  const Id flag = m.less(x, 1);
  m.steps = &m.program.steps;
  Plan plan = plan_apart(m.program);
  changes.plan(plan);
  RunSteps played = run_of(plan, m.program.steps);
  changes.steps(plan, played);
  KnownValues known(m.program, plan);
  for (const RunStep& step : played) known.play(step);
  return known.iterations({run_of(plan, condition), address_of(plan, flag), {}}, 0) == 0;
}

TEST_CASE("values of 16 bytes are known, larger ones are not") {
  for (const bool is_copied : {false, true})
    for (const int words : {1, 4, 5}) {
      ProgramMaker m;
      const Id x = m.constant(std::vector<int32_t>(static_cast<size_t>(words), 7));
      CHECK(knows(m, is_copied ? m.copy(x) : x) == (words <= 4));
    }
}

TEST_CASE("of a value's bytes a part is not known") {
  // The first four bytes of eight come to y, a constant's or a known value's.
  for (const bool is_copied : {false, true}) {
    ProgramMaker m;
    const Id c = m.constant({3, 4}), x = is_copied ? m.copy(c) : c, y = m.value(2);
    const auto part = [&](const Plan& plan, RunSteps& steps) {
      steps.push_back({RunCopy{address_of(plan, y), address_of(plan, x), 4}});
    };
    CHECK_FALSE(knows(m, y, {.steps = part}));
    CHECK(knows(m, x, {.steps = part}));
  }
  ProgramMaker m;
  const Id x = m.copy(m.constant({3, 4}));
  CHECK_FALSE(knows(m, m.copy(x), {.plan = [](Plan& plan) { plan.places[2].bytes = 4; }}));
}

TEST_CASE("what lies in a result's place is not known by the constant's bytes") {
  ProgramMaker m;
  const Id x = m.constant({3}), y = m.value(1);
  const auto from = [&](Id value) {
    return [&m, x, y, value](const Plan& plan, RunSteps& steps) {
      RunAddress constant = address_of(plan, x);
      constant.value = value;
      steps.push_back({RunCopy{address_of(plan, y), constant, 4}});
    };
  };
  CHECK(knows(m, y, {.steps = from(x)}));
  CHECK_FALSE(knows(m, y, {.steps = from(kernel::kNone)}));
}

TEST_CASE("what is written is forgotten where it meets, and nowhere else") {
  // `x` is known at 8 to 16, then four unknown bytes are written.
  const auto knows_beside = [](int64_t offset, planning::Region region, int64_t bytes = 4) {
    ProgramMaker m;
    const Id unknown = m.argument(4), c = m.constant({3, 4}), x = m.copy(c), y = m.value(4);
    m.steps->push_back({kernel::Copy{unknown, y}, {}});
    return knows(m, x, {.plan = [&](Plan& plan) {
                   plan.places[0].offset = plan.argument_places[0].offset = 128;
                   plan.places[static_cast<size_t>(x)].offset = 8;
                   plan.places[static_cast<size_t>(y)] = {region, offset, bytes};
                 }});
  };
  using planning::Region;
  CHECK(knows_beside(4, Region::kArena));
  CHECK_FALSE(knows_beside(5, Region::kArena));
  CHECK_FALSE(knows_beside(8, Region::kArena));
  CHECK_FALSE(knows_beside(15, Region::kArena));
  CHECK(knows_beside(16, Region::kArena));
  CHECK(knows_beside(8, Region::kState));
  CHECK_FALSE(knows_beside(0, Region::kArena, 16));
}

TEST_CASE("a kernel's result is known where all that it reads is, and it is no range's") {
  ProgramMaker m;
  const Id x = m.copy(m.constant({3})), y = m.scale(x);
  CHECK(knows(m, y));
  ProgramMaker ranges;
  const Id z = ranges.scale(ranges.copy(ranges.constant({3})));
  std::get<kernel::Launch>(ranges.program.steps.back().what).ranges = 2;
  CHECK_FALSE(knows(ranges, z));
}

TEST_CASE("what a kernel reads beside something unknown stays known") {
  ProgramMaker m;
  const Id x = m.copy(m.constant({3})), unknown = m.argument(1);
  const Id y = m.combine(x, unknown);
  CHECK_FALSE(knows(m, y));
  CHECK(knows(m, x));
}

TEST_CASE("a kernel with scratch in the arena makes nothing known, whatever lies there before") {
  ProgramMaker m;
  const Id scratch = m.copy(m.constant({9})), y = m.reverse(m.copy(m.constant({3})));
  std::get<kernel::Launch>(m.program.steps.back().what).operands.push_back(scratch);
  CHECK_FALSE(knows(m, y));
}

TEST_CASE("loops, choices and pieces leave what they write unknown, and the rest as it was") {
  const std::pair<const char*, std::function<RunStep(const Plan&, RunSteps)>> kinds[] = {
      {"body",
       [](const Plan&, RunSteps steps) {
         return RunStep{RunLoop{{}, {}, steps}};
       }},
      {"condition",
       [](const Plan&, RunSteps steps) {
         return RunStep{RunLoop{steps, {}, {}}};
       }},
      {"branch",
       [](const Plan&, RunSteps steps) {
         return RunStep{RunChoice{{}, true, {{}, steps}}};
       }},
      {"piece", [](const Plan&, RunSteps steps) { return RunStep{RunInner{steps}}; }}};
  for (const auto& [name, kind] : kinds) {
    INFO(name);
    for (const bool by_copy : {true, false}) {
      ProgramMaker m;
      const Id c = m.constant({3}), x = m.copy(c), y = m.copy(c);
      kernel::Steps inside;
      m.steps = &inside;
      const Id written = by_copy ? m.copy(c) : m.scale(c);
      m.steps = &m.program.steps;
      const Changes changes = {
          .plan =
              [&](Plan& plan) {
                plan.places[static_cast<size_t>(written)] = plan.places[static_cast<size_t>(x)];
              },
          .steps = [&](const Plan& plan,
                       RunSteps& steps) { steps.push_back(kind(plan, run_of(plan, inside))); }};
      CHECK_FALSE(knows(m, x, changes));
      CHECK(knows(m, y, changes));
    }
  }
}

TEST_CASE("iterations are counted up to the most that is asked for") {
  // 0, 1, 4, 13, 40: the body scales the counter in its place.
  ProgramMaker m;
  const Id n = m.copy(m.constant({0}));
  kernel::Steps condition, body;
  m.steps = &condition;
  const Id flag = m.less(n, 20);
  m.steps = &body;
  const Id next = m.scale(n);
  Plan plan = plan_apart(m.program);
  plan.places[static_cast<size_t>(next)] = plan.places[static_cast<size_t>(n)];
  KnownValues known(m.program, plan);
  const RunLoop loop{run_of(plan, condition), address_of(plan, flag), run_of(plan, body)};
  CHECK_FALSE(known.iterations(loop, 9).has_value());
  for (const RunStep& step : run_of(plan, m.program.steps)) known.play(step);
  CHECK(known.iterations(loop, 9) == 4);
  CHECK(known.iterations(loop, 4) == 4);
  CHECK_FALSE(known.iterations(loop, 3).has_value());
}

}  // namespace
}  // namespace hlocc::backends
