// Rules of simplify: what must go goes, what looks alike under other numbers stays, and the meaning
// is bit for bit the same.
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::inline_calls;
using transforms::simplify;

// Number of instructions in the entry after simplify.
size_t size_after(const std::string& lines) {
  return rewritten(lines, {simplify}).entry_computation().instructions.size();
}

Opcode root_after(const std::string& lines) { return root(rewritten(lines, {simplify})).opcode; }

}  // namespace

TEST_CASE("neutral elements disappear only where the sign of a zero survives", "[transforms]") {
  CHECK(root_after("x = s32[5] parameter(0)\n z = s32[] constant(0)\n b = s32[5] broadcast(z), "
                   "dimensions={}\n"
                   "ROOT r = s32[5] add(x, b)") == Opcode::kParameter);
  CHECK(root_after("x = f32[50] parameter(0)\n z = f32[] constant(0)\n b = f32[50] broadcast(z), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] add(x, b)") == Opcode::kAdd);
  CHECK(root_after("x = f32[50] parameter(0)\n z = f32[] constant(-0)\n b = f32[50] broadcast(z), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] add(b, x)") == Opcode::kParameter);
  CHECK(root_after("x = f32[50] parameter(0)\n z = f32[] constant(0)\n b = f32[50] broadcast(z), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] subtract(x, b)") == Opcode::kParameter);
  CHECK(root_after("x = f32[50] parameter(0)\n o = f32[] constant(1)\n b = f32[50] broadcast(o), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] multiply(x, b)") == Opcode::kParameter);
  CHECK(root_after("x = f32[50] parameter(0)\n z = f32[] constant(0)\n b = f32[50] broadcast(z), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] multiply(x, b)") == Opcode::kMultiply);
  CHECK(root_after("x = c64[5] parameter(0)\n o = c64[] constant((1, 0))\n b = c64[5] "
                   "broadcast(o), dimensions={}\n"
                   "ROOT r = c64[5] multiply(x, b)") == Opcode::kMultiply);
  CHECK(root_after("x = f32[50] parameter(0)\n i = f32[] constant(-inf)\n b = f32[50] "
                   "broadcast(i), dimensions={}\n"
                   "ROOT r = f32[50] maximum(x, b)") == Opcode::kParameter);
}

TEST_CASE("a division by a power of two is a multiplication", "[transforms]") {
  CHECK(root_after("x = f32[50] parameter(0)\n d = f32[] constant(8)\n b = f32[50] broadcast(d), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] divide(x, b)") == Opcode::kMultiply);
  CHECK(root_after("x = f32[50] parameter(0)\n d = f32[] constant(3)\n b = f32[50] broadcast(d), "
                   "dimensions={}\n"
                   "ROOT r = f32[50] divide(x, b)") == Opcode::kDivide);
}

TEST_CASE("converts that lose nothing cancel, others stay", "[transforms]") {
  CHECK(root_after("x = s8[5] parameter(0)\n w = s32[5] convert(x)\n ROOT r = s8[5] convert(w)") ==
        Opcode::kParameter);
  CHECK(size_after(
            "x = f32[5] parameter(0)\n n = bf16[5] convert(x)\n ROOT r = f32[5] convert(n)") == 3);
  CHECK(size_after(
            "x = s32[5] parameter(0)\n n = f32[5] convert(x)\n ROOT r = s32[5] convert(n)") == 3);
  CHECK(size_after(
            "x = u32[5] parameter(0)\n n = s32[5] convert(x)\n ROOT r = f32[5] convert(n)") == 3);
  CHECK(size_after("x = s8[5] parameter(0)\n n = s32[5] convert(x)\n ROOT r = f32[5] convert(n)") ==
        2);
}

TEST_CASE("selects of known or equal operands", "[transforms]") {
  CHECK(
      root_after("x = f32[5] parameter(0)\n y = f32[5] parameter(1)\n p = pred[] constant(false)\n"
                 "ROOT r = f32[5] select(p, x, y)") == Opcode::kParameter);
  CHECK(size_after("p = pred[5] parameter(0)\n x = f32[5] parameter(1)\n y = f32[5] parameter(2)\n"
                   "n = pred[5] not(p)\n ROOT r = f32[5] select(n, x, y)") == 4);
}

TEST_CASE("views of views are one view", "[transforms]") {
  CHECK(root_after("x = f32[2,3,4] parameter(0)\n t = f32[4,2,3] transpose(x), dimensions={2,0,1}\n"
                   "ROOT r = f32[2,3,4] transpose(t), dimensions={1,2,0}") == Opcode::kParameter);
  CHECK(root_after(
            "x = f32[1,3,4] parameter(0)\n ROOT r = f32[3,1,4] transpose(x), dimensions={1,0,2}") ==
        Opcode::kReshape);
  CHECK(root_after(
            "x = f32[6,4] parameter(0)\n a = f32[24] reshape(x)\n ROOT r = f32[6,4] reshape(a)") ==
        Opcode::kParameter);
  CHECK(size_after("x = f32[3,4] parameter(0)\n b = f32[2,3,4] broadcast(x), dimensions={1,2}\n"
                   "t = f32[4,2,3] transpose(b), dimensions={2,0,1}\n g = f32[1,2,3] slice(t), "
                   "slice={[1:2], [0:2], [0:3]}\n"
                   "ROOT f = f32[2,3] reshape(g)") <= 6);
  CHECK(root_after("x = f32[5,3] parameter(0)\n a = f32[5,3] reverse(x), dimensions={0,1}\n"
                   "b = f32[5,3] reverse(a), dimensions={1}\n ROOT r = f32[5,3] reverse(b), "
                   "dimensions={0}") == Opcode::kParameter);
  // A mapping that does not ascend, and an operand with a dimension of size 1.
  const Module m = rewritten(
      "x = f32[3,1,2] parameter(0)\n ROOT r = f32[2,5,1,3] broadcast(x), dimensions={3,2,0}",
      {simplify});
  const hlo::Instruction& broadcast = root(m);
  CHECK(broadcast.opcode == Opcode::kBroadcast);
  CHECK(broadcast.get<hlo::DimensionsAttributes>().dimensions == hlo::Dimensions{0, 3});
}

