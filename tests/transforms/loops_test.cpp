// Loops that unroll, values that leave them, constants that reach into them.
#include "hlo/module.h"
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::hoist;
using transforms::hoist_invariants;
using transforms::unroll;

struct Text {
  std::string state;  // without the counter: "f32[8], f32[8]"
  std::string body;   // makes "n" from counter "i", and ROOT
  std::string initial;
  int turns = 5;
};

// ENTRY loops over (s32[], state...) `turns` times; result: the last state.
std::string loop(const Text& t, const std::string& more = "") {
  const std::string type = "(s32[], " + t.state + ")";
  return "HloModule m\n" + more + "body { p = " + type +
         " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n" +
         " one = s32[] constant(1)\n n = s32[] add(i, one)\n" + t.body +
         " }\ncondition { p = " + type + " parameter(0)\n" +
         " i = s32[] get-tuple-element(p), index=0\n last = s32[] constant(" +
         std::to_string(t.turns) +
         ")\n ROOT r = pred[] compare(i, last), direction=LT }\nENTRY e { zero = s32[] "
         "constant(0)\n" +
         t.initial + "\n ROOT l = " + type + " while(t), condition=condition, body=body }";
}

// (a, b) = (b, f(a, b)) where f is the op.
std::string swapping(const std::string& op, int turns) {
  return loop({"f32[4,4], f32[4,4]",
               " a = f32[4,4] get-tuple-element(p), index=1\n b = f32[4,4] get-tuple-element(p), "
               "index=2\n c = f32[4,4] " +
                   op + "\n ROOT r = (s32[], f32[4,4], f32[4,4]) tuple(n, b, c)",
               "x = f32[4,4] parameter(0)\n y = f32[4,4] parameter(1)\n t = (s32[], f32[4,4], "
               "f32[4,4]) tuple(zero, x, y)",
               turns});
}

const std::string kDot = "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}";

}  // namespace

TEST_CASE("a few turns of arithmetic are one chain", "[transforms]") {
  const Module few = rewritten(swapping("subtract(a, b)", 5), {unroll});
  CHECK(count(few, Opcode::kWhile) == 0);
  CHECK(count(few, Opcode::kSubtract) == 5);
  // No turn, one turn: whatever the body does.
  CHECK(count(rewritten(swapping(kDot, 0), {unroll}), Opcode::kDot) == 0);
  CHECK(count(rewritten(swapping(kDot, 1), {unroll}), Opcode::kWhile) == 0);
  // Many turns stay a loop; as does one that reads its neighbours.
  CHECK(count(rewritten(
                  loop({"f32[4]",
                        " a = f32[4] get-tuple-element(p), index=1\n b = f32[4] multiply(a, a)\n"
                        " ROOT r = (s32[], f32[4]) tuple(n, b)",
                        "x = f32[4] parameter(0)\n t = (s32[], f32[4]) tuple(zero, x)", 400}),
                  {unroll}),
              Opcode::kWhile) == 1);
  CHECK(count(rewritten(loop({"f32[4]",
                              " a = f32[4] get-tuple-element(p), index=1\n b = f32[4] reverse(a), "
                              "dimensions={0}\n"
                              " ROOT r = (s32[], f32[4]) tuple(n, b)",
                              "x = f32[4] parameter(0)\n t = (s32[], f32[4]) tuple(zero, x)", 4}),
                        {unroll}),
              Opcode::kWhile) == 1);
}

// Sixteen turns of sixteen instructions, the counter's among them.
TEST_CASE("turns of arithmetic are one chain up to a bound", "[transforms]") {
  const auto longest = [](int turns) {
    int length = 1;
    for (;; ++length) {
      std::string body = " a0 = f32[4] get-tuple-element(p), index=1\n";
      for (int n = 0; n < length; ++n) body += cat(" a", n + 1, " = f32[4] negate(a", n, ")\n");
      const Module m =
          after(module_from(
                    loop({"f32[4]", body + cat(" ROOT r = (s32[], f32[4]) tuple(n, a", length, ")"),
                          "x = f32[4] parameter(0)\n t = (s32[], f32[4]) tuple(zero, x)", turns})),
                {unroll});
      if (count(m, Opcode::kWhile) == 1) return length - 1;
    }
  };
  CHECK(longest(17) == 0);
  CHECK(longest(16) == 15);
  CHECK(longest(15) == 16);
  CHECK(longest(8) == 31);
}

