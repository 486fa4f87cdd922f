// Loops at the edge of what passes take for granted: states that are not taken apart, counters that
// are none, values that look the same in every turn and are not.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::hoist;
using transforms::hoist_invariants;
using transforms::unroll;

// A loop over (s32[], f32[4]) with these bodies of its computations, each of which has its state as
// p.
std::string loop(
    const std::string& body, const std::string& condition,
    const std::string& initial = "zero = s32[] constant(0)\n t = (s32[], f32[4]) tuple(zero, x)",
    const std::string& state = "(s32[], f32[4])") {
  return "HloModule m\nbody { p = " + state + " parameter(0)\n " + body +
         " }\ncondition { p = " + state + " parameter(0)\n " + condition +
         " }\nENTRY e { x = f32[4] parameter(0)\n k = s32[] parameter(1)\n " + initial +
         "\n ROOT l = " + state + " while(t), condition=condition, body=body }";
}
const std::string kParts =
    "i = s32[] get-tuple-element(p), index=0\n a = f32[4] get-tuple-element(p), index=1\n one = "
    "s32[] constant(1)\n";
const std::string kHalve =
    " h = f32[] constant(0.5)\n hb = f32[4] broadcast(h), dimensions={}\n b = f32[4] multiply(a, "
    "hb)\n";
const std::string kNext = " n = s32[] add(i, one)\n ROOT r = (s32[], f32[4]) tuple(n, b)";
const std::string kPartOfState = "i = s32[] get-tuple-element(p), index=0\n";
const std::string kBelowFive =
    kPartOfState + " last = s32[] constant(5)\n ROOT r = pred[] compare(i, last), direction=LT";

int loops_after(const std::string& text) {
  return count(rewritten(text, {unroll}), Opcode::kWhile);
}

// A counter from `first` by the op with `step`, against `limit`.
int loops_of(int first, const std::string& op, int step, const std::string& direction, int limit,
             bool mirrored = false) {
  return loops_after(
      loop(kParts + kHalve +
               cat(" s = s32[] constant(", step, ")\n n = s32[] ", op,
                   "\n ROOT r = (s32[], f32[4]) tuple(n, b)"),
           kPartOfState + cat(" last = s32[] constant(", limit, ")\n ROOT r = pred[] compare(",
                              mirrored ? "last, i" : "i, last", "), direction=", direction),
           cat("first = s32[] constant(", first, ")\n t = (s32[], f32[4]) tuple(first, x)")));
}

}  // namespace

TEST_CASE("turns are counted in every direction", "[transforms]") {
  for (bool mirrored : {false, true}) {
    const auto turned = [&](const std::string& direction) {
      if (!mirrored || direction == "NE" || direction == "EQ") return direction;
      return std::string(direction[0] == 'L' ? "G" : "L") + direction[1];
    };
    CHECK(loops_of(0, "add(i, s)", 2, turned("LT"), 7, mirrored) == 0);
    CHECK(loops_of(0, "add(s, i)", 2, turned("LE"), 8, mirrored) == 0);
    CHECK(loops_of(7, "subtract(i, s)", 2, turned("GT"), 0, mirrored) == 0);
    CHECK(loops_of(7, "add(i, s)", -2, turned("GE"), 1, mirrored) == 0);
    CHECK(loops_of(0, "add(i, s)", 2, turned("NE"), 8, mirrored) == 0);
    CHECK(loops_of(8, "add(i, s)", -2, turned("NE"), 0, mirrored) == 0);
    CHECK(loops_of(3, "add(i, s)", 2, turned("EQ"), 3, mirrored) == 0);
    CHECK(loops_of(3, "add(i, s)", 2, turned("EQ"), 4, mirrored) == 0);
    CHECK(loops_of(3, "add(i, s)", 0, turned("NE"), 3, mirrored) == 0);
    CHECK(loops_of(5, "add(i, s)", -1, turned("LT"), 5, mirrored) == 0);
  }
  // The step taken from the counter, not the other way round.
  CHECK(loops_of(3, "subtract(s, i)", 9, "LT", 5) == 1);
  // Not a sum.
  CHECK(loops_of(1, "multiply(i, s)", 2, "LT", 9) == 1);
}

