// Layouts, inlining, sharing, folding and hoisting.
#include "transforms/build.h"
#include "transforms/support.h"

namespace hlocc::tests {

using transforms::fold_constants;
using transforms::hoist;
using transforms::inline_calls;
using transforms::normalize_layouts;
using transforms::share_common;
using transforms::simplify;

TEST_CASE("arrays of one number, of several and of nothing", "[transforms]") {
  using hlo::PrimitiveType;
  const auto equal = [](const std::vector<float>& values) {
    return transforms::equal_elements(
        Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(values.size())}, values));
  };
  CHECK(equal({5}));
  CHECK(equal({5, 5, 5})->shape().is_scalar());
  CHECK_FALSE(equal({5, 5, 6}));
  CHECK_FALSE(equal({6, 5, 5}));
  CHECK_FALSE(equal({0.0f, -0.0f}));
  CHECK_FALSE(equal({}));
}

TEST_CASE("entry layouts become transposes at the border", "[transforms]") {
  const Module before = module_from(
      R"(HloModule m, entry_computation_layout={(f32[2,3]{0,1}, (f32[4]{0}, f32[3,2]{0,1}))->(f32[2,2]{0,1}, f32[2,3]{1,0})}
ENTRY e { x = f32[2,3]{0,1} parameter(0)
 p = (f32[4], f32[3,2]{0,1}) parameter(1)
 y = f32[3,2]{0,1} get-tuple-element(p), index=1
 d = f32[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 n = f32[2,3]{0,1} negate(x)
 ROOT r = (f32[2,2]{0,1}, f32[2,3]) tuple(d, n) })");
  const Module m = after(before, {normalize_layouts});
  check_same_meaning(before, m);
  CHECK(count(m, Opcode::kTranspose) == 3);
  CHECK(count(m, Opcode::kBitcast) == 3);
  for (const hlo::Instruction& i : m.entry_computation().instructions) {
    if (i.opcode != Opcode::kParameter && i.opcode != Opcode::kBitcast && i.shape.is_array() &&
        i.opcode != Opcode::kGetTupleElement)
      CHECK(hlo::is_row_major(i.shape));
  }
}

TEST_CASE("bitcasts of laid out arrays are reshapes and transposes", "[transforms]") {
  const std::string text = R"(HloModule m
ENTRY e { x = f32[2,3] parameter(0)
 c = f32[2,3]{0,1} copy(x)
 b = f32[3,2]{1,0} bitcast(c)
 u = u8[3,2,4] bitcast(b)
 ROOT r = u8[24] bitcast(u) })";
  const Module m = rewritten(text, {normalize_layouts, simplify});
  CHECK(count(m, Opcode::kBitcast) == 0);
  CHECK(count(m, Opcode::kTranspose) == 1);
  CHECK(count(m, Opcode::kBitcastConvert) == 1);
}

TEST_CASE("calls, fusions, maps and async pairs are inlined", "[transforms]") {
  const std::string text = R"(HloModule m
twice { p = f32[3] parameter(0)
 ROOT r = f32[3] add(p, p) }
nested { p = f32[3] parameter(0)
 c = f32[3] call(p), to_apply=twice
 ROOT r = (f32[3], f32[3]) tuple(c, p) }
scalar { a = f32[] parameter(0)
 b = f32[] parameter(1)
 two = f32[] constant(2)
 m = f32[] multiply(b, two)
 less = pred[] compare(a, m), direction=LT
 ROOT r = f32[] select(less, a, m) }
ENTRY e { x = f32[3] parameter(0)
 t = (f32[3], f32[3]) fusion(x), kind=kLoop, calls=nested
 a = f32[3] get-tuple-element(t), index=0
 s = ((f32[3]), f32[3], s32[]) async-start(a), calls=twice
 d = f32[3] async-done(s)
 cs = (f32[3], f32[3], u32[]) copy-start(d)
 cd = f32[3] copy-done(cs)
 m = f32[3] map(cd, x), dimensions={0}, to_apply=scalar
 k = token[] after-all()
 y = f32[3] add-dependency(m, k)
 ROOT r = f32[3] opt-barrier(y) })";
  const Module m = rewritten(text, {inline_calls});
  CHECK(m.computations.size() == 1);
  for (Opcode gone :
       {Opcode::kCall, Opcode::kFusion, Opcode::kMap, Opcode::kAsyncStart, Opcode::kCopyStart,
        Opcode::kGetTupleElement, Opcode::kOptBarrier, Opcode::kAddDependency})
    CHECK(count(m, gone) == 0);
}

