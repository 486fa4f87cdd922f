// While loops after all passes: right at their planned places, and without copies where values only
// change places.
#include "lowering/harness.h"
#include "planning/plan.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

// (i, a, b, c) over f32[6,6] and `turns`; the lines make na, nb and nc. w is an argument that never
// changes.
std::string loop(const std::string& lines, int turns) {
  const std::string m = "f32[6,6]", state = "(s32[], " + m + ", " + m + ", " + m + ", " + m + ")";
  std::string body =
      "body { p = " + state + " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n";
  for (int k = 1; k < 5; ++k)
    body += " " + std::string(1, "abcw"[k - 1]) + " = " + m +
            " get-tuple-element(p), index=" + std::to_string(k) + "\n";
  return "HloModule m\n" + body + " one = s32[] constant(1)\n n = s32[] add(i, one)\n" + lines +
         "\n ROOT r = " + state + " tuple(n, na, nb, nc, w) }\ncondition { p = " + state +
         " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n last = s32[] constant(" +
         std::to_string(turns) +
         ")\n ROOT r = pred[] compare(i, last), direction=LT }\nENTRY e { z = s32[] constant(0)\n "
         "a = " +
         m + " parameter(0)\n b = " + m + " parameter(1)\n c = " + m + " parameter(2)\n w = " + m +
         " parameter(3)\n t = " + state + " tuple(z, a, b, c, w)\n l = " + state +
         " while(t), condition=condition, body=body\n ra = " + m +
         " get-tuple-element(l), index=1\n rb = " + m +
         " get-tuple-element(l), index=2\n rc = " + m +
         " get-tuple-element(l), index=3\n ROOT r = (" + m + ", " + m + ", " + m +
         ") tuple(ra, rb, rc) }";
}

int copies_in_loops(const std::string& text, const Machine& machine) {
  const Result<hlo::Module> module = transforms::run_passes(module_from(text), machine.target);
  REQUIRE(module.ok());
  const Result<planning::Plan> plan =
      planning::plan(lowered(*module, machine.target), machine.target);
  REQUIRE(plan.ok());
  return plan->copies_in_loops;
}

void copies_nothing(const std::string& text) {
  INFO(text);
  agrees(text, Passes::kAll, {.rtol = 1e-4, .atol = 1e-4});
  for (const Machine& machine : machines()) CHECK(copies_in_loops(text, machine) == 0);
}

// Every element from its neighbour below: no result in place.
const std::string kShifted =
    "o = f32[] constant(0.5)\n sl = f32[5,6] slice(b), slice={[1:6],[0:6]}\n sh = f32[6,6] pad(sl, "
    "o), padding=0_1x0_0\n";

}  // namespace

TEST_CASE("values that change places are not copied", "[lowering]") {
  for (int turns : {20, 23, 25}) {
    // A wave: the next state from the last two.
    const std::string step = kShifted + "d = f32[6,6] subtract(sh, a)\n";
    copies_nothing(loop(
        step + "na = f32[6,6] copy(b)\n nb = f32[6,6] copy(d)\n nc = f32[6,6] copy(c)", turns));
    // A line of the last three.
    copies_nothing(loop(
        "na = f32[6,6] copy(b)\n nb = f32[6,6] copy(c)\n nc = f32[6,6] subtract(c, a)", turns));
    // Swapped beside work.
    copies_nothing(
        loop("na = f32[6,6] copy(b)\n nb = f32[6,6] copy(a)\n d = f32[6,6] multiply(a, b)\n nc = "
             "f32[6,6] subtract(d, c)",
             turns));
  }
}

TEST_CASE("values made from their neighbours use two places by turns", "[lowering]") {
  for (int turns : {1, 2, 20, 23}) {
    // Heat along a line, a picture that turns.
    copies_nothing(loop(kShifted + "d = f32[6,6] add(sh, b)\n h = f32[6,6] broadcast(o), "
                                   "dimensions={}\n nb = f32[6,6] multiply(d, h)\n"
                                   "na = f32[6,6] copy(a)\n nc = f32[6,6] copy(c)",
                        turns));
    copies_nothing(
        loop("na = f32[6,6] reverse(a), dimensions={0}\n nb = f32[6,6] transpose(b), "
             "dimensions={1,0}\n nc = f32[6,6] add(c, a)",
             turns));
  }
}

TEST_CASE("a product of what never changes is computed once", "[lowering]") {
  const std::string text = loop(
      "e = f32[6,6] dot(w, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n t1 = f32[6,6] "
      "transpose(w), dimensions={1,0}\n"
      "u = f32[6,6] subtract(e, t1)\n na = f32[6,6] maximum(a, u)\n nb = f32[6,6] minimum(b, u)\n "
      "nc = f32[6,6] add(c, t1)",
      30);
  copies_nothing(text);
  const Result<hlo::Module> module =
      transforms::run_passes(module_from(text), machines()[0].target);
  REQUIRE(module.ok());
  for (const kernel::Step& step : lowered(*module, machines()[0].target).steps)
    if (const auto* loop = std::get_if<kernel::WhileStep>(&step.what))
      for (const kernel::Step& inner : loop->body)
        for (const std::string& name : inner.origin.hlo) CHECK(name != "e");
}

}  // namespace hlocc::tests
