// What `hlocc reduce` works on: which parameters stay, which values are asked for, how far results
// may be off; and each step's last and first case.
#include <catch2/catch.hpp>

#include "driver/few_descriptors.h"
#include "driver/reduce/steps.h"
#include "driver/run/random_arguments.h"
#include "driver/text_module.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::PrimitiveType, hlo::Shape;

Literal reduce_values(std::vector<float> values) {
  return Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(values.size())}, values);
}

ReduceCase reduce_case(const std::string& lines, const std::string& before = "",
                       const char* head = "HloModule m") {
  ReduceCase out{module_of_text(cat(head, "\n", before, "ENTRY e {\n", lines, "\n}\n")), {}, {}};
  out.arguments = random_arguments(out.module);
  return out;
}

// Opcodes of the entry, in order.
std::string ops_of(const hlo::Module& module) {
  std::string out;
  for (const hlo::Instruction& one : module.entry_computation().instructions)
    out += cat(out.empty() ? "" : " ", hlo::opcode_name(one.opcode));
  return out;
}

// All cases that a step proposes where none of them fails, as `words` tells them.
std::vector<std::string> proposed(ReduceStep step, const ReduceCase& now,
                                  const std::function<std::string(const ReduceCase&)>& words) {
  std::vector<std::string> out;
  const Keep keep(
      [&](const ReduceCase& candidate) {
        CHECK(ops::verify(candidate.module).ok());
        out.push_back(words(candidate));
        return false;
      },
      [](ReduceCase) { FAIL("taken, and yet it does not fail"); });
  CHECK_FALSE(step(now, keep));
  return out;
}

std::vector<std::string> proposed_ops(ReduceStep step, const ReduceCase& now) {
  return proposed(step, now, [](const ReduceCase& one) { return ops_of(one.module); });
}

// The case that a step takes first where everything fails.
ReduceCase first_taken(ReduceStep step, const ReduceCase& now) {
  std::optional<ReduceCase> taken;
  const Keep keep([&](const ReduceCase&) { return !taken; },
                  [&](ReduceCase candidate) { taken = std::move(candidate); });
  CHECK(step(now, keep));
  REQUIRE(taken);
  return *taken;
}

TEST_CASE("parameters that nothing needs go with their arguments") {
  ReduceCase one = reduce_case(
      "a = f32[1] parameter(0)\nb = f32[2] parameter(1)\nc = f32[3] parameter(2)\nROOT r = f32[2] "
      "negate(b)");
  tidy(one);
  CHECK(ops_of(one.module) == "parameter negate");
  REQUIRE(one.arguments.size() == 1);
  CHECK(one.arguments[0].element_count() == 2);
  CHECK(one.module.entry_parameters[0].dimensions[0] == 2);
  CHECK(ops::verify(one.module).ok());
  // The root is needed, used or not, and so is what is used twice.
  ReduceCase root = reduce_case("a = f32[1] parameter(0)\nROOT b = f32[2] parameter(1)");
  tidy(root);
  CHECK(ops_of(root.module) == "parameter");
  CHECK(root.module.entry_result.dimensions[0] == 2);
  ReduceCase all =
      reduce_case("a = f32[1] parameter(0)\nb = f32[1] parameter(1)\nROOT r = f32[1] add(a, b)");
  tidy(all);
  CHECK(all.arguments.size() == 2);
}

TEST_CASE("values of all arrays of the entry, where the interpreter reaches its end") {
  const ReduceCase one{
      reduce_case("x = f32[1] parameter(0)\nt = (f32[1]) tuple(x)\ny = f32[1] add(x, "
                  "x)\nROOT z = f32[1] add(y, y)")
          .module,
      {reduce_values({3})},
      {}};
  const std::vector<Literal> values = tests::require(entry_values(one));
  REQUIRE(values.size() == 4);
  CHECK(values[0] == reduce_values({3}));
  CHECK(values[1].is_tuple());
  CHECK(values[2] == reduce_values({6}));
  CHECK(values[3] == reduce_values({12}));
  const ReduceCase refused = reduce_case(
      "t = token[] after-all()\ni = ((f32[2]), token[]) infeed(t)\nd = (f32[2]) "
      "get-tuple-element(i), index=0\nx = f32[2] get-tuple-element(d), index=0\nROOT r = f32[2] "
      "negate(x)");
  CHECK(tests::require(entry_values(refused)).empty());
  CHECK(proposed_ops(cut_operands, refused).empty());
}

