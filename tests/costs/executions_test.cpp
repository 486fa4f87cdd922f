// How often computations are executed: what bytes of flash are set against.
#include "costs/executions.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>

#include "costs/winograd.h"
#include "import/reader.h"

namespace hlocc::tests {
namespace {

// A loop of so many iterations around a branch, as its condition says: `i` counts, `n` never
// changes. A fusion may compare, with a number of its own or with what it is handed.
std::string loop(const std::string& condition) {
  return "HloModule m\n"
         "own { i = s32[] parameter(0)\n n = s32[] constant(6)\n"
         " ROOT c = pred[] compare(i, n), direction=LT }\n"
         "handed { unused = s32[] parameter(0)\n i = s32[] parameter(1)\n"
         " n = s32[] parameter(2)\n ROOT c = pred[] compare(i, n), direction=LT }\n"
         "both { i = s32[] parameter(0)\n n = s32[] parameter(1)\n"
         " c = pred[] compare(i, n), direction=LT\n ROOT d = pred[] and(c, c) }\n"
         "yes { a = f32[] parameter(0)\n ROOT r = f32[] add(a, a) }\n"
         "no { ROOT a = f32[] parameter(0) }\n"
         "body { s = (s32[], f32[], s32[]) parameter(0)\n"
         " i = s32[] get-tuple-element(s), index=0\n x = f32[] get-tuple-element(s), index=1\n"
         " n = s32[] get-tuple-element(s), index=2\n one = s32[] constant(1)\n"
         " next = s32[] add(i, one)\n even = pred[] compare(i, n), direction=LT\n"
         " y = f32[] conditional(even, x, x), true_computation=yes, false_computation=no\n"
         " ROOT t = (s32[], f32[], s32[]) tuple(next, y, n) }\n"
         "condition { s = (s32[], f32[], s32[]) parameter(0)\n"
         " i = s32[] get-tuple-element(s), index=0\n n = s32[] get-tuple-element(s), index=2\n"
         " k = s32[] constant(24)\n zero = s32[] constant(0)\n x = f32[] constant(9)\n"
         " f = f32[] convert(i)\n ROOT c = pred[] " +
         condition +
         " }\n"
         "ENTRY e { x = f32[] parameter(0)\n n = s32[] parameter(1)\n zero = s32[] constant(0)\n"
         " t = (s32[], f32[], s32[]) tuple(zero, x, n)\n"
         " w = (s32[], f32[], s32[]) while(t), condition=condition, body=body\n"
         " ROOT r = f32[] get-tuple-element(w), index=1 }\n";
}

double of_branch(const std::string& condition) {
  const std::string text = loop(condition);
  const auto model = import::read_model(std::as_bytes(std::span(text)), "loop.hlo");
  REQUIRE(model.ok());
  for (const hlo::Computation& computation : model->module.computations)
    if (computation.name == "yes") return costs::executions(model->module, computation);
  return -1;
}

}  // namespace

TEST_CASE("a branch in a loop is executed as often as the loop iterates", "[costs]") {
  CHECK(of_branch("compare(i, k), direction=LT") == 24);
  CHECK(of_branch("compare(i, zero), direction=LT") == 1);
  CHECK(of_branch("fusion(i), kind=kLoop, calls=own") == 6);
  CHECK(of_branch("fusion(n, i, k), kind=kLoop, calls=handed") == 24);
  // Nothing that is known, no whole number, no comparison.
  CHECK(of_branch("compare(i, n), direction=LT") == 1);
  CHECK(of_branch("compare(f, x), direction=LT") == 1);
  CHECK(of_branch("fusion(n, i, n), kind=kLoop, calls=handed") == 1);
  CHECK(of_branch("fusion(i, k), kind=kLoop, calls=both") == 1);
  CHECK(of_branch("is-finite(f)") == 1);
}

TEST_CASE("calls that double at each level are counted, not walked", "[costs]") {
  constexpr int kLevels = 60;
  std::string text = "HloModule m\nyes { a = f32[] parameter(0)\n ROOT r = f32[] add(a, a) }\n";
  std::string below = "yes";
  for (int level = 0; level < kLevels; ++level) {
    const std::string name = level + 1 == kLevels ? "ENTRY e" : "c" + std::to_string(level);
    text += name + " { p = f32[] parameter(0)\n a = f32[] call(p), to_apply=" + below +
            "\n ROOT b = f32[] call(a), to_apply=" + below + " }\n";
    below = name;
  }
  const auto model = import::read_model(std::as_bytes(std::span(text)), "doubling.hlo");
  REQUIRE(model.ok());
  const auto& all = model->module.computations;
  const auto yes = std::ranges::find(all, "yes", &hlo::Computation::name);
  REQUIRE(yes != all.end());
  CHECK(costs::executions(model->module, *yes) == 0x1p60);
}

TEST_CASE("Winograd's filter is paid for once by all executions", "[costs]") {
  costs::WinogradSize rows{.height = 2, .width = 32, .inputs = 16, .outputs = 16};
  const Target chip = *preset("cortex-m4f");
  CHECK_FALSE(costs::plan_winograd(rows, {}, chip));
  rows.executions = 16;
  rows.is_inside_rows = true;
  CHECK(costs::plan_winograd(rows, {}, chip));
}

}  // namespace hlocc::tests
