// dot, convolution, reductions and windows.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {
namespace {

const std::string adders =
    "HloModule t\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT r = f32[] "
    "add(x, y)\n}\n"
    "max {\n  x2 = f32[] parameter(0)\n  y2 = f32[] parameter(1)\n  ROOT r2 = f32[] maximum(x2, "
    "y2)\n}\n"
    "ge {\n  x3 = f32[] parameter(0)\n  y3 = f32[] parameter(1)\n  ROOT r3 = pred[] compare(x3, "
    "y3), direction=GE\n}\n"
    // Not known as a reducer: runs as a scalar function.
    "odd {\n  x4 = f32[] parameter(0)\n  y4 = f32[] parameter(1)\n  n4 = f32[] negate(y4)\n  ROOT "
    "r4 = f32[] subtract(x4, n4)\n}\n";
std::string main_of(const std::string& lines) {
  return adders + "ENTRY main {\n" + lines + "\n}\n";
}

}  // namespace

TEST_CASE("integer dots wrap in the result's type", "[interpreter]") {
  const std::string dot = "a = s8[2] constant({127, 127})\nROOT r = ";
  CHECK(
      same(numbers_of(dot + "s32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
           {32258}));
  CHECK(same(numbers_of(dot + "s8[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
             {2}));
}

TEST_CASE("dot results are batch, left free, right free", "[interpreter]") {
  const std::string dot =
      "a = f32[2,2] constant({{1,2},{3,4}})\nb = f32[2,2,1] constant({{{1},{10}},{{100},{1000}}})\n"
      "ROOT r = f32[2,1] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={1}, rhs_contracting_dims={1}";
  CHECK(same(numbers_of(dot), {21, 4300}));
}

TEST_CASE("ragged-dot gives each group its own right side", "[interpreter]") {
  const std::string dot =
      "a = f32[3,1] constant({{1},{2},{3}})\nb = f32[2,1,1] constant({{{10}},{{100}}})\ng = s32[2] "
      "constant({1,1})\n"
      "ROOT r = f32[3,1] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "lhs_ragged_dims={0}, "
      "rhs_group_dims={0}";
  CHECK(same(numbers_of(dot), {10, 200, 0}));
}

TEST_CASE("scaled-dot scales blocks of its operands, or all of one", "[interpreter]") {
  const std::string dot =
      "a = f8e4m3fn[1,4] constant({{1,2,3,4}})\nb = f8e4m3fn[2,4] constant({{1,1,1,1},{2,0,0,1}})\n"
      "s = f8e8m0fnu[1,2] constant({{2,4}})\nt = bf16[] constant(0.5)\n"
      "ROOT r = f32[1,2] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1}";
  CHECK(same(numbers_of(dot), {17, 10}));
}

TEST_CASE("convolution is a correlation unless reversed", "[interpreter]") {
  const auto convolve = [](const std::string& window, int n) {
    return "a = f32[1,4,1] constant({{{1},{2},{3},{4}}})\nk = f32[2,1,1] "
           "constant({{{1}},{{10}}})\nROOT r = f32[1," +
           std::to_string(n) + ",1] convolution(a, k), window={" + window +
           "}, dim_labels=b0f_0io->b0f";
  };
  CHECK(same(numbers_of(convolve("size=2", 3)), {21, 32, 43}));
  CHECK(same(numbers_of(convolve("size=2 rhs_reversal=1", 3)), {12, 23, 34}));
  CHECK(same(numbers_of(convolve("size=2 pad=1_1 lhs_dilate=2", 8)), {10, 1, 20, 2, 30, 3, 40, 4}));
  CHECK(same(numbers_of(convolve("size=2 pad=-1_0", 2)), {32, 43}));
}

TEST_CASE("feature groups and batch groups take their own slices", "[interpreter]") {
  CHECK(
      same(numbers_of(
               "a = f32[1,1,2] constant({{{1,2}}})\nk = f32[1,1,4] constant({{{1,10,100,1000}}})\n"
               "ROOT r = f32[1,1,4] convolution(a, k), window={size=1}, dim_labels=b0f_0io->b0f, "
               "feature_group_count=2"),
           {1, 10, 200, 2000}));
  CHECK(same(numbers_of("a = f32[4,1,1] constant({{{1}},{{2}},{{3}},{{4}}})\nk = f32[1,1,2] "
                        "constant({{{1,10}}})\n"
                        "ROOT r = f32[2,1,2] convolution(a, k), window={size=1}, "
                        "dim_labels=b0f_0io->b0f, batch_group_count=2"),
             {1, 30, 2, 40}));
}

TEST_CASE("reduce folds known and unknown reducers alike", "[interpreter]") {
  for (const std::string reducer : {"add", "odd"}) {
    CHECK(
        same(numbers_of(main_of("a = f32[2,3] constant({{1,2,3},{4,5,6}})\nz = f32[] constant(10)\n"
                                "ROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=" +
                                reducer)),
             {16, 25}));
    CHECK(
        same(numbers_of(main_of("a = f32[2,3] constant({{1,2,3},{4,5,6}})\nz = f32[] constant(0)\n"
                                "ROOT r = f32[3] reduce(a, z), dimensions={0}, to_apply=" +
                                reducer)),
             {5, 7, 9}));
  }
  CHECK(same(numbers_of(main_of("a = f32[0] constant({})\nz = f32[] constant(3)\n"
                                "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=add")),
             {3}));
  CHECK(same(numbers_of(main_of("a = f32[3] constant({1,nan,3})\nz = f32[] constant(-inf)\n"
                                "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=max")),
             {kNaN}));
}

TEST_CASE("a variadic reduce carries several accumulators", "[interpreter]") {
  const std::string argmax =
      "HloModule t\nf {\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n  b = f32[] "
      "parameter(2)\n  j = s32[] parameter(3)\n"
      "  p = pred[] compare(b, a), direction=GT\n  v = f32[] select(p, b, a)\n  k = s32[] "
      "select(p, j, i)\n"
      "  ROOT t = (f32[], s32[]) tuple(v, k)\n}\nENTRY main {\n  x = f32[4] constant({3,7,7,1})\n  "
      "n = s32[4] iota(), iota_dimension=0\n"
      "  l = f32[] constant(-inf)\n  z = s32[] constant(0)\n  ROOT r = (f32[], s32[]) reduce(x, n, "
      "l, z), dimensions={0}, to_apply=f\n}\n";
  CHECK(same(numbers_of(argmax), {7, 1}));
}

TEST_CASE("reduce-window by any path", "[interpreter]") {
  for (const std::string reducer : {"add", "odd"}) {
    const auto window = [&](const std::string& attributes, int n) {
      return main_of("a = f32[5] constant({1,2,3,4,5})\nz = f32[] constant(0)\nROOT r = f32[" +
                     std::to_string(n) + "] reduce-window(a, z), window={" + attributes +
                     "}, to_apply=" + reducer);
    };
    CHECK(same(numbers_of(window("size=2 lhs_dilate=2", 8)), {1, 2, 2, 3, 3, 4, 4, 5}));
    CHECK(same(numbers_of(window("size=2 pad=1_1 rhs_dilate=2", 5)), {2, 4, 6, 8, 4}));
    CHECK(same(numbers_of(window("size=5 pad=4_0", 5)), {1, 3, 6, 10, 15}));
    CHECK(same(numbers_of(window("size=5 pad=0_4", 5)), {15, 14, 12, 9, 5}));
    CHECK(same(numbers_of(window("size=3 stride=2 pad=1_1", 3)), {3, 9, 9}));
    CHECK(same(numbers_of(window("size=2 pad=-1_-1", 2)), {5, 7}));
    // Sums of -0 alone are -0.
    CHECK(same(numbers_of(main_of("a = f32[3] constant({-0,-0,-0})\nz = f32[] constant(-0)\n"
                                  "ROOT r = f32[2] reduce-window(a, z), window={size=2}, "
                                  "to_apply=" +
                                  reducer)),
               {-0.0, -0.0}));
  }
}

TEST_CASE("select-and-scatter never selects padding and keeps the earliest tie", "[interpreter]") {
  const std::string program = main_of(
      "a = f32[4] constant({-3,-1,-1,-2})\ns = f32[3] constant({10,20,30})\nz = f32[] "
      "constant(0.5)\n"
      "ROOT r = f32[4] select-and-scatter(a, s, z), window={size=2 stride=2 pad=1_1}, select=ge, "
      "scatter=add");
  CHECK(same(numbers_of(program), {10.5, 20.5, 0.5, 30.5}));
  const std::string padding_alone = main_of(
      "a = f32[2] constant({1,3})\ns = f32[2] constant({10,20})\nz = f32[] constant(0.5)\n"
      "ROOT r = f32[2] select-and-scatter(a, s, z), window={size=2 stride=2 pad=2_0}, select=ge, "
      "scatter=add");
  CHECK(same(numbers_of(padding_alone), {0.5, 20.5}));
  // What is there comes first.
  CHECK(same(numbers_of("HloModule t\nge {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                        "  ROOT r = pred[] compare(a, b), direction=GE\n}\n"
                        "minus {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                        "  ROOT r = f32[] subtract(a, b)\n}\n"
                        "ENTRY main {\n  a = f32[2] constant({1,3})\n  s = f32[1] constant({10})\n"
                        "  z = f32[] constant(0.5)\n  ROOT r = f32[2] select-and-scatter(a, s, z), "
                        "window={size=2 stride=2}, select=ge, scatter=minus\n}\n"),
             {0.5, -9.5}));
}

TEST_CASE("a cumulative sum is not quadratic", "[interpreter]") {
  const std::string program = main_of(
      "o = f32[] constant(1)\na = f32[300000] broadcast(o), dimensions={}\nz = f32[] constant(0)\n"
      "ROOT r = f32[300000] reduce-window(a, z), window={size=300000 pad=299999_0}, to_apply=add");
  CHECK(numbers_of(program)[299999] == 300000);
}

}  // namespace hlocc::tests