TEST_CASE("slices, pads and concatenations compose", "[transforms]") {
  CHECK(size_after("x = f32[20,3] parameter(0)\n a = f32[9,3] slice(x), slice={[1:19:2], [0:3]}\n"
                   "ROOT r = f32[3,2] slice(a), slice={[2:8:2], [1:3]}") == 2);
  CHECK(size_after("x = f32[4] parameter(0)\n y = f32[5] parameter(1)\n c = f32[9] concatenate(x, "
                   "y), dimensions={0}\n"
                   "ROOT r = f32[2] slice(c), slice={[5:9:2]}") == 3);
  CHECK(root_after("x = f32[4] parameter(0)\n z = f32[] constant(7)\n ROOT r = f32[3] pad(x, z), "
                   "padding=-1_0") == Opcode::kSlice);
  CHECK(
      size_after(
          "x = f32[4] parameter(0)\n z = f32[] constant(7)\n a = f32[9] pad(x, z), padding=1_1_1\n"
          "ROOT r = f32[12] pad(a, z), padding=2_1") == 3);
  CHECK(root_after("x = f32[4] parameter(0)\n e = f32[0] constant({})\n ROOT r = f32[4] "
                   "concatenate(e, x, e), dimensions={0}") == Opcode::kParameter);
}

TEST_CASE("slices at known run-time positions are slices, clamped", "[transforms]") {
  const Module m = rewritten(
      "x = f32[10,4] parameter(0)\n i = s32[] constant(8)\n j = s32[] constant(-3)\n"
      "ROOT r = f32[5,4] dynamic-slice(x, i, j), dynamic_slice_sizes={5,4}",
      {simplify});
  CHECK(root(m).opcode == Opcode::kSlice);
  CHECK(root(m).get<hlo::SliceAttributes>().starts == hlo::Dimensions{5, 0});
  CHECK(root_after("x = f32[10] parameter(0)\n i = u64[] constant(18446744073709551615)\n"
                   "ROOT r = f32[4] dynamic-slice(x, i), dynamic_slice_sizes={4}") ==
        Opcode::kSlice);
  CHECK(root_after("x = f32[10] parameter(0)\n y = f32[10] parameter(1)\n i = s32[] parameter(2)\n"
                   "ROOT r = f32[10] dynamic-update-slice(x, y, i)") == Opcode::kParameter);
}

TEST_CASE("known branches are inlined and loops that never run vanish", "[transforms]") {
  const std::string branches = R"(HloModule m
yes { p = f32[3] parameter(0)
 ROOT r = f32[3] negate(p) }
no { p = f32[3] parameter(0)
 ROOT r = f32[3] abs(p) }
ENTRY e { x = f32[3] parameter(0)
 c = s32[] constant(7)
 ROOT r = f32[3] conditional(c, x, x), branch_computations={yes, no} })";
  const Module m = rewritten(branches, {simplify});
  CHECK(root(m).opcode == Opcode::kAbs);
  CHECK(m.computations.size() == 1);
  const std::string loop = R"(HloModule m
body { p = (s32[], f32[3]) parameter(0)
 i = s32[] get-tuple-element(p), index=0
 x = f32[3] get-tuple-element(p), index=1
 ROOT r = (s32[], f32[3]) tuple(i, x) }
never { p = (s32[], f32[3]) parameter(0)
 ROOT r = pred[] constant(false) }
ENTRY e { x = f32[3] parameter(0)
 z = s32[] constant(0)
 t = (s32[], f32[3]) tuple(z, x)
 w = (s32[], f32[3]) while(t), condition=never, body=body
 ROOT r = f32[3] get-tuple-element(w), index=1 })";
  CHECK(root(rewritten(loop, {simplify})).opcode == Opcode::kParameter);
}

TEST_CASE("arrays without elements are constants; equal elements are broadcasts", "[transforms]") {
  CHECK(root_after("x = f32[0,3] parameter(0)\n ROOT r = f32[0,3] negate(x)") == Opcode::kConstant);
  CHECK(
      root_after(
          "x = f32[] parameter(0)\n c = f32[3] constant({2, 2, 2})\n ROOT r = f32[3] negate(c)") ==
      Opcode::kNegate);
  CHECK(count(rewritten("ROOT c = f32[3] constant({2, 2, 2})", {simplify}), Opcode::kBroadcast) ==
        1);
  CHECK(count(rewritten("ROOT c = f32[2] constant({0, -0})", {simplify}), Opcode::kBroadcast) == 0);
}

TEST_CASE("a reduction of one element is that element, but for float sums", "[transforms]") {
  const auto reduce = [](const std::string& op) {
    return "HloModule m\nf { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] " +
           op + "(a, b) }\nENTRY e { x = f32[1,7] parameter(0)\n z = f32[] constant(" +
           (op == "add" ? "0" : "-inf") +
           ")\n ROOT r = f32[7] reduce(x, z), dimensions={0}, to_apply=f }";
  };
  CHECK(root(rewritten(reduce("maximum"), {simplify})).opcode == Opcode::kReshape);
  CHECK(root(rewritten(reduce("add"), {simplify})).opcode == Opcode::kReduce);
}

}  // namespace hlocc::tests