TEST_CASE("a counter that starts, ends or steps at a value known only at run time",
          "[transforms]") {
  CHECK(loops_after(loop(kParts + kHalve + kNext, kBelowFive)) == 0);
  CHECK(loops_after(loop(kParts + kHalve + kNext, kBelowFive, "t = (s32[], f32[4]) tuple(k, x)")) ==
        1);
  // The condition asks for something else than the counter.
  CHECK(loops_after(loop(kParts + kHalve + kNext,
                         kPartOfState + " last = s32[] constant(5)\n d = s32[] add(i, i)\n ROOT r "
                                        "= pred[] compare(d, last), direction=LT")) == 1);
  CHECK(
      loops_after(loop(
          kParts + kHalve + kNext,
          kPartOfState + " last = s32[] constant(5)\n s = pred[] compare(i, last), direction=LT\n "
                         "z = pred[] constant(true)\n ROOT r = pred[] and(s, z)")) == 1);
  // The body adds to another element.
  const std::string two = "(s32[], s32[])", start =
                                                "zero = s32[] constant(0)\n two = s32[] "
                                                "constant(2)\n t = (s32[], s32[]) tuple(zero, two)";
  const std::string parts =
      "i = s32[] get-tuple-element(p), index=0\n j = s32[] get-tuple-element(p), index=1\n one = "
      "s32[] constant(1)\n";
  CHECK(
      loops_after(loop(
          parts +
              " n = s32[] add(i, one)\n m = s32[] add(j, n)\n ROOT r = (s32[], s32[]) tuple(n, m)",
          kBelowFive, start, two)) == 0);
  CHECK(loops_after(loop(parts + " n = s32[] add(j, one)\n m = s32[] add(i, one)\n ROOT r = "
                                 "(s32[], s32[]) tuple(n, m)",
                         kBelowFive, start, two)) == 1);
  CHECK(loops_after(loop(parts + " n = s32[] add(i, j)\n ROOT r = (s32[], s32[]) tuple(n, j)",
                         kBelowFive, start, two)) == 1);
}

// Such loops end in no time that a test has: what they mean is not asked.
TEST_CASE("loops without end are no turns", "[transforms]") {
  const auto turns = [](const std::string& number, const std::string& direction,
                        const std::string& first, const std::string& step,
                        const std::string& limit) {
    const auto known = [&](const std::string& name, const std::string& value) {
      return cat(name, " = ", number, " constant(", value, ")\n ");
    };
    const std::string state = cat("(", number, ", f32[4])");
    const std::string text = loop(
        cat("i = ", number, " get-tuple-element(p), index=0\n a = f32[4] get-tuple-element(p), ",
            "index=1\n ", known("s", step), "n = ", number, " add(i, s)\n b = f32[4] negate(a)\n ",
            "ROOT r = ", state, " tuple(n, b)"),
        cat("i = ", number, " get-tuple-element(p), index=0\n ", known("last", limit),
            "ROOT r = pred[] compare(i, last), direction=", direction),
        cat(known("first", first), "t = ", state, " tuple(first, x)"), state);
    return count(after(module_from(text), {unroll}), Opcode::kWhile) == 0;
  };
  CHECK(turns("s32[]", "LT", "0", "1", "3"));
  CHECK(!turns("s32[]", "LT", "0", "0", "3"));
  CHECK(!turns("s32[]", "GT", "3", "0", "0"));
  CHECK(!turns("s32[]", "NE", "0", "0", "3"));
  CHECK(turns("s64[]", "LE", "5", "1", "3"));
  CHECK(!turns("s64[]", "LE", "0", "1", "9223372036854775807"));
  CHECK(!turns("s64[]", "GE", "0", "-1", "-9223372036854775808"));
}

