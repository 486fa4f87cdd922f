// What `run` does, as primitives: marks, copies, transfers with what a cache needs, results, pieces.
#include "backends/common/run_plan.h"

#include "planning/programs.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using planning::Id;
using planning::Plan;
using planning::ProgramMaker;
using planning::Region;
using tests::require;

// One line of words a primitive.
class Text {
 public:
  std::string of(const RunSteps& steps) {
    for (const RunStep& step : steps) std::visit([&](const auto& what) { add(what); }, step.what);
    return std::exchange(out_, {});
  }

 private:
  static std::string at(const RunAddress& a) {
    static constexpr const char* kKinds[] = {"arena", "state", "constants", "argument", "result"};
    return cat(kKinds[static_cast<size_t>(a.kind)], "+", a.at);
  }
  void inside(const char* what, const RunSteps& steps) {
    const std::string before = std::exchange(out_, {});
    const std::string text = of(steps);
    out_ = cat(before, what, "{", text, "} ");
  }
  void add(const RunMark& mark) { out_ += cat("mark(", mark.step, ") "); }
  void add(const RunLaunch& step) {
    out_ += "launch(";
    for (const RunAddress& a : step.operands) out_ += at(a) + " ";
    out_ += ") ";
  }
  void add(const RunCopy& c) {
    out_ += cat(c.unless_equal ? "home(" : "copy(", at(c.to), " ", at(c.from), " ", c.bytes, ") ");
  }
  void add(const RunUserCall& call) { out_ += cat(call.symbol, "(", call.operands.size(), ") "); }
  void add(const RunTransfer& t) {
    out_ += cat(t.sends ? "put(" : "get(", t.queue, " ", t.memory, "+", t.offset, " ", at(t.here),
                " ", t.bytes, ") ");
  }
  void add(const RunSubmit& s) {
    out_ += cat("submit(", s.queue, " ", s.memory, " ", s.part, " ", join(s.offsets, ","), " ",
                s.operands, " ", s.results, ") ");
  }
  void add(const RunWait& wait) { out_ += cat("wait(", wait.queue, ") "); }
  void add(const RunCache& c) {
    out_ += cat(c.clean ? "clean(" : "invalidate(", at(c.begin), " ", c.bytes, ") ");
  }
  void add(const RunLoop& loop) {
    inside("while", loop.condition);
    out_ += cat("?", at(loop.holds), " ");
    inside("do", loop.body);
  }
  void add(const RunChoice& choice) {
    out_ += cat(choice.is_pred ? "if(" : "switch(", at(choice.selector), ") ");
    for (const RunSteps& branch : choice.branches) inside("", branch);
  }
  void add(const RunInner& inner) { inside("piece", inner.steps); }

  std::string out_;
};

std::string text_of(const Program& program, const Plan& plan, bool cut = false,
                    const Target& target = {}) {
  return Text().of(require(run_plan(program, plan, target, cut)));
}

// Values a, b, c, ... of four bytes, each in a place of its own, and the steps.
Plan plan_with(int values, Steps steps) {
  Plan plan;
  for (int i = 0; i < values; ++i) {
    plan.values.push_back({.name = std::string(1, static_cast<char>('a' + i)), .elements = 1});
    plan.places.push_back({.offset = 4 * i, .bytes = 4});
  }
  plan.steps = std::move(steps);
  return plan;
}

TEST_CASE("addresses: regions, and slots of arguments") {
  Plan plan = plan_with(4, {});
  plan.places[1].region = Region::kState;
  plan.places[2].region = Region::kConstant;
  plan.values[3].role = ValueRole::kArgument;
  plan.values[3].leaf = 7;
  using Kind = RunAddress::Kind;
  CHECK(address_of(plan, 0) == RunAddress{Kind::kArena, 0, 0});
  CHECK(address_of(plan, 1) == RunAddress{Kind::kState, 4, 1});
  CHECK(address_of(plan, 2) == RunAddress{Kind::kConstants, 8, 2});
  CHECK(address_of(plan, 3) == RunAddress{Kind::kArgument, 7, 3});
}