TEST_CASE("how far a result may be off") {
  struct Row {
    PrimitiveType type;
    Strictness strictness;
    bool exact;
    double rtol, atol;
  };
  const Row rows[] = {{PrimitiveType::kS32, Strictness::kGross, true, 0, 0},
                      {PrimitiveType::kPred, Strictness::kClear, true, 0, 0},
                      {PrimitiveType::kF32, Strictness::kRules, true, 0, 0},
                      {PrimitiveType::kF32, Strictness::kGross, false, 0.3, 0.1},
                      {PrimitiveType::kC64, Strictness::kGross, false, 0.3, 0.1},
                      {PrimitiveType::kF32, Strictness::kClear, false, 1e-5, 1e-6},
                      {PrimitiveType::kC64, Strictness::kClear, false, 1e-5, 1e-6},
                      {PrimitiveType::kF16, Strictness::kClear, false, 2e-2, 1e-2},
                      {PrimitiveType::kF8E5M2, Strictness::kClear, false, 2e-2, 1e-2}};
  for (const Row& row : rows) {
    const hlo::CompareRule rule = rule_for(row.type, row.strictness);
    INFO(hlo::type_name(row.type) << " " << static_cast<int>(row.strictness));
    CHECK(rule.exact == row.exact);
    CHECK(rule.rtol == row.rtol);
    CHECK(rule.atol == row.atol);
  }
}

TEST_CASE("of several rules the loosest holds") {
  CHECK(loosest_rule({}).empty());
  const auto loosest = [](std::vector<hlo::CompareRule> rules) {
    const std::vector<hlo::CompareRule> out = loosest_rule(rules);
    REQUIRE(out.size() == 1);
    return out[0];
  };
  CHECK(loosest({{.exact = true, .rtol = 1}}).exact);
  const hlo::CompareRule two =
      loosest({{.exact = true, .ulp = 3, .rtol = 0.5, .denorm = false},
               {.bits = true, .rtol = 0.25, .atol = 2, .signed_zero = true}});
  CHECK_FALSE(two.exact);
  CHECK_FALSE(two.bits);
  CHECK_FALSE(two.signed_zero);
  CHECK(two.denorm);
  CHECK(two.ulp == 3);
  CHECK(two.rtol == 0.5);
  CHECK(two.atol == 2);
  const hlo::CompareRule same = loosest({{.bits = true, .denorm = false, .mismatch_frac = 0.1},
                                         {.bits = true, .denorm = false, .mismatch_frac = 0.2}});
  CHECK(same.bits);
  CHECK_FALSE(same.denorm);
  CHECK(same.mismatch_frac == 0.2);
}

TEST_CASE("results: the first instruction that fails, then fewer of a tuple") {
  const ReduceCase chain = reduce_case(
      "x = f32[1] parameter(0)\na = f32[1] negate(x)\nb = f32[1] sine(a)\nROOT c = f32[1] "
      "cosine(b)");
  // Everything that holds a sine fails: the sine itself is found by halves.
  const Keep has_sine(
      [](const ReduceCase& one) { return ops_of(one.module).find("sine") != std::string::npos; },
      [](ReduceCase one) { CHECK(ops_of(one.module) == "parameter negate sine"); });
  CHECK(drop_results(chain, has_sine));
  const ReduceCase pair = reduce_case(
      "x = f32[1] parameter(0)\na = f32[1] negate(x)\nb = f32[1] sine(x)\nROOT t = (f32[1], "
      "f32[1]) tuple(a, b)");
  const auto of_pair = proposed_ops(drop_results, pair);
  CHECK(std::ranges::count(of_pair, "parameter sine") == 1);
  CHECK(std::ranges::count(of_pair, "parameter negate") == 1);
  // One result of a tuple is all that there is, and an array has no fewer.
  const ReduceCase single = reduce_case("x = f32[1] parameter(0)\nROOT t = (f32[1]) tuple(x)");
  CHECK(proposed_ops(drop_results, single) == std::vector<std::string>{"parameter"});
  CHECK(proposed_ops(drop_results, reduce_case("ROOT x = f32[1] parameter(0)")).empty());
  // The operands of what is no tuple are no results of its own.
  const ReduceCase sum =
      reduce_case("x = f32[1] parameter(0)\ny = f32[1] parameter(1)\nROOT s = f32[1] add(x, y)");
  const auto of_sum = proposed_ops(drop_results, sum);
  CHECK(std::ranges::count(of_sum, "parameter") == 0);
}