// What has an effect, here a call of the user's, is done in every turn.
TEST_CASE("effects stay in their turns", "[transforms]") {
  const std::string call =
      " g = f32[4] custom-call(a), custom_call_target=\"blink\", custom_call_has_side_effect=true\n"
      " b = f32[4] tanh(g)\n e = f32[4] tanh(a)\n c = f32[4] add(b, e)\n";
  const std::string state = "(s32[], f32[4], f32[4])";
  const std::string body =
      kParts + call + " n = s32[] add(i, one)\n ROOT r = " + state + " tuple(n, a, c)";
  const std::string start =
      "zero = s32[] constant(0)\n t = (s32[], f32[4], f32[4]) tuple(zero, x, x)";
  const Module kept = after(module_from(loop(body, kBelowFive, start, state)), {hoist_invariants});
  CHECK(count_in_entry(kept, Opcode::kCustomCall) == 0);
  CHECK(count_in_entry(kept, Opcode::kTanh) == 1);
  const std::string asks =
      kPartOfState +
      " a = f32[4] get-tuple-element(p), index=1\n g = f32[4] custom-call(a), "
      "custom_call_target=\"blink\", custom_call_has_side_effect=true\n last = s32[] constant(5)\n "
      "ROOT r = pred[] compare(i, last), direction=LT";
  CHECK(count(after(module_from(loop(kParts + kHalve + kNext, asks)), {unroll}), Opcode::kWhile) ==
        1);
}

// Two turns in one are as long as both.
TEST_CASE("long bodies keep their turns", "[transforms]") {
  const auto is_taken_twice = [](int instructions) {
    // Eight besides the chain.
    std::string chain;
    for (int n = 8; n < instructions; ++n)
      chain += cat(" c", n, " = f32[32] negate(", n == 8 ? "b" : cat("c", n - 1), ")\n");
    const std::string state = "(s32[], f32[32], f32[32])";
    const std::string body =
        "i = s32[] get-tuple-element(p), index=0\n a = f32[32] get-tuple-element(p), index=1\n b = "
        "f32[32] get-tuple-element(p), index=2\n one = s32[] constant(1)\n n = s32[] add(i, one)\n"
        " h = f32[32] reverse(a), dimensions={0}\n" +
        chain + cat(" ROOT r = ", state, " tuple(n, h, c", instructions - 1, ")");
    const Module m =
        rewritten(loop(body, kBelowFive,
                       "y = f32[32] parameter(2)\n zero = s32[] constant(0)\n t = " + state +
                           " tuple(zero, y, y)",
                       state),
                  {unroll});
    return count_in_entry(m, Opcode::kReverse) == 1;
  };
  CHECK(is_taken_twice(127));
  CHECK(is_taken_twice(128));
  CHECK(!is_taken_twice(129));
}