TEST_CASE("values that change places come back to them in one turn", "[transforms]") {
  for (int turns : {2, 3, 4, 7, 12}) {
    INFO(turns);
    const Module m = rewritten(swapping(kDot, turns), {unroll}, {.rtol = 1e-4, .atol = 1e-4});
    CHECK(count(m, Opcode::kWhile) == (turns > 2 ? 1 : 0));
    CHECK(count(m, Opcode::kDot) == 2 + (turns % 2));
  }
  // Three that rotate, two that swap: six turns. What never changes takes no turn to come back.
  const std::string state = "f32[4], f32[4], f32[4], s32[4], s32[4], f32[4]";
  for (int turns : {6, 40, 43}) {
    std::string body;
    const char* const types[] = {"f32[4]", "f32[4]", "f32[4]", "s32[4]", "s32[4]", "f32[4]"};
    for (int k = 0; k < 6; ++k)
      body += " v" + std::to_string(k) + " = " + types[k] +
              " get-tuple-element(p), index=" + std::to_string(k + 1) + "\n";
    const Module m =
        rewritten(loop({state,
                        body + " w = f32[4] reverse(v0), dimensions={0}\n ROOT r = (s32[], " +
                            state + ") tuple(n, v1, v2, w, v4, v3, v5)",
                        "a = f32[4] parameter(0)\n b = f32[4] parameter(1)\n c = f32[4] "
                        "parameter(2)\n d = s32[4] parameter(3)\n"
                        "f = s32[4] parameter(4)\n t = (s32[], " +
                            state + ") tuple(zero, a, b, c, d, f, a)",
                        turns}),
                  {unroll});
    CHECK(count(m, Opcode::kWhile) == (turns > 6 ? 1 : 0));
    CHECK(count(m, Opcode::kReverse) == 6 + (turns % 6));
  }
}

TEST_CASE("values made from their neighbours take two turns", "[transforms]") {
  const auto loop_of = [](const std::string& next, int turns) {
    return rewritten(
        loop(
            {"f32[4,4], f32[4,4]",
             " a = f32[4,4] get-tuple-element(p), index=1\n b = f32[4,4] get-tuple-element(p), "
             "index=2\n " +
                 next + "\n ROOT r = (s32[], f32[4,4], f32[4,4]) tuple(n, c, b)",
             "x = f32[4,4] parameter(0)\n y = f32[4,4] parameter(1)\n t = (s32[], f32[4,4], "
             "f32[4,4]) tuple(zero, x, y)",
             turns},
            "sum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }\n"),
        {unroll}, {.rtol = 1e-4, .atol = 1e-4});
  };
  CHECK(count(loop_of("d = f32[4,4] reverse(a), dimensions={1}\n c = f32[4,4] add(d, b)", 20),
              Opcode::kReverse) == 2);
  CHECK(count(loop_of("d = f32[4,4] reverse(a), dimensions={1}\n c = f32[4,4] add(d, b)", 21),
              Opcode::kReverse) == 3);
  // In place, or so much work that a copy doesn't count.
  CHECK(count(loop_of("c = f32[4,4] add(a, b)", 400), Opcode::kAdd) == 2);
  CHECK(count(loop_of("d = f32[4,4] reverse(b), dimensions={1}\n c = f32[4,4] multiply(a, d)", 20),
              Opcode::kReverse) == 1);
  CHECK(count(loop_of(
                  "z = f32[] constant(1)\n s = f32[4] reduce(a, z), dimensions={1}, to_apply=sum\n"
                  "t = f32[4,4] broadcast(s), dimensions={0}\n c = f32[4,4] divide(a, t)",
                  20),
              Opcode::kReduce) == 1);
  CHECK(count(loop_of("d = f32[4,4] transpose(a), dimensions={1,0}\n c = f32[4,4] dot(d, b), "
                      "lhs_contracting_dims={1}, "
                      "rhs_contracting_dims={0}",
                      20),
              Opcode::kDot) == 1);
}

