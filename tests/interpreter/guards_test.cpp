// Programs just outside the conditions of the interpreter's quick ways: empty arrays, a single
// update, holes between elements, sizes known at run time, types of which the first lanes lie.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {
namespace {

const std::string kAdd =
    "HloModule t\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT r = f32[] "
    "add(a, b)\n}\n";

std::vector<double> in_entry(const std::string& computations, const std::string& lines) {
  return numbers_of(computations + "ENTRY main {\n" + lines + "\n}\n");
}

}  // namespace

TEST_CASE("a convolution of nothing makes no tables of its sizes", "[interpreter]") {
  const auto got = run_text(
      "a = f32[0,1000000000000,1] parameter(0)\nk = f32[1,1,1] constant({{{2}}})\n"
      "ROOT r = f32[0,1000000000000,1] convolution(a, k), window={size=1}, "
      "dim_labels=b0f_0io->b0f",
      {Literal::zeros(hlo::Shape::array(PrimitiveType::kF32, {0, 1000000000000, 1}))});
  REQUIRE(got.ok());
  CHECK(got->element_count() == 0);
}

TEST_CASE("the transform back to nothing is nothing", "[interpreter]") {
  CHECK(numbers_of("a = c64[0,3] parameter(0)\nROOT r = f32[0,4] fft(a), fft_type=IRFFT, "
                   "fft_length={4}",
                   {Literal::zeros(hlo::Shape::array(PrimitiveType::kC64, {0, 3}))})
            .empty());
}

TEST_CASE("gathers from nothing give zeros, scatters of one and of no update", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[0,3] parameter(0)\ni = s32[2] constant({0,1})\nROOT r = f32[2,3] "
                        "gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, "
                        "start_index_map={0}, index_vector_dim=1, slice_sizes={0,3}",
                        {f32({}, {0, 3})}),
             {0, 0, 0, 0, 0, 0}));
  const auto scattered = [](const std::string& count, const std::string& at,
                            const std::string& values) {
    return in_entry(kAdd, "a = f32[3] constant({1,2,3})\ni = s32[" + count + ",1] constant(" + at +
                              ")\nu = f32[" + count + "] constant(" + values +
                              ")\nROOT r = f32[3] scatter(a, i, u), update_window_dims={}, "
                              "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                              "index_vector_dim=1, to_apply=add");
  };
  CHECK(same(scattered("1", "{{1}}", "{5}"), {1, 7, 3}));
  CHECK(same(scattered("0", "{}", "{}"), {1, 2, 3}));
}

TEST_CASE("an unsigned index of zero is the first, one beyond all the last", "[interpreter]") {
  const auto sliced = [](const std::string& index) {
    return numbers_of("a = f32[4] constant({1,2,3,4})\ni = u64[] constant(" + index +
                      ")\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}");
  };
  CHECK(same(sliced("0"), {1, 2}));
  CHECK(same(sliced("1"), {2, 3}));
  CHECK(same(sliced("18446744073709551615"), {3, 4}));
}

TEST_CASE("integers of all widths are shifted by their width", "[interpreter]") {
  const auto shifted = [](const std::string& type, const std::string& op, const std::string& by) {
    return numbers_of("a = " + type + "[1] constant({5})\nb = " + type + "[1] constant({" + by +
                      "})\nROOT r = " + type + "[1] " + op + "(a, b)");
  };
  for (const auto& [type, width] : {std::pair{"u64", "64"}, {"s64", "64"}, {"u32", "32"}})
    for (const char* op : {"shift-left", "shift-right-logical", "shift-right-arithmetic"})
      CHECK(same(shifted(type, op, width), {0}));
  CHECK(same(shifted("u64", "shift-left", "63"), {9223372036854775808.0}));
  CHECK(same(shifted("u4", "shift-left", "3"), {8}));
  CHECK(same(shifted("u4", "shift-left", "4"), {0}));
}

TEST_CASE("a pivot is the root of the real part that stands on the diagonal", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[1,1] constant({{3}})\nROOT r = f32[1,1] cholesky(a), lower=true"),
             {1.7320507764816284}));
  CHECK(same(numbers_of("a = c64[1,1] constant({{(4, 1)}})\nROOT r = c64[1,1] cholesky(a), "
                        "lower=true"),
             {2, 0}));
}