TEST_CASE("collectives of one replica are identities; of several, refused", "[transforms]") {
  const std::string text = R"(HloModule m
sum { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] add(a, b) }
ENTRY e { x = f32[4] parameter(0)
 a = f32[4] all-reduce(x), replica_groups={}, to_apply=sum
 g = f32[4] all-gather(a), replica_groups={}, dimensions={0}
 p = f32[4] collective-permute(g), source_target_pairs={{0,0}}
 z = f32[4] collective-permute(g), source_target_pairs={{1,0}}
 i = u32[] replica-id()
 ROOT r = (f32[4], f32[4], u32[]) tuple(p, z, i) })";
  const Module m = rewritten(text, {inline_calls, simplify});
  CHECK(m.entry_computation().instructions.size() == 5);
  Module two = module_from(text);
  two.replica_count = 2;
  CHECK(error_of(two, inline_calls).kind == DiagnosticKind::kUnsupported);
  const Module wide = module_from(R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
 ROOT g = f32[8] all-gather(x), replica_groups={}, dimensions={0} })");
  CHECK(error_of(wide, inline_calls).kind == DiagnosticKind::kUnsupported);
}

TEST_CASE("calls that double at each level end in a diagnostic", "[transforms]") {
  std::string text = "HloModule m\nf0 { p = f32[] parameter(0)\n ROOT r = f32[] add(p, p) }\n";
  for (int level = 1; level <= 40; ++level) {
    const std::string below = "f" + std::to_string(level - 1), own = "f" + std::to_string(level);
    text += own + " { p = f32[] parameter(0)\n a = f32[] call(p), to_apply=" + below +
            "\n ROOT r = f32[] call(a), to_apply=" + below + " }\n";
  }
  text += "ENTRY e { p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=f40 }";
  CHECK(error_of(module_from(text), inline_calls).kind == DiagnosticKind::kLimit);
}

TEST_CASE("equal instructions and computations are shared, random numbers are not",
          "[transforms]") {
  const std::string text = R"(HloModule m
sum { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] add(a, b) }
sum2 { x = f32[] parameter(0)
 y = f32[] parameter(1)
 ROOT r = f32[] add(x, y) }
ENTRY e { x = f32[4] parameter(0)
 z = f32[] constant(0)
 z2 = f32[] constant(0)
 m = f32[] constant(-0)
 a = f32[] reduce(x, z), dimensions={0}, to_apply=sum
 b = f32[] reduce(x, z2), dimensions={0}, to_apply=sum2
 c = f32[] reduce(x, m), dimensions={0}, to_apply=sum2
 ROOT r = (f32[], f32[], f32[]) tuple(a, b, c) })";
  const Module m = rewritten(text, {share_common});
  CHECK(m.computations.size() == 2);
  CHECK(count(m, Opcode::kReduce) == 2);
  const Module random = after(module_from("a = u64[2] rng-get-and-update-state(), delta=1\n"
                                          "b = u64[2] rng-get-and-update-state(), delta=1\n"
                                          "ROOT r = (u64[2], u64[2]) tuple(a, b)"),
                              {share_common});
  CHECK(count(random, Opcode::kRngGetAndUpdateState) == 2);
}

