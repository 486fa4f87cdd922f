// Formulas of truth values and of complex numbers, which reductions use as well, and reducers that
// are no plain op: of one side alone, with calls, and with ops that have no kernel for scalars.
#include <catch2/catch.hpp>

#include "interpreter/text.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

std::vector<double> of_two(const std::string& op, const std::string& type, const std::string& a,
                           const std::string& b) {
  return numbers_of(cat("a = ", type, " constant({", a, "})\nb = ", type, " constant({", b,
                        "})\nROOT r = ", type, " ", op, "(a, b)"));
}

// {5, 7, 11} from 1 on, by a computation of a and b.
std::vector<double> reduced(const std::string& lines, const std::string& before = "") {
  return numbers_of(cat("HloModule t\n", before, "f {\n a = f32[] parameter(0)\n b = f32[] ",
                        "parameter(1)\n", lines, "\n}\nENTRY e {\n x = f32[3] constant({5,7,11})\n",
                        " k = f32[] constant(1)\n ROOT r = f32[] reduce(x, k), dimensions={0}, ",
                        "to_apply=f\n}\n"));
}

}  // namespace

TEST_CASE("truth values add up, multiply, and have a greatest and a least", "[interpreter]") {
  const std::string no_yes = "0,0,1,1", yes_no = "0,1,0,1";
  for (const char* any : {"add", "maximum", "or"})
    CHECK(same(of_two(any, "pred[4]", no_yes, yes_no), {0, 1, 1, 1}));
  for (const char* all : {"multiply", "minimum", "and"})
    CHECK(same(of_two(all, "pred[4]", no_yes, yes_no), {0, 0, 0, 1}));
}

TEST_CASE("of complex numbers the greater has the greater real part, of equal ones the imaginary",
          "[interpreter]") {
  const std::string a = "(1,0),(2,-1),(1,2),(1,1),(3,3)", b = "(2,-1),(1,5),(1,1),(1,2),(3,3)";
  CHECK(same(of_two("maximum", "c64[5]", a, b), {2, -1, 2, -1, 1, 2, 1, 2, 3, 3}));
  CHECK(same(of_two("minimum", "c64[5]", a, b), {1, 0, 1, 5, 1, 1, 1, 1, 3, 3}));
}

TEST_CASE("integers to powers below zero are 1, -1 or 0", "[interpreter]") {
  CHECK(
      same(of_two("power", "s32[6]", "1,-1,-1,2,-2,-1", "-5,-3,-2,-1,-1,3"), {1, -1, 1, 0, 0, -1}));
  CHECK(same(of_two("power", "u8[3]", "255,1,2", "3,255,7"), {255, 1, 128}));
}

TEST_CASE("a reducer of one side alone is no sum", "[interpreter]") {
  CHECK(same(reduced(" ROOT r = f32[] add(a, b)"), {24}));
  CHECK(same(reduced(" ROOT r = f32[] add(b, a)"), {24}));
  CHECK(same(reduced(" ROOT r = f32[] add(b, b)"), {22}));
  CHECK(same(reduced(" ROOT r = f32[] add(a, a)"), {8}));
  CHECK(same(reduced(" ROOT r = f32[] subtract(a, b)"), {-22}));
}

TEST_CASE("reducers of moves, of tuples, of arrays, and of calls of such", "[interpreter]") {
  const std::string sum = " ROOT r = f32[] add(m, b)";
  const auto moved = [&](const std::string& move) { return reduced(move + "\n" + sum); };
  CHECK(same(moved(" m = f32[] copy(a)"), {24}));
  CHECK(same(moved(" m = f32[] reshape(a)"), {24}));
  CHECK(same(moved(" m = f32[] broadcast(a), dimensions={}"), {24}));
  CHECK(same(moved(" m = f32[] transpose(a), dimensions={}"), {24}));
  CHECK(same(moved(" m = f32[] opt-barrier(a)"), {24}));
  CHECK(same(moved(" t = (f32[], f32[]) tuple(b, a)\n m = f32[] get-tuple-element(t), index=1"),
             {24}));
  CHECK(same(moved(" t = (f32[], f32[]) tuple(b, a)\n u = ((f32[], f32[]), f32[]) tuple(t, b)\n v "
                   "= (f32[], f32[]) get-tuple-element(u), index=0\n m = f32[] "
                   "get-tuple-element(v), index=1"),
             {24}));
  CHECK(same(moved(" o = f32[2] broadcast(a), dimensions={}\n s = f32[1] slice(o), slice={[1:2]}\n "
                   "m = f32[] reshape(s)"),
             {24}));
  const std::string by_array =
      "g {\n c = f32[] parameter(0)\n o = f32[2] broadcast(c), dimensions={}\n s = f32[1] "
      "slice(o), slice={[1:2]}\n ROOT d = f32[] reshape(s)\n}\n";
  CHECK(same(reduced(" m = f32[] call(a), to_apply=g\n" + sum, by_array), {24}));
  const std::string negated = "g {\n c = f32[] parameter(0)\n ROOT d = f32[] negate(c)\n}\n";
  CHECK(same(reduced(" m = f32[] call(a), to_apply=g\n" + sum, negated), {8}));
  CHECK(
      same(moved(" i = u32[] partition-id()\n j = f32[] convert(i)\n m = f32[] add(a, j)"), {24}));
  CHECK(same(reduced(" p = pred[] compare(b, a), direction=GT\n m = f32[] conditional(p, a, a), "
                     "true_computation=g, false_computation=g\n" +
                         sum,
                     negated),
             {8}));
}

}  // namespace hlocc::tests