TEST_CASE("nothing is cut where no process is to be had") {
  const ReduceCase one =
      reduce_case("x = f32[1] parameter(0)\na = f32[1] negate(x)\nROOT b = f32[1] sine(a)");
  CHECK(proposed_ops(cut_operands, one).size() == 1);
  const tests::FewDescriptors none(0);
  CHECK(proposed_ops(cut_operands, one).empty());
}

TEST_CASE("operands are cut where they are computed, and not the root") {
  const ReduceCase one = reduce_case(
      "x = f32[1] parameter(0)\nk = f32[1] constant({2})\na = f32[1] add(x, k)\nROOT b = f32[1] "
      "sine(a)");
  CHECK(proposed_ops(cut_operands, one) == std::vector<std::string>{"parameter sine"});
  CHECK(ops_of(first_taken(cut_operands, one).module) == "parameter sine");
  CHECK(proposed_ops(cut_operands, reduce_case("x = f32[1] parameter(0)\nROOT b = f32[1] sine(x)"))
            .empty());
}

const char* const kCalled =
    "f {\n p = f32[1] parameter(0)\n ROOT s = f32[1] sine(p)\n}\n"
    "g {\n p = f32[1] parameter(0)\n ROOT c = f32[1] cosine(p)\n}\n";

TEST_CASE("calls, fusions and both branches are opened, nothing else") {
  const std::pair<const char*, std::vector<std::string>> rows[] = {
      {"x = f32[1] parameter(0)\nROOT r = f32[1] call(x), to_apply=f", {"parameter sine"}},
      {"x = f32[1] parameter(0)\nROOT r = f32[1] fusion(x), kind=kLoop, calls=g",
       {"parameter cosine"}},
      {"p = pred[] parameter(0)\nx = f32[1] parameter(1)\nROOT r = f32[1] conditional(p, x, x), "
       "true_computation=f, false_computation=g",
       {"parameter sine", "parameter cosine"}},
      {"x = f32[1] parameter(0)\nROOT r = f32[1] negate(x)", {}},
  };
  for (const auto& [lines, opened] : rows) {
    INFO(lines);
    CHECK(proposed_ops(open_control_flow, reduce_case(lines, kCalled)) == opened);
    // What can't be made of it is no candidate: calls of a program of several devices stay.
    CHECK(
        proposed_ops(open_control_flow, reduce_case(lines, kCalled, "HloModule m, replica_count=2"))
            .empty());
  }
}

TEST_CASE("donation and layouts are dropped, each where there is one") {
  const char* const lines = "x = f32[2,3] parameter(0)\nROOT r = f32[2,3] negate(x)";
  const Shape plain = hlo::with_default_layout(Shape::array(PrimitiveType::kF32, {2, 3}));
  const auto words = [&](const ReduceCase& one) {
    CHECK(one.module.entry_parameters[0] == plain);
    CHECK(one.module.entry_result == plain);
    return cat(one.module.aliases.size());
  };
  const auto proposals = [&](const char* head) {
    return proposed(drop_annotations, reduce_case(lines, "", head), words);
  };
  CHECK(proposals("HloModule m").empty());
  const char* const alias = "HloModule m, input_output_alias={ {}: (0, {}, must-alias) }";
  CHECK(proposals(alias) == std::vector<std::string>{"0"});
  CHECK(proposals("HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{1,0}}") ==
        std::vector<std::string>{"0"});
  CHECK(proposals("HloModule m, entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{0,1}}") ==
        std::vector<std::string>{"0"});
  CHECK(first_taken(drop_annotations, reduce_case(lines, "", alias)).module.aliases.empty());
  const char* const turned = "HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]}";
  CHECK(first_taken(drop_annotations, reduce_case(lines, "", turned)).module.entry_parameters[0] ==
        plain);
  // Where the layout has to stay, the donation goes alone, and that is smaller, too.
  const Keep is_turned(
      [&](const ReduceCase& one) { return one.module.entry_parameters[0] != plain; },
      [](ReduceCase one) { CHECK(one.module.aliases.empty()); });
  CHECK(drop_annotations(reduce_case(lines, "",
                                     "HloModule m, input_output_alias={ {}: (0, {}, must-alias) }, "
                                     "entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}"),
                         is_turned));
}