// The whole state goes somewhere, or comes from somewhere, as one.
TEST_CASE("states that are not taken apart", "[transforms]") {
  const std::string nested = "(s32[], f32[4], (s32[], f32[4]))",
                    start = "zero = s32[] constant(0)\n q = (s32[], f32[4]) tuple(zero, x)\n t = " +
                            nested + " tuple(zero, x, q)";
  const std::string inner = kParts + kHalve + " n = s32[] add(i, one)\n";
  const Module kept = rewritten(
      loop(inner + " q = (s32[], f32[4]) tuple(i, a)\n ROOT r = " + nested + " tuple(n, b, q)",
           kBelowFive, start, nested),
      {hoist, hoist_invariants, unroll});
  CHECK(kept.computations.size() > 0);
  // The body hands its state to a conditional.
  const std::string whole =
      "HloModule m\nyes { p = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(p), "
      "index=0\n a = f32[4] get-tuple-element(p), index=1\n one = s32[] constant(1)\n n = s32[] "
      "add(i, one)\n"
      " b = f32[4] negate(a)\n ROOT r = (s32[], f32[4]) tuple(n, b) }\nno { p = (s32[], f32[4]) "
      "parameter(0)\n i = s32[] get-tuple-element(p), index=0\n a = f32[4] get-tuple-element(p), "
      "index=1\n two = s32[] constant(2)\n"
      " n = s32[] add(i, two)\n ROOT r = (s32[], f32[4]) tuple(n, a) }\n"
      "body { p = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n three = "
      "s32[] constant(3)\n c = pred[] compare(i, three), direction=LT\n"
      " ROOT r = (s32[], f32[4]) conditional(c, p, p), true_computation=yes, false_computation=no "
      "}\ncondition { p = (s32[], f32[4]) parameter(0)\n " +
      kBelowFive +
      " }\nENTRY e { x = f32[4] parameter(0)\n zero = s32[] constant(0)\n t = (s32[], f32[4]) "
      "tuple(zero, x)\n ROOT l = (s32[], f32[4]) while(t), condition=condition, body=body }";
  for (Pass pass : {hoist, hoist_invariants, unroll})
    CHECK(count(rewritten(whole, {pass}), Opcode::kWhile) == 1);
  // A state that is one array.
  const std::string bare =
      "HloModule m\nbody { p = s32[] parameter(0)\n one = s32[] constant(1)\n ROOT r = s32[] "
      "add(p, one) }\ncondition { p = s32[] parameter(0)\n last = s32[] constant(5)\n ROOT r = "
      "pred[] compare(p, last), direction=LT }\n"
      "ENTRY e { x = s32[] parameter(0)\n ROOT l = s32[] while(x), condition=condition, body=body "
      "}";
  for (Pass pass : {hoist, hoist_invariants, unroll})
    CHECK(count(rewritten(bare, {pass}), Opcode::kWhile) == 1);
  // A body that gives its state back.
  const std::string idle =
      "HloModule m\nbody { p = (s32[], f32[4]) parameter(0)\n ROOT c = (s32[], f32[4]) copy(p) "
      "}\ncondition { p = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n "
      "last = s32[] constant(0)\n"
      " ROOT r = pred[] compare(i, last), direction=LT }\nENTRY e { x = f32[4] parameter(0)\n zero "
      "= s32[] constant(0)\n t = (s32[], f32[4]) tuple(zero, x)\n ROOT l = (s32[], f32[4]) "
      "while(t), condition=condition, body=body }";
  for (Pass pass : {hoist, hoist_invariants, unroll}) rewritten(idle, {pass});
}

// Dots of values that change in one element of the state, in none, or only change places.
TEST_CASE("only what stays the same in all turns leaves the loop", "[transforms]") {
  const auto dots_before = [](const std::string& operands, const std::string& next) {
    const std::string state = "(s32[], f32[4,4], f32[4,4], f32[4,4])";
    const Module m = rewritten(
        "HloModule m\nbody { p = " + state +
            " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n a = f32[4,4] "
            "get-tuple-element(p), index=1\n b = f32[4,4] get-tuple-element(p), index=2\n"
            " c = f32[4,4] get-tuple-element(p), index=3\n one = s32[] constant(1)\n n = s32[] "
            "add(i, one)\n d = f32[4,4] dot(" +
            operands +
            "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n e = f32[4,4] add(c, d)\n"
            " ROOT r = " +
            state + " tuple(n, " + next + ") }\ncondition { p = " + state +
            " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n last = s32[] constant(3)\n "
            "ROOT r = pred[] compare(i, last), direction=LT }\n"
            "ENTRY e { x = f32[4,4] parameter(0)\n y = f32[4,4] parameter(1)\n z = f32[4,4] "
            "parameter(2)\n zero = s32[] constant(0)\n t = " +
            state + " tuple(zero, x, y, z)\n ROOT l = " + state +
            " while(t), condition=condition, body=body }",
        {hoist_invariants}, {.rtol = 1e-4, .atol = 1e-4});
    return count_in_entry(m, Opcode::kDot);
  };
  CHECK(dots_before("a, b", "a, b, e") == 1);
  CHECK(dots_before("a, c", "a, b, e") == 0);
  // They change places.
  CHECK(dots_before("a, b", "b, a, e") == 0);
  CHECK(dots_before("a, a", "b, a, e") == 0);
  CHECK(dots_before("b, b", "c, b, e") == 1);
  CHECK(dots_before("a, b", "e, b, c") == 0);
}

}  // namespace hlocc::tests