TEST_CASE("addresses: pieces of several memories, and constants that init has copied there") {
  Plan plan = plan_with(5, {});
  plan.pieces = {{"fast", 8, 8, 64}, {"slow", 0, 8, 64}};
  plan.arena_bytes = 16;
  plan.places[3].region = plan.places[4].region = Region::kConstant;
  plan.kept = {{12, 12, 4, 3}};
  using Kind = RunAddress::Kind;
  CHECK(address_of(plan, 1) == RunAddress{Kind::kArena, 4, 1, 0});
  CHECK(address_of(plan, 2) == RunAddress{Kind::kArena, 0, 2, 1});
  CHECK(address_of(plan, 3) == RunAddress{Kind::kArena, 4, 3, 1});
  CHECK(address_of(plan, 4) == RunAddress{Kind::kConstants, 16, 4, 0});
  CHECK(Text().of(keeping_steps(plan)) == "copy(arena+4 constants+12 4) ");
}

TEST_CASE("copies: within a place only of what the caller may have elsewhere") {
  Plan plan = plan_with(3, {{Copy{0, 1}, {}}, {Copy{0, 2}, {}}, {Copy{2, 0}, {}}});
  plan.values[0].role = ValueRole::kArgument;
  plan.values[0].leaf = 0;
  plan.places[2].offset = 0;
  CHECK(text_of({}, plan) == "copy(arena+4 argument+0 4) home(arena+0 argument+0 4) ");
}

TEST_CASE("joins: runs that do not lie where they belong are copied") {
  Plan plan = plan_with(3, {{Join{{{0, 0, 4}, {1, 2, 2}}, 2}, {}}});
  plan.places[2] = {.offset = 0, .bytes = 6};
  CHECK(text_of({}, plan) == "copy(arena+4 arena+6 2) ");
  plan.places[2].offset = 8;
  CHECK(text_of({}, plan) == "copy(arena+8 arena+0 4) copy(arena+12 arena+6 2) ");
  plan.places[1].offset = 2;
  plan.places[2].offset = 0;
  CHECK(text_of({}, plan) == "");
  plan.places[2].region = Region::kState;
  CHECK(text_of({}, plan) == "copy(state+0 arena+0 4) copy(state+4 arena+4 2) ");
}

TEST_CASE("results go where their slots say, donated ones stay") {
  Program program;
  program.results = {0, 1};
  program.signature.results.resize(2);
  program.signature.results[0].donated = true;
  Plan plan = plan_with(2, {});
  plan.result_places = {plan.places[0], plan.places[1]};
  CHECK(text_of(program, plan) == "home(result+1 arena+4 4) ");
}

TEST_CASE("transfers: the cache before, and behind the wait of what came") {
  Plan plan = plan_with(3, {{Transfer{0, 1, 2}, {}},
                            {Submit{"part", {1}, {1}, 2}, {}},
                            {Transfer{1, 0, 2}, {}},
                            {Wait{3}, {}},
                            {Wait{2}, {}},
                            {Wait{2}, {}}});
  plan.places[1].memory = 1;
  CHECK(text_of({}, plan) ==
        "clean(arena+0 4) put(2 1+4 arena+0 4) submit(2 1 part 4,4 1 1) "
        "invalidate(arena+0 4) get(2 1+4 arena+0 4) wait(3) wait(2) invalidate(arena+0 4) "
        "wait(2) ");
  // Nothing of no bytes; and none between devices.
  plan.places[0].bytes = plan.places[1].bytes = 0;
  CHECK(text_of({}, plan) == "submit(2 1 part 4,4 1 1) wait(3) wait(2) wait(2) ");
  plan.places[0].memory = 2;
  const auto refused = run_plan({}, plan, Target{}, false);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == DiagnosticKind::kUnsupported);
  CHECK(refused.error().message == "a transfer between the memories 2 and 1 of devices");
}

