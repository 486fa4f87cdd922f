// The other side of conditions of the interpreter that no op case stands on: indices one beyond the
// end, sums of nothing, states of two words, codes of all ones, calls as deep as they may be.
#include <algorithm>
#include <catch2/catch.hpp>

#include "interpreter/text.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

std::vector<double> converted(const std::string& from, const std::string& number,
                              const std::string& op) {
  return numbers_of(cat("a = ", from, " constant(", number, ")\nROOT r = ", op));
}

// By a reducer of complex numbers, or of floats.
std::vector<double> folded(const std::string& type, const std::string& reducer,
                           const std::string& lines) {
  return numbers_of(cat("HloModule t\nf {\n a = ", type, "[] parameter(0)\n b = ", type,
                        "[] parameter(1)\n", reducer, "\n}\nENTRY e {\n", lines, "\n}\n"));
}

// The three numbers 5, 7 and 11 from 1 on.
std::vector<double> of_three(const std::string& reducer) {
  return folded("f32", reducer,
                " x = f32[3] constant({5,7,11})\n k = f32[] constant(1)\n ROOT r = f32[] "
                "reduce(x, k), dimensions={0}, to_apply=f");
}

}  // namespace

TEST_CASE("a permutation that sends what is here elsewhere leaves zeros", "[interpreter]") {
  const auto permuted = [](const std::string& pairs) {
    return numbers_of(cat("HloModule t, replica_count=1\nENTRY e {\n a = f32[2] constant({3,4})\n",
                          " ROOT r = f32[2] collective-permute(a), source_target_pairs={", pairs,
                          "}\n}\n"));
  };
  CHECK(same(permuted("{0,1}"), {0, 0}));
  CHECK(same(permuted("{0,1},{1,0}"), {0, 0}));
  CHECK(same(permuted("{1,1},{0,0}"), {3, 4}));
}

TEST_CASE("bits that become small floats stay as they are", "[interpreter]") {
  CHECK(
      same(converted("u16[2]", "{14392,48}", "f8e4m3fn[2,2] bitcast-convert(a)"), {1, 1, 0.5, 0}));
  CHECK(same(converted("u4[4]", "{2,4,10,0}", "f4e2m1fn[4] bitcast-convert(a)"), {1, 2, -1, 0}));
}

TEST_CASE("what is read as another shape may be one byte, or nothing", "[interpreter]") {
  const auto reshaped = [](const std::string& size) {
    return numbers_of(cat("a = s8[4] constant({7,8,9,10})\nn = s32[] constant(", size,
                          ")\nd = s8[<=4] set-dimension-size(a, n), dimensions={0}\n",
                          "r = s8[<=4] dynamic-reshape(d, n)\nf = s32[] constant(4)\n",
                          "ROOT s = s8[4] set-dimension-size(r, f), dimensions={0}"));
  };
  CHECK(same(reshaped("2"), {7, 8, 0, 0}));
  CHECK(same(reshaped("1"), {7, 0, 0, 0}));
  CHECK(same(reshaped("0"), {0, 0, 0, 0}));
}

TEST_CASE("to powers of two numbers are rounded by way of f32", "[interpreter]") {
  CHECK(same(converted("f64[2]", "{3,3.0000000000009}", "f8e8m0fnu[2] convert(a)"), {4, 4}));
  CHECK(same(converted("f64[2]", "{6,6.000000000001}", "f8e8m0fnu[2] convert(a)"), {8, 8}));
}

TEST_CASE("what is rounded at random ends at the ends of its type", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[4] constant({2147483648,2147483520,-2147483648,4294967296})\n"
                        "b = u32[4] constant({0,0,0,0})\nROOT r = s32[4] stochastic-convert(a, b)"),
             {2147483647, 2147483520, -2147483648, 2147483647}));
}

TEST_CASE("precision is reduced in the format's own codes, of narrow ones as of f32",
          "[interpreter]") {
  const auto reduced = [](const std::string& type, const std::string& numbers,
                          const std::string& bits) {
    return converted(type, numbers, cat(type, " reduce-precision(a), ", bits));
  };
  CHECK(same(reduced("f32[3]", "{1.5,-3.25,70000}", "exponent_bits=5, mantissa_bits=23"),
             {1.5, -3.25, kInf}));
  CHECK(same(reduced("f64[2]", "{1.5,-3.25}", "exponent_bits=11, mantissa_bits=52"), {1.5, -3.25}));
  // Of f16 three of the least numbers are none of one bit; of f32 they are.
  CHECK(same(reduced("f16[1]", "{1.78813934e-07}", "exponent_bits=8, mantissa_bits=1"), {0}));
  CHECK(same(reduced("f8e4m3fn[2]", "{208,448}", "exponent_bits=8, mantissa_bits=1"), {192, kNaN}));
}

