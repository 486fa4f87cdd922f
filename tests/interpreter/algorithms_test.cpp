// Sorting, random numbers, FFT, linear algebra, batch normalisation.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {
namespace {

const std::string less =
    "HloModule t\nlt {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  c = s32[] "
    "parameter(2)\n  d = s32[] parameter(3)\n"
    "  ROOT r = pred[] compare(a, b), direction=LT\n}\n";

Literal u64(const std::vector<uint64_t>& values) {
  return Literal::array<uint64_t>(PrimitiveType::kU64, {static_cast<int64_t>(values.size())},
                                  values);
}

}  // namespace

TEST_CASE("sort is stable and carries other operands along", "[interpreter]") {
  const std::string sort =
      less +
      "ENTRY main {\n  k = f32[5] constant({3,1,2,1,3})\n  v = s32[5] iota(), iota_dimension=0\n"
      "  ROOT r = (f32[5], s32[5]) sort(k, v), dimensions={0}, is_stable=true, to_apply=lt\n}\n";
  CHECK(same(numbers_of(sort), {1, 1, 2, 3, 3, 1, 3, 2, 0, 4}));
}

TEST_CASE("a comparator that is no order ends all the same", "[interpreter]") {
  const std::string sort =
      "HloModule t\nyes {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT r = pred[] "
      "constant(true)\n}\n"
      "ENTRY main {\n  k = f32[4] constant({nan,1,nan,0})\n  ROOT r = f32[4] sort(k), "
      "dimensions={0}, to_apply=yes\n}\n";
  CHECK(numbers_of(sort).size() == 4);
}

TEST_CASE("topk follows the total order, first of equals first", "[interpreter]") {
  const auto topk = [](const std::string& largest) {
    return "a = f32[5] constant({3,1,nan,1,-0})\nROOT r = (f32[2], s32[2]) topk(a), k=2, largest=" +
           largest;
  };
  CHECK(same(numbers_of(topk("true")), {kNaN, 3, 2, 0}));
  CHECK(same(numbers_of(topk("false")), {-0.0, 1, 4, 1}));
  // Beyond the largest s64.
  CHECK(
      same(numbers_of("a = u64[3] constant({1,18446744073709549568,7})\nROOT r = (u64[2], s32[2]) "
                      "topk(a), k=2, largest=true"),
           {18446744073709549568.0, 7, 1, 2}));
}

TEST_CASE("ThreeFry pairs words along the first even dimension", "[interpreter]") {
  // The known answer of ThreeFry-2x32-20 for key 0, counter 0.
  CHECK(same(numbers_of("s = u64[2] parameter(0)\nROOT r = (u64[2], u32[2]) rng-bit-generator(s), "
                        "algorithm=rng_three_fry",
                        {u64({0, 0})}),
             {0, 1, 0x6b200159u, 0x99ba4efeu}));
  const std::vector<double> flat = numbers_of(
      "s = u64[2] parameter(0)\nROOT r = (u64[2], u32[6]) rng-bit-generator(s), "
      "algorithm=rng_three_fry",
      {u64({5, 9})});
  const std::vector<double> rows = numbers_of(
      "s = u64[2] parameter(0)\nROOT r = (u64[2], u32[2,3]) rng-bit-generator(s), "
      "algorithm=rng_three_fry",
      {u64({5, 9})});
  CHECK(same({rows[2], rows[5], rows[3], rows[6]}, {flat[2], flat[3], flat[4], flat[5]}));
  CHECK(flat[1] == 12);
}