TEST_CASE("marks of a profile: begin, end, and what takes time") {
  ProgramMaker m;
  const Id x = m.argument(8);
  m.result(m.scale(m.scale(x)));
  const Plan plan = require(planning::plan(m.program, Target{}));
  Target profiled;
  profiled.options.profile = true;
  const std::string text = text_of(m.program, plan, false, profiled);
  CHECK(text.starts_with("mark(-1) mark(0) launch("));
  CHECK(text.find("mark(1) launch(") != std::string::npos);
  CHECK(text.find(" mark(-2) home(result+0 ") != std::string::npos);
  CHECK(text_of(m.program, plan).find("mark") == std::string::npos);
}

TEST_CASE("loops and branches hold their steps") {
  const Steps one = {{Copy{0, 1}, {}}};
  WhileStep loop{.condition = one, .condition_value = 1, .body = one};
  ConditionalStep choice{.selector = 1, .branches = {one, {}}};
  Plan plan = plan_with(2, {{loop, {}}, {choice, {}}});
  const std::string copy = "copy(arena+4 arena+0 4) ";
  CHECK(text_of({}, plan) ==
        cat("while{", copy, "} ?arena+4 do{", copy, "} switch(arena+4) {", copy, "} {} "));
  plan.values[1].element = Scalar::kPred;
  CHECK(text_of({}, plan).find("if(arena+4) ") != std::string::npos);
}

TEST_CASE("primitives know the step that they are for") {
  Plan plan = plan_with(
      2, {{Copy{0, 1}, {.layer = "one"}},
          {WhileStep{
               .condition = {{Copy{0, 1}, {.layer = "inner"}}}, .condition_value = 1, .body = {}},
           {.layer = "loop"}}});
  Target target;
  target.options.profile = true;
  const RunSteps steps = require(run_plan({}, plan, target, false));
  // Marks of a profile stand around them.
  REQUIRE(std::holds_alternative<RunMark>(steps[0].what));
  CHECK(steps[0].origin == nullptr);
  std::vector<std::string> layers;
  for (const RunStep& step : steps)
    if (step.origin != nullptr) layers.push_back(step.origin->layer);
  CHECK(layers == std::vector<std::string>{"one", "loop"});
  for (const RunStep& step : steps)
    if (const auto* loop = std::get_if<RunLoop>(&step.what))
      CHECK(loop->condition.back().origin->layer == "inner");
}

TEST_CASE("pieces: only where they are asked for, of large runs") {
  const Steps many(300, Step{Copy{0, 1}, {}});
  Plan plan = plan_with(2, many);
  plan.values[1].elements = 1;
  const auto pieces = [&](const Program& program, bool cut) {
    size_t found = 0;
    for (const RunStep& step : require(run_plan(program, plan, Target{}, cut)))
      found += std::holds_alternative<RunInner>(step.what);
    return found;
  };
  Program program;
  CHECK(pieces(program, true) == 0);
  program.arguments.assign(2000, 0);
  CHECK(pieces(program, true) == 2);
  CHECK(pieces(program, false) == 0);
  // Results are delivered 256 to a piece.
  program.results.assign(257, 0);
  program.signature.results.resize(257);
  plan.result_places.assign(257, plan.places[0]);
  CHECK(pieces(program, true) == 4);
  // A branch beside more than 64 others.
  for (const size_t branches : {64U, 65U}) {
    ConditionalStep choice{.selector = 1};
    choice.branches.assign(branches, {{Copy{0, 1}, {}}, {Copy{0, 1}, {}}, {Copy{0, 1}, {}}});
    plan.steps = {{choice, {}}};
    const RunSteps steps = require(run_plan(program, plan, Target{}, true));
    const RunSteps& branch = std::get<RunChoice>(steps[0].what).branches[0];
    CHECK(branch.size() == (branches == 65 ? 1 : 3));
  }
}