TEST_CASE("a spectrum that is given longer is cut to one number", "[interpreter]") {
  CHECK(same(numbers_of("a = c64[3] constant({(1,0),(2,0),(3,0)})\nROOT r = f32[1] fft(a), "
                        "fft_type=IRFFT, fft_length={1}"),
             {1}));
  CHECK(same(numbers_of("a = c64[1] constant({(5,2)})\nROOT r = c64[1] fft(a), fft_type=FFT, "
                        "fft_length={1}"),
             {5, 2}));
}

TEST_CASE("nothing is gathered by no indices, nothing scattered behind the end", "[interpreter]") {
  CHECK(numbers_of("a = f32[2,3] constant({{1,2,3},{4,5,6}})\ni = s32[0] constant({})\nROOT r = "
                   "f32[0,3] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, "
                   "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}")
            .empty());
  const auto scattered = [](const std::string& at) {
    return folded("f32", " ROOT r = f32[] add(a, b)",
                  cat(" a = f32[3] constant({1,2,3})\n i = s32[1,1] constant({{", at,
                      "}})\n u = f32[1] constant({5})\n ROOT r = f32[3] scatter(a, i, u), ",
                      "update_window_dims={}, inserted_window_dims={0}, "
                      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f"));
  };
  CHECK(same(scattered("2"), {1, 2, 8}));
  for (const char* at : {"3", "4", "1000000", "-1"}) CHECK(same(scattered(at), {1, 2, 3}));
}

TEST_CASE("a matrix whose pivot is zero is not positive definite", "[interpreter]") {
  CHECK(same(converted("f32[1,1]", "{{0}}", "f32[1,1] cholesky(a), lower=true"), {kNaN}));
  CHECK(same(converted("f32[2,2]", "{{4,0},{0,0}}", "f32[2,2] cholesky(a), lower=true"),
             {kNaN, kNaN, kNaN, kNaN}));
}

TEST_CASE("groups of no rows, and rows of groups", "[interpreter]") {
  const auto dot = [](const std::string& a, const std::string& b, const std::string& sizes,
                      const std::string& result) {
    return numbers_of(cat("a = ", a, "\nb = ", b, "\ng = ", sizes, "\nROOT r = ", result,
                          " ragged-dot(a, b, g), lhs_contracting_dims={1}, "
                          "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"));
  };
  CHECK(same(dot("f32[2,0] constant({{},{}})", "f32[1,0,1] constant({{}})", "s32[1] constant({2})",
                 "f32[2,1]"),
             {0, 0}));
  CHECK(dot("f32[0,1] constant({})", "f32[1,1,1] constant({{{3}}})", "s32[1] constant({0})",
            "f32[0,1]")
            .empty());
  // A list of sizes for each batch.
  CHECK(same(numbers_of("a = f32[2,2,1] constant({{{1},{2}},{{3},{4}}})\n"
                        "b = f32[2,2,1,1] constant({{{{10}},{{100}}},{{{1000}},{{10000}}}})\n"
                        "g = s32[2,2] constant({{1,1},{0,2}})\nROOT r = f32[2,2,1] "
                        "ragged-dot(a, b, g), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                        "lhs_contracting_dims={2}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, "
                        "rhs_group_dims={1}"),
             {10, 200, 30000, 40000}));
}

TEST_CASE("with a state of two words the key is the counter's high part", "[interpreter]") {
  const auto drawn = [](const std::string& state, int words) {
    auto all = numbers_of(cat("s = u64[", words, "] constant({", state, "})\nROOT r = (u64[", words,
                              "], u32[6]) rng-bit-generator(s), algorithm=rng_philox"));
    return std::vector<double>(all.begin() + words, all.end());
  };
  const std::vector<double> two = drawn("7,11", 2);
  CHECK(same(two, drawn("7,11,7", 3)));
  CHECK(!same(two, drawn("7,11,0", 3)));
}

TEST_CASE("integers are drawn from the first up to the last", "[interpreter]") {
  const auto drawn = [](const std::string& type, const std::string& low, const std::string& high) {
    return numbers_of(cat("a = ", type, "[] constant(", low, ")\nb = ", type, "[] constant(", high,
                          ")\nROOT r = ", type, "[40] rng(a, b), distribution=rng_uniform"));
  };
  for (const char* type : {"s32", "u8", "s64"}) {
    std::vector<double> numbers = drawn(type, "5", "8");
    std::sort(numbers.begin(), numbers.end());
    CHECK((numbers.front() == 5 && numbers.back() == 7));
    CHECK(same(drawn(type, "5", "5"), std::vector<double>(40, 5)));
  }
  CHECK(same(drawn("pred", "false", "true"), std::vector<double>(40, 0)));
}

TEST_CASE("windows that lie beside the array keep the first value", "[interpreter]") {
  CHECK(same(folded("f32", " m = f32[] multiply(a, b)\n ROOT r = f32[] add(m, b)",
                    " x = f32[2] constant({5,7})\n k = f32[] constant(1)\n ROOT r = f32[6] "
                    "reduce-window(x, k), window={size=1 pad=2_2}, to_apply=f"),
             {1, 1, 10, 14, 1, 1}));
}

TEST_CASE("reducers whose last op takes one number, none or three", "[interpreter]") {
  CHECK(same(of_three(" ROOT r = f32[] negate(b)"), {-11}));
  CHECK(same(of_three(" ROOT r = f32[] constant(3)"), {3}));
  CHECK(same(of_three(" p = pred[] compare(a, b), direction=LT\n ROOT r = f32[] select(p, b, a)"),
             {11}));
  // Of a tuple that is a constant, and of moves of tuples.
  CHECK(same(of_three(" t = (f32[], f32[]) constant((2, 3))\n c = f32[] get-tuple-element(t), "
                      "index=1\n m = f32[] multiply(b, c)\n ROOT r = f32[] add(a, m)"),
             {70}));
  CHECK(same(of_three(" t = (f32[], f32[]) tuple(a, b)\n c = (f32[], f32[]) copy(t)\n d = f32[] "
                      "get-tuple-element(c), index=1\n ROOT r = f32[] add(a, d)"),
             {24}));
  CHECK(same(of_three(" t = (f32[]) tuple(b)\n c = (f32[]) copy(t)\n d = f32[] "
                      "get-tuple-element(c), index=0\n ROOT r = f32[] add(a, d)"),
             {24}));
}

TEST_CASE("complex numbers have a greatest, in reductions too", "[interpreter]") {
  const auto greatest = [](const std::string& op) {
    return folded(
        "c64", cat(" ROOT r = c64[] ", op, "(a, b)"),
        " x = c64[3] constant({(1,2),(3,1),(3,4)})\n k = c64[] constant((0,0))\n ROOT r = "
        "c64[] reduce(x, k), dimensions={0}, to_apply=f");
  };
  CHECK(same(greatest("maximum"), {3, 4}));
  CHECK(same(greatest("add"), {7, 7}));
}

// Calls are planned in place: a chain in which each calls the one before twice is left at some
// length. Nothing is reduced here, so that none is called.
TEST_CASE("a reducer that would be too long is not planned", "[interpreter]") {
  std::string text = "HloModule t\nf0 {\n a = f32[] parameter(0)\n ROOT r = f32[] negate(a)\n}\n";
  for (int n = 1; n <= 30; ++n)
    text += cat("f", n, " {\n a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f", n - 1,
                "\n ROOT r = f32[] call(b), to_apply=f", n - 1, "\n}\n");
  CHECK(same(numbers_of(cat(text,
                            "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] "
                            "call(b), to_apply=f30\n ROOT r = f32[] add(a, c)\n}\nENTRY e {\n x = "
                            "f32[0] constant({})\n k = f32[] constant(6)\n ROOT r = f32[] "
                            "reduce(x, k), dimensions={0}, to_apply=f\n}\n")),
             {6}));
}

TEST_CASE("a code of all ones is below all numbers", "[interpreter]") {
  for (const auto& [bits, type] : {std::pair{"s32", "f32"}, {"s64", "f64"}}) {
    const auto less = [&](const std::string& right) {
      return numbers_of(cat("i = ", bits, "[] constant(-1)\na = ", type,
                            "[] bitcast-convert(i)\nb = ", type, "[] constant(", right,
                            ")\nROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER"));
    };
    CHECK(same(less("-1"), {1}));
    CHECK(same(less("-inf"), {1}));
  }
}

TEST_CASE("calls nest as deep as they may", "[interpreter]") {
  const auto nested = [](int count) {
    std::string text = "HloModule t\nf0 {\n ROOT a = f32[] parameter(0)\n}\n";
    for (int n = 1; n < count - 1; ++n)
      text += cat("f", n, " {\n a = f32[] parameter(0)\n ROOT r = f32[] call(a), to_apply=f", n - 1,
                  "\n}\n");
    return run_text(cat(text, "ENTRY e {\n a = f32[] constant(4)\n ROOT r = f32[] call(a), ",
                        "to_apply=f", count - 2, "\n}\n"));
  };
  const auto most = nested(500), more = nested(501);
  REQUIRE(most.ok());
  CHECK(same(numbers(*most), {4}));
  REQUIRE(!more.ok());
  CHECK(more.error().message == "calls nest deeper than 500 at computation f0");
}

}  // namespace hlocc::tests