TEST_CASE("counters go up and down, on either side of the test", "[transforms]") {
  struct Count {
    const char *first, *step, *test;
    int turns;  // -1: nobody knows
  };
  for (const Count& c : {Count{"0", "1", "(i, last), direction=LT", 5},
                         {"0", "2", "(i, last), direction=LT", 3},
                         {"0", "2", "(i, last), direction=LE", 3},
                         {"1", "2", "(i, last), direction=LE", 3},
                         {"9", "-2", "(i, last), direction=GT", 2},
                         {"9", "-2", "(i, last), direction=GE", 3},
                         {"9", "-1", "(last, i), direction=LT", 4},
                         {"0", "1", "(last, i), direction=GE", 6},
                         {"0", "5", "(i, last), direction=NE", 1},
                         {"5", "1", "(i, last), direction=EQ", 1},
                         {"5", "1", "(i, last), direction=LT", 0},
                         {"4", "1", "(i, last), direction=EQ", 0},
                         {"2147483640", "4", "(i, last), direction=GE", -1},
                         {"0", "-1", "(i, last), direction=LT", -1},
                         {"0", "3", "(i, last), direction=NE", -1},
                         {"5", "0", "(i, last), direction=EQ", -1}}) {
    std::string text = swapping("subtract(a, b)", 5);
    const auto put = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    put("zero = s32[] constant(0)", cat("zero = s32[] constant(", c.first, ")"));
    put("one = s32[] constant(1)", cat("one = s32[] constant(", c.step, ")"));
    put("(i, last), direction=LT", c.test);
    INFO(text);
    if (c.turns < 0) {
      CHECK(count(after(module_from(text), {unroll}), Opcode::kWhile) == 1);
      continue;
    }
    const Module m = rewritten(text, {unroll});
    CHECK(count(m, Opcode::kWhile) == 0);
    CHECK(count(m, Opcode::kSubtract) == c.turns);
  }
}

TEST_CASE("loops whose turns nobody can count stay", "[transforms]") {
  std::string text = swapping("subtract(a, b)", 5);
  text.replace(text.find("zero = s32[] constant(0)"), 24, "zero = s32[] parameter(2)");
  CHECK(count(rewritten(text, {unroll}), Opcode::kWhile) == 1);
  std::string wraps = swapping("subtract(a, b)", 5);
  wraps.replace(wraps.find("direction=LT"), 12, "direction=NE");
  wraps.replace(wraps.find("one = s32[] constant(1)"), 23, "one = s32[] constant(5)");
  CHECK(count(rewritten(wraps, {unroll}), Opcode::kWhile) == 0);
}

TEST_CASE("small code keeps its loops", "[transforms]") {
  Module m = module_from(swapping("subtract(a, b)", 5));
  Target target;
  target.options.level = Level::kOs;
  REQUIRE(unroll(m, {target}).ok());
  CHECK(count(m, Opcode::kWhile) == 1);
}