TEST_CASE("constants fold, but nothing that only grows", "[transforms]") {
  const Module weights = rewritten(
      "x = f32[2,3] parameter(0)\n w = f32[2,3] constant({{1,2,3},{4,5,6}})\n"
      "t = f32[3,2] transpose(w), dimensions={1,0}\n"
      "ROOT d = f32[2,2] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      {fold_constants});
  CHECK(count(weights, Opcode::kTranspose) == 0);
  const Module grows = rewritten(
      "i = s32[100] iota(), iota_dimension=0\n c = s32[] constant(3)\n"
      "b = s32[100] broadcast(c), dimensions={}\n ROOT r = s32[100] add(i, b)",
      {fold_constants});
  CHECK(count(grows, Opcode::kIota) == 1);
  const Module consumed = rewritten(R"(HloModule m
sum { a = s32[] parameter(0)
 b = s32[] parameter(1)
 ROOT r = s32[] add(a, b) }
ENTRY e { i = s32[1000] iota(), iota_dimension=0
 z = s32[] constant(0)
 ROOT r = s32[] reduce(i, z), dimensions={0}, to_apply=sum })",
                                    {fold_constants});
  CHECK(root(consumed).opcode == Opcode::kConstant);
  const Module window = rewritten(
      "i = f32[100] iota(), iota_dimension=0\n ROOT r = f32[100] cosine(i)", {fold_constants});
  CHECK(root(window).opcode == Opcode::kConstant);
  const Module large =
      rewritten("i = f32[100000] iota(), iota_dimension=0\n ROOT r = f32[100000] cosine(i)",
                {fold_constants});
  CHECK(root(large).opcode == Opcode::kCos);
}

namespace {

// Counts to ten; w is handed on unchanged, d is only ever read by itself.
const char* const kLoop = R"(HloModule m
body { p = (s32[], f32[3], f32[3], s32[]) parameter(0)
 i = s32[] get-tuple-element(p), index=0
 x = f32[3] get-tuple-element(p), index=1
 w = f32[3] get-tuple-element(p), index=2
 d = s32[] get-tuple-element(p), index=3
 one = s32[] constant(1)
 n = s32[] add(i, one)
 e = s32[] add(d, i)
 y = f32[3] multiply(x, w)
 ROOT r = (s32[], f32[3], f32[3], s32[]) tuple(n, y, w, e) }
condition { p = (s32[], f32[3], f32[3], s32[]) parameter(0)
 i = s32[] get-tuple-element(p), index=0
 ten = s32[] constant(10)
 ROOT r = pred[] compare(i, ten), direction=LT }
ENTRY e { x = f32[3] parameter(0)
 WEIGHTS
 z = s32[] constant(0)
 t = (s32[], f32[3], f32[3], s32[]) tuple(z, x, w, z)
 l = (s32[], f32[3], f32[3], s32[]) while(t), condition=condition, body=body
 a = f32[3] get-tuple-element(l), index=1
 b = f32[3] get-tuple-element(l), index=2
 ROOT r = (f32[3], f32[3]) tuple(a, b) })";

std::string loop_with(const std::string& weights) {
  std::string text = kLoop;
  return text.replace(text.find("WEIGHTS"), 7, weights);
}

const hlo::Instruction& only_while(const Module& module) {
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == Opcode::kWhile) return i;
  FAIL("the loop is gone");
  return root(module);
}

}  // namespace

TEST_CASE("constants in loop state become constants in the body; dead elements leave",
          "[transforms]") {
  const Module constant = rewritten(loop_with("w = f32[3] constant({0.5, 2, -1})"), {hoist});
  CHECK(only_while(constant).shape.tuple.size() == 2);
  const Module splat = rewritten(
      loop_with("o = f32[] constant(0.5)\n w = f32[3] broadcast(o), dimensions={}"), {hoist});
  CHECK(only_while(splat).shape.tuple.size() == 2);
  const Module variable = rewritten(loop_with("w = f32[3] parameter(1)"), {hoist});
  CHECK(only_while(variable).shape.tuple.size() == 3);
}

}  // namespace hlocc::tests
