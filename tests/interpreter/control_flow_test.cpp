// Control flow, structure, collectives of one device, dynamic sizes, and what is refused.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {

TEST_CASE("while tests before each iteration", "[interpreter]") {
  const std::string loop =
      "HloModule t\nbody {\n  s = (s32[], s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), "
      "index=0\n"
      "  x = s32[] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, "
      "one)\n  y = s32[] add(x, i)\n"
      "  ROOT t = (s32[], s32[]) tuple(j, y)\n}\n"
      "cond {\n  s2 = (s32[], s32[]) parameter(0)\n  i2 = s32[] get-tuple-element(s2), index=0\n  "
      "n = s32[] constant(100000)\n"
      "  ROOT p = pred[] compare(i2, n), direction=LT\n}\n"
      "ENTRY main {\n  i3 = s32[] parameter(0)\n  z = s32[] constant(0)\n  t3 = (s32[], s32[]) "
      "tuple(i3, z)\n"
      "  ROOT w = (s32[], s32[]) while(t3), condition=cond, body=body\n}\n";
  CHECK(same(numbers_of(loop, {Literal::scalar<int32_t>(PrimitiveType::kS32, 99998)}),
             {100000, 199997}));
  CHECK(
      same(numbers_of(loop, {Literal::scalar<int32_t>(PrimitiveType::kS32, 100000)}), {100000, 0}));
}

TEST_CASE("conditional: an index out of range takes the last branch", "[interpreter]") {
  const std::string branches =
      "HloModule t\nb0 {\n  x0 = s32[] parameter(0)\n  ROOT r0 = s32[] negate(x0)\n}\nb1 {\n  ROOT "
      "x1 = s32[] parameter(0)\n}\n";
  const auto pick = [&](const std::string& index) {
    return branches + "ENTRY main {\n  i = s32[] constant(" + index +
           ")\n  v = s32[] constant(7)\n"
           "  ROOT r = s32[] conditional(i, v, v), branch_computations={b0, b1}\n}\n";
  };
  CHECK(same(numbers_of(pick("0")), {-7}));
  CHECK(same(numbers_of(pick("-1")), {7}));
  CHECK(same(numbers_of(pick("2")), {7}));
  const std::string pred =
      branches +
      "ENTRY main {\n  p = pred[] constant(true)\n  v = s32[] constant(7)\n"
      "  ROOT r = s32[] conditional(p, v, v), true_computation=b0, false_computation=b1\n}\n";
  CHECK(same(numbers_of(pred), {-7}));
}

TEST_CASE("map applies computations that are no plan of kernels, too", "[interpreter]") {
  const std::string map =
      "HloModule t\nneg {\n  x0 = s32[] parameter(0)\n  ROOT r0 = s32[] negate(x0)\n}\nid {\n  "
      "ROOT x1 = s32[] parameter(0)\n}\n"
      "f {\n  x = s32[] parameter(0)\n  z = s32[] constant(0)\n  p = pred[] compare(x, z), "
      "direction=LT\n"
      "  ROOT r = s32[] conditional(p, x, x), true_computation=neg, false_computation=id\n}\n"
      "ENTRY main {\n  a = s32[3] constant({-1,2,-3})\n  ROOT m = s32[3] map(a), dimensions={0}, "
      "to_apply=f\n}\n";
  CHECK(same(numbers_of(map), {1, 2, 3}));
}

TEST_CASE("scan stacks outputs and returns the last carry", "[interpreter]") {
  const std::string scan =
      "HloModule t\nf {\n  x = f32[] parameter(0)\n  c = f32[] parameter(1)\n  s = f32[] add(c, "
      "x)\n"
      "  ROOT t = (f32[], f32[]) tuple(s, s)\n}\nENTRY main {\n  a = f32[3] constant({1,2,3})\n  z "
      "= f32[] constant(10)\n"
      "  ROOT r = (f32[3], f32[]) scan(a, z), dimensions={0}, num_carries=1, is_reverse=true, "
      "to_apply=f\n}\n";
  CHECK(same(numbers_of(scan), {16, 15, 13, 16}));
}

TEST_CASE("a permute that nobody sends to device 0 gives zeros", "[interpreter]") {
  CHECK(same(numbers_of("a = f32[2] constant({1,2})\nROOT r = f32[2] collective-permute(a), "
                        "source_target_pairs={{0,0}}"),
             {1, 2}));
  CHECK(same(numbers_of("a = f32[2] constant({1,2})\nROOT r = f32[2] collective-permute(a), "
                        "source_target_pairs={}"),
             {0, 0}));
  CHECK(same(numbers_of("a = f32[2] constant({1,2})\nROOT r = f32[2] collective-permute(a), "
                        "source_target_pairs={{1,0}}"),
             {0, 0}));
}