namespace {

// x = x + f, where f is the last of the lines, made from v and w, which never change.
Module without_invariants(const std::string& lines) {
  const std::string state = "f32[4,4], f32[4,4], f32[4,4]";
  const std::string text = loop(
      {state,
       " x = f32[4,4] get-tuple-element(p), index=1\n v = f32[4,4] get-tuple-element(p), index=2\n"
       " w = f32[4,4] get-tuple-element(p), index=3\n" +
           lines + "\n y = f32[4,4] add(x, f)\n ROOT r = (s32[], " + state + ") tuple(n, y, v, w)",
       "a = f32[4,4] parameter(0)\n b = f32[4,4] parameter(1)\n c = f32[4,4] parameter(2)\n t = "
       "(s32[], " +
           state + ") tuple(zero, a, b, c)",
       30},
      "sum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }\n");
  INFO(lines);
  return rewritten(text, {hoist_invariants}, {.rtol = 1e-4, .atol = 1e-4});
}

const hlo::Computation& body_of(const Module& m) {
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kWhile) return m.computations[i.called[0]];
  FAIL("the loop is gone");
  return m.entry_computation();
}
int count_in_body(const Module& m, Opcode opcode) {
  const auto& all = body_of(m).instructions;
  return static_cast<int>(
      std::count_if(all.begin(), all.end(), [&](const auto& i) { return i.opcode == opcode; }));
}

}  // namespace

TEST_CASE("what never changes and is dear leaves the loop", "[transforms]") {
  const std::string dims = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const Module product = without_invariants("f = f32[4,4] dot(v, w)" + dims);
  CHECK(count_in_body(product, Opcode::kDot) == 0);
  CHECK(count_in_entry(product, Opcode::kDot) == 1);
  // With what is cheap behind it, and with all that it is made from.
  const Module chain =
      without_invariants("m = f32[4,4] multiply(v, w)\n d = f32[4,4] dot(m, w)" + dims +
                         "\n e = f32[4,4] exponential(d)\n f = f32[4,4] negate(e)");
  CHECK(count_in_body(chain, Opcode::kDot) + count_in_body(chain, Opcode::kExp) +
            count_in_body(chain, Opcode::kNegate) + count_in_body(chain, Opcode::kMultiply) ==
        0);
  const Module sum = without_invariants(
      "z = f32[] constant(0)\n s = f32[4] reduce(v, z), dimensions={1}, to_apply=sum\n f = "
      "f32[4,4] broadcast(s), dimensions={0}");
  CHECK(count_in_body(sum, Opcode::kReduce) == 0);
  // The broadcast is larger than the sum, and cheap.
  CHECK(count_in_body(sum, Opcode::kBroadcast) == 1);
  CHECK(count_in_body(without_invariants("f = f32[4,4] transpose(v), dimensions={1,0}"),
                      Opcode::kTranspose) == 0);
  // A product wants its operand in memory.
  const Module scaled =
      without_invariants("m = f32[4,4] add(v, w)\n f = f32[4,4] dot(x, m)" + dims);
  CHECK(count_in_body(scaled, Opcode::kAdd) == 2);
  CHECK(count_in_entry(scaled, Opcode::kAdd) == 1);
}

TEST_CASE("what is cheap, or changes, stays in the loop", "[transforms]") {
  CHECK(count_in_body(without_invariants("f = f32[4,4] multiply(v, w)"), Opcode::kMultiply) == 1);
  CHECK(count_in_body(without_invariants("f = f32[4,4] exponential(x)"), Opcode::kExp) == 1);
  CHECK(count_in_body(without_invariants(
                          "s = f32[4,1] slice(v), slice={[0:4],[1:2]}\n q = f32[4] reshape(s)\n"
                          "f = f32[4,4] broadcast(q), dimensions={0}"),
                      Opcode::kBroadcast) == 1);
}

