// Index rules: what is clamped, skipped, cropped, spread.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {

TEST_CASE("arrays without elements whose other sizes are huge", "[interpreter]") {
  const std::string program = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }
ENTRY main {
  z = f32[] constant(0)
  x = f32[1000000000000,0] broadcast(z), dimensions={}
  t = f32[0,1000000000000] transpose(negate(x)), dimensions={1,0}
  r = f32[0] reduce(t, z), dimensions={1}, to_apply=add
  c = f32[2000000000000,0] concatenate(x, x), dimensions={0}
  s = f32[500000000000,0] slice(c), slice={[0:1000000000000:2], [0:0]}
  i = s32[1000000000000,0] iota(), iota_dimension=0
  d = f32[0,0] dot(t, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  p = f32[1000000000002,0] pad(x, z), padding=1_1x0_0
  o = f32[1000000000000,0] sort(x), dimensions={0}, to_apply=less
  v = f32[1000000000000,0] reverse(o), dimensions={0}
  w = f32[500000000000,0] reduce-window(x, z), window={size=2x1 stride=2x1}, to_apply=add
  ROOT q = (f32[0], f32[500000000000,0], s32[1000000000000,0], f32[0,0], f32[1000000000002,0], f32[1000000000000,0], f32[500000000000,0]) tuple(r, s, i, d, p, v, w)
})";
  CHECK(numbers_of(program).empty());
}

TEST_CASE("iota converts the index", "[interpreter]") {
  CHECK(numbers_of("ROOT r = u8[300] iota(), iota_dimension=0")[299] == 43);
  CHECK(same(numbers_of("ROOT r = f32[2,3] iota(), iota_dimension=1"), {0, 1, 2, 0, 1, 2}));
}

TEST_CASE("pad spreads, then adds and crops", "[interpreter]") {
  const std::string pad =
      "a = f32[4] parameter(0)\nz = f32[] constant(9)\nROOT r = f32[8] pad(a, z), padding=-1_2_1";
  CHECK(same(numbers_of(pad, {f32({0, 1, 2, 3})}), {9, 1, 9, 2, 9, 3, 9, 9}));
  const std::string crop =
      "a = f32[2] parameter(0)\nz = f32[] constant(9)\nROOT r = f32[1] pad(a, z), padding=-3_2_0";
  CHECK(same(numbers_of(crop, {f32({1, 2})}), {9}));
}

TEST_CASE("broadcast, transpose, reverse and slice map indices", "[interpreter]") {
  CHECK(same(
      numbers_of("a = f32[2] constant({1, 2})\nROOT r = f32[2,2] broadcast(a), dimensions={0}"),
      {1, 1, 2, 2}));
  CHECK(same(numbers_of("a = f32[2,3] constant({{1,2,3},{4,5,6}})\nROOT r = f32[3,2] transpose(a), "
                        "dimensions={1,0}"),
             {1, 4, 2, 5, 3, 6}));
  CHECK(same(
      numbers_of(
          "a = f32[2,2] constant({{1,2},{3,4}})\nROOT r = f32[2,2] reverse(a), dimensions={1}"),
      {2, 1, 4, 3}));
  CHECK(same(
      numbers_of("a = s32[5] constant({0,1,2,3,4})\nROOT r = s32[2] slice(a), slice={[1:5:2]}"),
      {1, 3}));
  CHECK(same(numbers_of("a = s32[2] constant({1,2})\nb = s32[0] constant({})\nROOT r = s32[4] "
                        "concatenate(a, b, a), dimensions={0}"),
             {1, 2, 1, 2}));
}

TEST_CASE("dynamic slices clamp their starts", "[interpreter]") {
  const auto slice = [](const std::string& type, const std::string& start) {
    return "a = s32[4] constant({0,1,2,3})\ni = " + type + "[] constant(" + start +
           ")\nROOT r = s32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}";
  };
  CHECK(same(numbers_of(slice("s32", "-5")), {0, 1}));
  CHECK(same(numbers_of(slice("u32", "4294967295")), {2, 3}));
  CHECK(same(numbers_of(slice("u64", "18446744073709551615")), {2, 3}));
  CHECK(
      same(numbers_of(
               "a = s32[4] constant({0,1,2,3})\nu = s32[2] constant({8,9})\ni = s32[] constant(7)\n"
               "ROOT r = s32[4] dynamic-update-slice(a, u, i)"),
           {0, 1, 8, 9}));
}