TEST_CASE("run-time sizes cut what ops see", "[interpreter]") {
  const std::string program =
      "HloModule t\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT r = f32[] "
      "add(x, y)\n}\n"
      "ENTRY main {\n  a = f32[5] parameter(0)\n  n = s32[] parameter(1)\n  d = f32[<=5] "
      "set-dimension-size(a, n), dimensions={0}\n"
      "  e = f32[<=5] multiply(d, d)\n  z = f32[] constant(0)\n  s = f32[] reduce(e, z), "
      "dimensions={0}, to_apply=add\n"
      "  c = f32[<=10] concatenate(d, d), dimensions={0}\n  k = s32[] get-dimension-size(c), "
      "dimensions={0}\n"
      "  ROOT r = (f32[], s32[]) tuple(s, k)\n}\n";
  CHECK(same(
      numbers_of(program, {f32({1, 2, 3, 4, 5}), Literal::scalar<int32_t>(PrimitiveType::kS32, 3)}),
      {14, 6}));
  // Of two sizes the smaller is meant, in either order.
  const auto smaller = [](const std::string& operands) {
    return "a = f32[5] iota(), iota_dimension=0\nn = s32[] constant(4)\nm = s32[] constant(2)\n"
           "d = f32[<=5] set-dimension-size(a, n), dimensions={0}\n"
           "e = f32[<=5] set-dimension-size(a, m), dimensions={0}\n"
           "s = f32[<=5] add(" +
           operands + ")\nROOT k = s32[] get-dimension-size(s), dimensions={0}";
  };
  CHECK(same(numbers_of(smaller("d, e")), {2}));
  CHECK(same(numbers_of(smaller("e, d")), {2}));
  // No size is beyond its bound, or below nothing.
  const std::string set =
      "a = f32[5] iota(), iota_dimension=0\nn = s32[] parameter(0)\n"
      "d = f32[<=5] set-dimension-size(a, n), dimensions={0}\n"
      "ROOT k = s32[] get-dimension-size(d), dimensions={0}";
  for (const auto& [size, kept] : {std::pair(9, 5), std::pair(5, 5), std::pair(-2, 0)})
    CHECK(same(numbers_of(set, {Literal::scalar<int32_t>(PrimitiveType::kS32, size)}),
               {double(kept)}));
  // A slice of what lies behind the size is empty.
  CHECK(same(numbers_of("a = f32[6] iota(), iota_dimension=0\nn = s32[] constant(2)\n"
                        "d = f32[<=6] set-dimension-size(a, n), dimensions={0}\n"
                        "s = f32[<=2] slice(d), slice={[4:6]}\n"
                        "ROOT k = s32[] get-dimension-size(s), dimensions={0}"),
             {0}));
  // Rows of a gather are as long as they are meant.
  CHECK(same(numbers_of("a = f32[2,4] iota(), iota_dimension=1\nn = s32[] constant(3)\n"
                        "d = f32[2,<=4] set-dimension-size(a, n), dimensions={1}\n"
                        "i = s32[1,1] constant({{1}})\n"
                        "g = f32[1,<=4] gather(d, i), offset_dims={1}, collapsed_slice_dims={0}, "
                        "start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}\n"
                        "ROOT k = s32[] get-dimension-size(g), dimensions={1}"),
             {3}));
}

TEST_CASE("arguments are checked", "[interpreter]") {
  const std::string program = "ROOT a = f32[2] parameter(0)";
  const Result<Literal> none = run_text(program, {});
  REQUIRE(!none);
  CHECK(none.error().kind == DiagnosticKind::kArgument);
  const Result<Literal> other = run_text(program, {s32({1, 2})});
  REQUIRE(!other);
  CHECK(other.error().kind == DiagnosticKind::kArgument);
}

TEST_CASE("what is not served is named", "[interpreter]") {
  const Result<Literal> call = run_text(
      "a = f32[2] parameter(0)\nROOT r = f32[2] custom-call(a), custom_call_target=\"who_knows\"",
      {f32({1, 2})});
  REQUIRE(!call);
  CHECK(call.error().kind == DiagnosticKind::kUnsupported);
  CHECK(call.error().message.find("who_knows") != std::string::npos);
}

}  // namespace hlocc::tests