namespace {

// An outer loop around an inner one, both of which hand w on; x = f(x, w) in the inner one, or in a
// branch there.
std::string nested(const std::string& weights, const std::string& inner) {
  const std::string state = "(s32[], f32[3,3], f32[3,3])";
  const auto parts = [](const std::string& p) {
    return " i = s32[] get-tuple-element(" + p + "), index=0\n x = f32[3,3] get-tuple-element(" +
           p + "), index=1\n w = f32[3,3] get-tuple-element(" + p +
           "), index=2\n one = s32[] constant(1)\n n = s32[] add(i, one)\n";
  };
  const std::string pair = "(f32[3,3], f32[3,3])";
  return "HloModule m\nbranch { q = " + pair +
         " parameter(0)\n x = f32[3,3] get-tuple-element(q), index=0\n" +
         " w = f32[3,3] get-tuple-element(q), index=1\n ROOT r = f32[3,3] dot(x, w), "
         "lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0} }\nother { ROOT w = f32[3,3] parameter(0) }\n" +
         "inner { p = " + state + " parameter(0)\n" + parts("p") + inner + "\n ROOT r = " + state +
         " tuple(n, y, w) }\n" + "turns { p = " + state +
         " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n three = s32[] constant(3)\n" +
         " ROOT r = pred[] compare(i, three), direction=LT }\nouter { p = " + state +
         " parameter(0)\n" + parts("p") + " zero = s32[] constant(0)\n t = " + state +
         " tuple(zero, x, w)\n l = " + state +
         " while(t), condition=turns, body=inner\n y = f32[3,3] get-tuple-element(l), index=1\n "
         "ROOT r = " +
         state + " tuple(n, y, w) }\nENTRY e { x = f32[3,3] parameter(0)\n w = f32[3,3] " +
         weights + "\n zero = s32[] constant(0)\n t = " + state +
         " tuple(zero, x, w)\n l = " + state +
         " while(t), condition=turns, body=outer\n ROOT r = f32[3,3] get-tuple-element(l), index=1 "
         "}";
}

const std::string kWeights = "constant({{0.5,0,-1},{0,1,0.25},{-0.5,0.5,0}})";

// Products with a constant as their right side.
int known_products(const Module& m) {
  int products = 0;
  for (const hlo::Computation& c : m.computations)
    for (const hlo::Instruction& i : c.instructions)
      if (i.opcode == Opcode::kDot) products += c.operand(i, 1).opcode == Opcode::kConstant;
  return products;
}

}  // namespace

TEST_CASE("constants reach loops in loops and their branches", "[transforms]") {
  const hlo::CompareRule close = {.rtol = 1e-4, .atol = 1e-4};
  const std::string product =
      "y = f32[3,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  CHECK(known_products(rewritten(nested(kWeights, product), {hoist}, close)) == 1);
  CHECK(known_products(rewritten(nested("parameter(1)", product), {hoist}, close)) == 0);
  const std::string branches =
      "pair = (f32[3,3], f32[3,3]) tuple(x, w)\n odd = s32[] and(i, one)\n c = pred[] compare(odd, "
      "one), direction=EQ\n"
      "y = f32[3,3] conditional(c, pair, w), true_computation=branch, false_computation=other";
  CHECK(known_products(rewritten(nested(kWeights, branches), {hoist}, close)) == 1);
  CHECK(known_products(rewritten(nested("parameter(1)", branches), {hoist}, close)) == 0);
  // The first of the pair, and both ways round in the branch.
  const auto turned = [](std::string text) {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"tuple(x, w)\n odd", "tuple(w, x)\n odd"},
          {"get-tuple-element(q), index=0", "get-tuple-element(q), index=2"},
          {"get-tuple-element(q), index=1", "get-tuple-element(q), index=0"},
          {"get-tuple-element(q), index=2", "get-tuple-element(q), index=1"}})
      text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK(known_products(rewritten(turned(nested(kWeights, branches)), {hoist}, close)) == 1);
  CHECK(known_products(rewritten(turned(nested("parameter(1)", branches)), {hoist}, close)) == 0);
}

TEST_CASE("what never changes leaves loop by loop", "[transforms]") {
  const Module m = rewritten(
      nested("parameter(1)",
             "e = f32[3,3] exponential(w)\n y = f32[3,3] dot(x, e), lhs_contracting_dims={1}, "
             "rhs_contracting_dims={0}"),
      {hoist_invariants}, {.rtol = 1e-3, .atol = 1e-3});
  CHECK(count(m, Opcode::kExp) == 1);
  CHECK(count_in_entry(m, Opcode::kExp) == 1);
}

}  // namespace hlocc::tests
