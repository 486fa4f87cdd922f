// Groups with several results: what joins, what must not, and that the meaning stays.
#include <algorithm>

#include "support/text.h"
#include "transforms/fusion/fuse.h"
#include "transforms/support.h"

namespace hlocc::tests {

using transforms::fuse;

namespace {

// How many results each fusion of the entry has, most first.
std::vector<size_t> results_of_fusions(const Module& m) {
  std::vector<size_t> out;
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kFusion) out.push_back(i.shape.is_tuple() ? i.shape.tuple.size() : 1);
  std::sort(out.rbegin(), out.rend());
  return out;
}

using Results = std::vector<size_t>;

}  // namespace

TEST_CASE("siblings that read one array become one kernel, unless the decision is against it",
          "[transforms]") {
  const char* text = R"(HloModule m
ENTRY e { x = f32[4,8] parameter(0)
 y = f32[4,8] parameter(1)
 z = f32[4,8] parameter(2)
 a = f32[4,8] add(x, y)
 n = f32[4,8] negate(a)
 b = f32[4,8] multiply(x, z)
 c = f32[4,8] abs(b)
 ROOT r = (f32[4,8], f32[4,8]) tuple(c, n) })";
  CHECK(results_of_fusions(rewritten(text, {fuse})) == Results{2});
  Module apart = module_from(text);
  Target host = *preset("host");
  host.decisions.join_results = false;
  REQUIRE(fuse(apart, {host}).ok());
  CHECK(results_of_fusions(apart) == Results{1, 1});
}

// Messages and profiles name the line of a model by it.
TEST_CASE("a fusion says where its root came from", "[transforms]") {
  const Module m = rewritten(R"(HloModule m
ENTRY e { x = f32[4,8] parameter(0)
 a = f32[4,8] abs(x), metadata={op_name="f/abs" source_file="f.py" source_line=2}
 ROOT n = f32[4,8] negate(a), metadata={op_type="neg" op_name="f/neg" source_file="f.py" source_line=3} })",
                             {fuse});
  const hlo::Instruction& made = root(m);
  REQUIRE(made.opcode == Opcode::kFusion);
  CHECK(made.metadata == hlo::Metadata{"neg", "f/neg", "f.py", 3});
}

TEST_CASE("siblings that share nothing large stay apart", "[transforms]") {
  const Module m = rewritten(R"(HloModule m
ENTRY e { x = f32[4,8] parameter(0)
 y = f32[4,8] parameter(1)
 s = f32[] parameter(2)
 b = f32[4,8] broadcast(s), dimensions={}
 a = f32[4,8] add(x, b)
 n = f32[4,8] negate(a)
 c = f32[4,8] multiply(y, b)
 d = f32[4,8] abs(c)
 ROOT r = (f32[4,8], f32[4,8]) tuple(d, n) })",
                             {fuse});
  CHECK(results_of_fusions(m) == Results{1, 1});
}

TEST_CASE("what is needed inside and outside is computed once and stored", "[transforms]") {
  const Module m = rewritten(R"(HloModule m
ENTRY e { x = f32[1,64] parameter(0)
 c = f32[1,64] parameter(1)
 t = f32[1,64] negate(x)
 n = f32[1,64] multiply(t, c)
 h = f32[1,64] abs(n)
 w = f32[1,64] subtract(h, x)
 ROOT r = (f32[1,64], f32[1,64]) tuple(n, w) })",
                             {fuse});
  CHECK(results_of_fusions(m) == Results{2});
}

TEST_CASE("a result that all users of have joined is none any more", "[transforms]") {
  // Both users of the dot read it at their own index; they stand in two groups before.
  const Module m = rewritten(R"(HloModule m
ENTRY e { x = f32[2,16] parameter(0)
 w = f32[16,8] parameter(1)
 d = f32[2,8] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 a = f32[2,8] abs(d)
 n = f32[2,8] negate(d)
 ROOT r = (f32[2,8], f32[2,8]) tuple(a, n) })",
                             {fuse}, {.rtol = 1e-5, .atol = 1e-5});
  CHECK(results_of_fusions(m) == Results{2});
  CHECK(count_in_entry(m, Opcode::kDot) == 0);
}

