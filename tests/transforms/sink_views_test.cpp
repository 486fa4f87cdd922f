// Transposes move behind what follows until they meet their inverse.
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::canonicalize_contractions;
using transforms::fold_constants;
using transforms::simplify;
using transforms::sink_views;

// x is s32[2,3,4,5], t its transpose s32[5,2,4,3]; what is done with t, and its inverse at the end,
// leaves no transpose.
void sinks(const std::string& lines) {
  INFO(lines);
  const Module m = rewritten(R"(HloModule m
sum { a = s32[] parameter(0)
 b = s32[] parameter(1)
 ROOT r = s32[] add(a, b) }
ENTRY e { x = s32[2,3,4,5] parameter(0)
 z = s32[] parameter(1)
 t = s32[5,2,4,3] transpose(x), dimensions={3,0,2,1}
)" + lines + "\n}",
                             {sink_views});
  CHECK(count(m, Opcode::kTranspose) == 0);
}

}  // namespace

TEST_CASE("transposes pass elementwise ops, pads, slices and windows", "[transforms]") {
  sinks(
      "v = s32[3] parameter(2)\n b = s32[5,2,4,3] broadcast(v), dimensions={3}\n a = s32[5,2,4,3] "
      "add(t, b)\n"
      "c = s32[5,2,4,3] clamp(z, a, z)\n m = s32[5,2,4,3] multiply(c, t)\n ROOT r = s32[2,3,4,5] "
      "transpose(m), dimensions={1,3,2,0}");
  sinks(
      "p = s32[6,2,7,3] pad(t, z), padding=1_0x0_0x1_2x0_0\n ROOT r = s32[2,3,7,6] transpose(p), "
      "dimensions={1,3,2,0}");
  sinks(
      "p = s32[2,2,4,1] slice(t), slice={[1:5:2], [0:2], [0:4], [2:3]}\n ROOT r = s32[2,1,4,2] "
      "transpose(p), dimensions={1,3,2,0}");
  sinks(
      "u = s32[5,2,4,3] negate(t)\n p = s32[5,2,8,3] concatenate(t, u), dimensions={2}\n"
      "ROOT r = s32[2,3,8,5] transpose(p), dimensions={1,3,2,0}");
  sinks(
      "p = s32[3,2,4,2] reduce-window(t, z), window={size=2x1x1x2 stride=2x1x1x1 "
      "pad=0_1x0_0x0_0x0_0}, to_apply=sum\n"
      "ROOT r = s32[2,2,4,3] transpose(p), dimensions={1,3,2,0}");
  sinks("p = s32[2,3] reduce(t, z), dimensions={0,2}, to_apply=sum\n ROOT r = s32[2,3] negate(p)");
  sinks(
      "p = s32[5,4,3] reduce(t, z), dimensions={1}, to_apply=sum\n ROOT r = s32[3,4,5] "
      "transpose(p), dimensions={2,1,0}");
}

TEST_CASE("different views stay where they are", "[transforms]") {
  const Module m = rewritten(
      "x = s32[3,3] parameter(0)\n t = s32[3,3] transpose(x), dimensions={1,0}\n ROOT r = s32[3,3] "
      "add(t, x)",
      {sink_views});
  CHECK(count(m, Opcode::kTranspose) == 1);
}

TEST_CASE("dimensions of size 1 that were kept for broadcasting go", "[transforms]") {
  const Module m = rewritten(
      "x = f32[7] parameter(0)\n y = f32[7,1] reshape(x)\n h = f32[] constant(0.5)\n"
      "b = f32[7,1] broadcast(h), dimensions={}\n m = f32[7,1] multiply(y, b)\n s = f32[7] "
      "reshape(m)\n"
      "ROOT r = f32[7,3] broadcast(s), dimensions={0}",
      {sink_views});
  CHECK(count(m, Opcode::kReshape) == 0);
}

TEST_CASE("networks with channels first have transposes at the ends only", "[transforms]") {
  const Module m =
      rewritten(R"(HloModule m
max { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] maximum(a, b) }
ENTRY e { x = f32[1,3,8,8] parameter(0)
 k = f32[4,3,3,3] parameter(1)
 l = f32[5,4,1,1] parameter(2)
 bias = f32[4] parameter(3)
 c = f32[1,4,8,8] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
 b = f32[1,4,8,8] broadcast(bias), dimensions={1}
 s = f32[1,4,8,8] add(c, b)
 z = f32[] constant(0)
 zs = f32[1,4,8,8] broadcast(z), dimensions={}
 a = f32[1,4,8,8] maximum(s, zs)
 i = f32[] constant(-inf)
 p = f32[1,4,4,4] reduce-window(a, i), window={size=1x1x2x2 stride=1x1x2x2}, to_apply=max
 ROOT d = f32[1,5,4,4] convolution(p, l), window={size=1x1}, dim_labels=bf01_oi01->bf01 })",
                {canonicalize_contractions, simplify, sink_views}, {.rtol = 1e-6, .atol = 1e-6});
  // The input, two kernels and the output.
  CHECK(count(m, Opcode::kTranspose) <= 4);
}

// Cubes, whose sizes don't tell one order from another: two views that differ can't be undone as
// one.
TEST_CASE("operands that are turned in different ways stay as they are", "[transforms]") {
  for (const char* second : {"0,2,1", "2,1,0", "1,2,0"}) {
    const Module m =
        rewritten(std::string("x = s32[3,3,3] parameter(0)\n y = s32[3,3,3] parameter(1)\n a = "
                              "s32[3,3,3] transpose(x), dimensions={1,0,2}\n"
                              " b = s32[3,3,3] transpose(y), dimensions={") +
                      second + "}\n ROOT r = s32[3,3,3] subtract(a, b)",
                  {sink_views});
    CHECK(count(m, Opcode::kTranspose) == 2);
  }
  // A transpose beside what only gets a dimension of size 1, or beside nothing of the kind.
  rewritten(
      "x = s32[1,3] parameter(0)\n y = s32[3] parameter(1)\n a = s32[3,1] transpose(x), "
      "dimensions={1,0}\n b = s32[3,1] reshape(y)\n ROOT r = s32[3,1] subtract(a, b)",
      {sink_views});
  CHECK(count(rewritten("x = s32[3,3] parameter(0)\n y = s32[3,3] parameter(1)\n a = s32[3,3] "
                        "transpose(x), dimensions={1,0}\n ROOT r = s32[3,3] subtract(a, y)",
                        {sink_views}),
              Opcode::kTranspose) >= 1);
}

}  // namespace hlocc::tests