TEST_CASE("Philox has the known answer and counts blocks", "[interpreter]") {
  const std::string program =
      "s = u64[3] parameter(0)\nROOT r = (u64[3], u32[5]) rng-bit-generator(s), "
      "algorithm=rng_philox";
  const std::vector<double> got = numbers_of(program, {u64({0, 0, 0})});
  CHECK(same({got[1], got[3], got[4], got[5], got[6]},
             {2, 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  // The counter has 128 bits.
  const std::vector<double> carried = numbers_of(program, {u64({0, UINT64_MAX, 7})});
  CHECK(same({carried[1], carried[2]}, {1, 8}));
}

TEST_CASE("the random state counts through the run and starts fresh in the next", "[interpreter]") {
  const std::string program =
      "a = u64[2] rng-get-and-update-state(), delta=3\nb = u64[2] rng-get-and-update-state(), "
      "delta=1, control-predecessors={a}\n"
      "ROOT r = (u64[2], u64[2]) tuple(a, b)";
  CHECK(same(numbers_of(program), {0x7012395, 0, 0x7012398, 0}));
  CHECK(same(numbers_of(program), {0x7012395, 0, 0x7012398, 0}));
}

// docs/numerics.md says so.
TEST_CASE("what the specification leaves open", "[interpreter]") {
  const std::vector<double> signs = numbers_of(
      "a = f32[7] constant({1e-40, -1e-40, 0, -0, nan, inf, -inf})\nROOT s = f32[7] sign(a)");
  CHECK(same(signs, {1, -1, 0, -0., kNaN, 1, -1}));
  const std::vector<double> factors = numbers_of(
      "a = f32[4,2,2] constant({{{4,9},{2,5}},{{-1,0},{0,1}},{{nan,0},{0,1}},{{4,nan},{2,5}}})\n"
      "ROOT c = f32[4,2,2] cholesky(a), lower=true");
  CHECK(same(factors, {2, 0, 1, 2, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, 2, 0, 1, 2}));
  const std::vector<double> products = numbers_of(
      "a = c128[3] constant({(inf,0),(inf,inf),(1e300,1e300)})\n"
      "b = c128[3] constant({(1,1),(1,0),(1e300,1e300)})\nROOT r = c128[3] multiply(a, b)");
  CHECK(same(products, {kInf, kInf, kNaN, kNaN, kNaN, kInf}));
}

TEST_CASE("fft of any length", "[interpreter]") {
  CHECK(near(
      numbers_of(
          "a = f32[4] constant({0,1,2,3})\nROOT r = c64[3] fft(a), fft_type=RFFT, fft_length={4}"),
      {6, 0, -2, 2, -2, 0}, 1e-6));
  CHECK(near(numbers_of("a = c64[3] constant({(1,0),(2,0),(4,0)})\nf = c64[3] fft(a), "
                        "fft_type=FFT, fft_length={3}\n"
                        "ROOT r = c64[3] fft(f), fft_type=IFFT, fft_length={3}"),
             {1, 0, 2, 0, 4, 0}, 1e-6));
  CHECK(near(numbers_of("a = f32[2,7] iota(), iota_dimension=1\nf = c64[2,4] fft(a), "
                        "fft_type=RFFT, fft_length={2,7}\n"
                        "ROOT r = f32[2,7] fft(f), fft_type=IRFFT, fft_length={2,7}"),
             {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6}, 1e-5));
  // Rows that differ: what IRFFT mirrors has the other row's frequency.
  CHECK(near(numbers_of("a = f32[3,4] constant({{7,1,2,9},{4,6,5,3},{8,2,1,5}})\nf = c64[3,3] "
                        "fft(a), fft_type=RFFT, fft_length={3,4}\n"
                        "ROOT r = f32[3,4] fft(f), fft_type=IRFFT, fft_length={3,4}"),
             {7, 1, 2, 9, 4, 6, 5, 3, 8, 2, 1, 5}, 1e-5));
  // Of no points: zeros, whatever the signal.
  for (const char* type : {"FFT", "IFFT"})
    CHECK(near(numbers_of(std::string("a = c64[2] constant({(1,2),(3,4)})\n"
                                      "ROOT r = c64[2] fft(a), fft_length={0}, fft_type=") +
                          type),
               {0, 0, 0, 0}, 0));
}

TEST_CASE("cholesky reads one triangle and gives NaN for what is not positive definite",
          "[interpreter]") {
  CHECK(
      near(numbers_of(
               "a = f32[2,2] constant({{4,99},{2,5}})\nROOT r = f32[2,2] cholesky(a), lower=true"),
           {2, 0, 1, 2}, 1e-6));
  CHECK(
      near(numbers_of(
               "a = f32[2,2] constant({{4,2},{99,5}})\nROOT r = f32[2,2] cholesky(a), lower=false"),
           {2, 1, 0, 2}, 1e-6));
  CHECK(near(numbers_of("a = c64[2,2] constant({{(4,0),(2,2)},{(99,0),(6,0)}})\nROOT r = c64[2,2] "
                        "cholesky(a), lower=false"),
             {2, 0, 1, 1, 0, 0, 2, 0}, 1e-6));
  CHECK(std::isnan(numbers_of(
      "a = f32[2,2] constant({{1,2},{2,1}})\nROOT r = f32[2,2] cholesky(a), lower=true")[0]));
}

TEST_CASE("triangular-solve from both sides, transposed or not", "[interpreter]") {
  const auto solve = [](const std::string& options) {
    return "a = f32[2,2] constant({{2,77},{1,4}})\nb = f32[2,2] constant({{2,4},{9,6}})\nROOT r = "
           "f32[2,2] triangular-solve(a, b), lower=true, " +
           options;
  };
  CHECK(near(numbers_of(solve("left_side=true, transpose_a=NO_TRANSPOSE")), {1, 2, 2, 1}, 1e-6));
  // x a = b: x1 = b1 / 4, x0 = (b0 - x1) / 2.
  CHECK(near(numbers_of(solve("left_side=false, transpose_a=NO_TRANSPOSE")), {0.5, 1, 3.75, 1.5},
             1e-6));
  // a^T x = b: x1 = b1 / 4, x0 = (b0 - x1) / 2.
  CHECK(near(numbers_of(solve("left_side=true, transpose_a=TRANSPOSE")), {-0.125, 1.25, 2.25, 1.5},
             1e-6));
  // a^H x = b: x = b / (2 - i).
  CHECK(near(numbers_of("a = c64[1,1] constant({{(2,1)}})\nb = c64[1,1] constant({{(5,0)}})\n"
                        "ROOT r = c64[1,1] triangular-solve(a, b), lower=true, left_side=true, "
                        "transpose_a=ADJOINT"),
             {2, 1}, 1e-6));
  CHECK(near(numbers_of(solve("left_side=true, transpose_a=NO_TRANSPOSE, unit_diagonal=true")),
             {2, 4, 7, 2}, 1e-6));
}

TEST_CASE("batch-norm-training gives the biased variance", "[interpreter]") {
  const std::string norm =
      "x = f32[2,2] constant({{1,10},{3,30}})\ns = f32[2] constant({1,2})\no = f32[2] "
      "constant({0,5})\n"
      "ROOT r = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, s, o), epsilon=0, "
      "feature_index=1";
  CHECK(near(numbers_of(norm), {-1, 3, 1, 7, 2, 20, 1, 100}, 1e-6));
}

}  // namespace hlocc::tests
