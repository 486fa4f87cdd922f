// Scales and shifts of features behind a contraction become part of its weights and one bias.
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::fold_scales;

// y = x[2,3,3,2] convolved with known weights to three features; what follows ends in ROOT. All
// numbers are such that sums are exact.
Module folded(const std::string& lines) {
  INFO(lines);
  return rewritten(R"(x = f32[2,3,3,2] parameter(0)
 w = f32[1,2,2,3] constant({{{{1,2,-1},{0.5,0,3}},{{4,-2,1},{0.25,1,-8}}}})
 a3 = f32[3] constant({2,-4,0.5})
 b3 = f32[3] constant({1,0.5,-3})
 c1 = f32[] constant(8)
 a = f32[2,3,2,3] broadcast(a3), dimensions={3}
 b = f32[2,3,2,3] broadcast(b3), dimensions={3}
 c = f32[2,3,2,3] broadcast(c1), dimensions={}
 v3 = f32[3] parameter(1)
 v = f32[2,3,2,3] broadcast(v3), dimensions={3}
 y = f32[2,3,2,3] convolution(x, w), window={size=1x2}, dim_labels=b01f_01io->b01f
)" + lines,
                   {fold_scales}, {.rtol = 1e-5, .atol = 1e-4});
}

}  // namespace

TEST_CASE("a batch norm leaves a bias", "[transforms]") {
  const Module m = folded(
      "s = f32[2,3,2,3] subtract(y, b)\n m = f32[2,3,2,3] multiply(s, a)\n n = f32[2,3,2,3] add(m, "
      "b)\n"
      "ROOT r = f32[2,3,2,3] maximum(n, c)");
  CHECK(count(m, Opcode::kMultiply) == 0);
  CHECK(count(m, Opcode::kSubtract) == 0);
  CHECK(count(m, Opcode::kAdd) == 1);
}

TEST_CASE("scales alone leave nothing", "[transforms]") {
  const Module m = folded("s = f32[2,3,2,3] multiply(c, y)\n ROOT r = f32[2,3,2,3] multiply(s, a)");
  CHECK(count(m, Opcode::kMultiply) == 0);
  CHECK(count(m, Opcode::kAdd) == 0);
  CHECK(root(m).opcode == Opcode::kConvolution);
}

TEST_CASE("shifts on either side, and what ends a chain", "[transforms]") {
  const Module m = folded(
      "s = f32[2,3,2,3] multiply(y, a)\n t = f32[2,3,2,3] subtract(b, s)\n u = f32[2,3,2,3] "
      "multiply(t, v)\n"
      "ROOT r = f32[2,3,2,3] multiply(u, a)");
  CHECK(count(m, Opcode::kMultiply) == 2);
  CHECK(count(m, Opcode::kAdd) == 1);
  CHECK(count(m, Opcode::kSubtract) == 0);
}

TEST_CASE("what is no scale, or read by others, stays as written", "[transforms]") {
  for (const char* lines :
       {"s = f32[2,3,2,3] subtract(y, b)\n ROOT r = f32[2,3,2,3] add(s, a)",
        "s = f32[2,3,2,3] multiply(y, a)\n ROOT r = f32[2,3,2,3] add(s, y)",
        "ROOT r = f32[2,3,2,3] multiply(y, y)", "ROOT r = f32[2,3,2,3] multiply(y, v)",
        "z = f32[2,3,2,3] convolution(x, w), window={size=1x2}, dim_labels=b01f_01io->b01f\n"
        "s = f32[2,3,2,3] multiply(y, a)\n ROOT r = f32[2,3,2,3] add(s, z)"}) {
    const Module m = folded(lines);
    CHECK(count(m, Opcode::kMultiply) + count(m, Opcode::kAdd) + count(m, Opcode::kSubtract) ==
          (std::string_view(lines).starts_with("ROOT") ? 1 : 2));
  }
}

TEST_CASE("weights that a scale takes out of range stay", "[transforms]") {
  const std::string text =
      "x = f32[2,2] parameter(0)\n w = f32[2,2] constant({{1e30,1},{0,1e-30}})\n"
      "a2 = f32[2] constant({1e-20,1e-20})\n a = f32[2,2] broadcast(a2), dimensions={1}\n"
      "y = f32[2,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT r = "
      "f32[2,2] multiply(y, a)";
  CHECK(count(rewritten(text, {fold_scales}), Opcode::kMultiply) == 1);
}

TEST_CASE("a dot's features are its last dimension", "[transforms]") {
  const std::string text =
      "x = f32[5,2,4] parameter(0)\n w = f32[3,2,4] "
      "constant({{{1,2,0,4},{5,6,-1,8}},{{1,1,2,1},{3,0,3,3}},{{0,1,0,2},{-4,1,0.5,2}}})\n"
      "a3 = f32[3] constant({2,-4,0.5})\n a = f32[2,5,3] broadcast(a3), dimensions={2}\n"
      "y = f32[2,5,3] dot(x, w), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={2}\n"
      "ROOT r = f32[2,5,3] multiply(y, a)";
  const Module m = rewritten(text, {fold_scales}, {.rtol = 1e-5, .atol = 1e-4});
  CHECK(count(m, Opcode::kMultiply) == 0);
}

}  // namespace hlocc::tests