TEST_CASE("sums of complex numbers are kept in double", "[interpreter]") {
  const std::string add =
      "HloModule t\nadd {\n  a = c64[] parameter(0)\n  b = c64[] parameter(1)\n  ROOT r = c64[] "
      "add(a, b)\n}\n";
  CHECK(same(in_entry(add,
                      "a = c64[3] constant({(16777216,0),(1,1),(1,-1)})\nz = c64[] constant((0,0))"
                      "\nROOT r = c64[] reduce(a, z), dimensions={0}, to_apply=add"),
             {16777218, 0}));
}

TEST_CASE("words of odd boxes are split along their first largest dimension", "[interpreter]") {
  // What XLA's CPU gives for the key 7 + 11 * 2^32.
  const auto drawn = [](const std::string& shape) {
    return numbers_of("s = u64[2] constant({47244640263,0})\nROOT r = (u64[2], u32[" + shape +
                      "]) rng-bit-generator(s), algorithm=rng_three_fry");
  };
  CHECK(same(drawn("3,3"), {47244640263.0, 6, 2598293523, 548626684, 1626822213, 2951297909,
                            1098599118, 3610004157, 466366570, 434997834, 1715492388}));
  CHECK(same(drawn("3,5"), {47244640263.0, 9, 2598293523, 2951297909, 548626684, 1098599118,
                            1626822213, 466366570, 610571566, 434997834, 4037548208, 1715492388,
                            4276002434, 3999427049, 3303388214, 3096059789, 3889529992}));
}

TEST_CASE("running sums over elements with holes between them", "[interpreter]") {
  const auto summed = [](const std::string& window) {
    return in_entry(kAdd,
                    "a = f32[3] constant({1,2,3})\nz = f32[] constant(0)\nROOT r = f32[5] "
                    "reduce-window(a, z), window={" +
                        window + "}, to_apply=add");
  };
  CHECK(same(summed("size=5 pad=4_0 lhs_dilate=2"), {1, 1, 3, 3, 6}));
  CHECK(same(summed("size=5 pad=0_4 lhs_dilate=2"), {6, 5, 5, 3, 3}));
  // Windows with holes.
  CHECK(same(summed("size=3 pad=3_3 rhs_dilate=2"), {2, 4, 2, 4, 2}));
}

TEST_CASE("a function of scalars may read the bits of one type as another's", "[interpreter]") {
  CHECK(same(in_entry("HloModule t\nbits {\n  p = bf16[] parameter(0)\n  ROOT b = u16[] "
                      "bitcast-convert(p)\n}\n",
                      "a = bf16[2] constant({1,-2})\nROOT r = u16[2] map(a), dimensions={0}, "
                      "to_apply=bits"),
             {0x3f80, 0xc000}));
  CHECK(same(in_entry("HloModule t\nbits {\n  p = bf16[] parameter(0)\n  ROOT b = u16[] "
                      "bitcast(p)\n}\n",
                      "a = bf16[2] constant({1,-2})\nROOT r = u16[2] map(a), dimensions={0}, "
                      "to_apply=bits"),
             {0x3f80, 0xc000}));
}

TEST_CASE("a reshape gives its run-time size to the dimension that has one", "[interpreter]") {
  const auto reshaped = [](const std::string& from, const std::string& size,
                           const std::string& to) {
    return numbers_of("a = f32[" + from + "] iota(), iota_dimension=0\nn = s32[] constant(" + size +
                      ")\nd = f32[<=" + from + "] set-dimension-size(a, n), dimensions={0}\n" +
                      "x = f32[" + to +
                      "] reshape(d)\nROOT s = s32[] get-dimension-size(x), "
                      "dimensions={0}");
  };
  CHECK(same(reshaped("6", "4", "<=3,2"), {2}));
  CHECK(same(reshaped("6,0", "4", "<=6,0"), {0}));
}

TEST_CASE("a size may grow again, and shows what was there", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[4] constant({1,2,3,4})\ntwo = s32[] constant(2)\n"
                        "three = s32[] constant(3)\n"
                        "d = f32[<=4] set-dimension-size(a, two), dimensions={0}\n"
                        "e = f32[<=4] set-dimension-size(d, three), dimensions={0}\n"
                        "n = s32[] get-dimension-size(e), dimensions={0}\n"
                        "z = s32[] constant(4)\n"
                        "f = f32[4] set-dimension-size(e, z), dimensions={0}\n"
                        "ROOT r = (f32[4], s32[]) tuple(f, n)"),
             {1, 2, 3, 4, 3}));
}

}  // namespace hlocc::tests