TEST_CASE("groups with a way between them through a third kernel stay apart", "[transforms]") {
  // b needs a's sum along the rows: joined with a it would wait for itself.
  const Module m = rewritten(R"(HloModule m
add { p = f32[] parameter(0)
 q = f32[] parameter(1)
 ROOT s = f32[] add(p, q) }
ENTRY e { x = f32[4,4] parameter(0)
 w = f32[4,4] parameter(1)
 a = f32[4,4] negate(x)
 a2 = f32[4,4] abs(a)
 d = f32[4,4] dot(a2, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 t = f32[4,4] transpose(d), dimensions={1,0}
 dd = f32[4,4] dot(t, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 b = f32[4,4] multiply(x, a2)
 b2 = f32[4,4] subtract(b, dd)
 ROOT r = (f32[4,4], f32[4,4]) tuple(a2, b2) })",
                             {fuse}, {.rtol = 1e-5, .atol = 1e-5});
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kFusion) CHECK_FALSE(i.shape.is_tuple());
}

TEST_CASE("a chain around a third group is found, however long", "[transforms]") {
  // a -> reverse -> c with a and c both reading x: c waits for a through what neither of them may
  // take in.
  const Module m = rewritten(R"(HloModule m
ENTRY e { x = f32[64] parameter(0)
 y = f32[64] parameter(1)
 a = f32[64] add(x, y)
 v = f32[64] reverse(a), dimensions={0}
 v2 = f32[64] negate(v)
 u = f32[64] reverse(v2), dimensions={0}
 u2 = f32[64] sqrt(u)
 k = f32[8,8] reshape(u2)
 k2 = f32[8,8] transpose(k), dimensions={1,0}
 k3 = f32[64] reshape(k2)
 c = f32[64] multiply(x, k3)
 ROOT r = (f32[64], f32[64], f32[64], f32[64]) tuple(a, v2, c, u2) })",
                             {fuse});
  CHECK(m.entry_computation().instructions.size() > 4);
}

TEST_CASE("an array that is written over keeps no reader that comes later", "[transforms]") {
  // s may lie where p did as long as late has read p before; joined with q, late would need a copy
  // of p.
  const Module m = rewritten(R"(HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }
ENTRY e { p = f32[64] parameter(0)
 g = f32[64] parameter(1)
 q = f32[64] abs(g)
 late0 = f32[64] reverse(q), dimensions={0}
 late1 = f32[64] reverse(p), dimensions={0}
 late = f32[64] add(late0, late1)
 s0 = f32[64] add(p, g)
 s = f32[64] negate(s0)
 ROOT r = (f32[64], f32[64], f32[64]) tuple(s, q, late) })",
                             {fuse});
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kFusion) CHECK_FALSE(i.shape.is_tuple());
}

TEST_CASE("reductions of one array along the same dimensions are one kernel", "[transforms]") {
  const auto text = [](const std::string& dimension) {
    return R"(HloModule m
add { p = f32[] parameter(0)
 q = f32[] parameter(1)
 ROOT s = f32[] add(p, q) }
max { p = f32[] parameter(0)
 q = f32[] parameter(1)
 ROOT s = f32[] maximum(p, q) }
ENTRY e { x = f32[8,8] parameter(0)
 z = f32[] constant(0)
 a = f32[8] reduce(x, z), dimensions={0}, to_apply=add
 b = f32[8] reduce(x, z), dimensions={)" +
           dimension + R"(}, to_apply=max
 ROOT r = (f32[8], f32[8]) tuple(a, b) })";
  };
  CHECK(results_of_fusions(rewritten(text("0"), {fuse})) == Results{2});
  // Along another dimension it is another walk.
  CHECK(results_of_fusions(rewritten(text("1"), {fuse})) == Results{1, 1});
}

TEST_CASE("what lies between two readers of a product moves with it up to a bound",
          "[transforms]") {
  // The product leaves the group of its readers for a kernel of its own, and narrows there.
  const auto kernels = [](int between) {
    std::string text =
        "x = s8[4,8] parameter(0)\n w = s8[8,6] parameter(1)\n z = s32[] constant(0)\n"
        " d = s32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    for (int n = 0; n < between; ++n)
      text += cat(" n", n, " = s32[4,6] negate(", n == 0 ? "d" : cat("n", n - 1), ")\n");
    text += cat(" m = s32[4,6] multiply(d, n", between - 1,
                ")\n q = s8[4,6] convert(m)\n v = s8[4,6] reverse(q), dimensions={0}\n"
                " ROOT r = s32[4,6] convert(v)");
    return count_in_entry(rewritten(text, {fuse}), Opcode::kFusion);
  };
  CHECK(kernels(39) == kernels(2));
  CHECK(kernels(40) != kernels(2));
}

}  // namespace hlocc::tests