TEST_CASE("pieces: branches beside many others are cut as lists of steps are, but in a piece not") {
  const Steps one = {{Copy{0, 1}, {}}};
  const auto copies = [](size_t count) { return Steps(count, Step{Copy{0, 1}, {}}); };
  Program program;
  program.arguments.assign(2000, 0);
  const auto kind_of = [](const RunSteps& steps) {
    std::string out;
    for (const RunStep& step : steps)
      out += std::holds_alternative<RunInner>(step.what)  ? "piece "
             : std::holds_alternative<RunLoop>(step.what) ? "loop "
                                                          : "step ";
    return out;
  };
  // Too long for a piece itself: nothing, what fills two pieces, a loop that is a piece alone.
  ConditionalStep choice{.selector = 1};
  choice.branches.assign(65, one);
  choice.branches[0] = {};
  choice.branches[1] = copies(257);
  choice.branches[2] = {
      {WhileStep{.condition = one, .condition_value = 1, .body = copies(300)}, {}}};
  Plan plan = plan_with(2, {{choice, {}}});
  RunSteps steps = require(run_plan(program, plan, Target{}, true));
  const std::vector<RunSteps>& branches = std::get<RunChoice>(steps[0].what).branches;
  CHECK(kind_of(branches[0]) == "");
  CHECK(kind_of(branches[1]) == "piece piece ");
  CHECK(kind_of(branches[2]) == "loop ");
  CHECK(kind_of(branches[3]) == "piece ");
  // A loop that fills a piece is one beside others, too; and nothing is cut where nobody asks.
  plan.steps = copies(10);
  plan.steps.push_back(choice.branches[2][0]);
  CHECK(kind_of(require(run_plan(program, plan, Target{}, true))) == "piece loop ");
  plan.steps = {{choice, {}}};
  const RunSteps whole = require(run_plan(program, plan, Target{}, false));
  CHECK(kind_of(std::get<RunChoice>(whole[0].what).branches[3]) == "step ");
  // Within a piece there is none.
  choice.branches.assign(65, one);
  plan.steps = copies(200);
  plan.steps.push_back({choice, {}});
  steps = require(run_plan(program, plan, Target{}, true));
  REQUIRE(kind_of(steps) == "piece piece ");
  const RunSteps& second = std::get<RunInner>(steps[1].what).steps;
  CHECK(kind_of(std::get<RunChoice>(second.back().what).branches[0]) == "step ");
}

TEST_CASE("a streamed run has three phases, and results at the end of the last") {
  Program program;
  program.values = {{.name = "x", .elements = 1, .role = ValueRole::kArgument, .leaf = 0},
                    {.name = "y", .elements = 1},
                    {.name = "state", .elements = 2}};
  program.arguments = {0};
  program.stream = StreamSteps{.leaf = 0, .state = 2};
  program.results = {1};
  program.signature.results.resize(1);
  const Step loop = {WhileStep{.condition = {}, .condition_value = 1, .body = {{Copy{0, 1}, {}}}},
                     {}};
  Plan plan = plan_with(3, {loop, {Copy{2, 1}, {}}});
  plan.values[0] = program.values[0];
  plan.result_places = {plan.places[1]};
  const std::string result = "home(result+0 arena+4 4) ";
  CHECK(text_of(program, plan) == cat("switch(arena+8) {} {copy(arena+4 argument+0 4) } ",
                                      "{copy(arena+4 arena+8 4) ", result, "} "));
  plan.steps = {{Copy{2, 1}, {}}, loop};
  CHECK(text_of(program, plan) ==
        cat("switch(arena+8) {copy(arena+4 arena+8 4) } {copy(arena+4 argument+0 4) } {", result,
            "} "));
  plan.steps = {{Copy{2, 1}, {}}};
  CHECK_FALSE(run_plan(program, plan, Target{}, false).ok());
}

}  // namespace
}  // namespace hlocc::backends