TEST_CASE("sizes shrink to one, a quarter, a half and one less, the largest first") {
  const auto sizes = [](const char* lines) {
    return proposed(shrink_dimensions, reduce_case(lines), [](const ReduceCase& one) {
      return cat(one.module.entry_parameters[0].dimensions[0]);
    });
  };
  using Sizes = std::vector<std::string>;
  CHECK(sizes("x = f32[1] parameter(0)\nROOT r = f32[1] negate(x)") == Sizes{});
  CHECK(sizes("x = f32[2] parameter(0)\nROOT r = f32[2] negate(x)") == Sizes{"1", "1", "1"});
  CHECK(sizes("x = f32[8] parameter(0)\nROOT r = f32[8] negate(x)") == Sizes{"1", "2", "4", "7"});
  // What breaks a rule of its op is no candidate: of a reshape to 2x3 none but 1x3.
  CHECK(sizes("x = f32[6] parameter(0)\nROOT r = f32[2,3] reshape(x)") == Sizes{});
}

TEST_CASE("windows that reach as far as their size shrink with what they pad") {
  const char* const sum =
      "sum {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q)\n}\n";
  // "SIZE PADDING" of the last four cases, which are those of size 8.
  const auto windows = [&](const char* shape, const char* window) {
    const std::vector<std::string> all = proposed(
        shrink_dimensions,
        reduce_case(cat("x = f32[8] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[", shape,
                        "] reduce-window(x, z), window={", window, "}, to_apply=sum"),
                    sum),
        [](const ReduceCase& one) {
          const hlo::WindowDimension& at = one.module.entry_computation()
                                               .root_instruction()
                                               .get<hlo::WindowAttributes>()
                                               .window.dimensions[0];
          return cat(at.size, " ", at.padding_low);
        });
    REQUIRE(all.size() >= 4);
    return std::vector<std::string>(all.end() - 4, all.end());
  };
  using Windows = std::vector<std::string>;
  CHECK(windows("8", "size=8 pad=7_0") == Windows{"1 0", "2 1", "4 3", "7 6"});
  CHECK(windows("1", "size=8") == Windows{"1 0", "2 0", "4 0", "7 0"});
  CHECK(windows("14", "size=2 pad=7_0") == Windows{"2 7", "2 7", "2 7", "2 7"});
}

TEST_CASE("values become zero by halves, as long as pieces are few; tuples stay") {
  const auto zeros_of = [](std::vector<float> values) {
    ReduceCase one = reduce_case(cat("x = f32[", values.size(), "] parameter(0)\nROOT r = f32[",
                                     values.size(), "] negate(x)"));
    one.arguments = {reduce_values(values)};
    return proposed(simplify_values, one, [](const ReduceCase& candidate) {
      std::string out;
      for (const float value : candidate.arguments[0].data<float>()) out += value == 0 ? '0' : 'x';
      return out;
    });
  };
  using Words = std::vector<std::string>;
  CHECK(zeros_of({1, 2}) == Words{"00", "0x", "x0"});
  CHECK(zeros_of({0, 2}) == Words{"00", "00"});
  CHECK(zeros_of({0, 0}) == Words{});
  // Of 33 values no single one, of 32 each.
  CHECK(zeros_of(std::vector<float>(33, 1)).size() == 1 + 3 + 5 + 9 + 17);
  CHECK(zeros_of(std::vector<float>(32, 1)).size() == 1 + 2 + 4 + 8 + 16 + 32);
  const ReduceCase of_tuple = reduce_case(
      "t = (f32[1], f32[1]) parameter(0)\nROOT x = f32[1] get-tuple-element(t), index=0");
  CHECK(proposed_ops(simplify_values, of_tuple).empty());
  const ReduceCase of_token =
      reduce_case("t = token[] parameter(0)\nROOT x = f32[1] constant({1})");
  CHECK(proposed_ops(simplify_values, of_token).empty());
}

TEST_CASE("only what fails is taken") {
  int taken = 0;
  bool fails = false;
  const Keep keep([&](const ReduceCase&) { return fails; }, [&](ReduceCase) { ++taken; });
  const ReduceCase one = reduce_case("ROOT x = f32[1] parameter(0)");
  CHECK_FALSE(keep(one));
  CHECK(taken == 0);
  fails = true;
  CHECK(keep(one));
  CHECK(taken == 1);
}

}  // namespace
}  // namespace hlocc::driver
