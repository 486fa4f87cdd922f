// The whole road for ops that passes write in terms of others, and for linear algebra.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

void agrees_after_passes(const std::string& text, const hlo::CompareRule& rule = {.exact = true}) {
  agrees(text, Passes::kOnlyAll, rule);
}

// A matrix that has a Cholesky factor: a a^T + 8.
std::string positive(const std::string& type, int n) {
  const std::string whole = type + dims({2, n, n}), scalar = type + "[]";
  const std::string conjugate =
      type[0] == 'c'
          ? " cr = " + std::string(type == "c64" ? "f32" : "f64") + dims({2, n, n}) +
                " real(a)\n ci = " + std::string(type == "c64" ? "f32" : "f64") + dims({2, n, n}) +
                " imag(a)\n cn = " + std::string(type == "c64" ? "f32" : "f64") + dims({2, n, n}) +
                " negate(ci)\n h = " + whole + " complex(cr, cn)\n"
          : " h = " + whole + " copy(a)\n";
  return "a = " + whole + " parameter(0)\n" + conjugate + " p = " + whole +
         " dot(a, h), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
         "rhs_contracting_dims={2}\n"
         "i = s32" +
         dims({2, n, n}) + " iota(), iota_dimension=1\n j = s32" + dims({2, n, n}) +
         " iota(), iota_dimension=2\n q = pred" + dims({2, n, n}) +
         " compare(i, j), direction=EQ\n e = " + scalar + " constant(8)\n z = " + scalar +
         " constant(0)\n es = " + whole + " broadcast(e), dimensions={}\n zs = " + whole +
         " broadcast(z), dimensions={}\n d = " + whole + " select(q, es, zs)\n m = " + whole +
         " add(p, d)\n";
}

}  // namespace

TEST_CASE("fft through kernels", "[lowering]") {
  for (int n : {1, 2, 5, 8, 12, 17, 32}) {
    const std::string line = dims({3, n}), half = dims({3, n / 2 + 1}),
                      length = "fft_length={" + std::to_string(n) + "}";
    const hlo::CompareRule rule{.rtol = 1e-5, .atol = 2e-5};
    agrees_after_passes("a = c64" + line + " parameter(0)\n ROOT r = c64" + line +
                            " fft(a), fft_type=FFT, " + length,
                        rule);
    agrees_after_passes("a = c64" + line + " parameter(0)\n ROOT r = c64" + line +
                            " fft(a), fft_type=IFFT, " + length,
                        rule);
    agrees_after_passes("a = f32" + line + " parameter(0)\n ROOT r = c64" + half +
                            " fft(a), fft_type=RFFT, " + length,
                        rule);
    agrees_after_passes("a = c64" + half + " parameter(0)\n ROOT r = f32" + line +
                            " fft(a), fft_type=IRFFT, " + length,
                        rule);
  }
  agrees_after_passes(
      "a = f64[4,6] parameter(0)\n ROOT r = c128[4,4] fft(a), fft_type=RFFT, fft_length={4,6}",
      {.rtol = 1e-13, .atol = 1e-13});
}

TEST_CASE("random bits through kernels", "[lowering]") {
  for (const char* algorithm : {"rng_three_fry", "rng_philox"})
    for (const char* bits : {"u32[6]", "u32[3,3]", "u64[5]", "u8[7]", "s16[2,2]"})
      agrees_after_passes(std::string("s = u64[2] parameter(0)\n ROOT r = (u64[2], ") + bits +
                          ") rng-bit-generator(s), algorithm=" + algorithm);
  agrees_after_passes(
      "a = s32[] constant(-3)\n b = s32[] constant(9)\n x = s32[7] rng(a, b), "
      "distribution=rng_uniform\n"
      "y = s32[5] rng(a, b), distribution=rng_uniform\n ROOT r = (s32[5], s32[7]) tuple(y, x)");
}

TEST_CASE("topk, scan and batch norm through kernels", "[lowering]") {
  agrees_after_passes(
      "x = f32[3,9] parameter(0)\n ROOT r = (f32[3,4], s32[3,4]) topk(x), k=4, largest=true");
  agrees_after_passes(
      "x = f32[4,3,5] parameter(0)\n s = f32[3] parameter(1)\n o = f32[3] parameter(2)\n"
      "ROOT r = (f32[4,3,5], f32[3], f32[3]) batch-norm-training(x, s, o), epsilon=0.001, "
      "feature_index=1",
      {.rtol = 1e-5, .atol = 1e-5});
}

TEST_CASE("sizes at run time through kernels", "[lowering]") {
  agrees_after_passes(
      "HloModule test\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = f32[] "
      "add(p, q) }\n"
      "ENTRY main { a = f32[6,5] parameter(0)\n n = s32[] parameter(1)\n d = f32[<=6,5] "
      "set-dimension-size(a, n), dimensions={0}\n"
      "m = f32[<=6,5] multiply(d, d)\n c = f32[<=12,5] concatenate(m, a), dimensions={0}\n z = "
      "f32[] constant(0)\n"
      "s = f32[5] reduce(c, z), dimensions={0}, to_apply=add\n g = s32[] get-dimension-size(c), "
      "dimensions={0}\n"
      "ROOT r = (f32[5], s32[]) tuple(s, g) }");
}

TEST_CASE("cholesky and triangular-solve", "[lowering]") {
  for (const char* type : {"f32", "f64", "c64"})
    for (int n : {1, 2, 5}) {
      const std::string whole = type + dims({2, n, n}), right = type + dims({2, n, 3});
      const hlo::CompareRule rule{.rtol = 1e-4, .atol = 1e-4};
      agrees(positive(type, n) + " c = " + whole + " cholesky(m), lower=true\n i2 = " + "s32" +
                 dims({2, n, n}) + " iota(), iota_dimension=1\n j2 = s32" + dims({2, n, n}) +
                 " iota(), iota_dimension=2\n low = pred" + dims({2, n, n}) +
                 " compare(i2, j2), direction=GE\n ROOT r = " + whole + " select(low, c, zs)",
             Passes::kAll, rule);
      for (const char* how :
           {"lower=true, transpose_a=NO_TRANSPOSE", "lower=false, transpose_a=NO_TRANSPOSE",
            "lower=true, transpose_a=TRANSPOSE", "lower=false, transpose_a=ADJOINT"})
        agrees(positive(type, n) + " b = " + right + " parameter(1)\n ROOT r = " + right +
                   " triangular-solve(m, b), left_side=true, unit_diagonal=false, " + how,
               Passes::kAll, rule);
      const std::string left = type + dims({2, 3, n});
      agrees(positive(type, n) + " b = " + left + " parameter(1)\n ROOT r = " + left +
                 " triangular-solve(m, b), left_side=false, unit_diagonal=true, lower=true, "
                 "transpose_a=NO_TRANSPOSE",
             Passes::kAll, {.rtol = 1e-3, .atol = 1e-2});
    }
}

}  // namespace hlocc::tests
