// Run-time sizes as plain values: the programs take the size as an argument, and the interpreter
// knows what they mean.
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::resolve_dynamic_shapes;

// What the program gives for every size from below zero to above the bound.
void resolves(const std::string& lines) {
  INFO(lines);
  const std::string head = R"(HloModule m
sum { a = s32[] parameter(0)
 b = s32[] parameter(1)
 ROOT r = s32[] add(a, b) }
max { a = s32[] parameter(0)
 b = s32[] parameter(1)
 ROOT r = s32[] maximum(a, b) }
ENTRY e {
 x = s32[6,3] parameter(0)
 zero = s32[] constant(0)
 low = s32[] constant(-2147483648)
 n = s32[] constant(SIZE)
 d = s32[<=6,3] set-dimension-size(x, n), dimensions={0}
)";
  for (int size = -1; size <= 7; ++size) {
    std::string text = head + lines + "\n}";
    text.replace(text.find("SIZE"), 4, std::to_string(size));
    const Module m = rewritten(text, {resolve_dynamic_shapes});
    for (const hlo::Computation& computation : m.computations)
      for (const hlo::Instruction& i : computation.instructions)
        CHECK(!i.shape.has_dynamic_dimensions());
  }
}

}  // namespace

TEST_CASE("an array as large as its bound takes a plain shape", "[transforms]") {
  const Module m = rewritten(
      "x = s32[6,3] parameter(0)\n n = s32[] constant(6)\n d = s32[<=6,3] set-dimension-size(x, "
      "n), "
      "dimensions={0}\n ROOT r = s32[18] reshape(d)",
      {resolve_dynamic_shapes});
  CHECK(!root(m).shape.has_dynamic_dimensions());
}

TEST_CASE("sizes are read, clamped and handed through elementwise ops", "[transforms]") {
  resolves(
      "m = s32[<=6,3] multiply(d, d)\n t = s32[3,<=6] transpose(m), dimensions={1,0}\n"
      "ROOT r = s32[] get-dimension-size(t), dimensions={1}");
}

TEST_CASE("reductions see only what counts", "[transforms]") {
  resolves("ROOT r = s32[3] reduce(d, zero), dimensions={0}, to_apply=sum");
  resolves("ROOT r = s32[] reduce(d, low), dimensions={0,1}, to_apply=max");
  resolves(
      "a = s32[<=6] reduce(d, zero), dimensions={1}, to_apply=sum\n ROOT r = s32[] reduce(a, low), "
      "dimensions={0}, to_apply=max");
  resolves("ROOT r = s32[3,3] dot(d, d), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
}

TEST_CASE("concatenate, pad, slice, reverse and reshape keep the order of what counts",
          "[transforms]") {
  resolves(
      "c = s32[<=12,3] concatenate(d, x), dimensions={0}\n w = s32[<=12,3] multiply(c, c)\n"
      "ROOT r = s32[3] reduce(w, zero), dimensions={0}, to_apply=sum");
  resolves(
      "two = s32[] constant(2)\n p = s32[<=14,3] pad(d, two), padding=1_2_1x0_0\n"
      "ROOT r = s32[3] reduce(p, zero), dimensions={0}, to_apply=sum");
  resolves(
      "v = s32[<=6,3] reverse(d), dimensions={0}\n m = s32[<=6,3] multiply(v, x)\n"
      "ROOT r = s32[3] reduce(m, zero), dimensions={0}, to_apply=sum");
  resolves(
      "t = s32[3,<=6] transpose(d), dimensions={1,0}\n f = s32[<=18] reshape(t)\n y = s32[18] "
      "reshape(x)\n"
      "m = s32[<=18] multiply(f, y)\n ROOT r = s32[] reduce(m, zero), dimensions={0}, "
      "to_apply=sum");
}

TEST_CASE("a slice of a whole dimension is what is meant of it", "[transforms]") {
  resolves(
      "w = s32[<=6,2] dynamic-slice(d, n, n), dynamic_slice_sizes={6,2}\n"
      "ROOT r = s32[2] reduce(w, zero), dimensions={0}, to_apply=sum");
}

TEST_CASE("a static dimension of a dynamic-reshape is as large as it says", "[transforms]") {
  for (const char* const size : {"-1", "2", "9"})
    rewritten(std::string("x = s32[6] parameter(0)\n n = s32[] constant(") + size +
                  ")\n ROOT r = s32[2,3] dynamic-reshape(x, n, n)",
              {resolve_dynamic_shapes});
}

TEST_CASE("run-time sizes do not cross the border or a loop", "[transforms]") {
  const Module result = module_from(
      "x = f32[4] parameter(0)\n n = s32[] parameter(1)\n"
      "ROOT d = f32[<=4] set-dimension-size(x, n), dimensions={0}");
  CHECK(error_of(result, resolve_dynamic_shapes).kind == DiagnosticKind::kUnsupported);
  const Module argument = module_from(
      "x = f32[<=4] parameter(0)\n ROOT d = s32[] get-dimension-size(x), dimensions={0}");
  CHECK(error_of(argument, resolve_dynamic_shapes).kind == DiagnosticKind::kUnsupported);
  for (const char* const root :
       {"ROOT t = (s32[], f32[<=4]) tuple(n, d)",
        "u = (s32[], f32[<=4]) tuple(n, d)\n ROOT t = (s32[], (s32[], f32[<=4])) tuple(n, u)"}) {
    const Module inside =
        module_from(std::string("x = f32[4] parameter(0)\n n = s32[] parameter(1)\n"
                                "d = f32[<=4] set-dimension-size(x, n), dimensions={0}\n") +
                    root);
    CHECK(error_of(inside, resolve_dynamic_shapes).kind == DiagnosticKind::kUnsupported);
  }
}

TEST_CASE("sizes inside tuples that are taken apart again are no result", "[transforms]") {
  resolves(
      "u = (s32[], s32[<=6,3]) tuple(n, d)\n v = (s32[], (s32[], s32[<=6,3])) tuple(n, u)\n"
      "w = (s32[], s32[<=6,3]) get-tuple-element(v), index=1\n"
      "e = s32[<=6,3] get-tuple-element(w), index=1\n"
      "ROOT r = s32[3] reduce(e, zero), dimensions={0}, to_apply=sum");
}

}  // namespace hlocc::tests