TEST_CASE("an update in place leaves other holders of the operand alone", "[interpreter]") {
  CHECK(same(
      numbers_of("a = s32[2] parameter(0)\nu = s32[1] constant({9})\ni = s32[] constant(0)\n"
                 "d = s32[2] dynamic-update-slice(a, u, i)\nROOT r = (s32[2], s32[2]) tuple(a, d)",
                 {s32({1, 2})}),
      {1, 2, 9, 2}));
  const Literal argument = s32({1, 2});
  numbers_of(
      "a = s32[2] parameter(0)\nu = s32[1] constant({9})\ni = s32[] constant(0)\n"
      "ROOT d = s32[2] dynamic-update-slice(a, u, i)",
      {argument});
  CHECK(same(numbers(argument), {1, 2}));
}

TEST_CASE("gather clamps whole windows", "[interpreter]") {
  const std::string gather =
      "a = s32[5] constant({0,1,2,3,4})\ni = s32[3] constant({-3, 100, 2})\n"
      "ROOT r = s32[3,2] gather(a, i), offset_dims={1}, collapsed_slice_dims={}, "
      "start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={2}";
  CHECK(same(numbers_of(gather), {0, 1, 3, 4, 2, 3}));
}

TEST_CASE("gather with batching dimensions pairs indices and rows", "[interpreter]") {
  const std::string gather =
      "a = s32[2,3] constant({{0,1,2},{3,4,5}})\ni = s32[2,1] constant({{2},{0}})\n"
      "ROOT r = s32[2] gather(a, i), offset_dims={}, collapsed_slice_dims={1}, "
      "start_index_map={1}, "
      "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, "
      "slice_sizes={1,1}";
  CHECK(same(numbers_of(gather), {2, 3}));
}

TEST_CASE("scatter skips windows that do not fit and applies duplicates in order",
          "[interpreter]") {
  const std::string scatter =
      "HloModule t\nf {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT r = s32[] "
      "subtract(x, y)\n}\n"
      "ENTRY main {\n  a = s32[4] constant({10,10,10,10})\n  i = s32[4,1] "
      "constant({{0},{3},{-1},{0}})\n"
      "  u = s32[4,2] constant({{5,1},{7,7},{7,7},{1,0}})\n"
      "  ROOT r = s32[4] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n}\n";
  CHECK(same(numbers_of(scatter), {4, 9, 10, 10}));
}

TEST_CASE("bitcast-convert puts the low part first", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[0] constant({})\nROOT r = s32[0] bitcast-convert(a)"), {}));
  CHECK(same(numbers_of("a = f32[1] constant({1})\nROOT r = u8[1,4] bitcast-convert(a)"),
             {0, 0, 0x80, 0x3F}));
  CHECK(same(numbers_of("a = s4[2,2] constant({{1,2},{3,-1}})\nROOT r = u8[2] bitcast-convert(a)"),
             {0x21, 0xF3}));
  CHECK(
      same(numbers_of("a = u8[1] constant({243})\nROOT r = s4[1,2] bitcast-convert(a)"), {3, -1}));
}

TEST_CASE("bitcast reads memory in the layouts of both sides", "[interpreter]") {
  // To another type too.
  CHECK(same(numbers_of("a = s16[2,2] constant({{1,2},{3,4}})\nROOT r = u16[2,2]{0,1} bitcast(a)"),
             {1, 3, 2, 4}));
  CHECK(same(numbers_of("a = u16[2] constant({513,1027})\nROOT r = u8[2,2]{0,1} bitcast(a)"),
             {1, 3, 2, 4}));
  CHECK(same(numbers_of("a = u16[2,2] constant({{1,2},{3,4}})\nb = u16[2,2]{0,1} copy(a)\nROOT r = "
                        "s16[4] bitcast(b)"),
             {1, 3, 2, 4}));
  CHECK(same(numbers_of("a = s32[2,3]{0,1} parameter(0)\nROOT r = s32[3,2]{1,0} bitcast(a)",
                        {s32({1, 2, 3, 4, 5, 6}, {2, 3})}),
             {1, 4, 2, 5, 3, 6}));
}

}  // namespace hlocc::tests
