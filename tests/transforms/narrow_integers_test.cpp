// 64-bit arithmetic that only needs 32 bits, and what must stay wide.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::narrow_integers;

}  // namespace

TEST_CASE("requantisation: a long multiplication, one constant shift, the clamp in 32 bits",
          "[transforms]") {
  const Module m = rewritten(R"(
 x = s8[40,12] parameter(0)
 a = s32[40,12] convert(x)
 k = s32[] constant(300)
 ks = s32[40,12] broadcast(k), dimensions={}
 acc = s32[40,12] multiply(a, ks)
 w = s64[40,12] convert(acc)
 f = s64[12] constant({1074280448, 2128251264, 1274280449, 1500000000, 1600000001, 2000000000, 1074280448, 2128251264, 1274280449, 1500000000, 1600000001, 2147483647})
 fs = s64[40,12] broadcast(f), dimensions={1}
 p = s64[40,12] multiply(w, fs)
 o = s64[12] constant({68719476736, 137438953472, 274877906944, 68719476736, 137438953472, 274877906944, 68719476736, 137438953472, 274877906944, 68719476736, 137438953472, 274877906944})
 os = s64[40,12] broadcast(o), dimensions={1}
 t = s64[40,12] add(p, os)
 h = s64[12] constant({37, 38, 39, 37, 38, 39, 37, 38, 39, 37, 38, 39})
 hs = s64[40,12] broadcast(h), dimensions={1}
 y = s64[40,12] shift-right-arithmetic(t, hs)
 low = s64[] constant(-128)
 ls = s64[40,12] broadcast(low), dimensions={}
 high = s64[] constant(127)
 us = s64[40,12] broadcast(high), dimensions={}
 c = s64[40,12] maximum(ls, y)
 d = s64[40,12] minimum(us, c)
 ROOT r = s8[40,12] convert(d))",
                             {narrow_integers});
  CHECK(count_s64(m, Opcode::kMaximum) == 0);
  CHECK(count_s64(m, Opcode::kMinimum) == 0);
  CHECK(count_s64(m, Opcode::kMultiply) == 1);
  // The offsets became one number, the factors are stored in 32 bits.
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kConstant && i.shape.element_type == hlo::PrimitiveType::kS64)
      CHECK(i.shape.is_scalar());
}

TEST_CASE("what may not fit stays wide", "[transforms]") {
  const Module sum = rewritten(
      "x = s32[5] parameter(0)\n y = s32[5] parameter(1)\n a = s64[5] convert(x)\n b = s64[5] "
      "convert(y)\n"
      "ROOT r = s64[5] add(a, b)",
      {narrow_integers});
  CHECK(count_s64(sum, Opcode::kAdd) == 1);
  const Module any = rewritten(
      "x = s64[5] parameter(0)\n one = s64[] constant(1)\n o = s64[5] broadcast(one), "
      "dimensions={}\n"
      "ROOT r = s64[5] maximum(x, o)",
      {narrow_integers});
  CHECK(count_s64(any, Opcode::kMaximum) == 1);
  const Module fits = rewritten(
      "x = s8[5] parameter(0)\n y = s8[5] parameter(1)\n a = s64[5] convert(x)\n b = s64[5] "
      "convert(y)\n"
      "s = s64[5] add(a, b)\n m = s64[5] multiply(s, a)\n ROOT r = s32[5] convert(m)",
      {narrow_integers});
  CHECK(count_s64(fits, Opcode::kAdd) == 0);
  CHECK(count_s64(fits, Opcode::kMultiply) == 0);
}

TEST_CASE("sums with known weights are as wide as the weights make them", "[transforms]") {
  // |sum| <= 128 * 300 = 38,400: times 55,000 it fits 32 bits, times 57,000 it does not.
  const auto text = [](int factor, const char* weights) {
    return cat("x = s8[2,3] parameter(0)\n w = s8[3,2] constant(", weights,
               ")\n d = s32[2,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
               "l = s64[2,2] convert(d)\n f = s64[] constant(", factor,
               ")\n fs = s64[2,2] broadcast(f), dimensions={}\n p = s64[2,2] multiply(l, fs)\n",
               "one = s64[] constant(1)\n os = s64[2,2] broadcast(one), dimensions={}\n",
               "ROOT r = s64[2,2] maximum(p, os)");
  };
  const char* weights = "{{100, -1}, {-100, 0}, {100, 2}}";
  CHECK(count_s64(rewritten(text(55000, weights), {narrow_integers}), Opcode::kMultiply) == 0);
  CHECK(count_s64(rewritten(text(57000, weights), {narrow_integers}), Opcode::kMultiply) == 1);
  CHECK(count_s64(rewritten(text(55000, "{{100, 1}, {-101, 0}, {127, 2}}"), {narrow_integers}),
                  Opcode::kMultiply) == 1);
}

}  // namespace hlocc::tests
