// How often steps run, step kind by step kind: which launches are followed, which branch a selector
// takes, and what makes a counter unknown. tests/driver/run_counts_test.cpp has whole models.
#include "planning/run_counts.h"

#include "programs.h"

namespace hlocc::planning {
namespace {

using Counts = std::optional<int64_t>;

Id twice_one_more(ProgramMaker& m, Id x) {
  return m.combine(x, m.constant(std::vector<int32_t>(static_cast<size_t>(m.elements(x)), -1)));
}
Id zeros(ProgramMaker& m, int64_t n) {
  return m.constant(std::vector<int32_t>(static_cast<size_t>(n), 0));
}

// How often the body of a loop runs that begins with `first` and goes on while x[0] < limit; `next`
// makes of x what comes next.
Counts turns(
    const std::function<Id(ProgramMaker&, Id)>& next, int limit = 20,
    const std::function<Id(ProgramMaker&)>& first = [](ProgramMaker& m) { return zeros(m, 1); }) {
  ProgramMaker m;
  const Id start = first(m);
  const int64_t n = m.elements(start);
  WhileStep loop{.initial = {start}, .carried = {m.value(n)}, .result = {m.value(n)}};
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], limit);
  m.steps = &loop.body;
  loop.next = {next(m, loop.carried[0])};
  m.program.steps.push_back({loop, {}});
  const Steps& body = std::get<WhileStep>(m.program.steps.back().what).body;
  return run_counts(m.program, m.program.steps).at(&body.back());
}

// 100, and then what it reads behind the end of x.
Id faulty(ProgramMaker& m, Id x) {
  Builder b("faulty");
  const BufferId in = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 1}),
                 out = b.buffer({.name = "y",
                                 .element = Scalar::kS32,
                                 .elements = 1,
                                 .direction = Direction::kOut});
  const Affine start = Affine::constant(0);
  const ValueId at = b.convert(b.load(in, start), Scalar::kIndex);
  b.store(out, start, b.constant_int({Scalar::kS32, 1}, 100));
  b.store(out, start, b.load(in, Affine::of(at, 1, 9)));
  m.program.kernels.push_back(b.finish());
  return m.launch(
      {.kernel = static_cast<KernelId>(m.program.kernels.size() - 1), .operands = {x, m.value(1)}});
}

// How often each of three branches runs.
std::vector<Counts> branches(const std::function<Id(ProgramMaker&)>& selector) {
  ProgramMaker m;
  const Id x = m.argument(1);
  ConditionalStep choice{.selector = selector(m),
                         .branches = std::vector<Steps>(3),
                         .yields = std::vector<std::vector<Id>>(3),
                         .results = {m.value(1)}};
  for (size_t b = 0; b < 3; ++b) {
    m.steps = &choice.branches[b];
    choice.yields[b] = {m.scale(x)};
  }
  m.program.steps.push_back({choice, {}});
  const auto counts = run_counts(m.program, m.program.steps);
  std::vector<Counts> out;
  for (const Steps& branch : std::get<ConditionalStep>(m.program.steps.back().what).branches) {
    const auto found = counts.find(&branch[0]);
    out.push_back(found == counts.end() ? 0 : found->second);
  }
  return out;
}

}  // namespace

TEST_CASE("counters of few elements are followed, and copies of them") {
  const auto of_size = [](int64_t n) {
    return turns(twice_one_more, 20, [n](ProgramMaker& m) { return zeros(m, n); });
  };
  CHECK(of_size(1) == 10);
  CHECK(of_size(8) == 10);
  CHECK(of_size(9) == std::nullopt);
  CHECK(turns([](ProgramMaker& m, Id x) { return m.copy(twice_one_more(m, x)); }) == 10);
  // What is computed of data beside them forgets nothing.
  CHECK(turns([](ProgramMaker& m, Id x) {
          m.combine(x, m.argument(1));
          return twice_one_more(m, x);
        }) == 10);
}

TEST_CASE("loops are followed for so many steps, and no longer") {
  CHECK(turns(twice_one_more, 49'998) == 24'999);
  CHECK(turns(twice_one_more, 50'000) == std::nullopt);
}

TEST_CASE("counters that hang on what is not followed have no number") {
  // Data, state that begins with a number, an update in place, scratch of the arena, joined bytes.
  CHECK(turns([](ProgramMaker& m, Id x) { return m.combine(x, m.argument(1)); }) == std::nullopt);
  CHECK(turns(twice_one_more, 20, [](ProgramMaker& m) { return m.argument(1); }) == std::nullopt);
  CHECK(turns(twice_one_more, 20, [](ProgramMaker& m) {
          const Id state = m.argument(1, ValueRole::kState);
          m.program.values.back().data = std::make_shared<const Bytes>(bytes_of({0}));
          return state;
        }) == std::nullopt);
  CHECK(turns([](ProgramMaker& m, Id x) { return m.update(x, m.constant({100}), 0); }) ==
        std::nullopt);
  CHECK(turns([](ProgramMaker& m, Id x) { return m.reverse(twice_one_more(m, x)); }) ==
        std::nullopt);
  CHECK(turns([](ProgramMaker& m, Id x) {
          return m.join({{twice_one_more(m, x), 0, 1}});
        }) == std::nullopt);
  // A kernel that reads where nothing is.
  CHECK(turns(faulty) == std::nullopt);
}

TEST_CASE("what planning added has no number") {
  ProgramMaker m;
  const Id x = m.argument(1);
  m.scale(x);
  Steps steps = m.program.steps;
  const auto added = static_cast<Id>(m.program.values.size());
  std::get<Launch>(steps[0].what).operands[0] = added;
  steps.insert(steps.begin(), Step{Copy{x, added}, {}});
  const auto counts = run_counts(m.program, steps);
  CHECK(counts.at(&steps[0]) == 1);
  CHECK(counts.at(&steps[1]) == 1);
}

TEST_CASE("selectors take one branch where they are known, and all where they are not") {
  const auto of_number = [](int32_t number) {
    return branches([number](ProgramMaker& m) { return m.constant({number}); });
  };
  using Ran = std::vector<Counts>;
  CHECK(of_number(0) == Ran{1, 0, 0});
  CHECK(of_number(1) == Ran{0, 1, 0});
  CHECK(of_number(2) == Ran{0, 0, 1});
  for (const int32_t outside : {3, 256, -1, -256}) CHECK(of_number(outside) == Ran{0, 0, 1});
  const auto of_less = [](int32_t number) {
    return branches([number](ProgramMaker& m) { return m.less(m.constant({number}), 5); });
  };
  CHECK(of_less(4) == Ran{1, 0, 0});
  CHECK(of_less(5) == Ran{0, 1, 0});
  CHECK(branches([](ProgramMaker& m) { return m.argument(1); }) == Ran{1, 1, 1});
}

}  // namespace hlocc::planning
