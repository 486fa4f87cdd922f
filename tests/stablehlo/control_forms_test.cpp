// The same as forms_test.cpp of what has regions or calls functions: loops, branches, reductions,
// custom calls, operations among devices.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

TEST_CASE("loops, branches and reductions of StableHLO in each form") {
  check_forms({
      {"2x3xf32 f32", "2xf32",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : "
       "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
       "f32[2]{0} reduce(a, b), dimensions={1}, to_apply=reducer"},
      {"2x3xf32 f32", "2xf32",
       "stablehlo.reduce(%a init: %b) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> "
       "tensor<2xf32>\n reducer(%x: tensor<f32>, %y: tensor<f32>) {\n %1 = stablehlo.add %x, %y : "
       "tensor<f32>\n stablehlo.return %1 : tensor<f32>\n }",
       "f32[2]{0} reduce(a, b), dimensions={1}, to_apply=reducer"},
      {"i32", "i32",
       "stablehlo.while(%i = %a) : tensor<i32>\n cond {\n %1 = stablehlo.compare LT, %i, %i : "
       "(tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %1 : tensor<i1>\n } do {\n "
       "stablehlo.return %i : tensor<i32>\n }",
       "s32[] get-tuple-element(while.2), index=0"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.if\"(%a) ({\n stablehlo.return %b : tensor<2xf32>\n }, {\n %1 = "
       "stablehlo.negate %b : tensor<2xf32>\n stablehlo.return %1 : tensor<2xf32>\n }) : "
       "(tensor<i1>) -> tensor<2xf32>",
       "f32[2]{0} conditional(a, tuple.2, tuple.3), true_computation=branch, "
       "false_computation=branch.1"},
      {"8xf32 f32", "4xf32",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 3>, window_strides = "
       "array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({\n ^bb0(%x: tensor<f32>, "
       "%y: tensor<f32>):\n %1 = stablehlo.maximum %x, %y : tensor<f32>\n stablehlo.return %1 : "
       "tensor<f32>\n }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>",
       "f32[4]{0} reduce-window(a, b), window={size=3 stride=2 pad=1_0}, to_apply=reducer"},
      {"8xf32", "8xf32",
       "\"stablehlo.sort\"(%a) <{dimension = -1 : i64, is_stable = true}> ({\n ^bb0(%x: "
       "tensor<f32>, %y: tensor<f32>):\n %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, "
       "tensor<f32>) -> tensor<i1>\n stablehlo.return %1 : tensor<i1>\n }) : (tensor<8xf32>) -> "
       "tensor<8xf32>",
       "f32[8]{0} sort(a), dimensions={0}, is_stable=true, to_apply=comparator"},
      // A number for both sides of a window as the bytes of one.
      {"8xf32 f32", "8xf32",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 3>, padding = "
       "dense<\"0x0100000000000000\"> : tensor<1x2xi64>}> ({\n ^bb0(%x: tensor<f32>, %y: "
       "tensor<f32>):\n %1 = stablehlo.maximum %x, %y : tensor<f32>\n stablehlo.return %1 : "
       "tensor<f32>\n }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>",
       "f32[8]{0} reduce-window(a, b), window={size=3 pad=1_1}, to_apply=reducer"},
      // One value as a tuple gives that value.
      {"2xf32", "2xf32", "stablehlo.tuple %a : (tensor<2xf32>) -> tensor<2xf32>",
       "f32[2]{0} get-tuple-element(tuple.1), index=0"},
  });
}

TEST_CASE("loops, branches and reductions of StableHLO that are refused") {
  const std::string_view types = " : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>";
  const auto reduced = [&](std::string_view text, std::string_view message,
                           std::string_view behind = "") {
    const std::string op = cat("stablehlo.reduce", text, types, behind);
    check_refused({{"2x3xf32 f32", "2xf32", op, message}});
  };
  const std::string_view add = " applies stablehlo.add across dimensions = [1]";
  reduced(cat("(%a %b)", add), "'init'");
  reduced(cat("(%a init %b)", add), "':'");
  reduced(cat("(%a init: %b", add), "')'");
  reduced("(%a init: %b) applies stablehlo.add over dimensions = [1]", "'across dimensions");
  reduced("(%a init: %b) applies stablehlo.add across sizes = [1]", "'dimensions = ");
  reduced("(%a init: %b) applies stablehlo.add across dimensions [1]", "'='");
  reduced("(%a init: %b) applies stablehlo.none across dimensions = [1]", "stablehlo.none is no");
  reduced("(%a init: %b) across dimensions = [1]", "'reducer' or 'applies'", "\n");
  reduced("(%a init: %b) across dimensions = [1]", "pairs of arguments",
          "\n reducer(%x: tensor<f32>) {\n stablehlo.return %x : tensor<f32>\n }");
  reduced("(%a init: %b) across dimensions = [1]", "'{'",
          "\n reducer(%x: tensor<f32>, %y: tensor<f32>)\n stablehlo.return %x : tensor<f32>\n }");
  check_refused({
      {"2x3xf32 f32", "2xf32",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : "
       "(tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)",
       "'applies' reduces one array"},
      {"2x3xf32 f32", "2xf32",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : "
       "(tensor<2x3xf32>, tensor<f32>) -> ()",
       "'applies' reduces one array"},
      {"2x3xf32 f32", "2xf32",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : "
       "(tensor<2x3xf32>, tensor<f32>) -> tuple<tensor<2xf32>>",
       "'applies' reduces one array"},
      {"i32", "i32", "stablehlo.while(%i = %a) : tensor<i32>\n do {\n }", "'cond {'"},
      {"i32", "i32", "stablehlo.while(%i %a) : tensor<i32>", "'='"},
      {"i32", "i32", "stablehlo.while(%i = %a %a) : tensor<i32>", "',' or ')'"},
      {"i32", "i32",
       "stablehlo.while(%i = %a) : tensor<i32>\n cond {\n stablehlo.return %i : tensor<i32>\n }",
       "'do {'"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.if\"(%a) ({\n stablehlo.return %b : tensor<2xf32>\n }) : (tensor<i1>) -> "
       "tensor<2xf32>",
       "has 1 regions"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.if\"(%a) ({\n ^bb0(%x: tensor<f32>):\n stablehlo.return %b : tensor<2xf32>\n "
       "}, {\n stablehlo.return %b : tensor<2xf32>\n }) : (tensor<i1>) -> tensor<2xf32>",
       "another number of arguments than 0"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.if\"(%a) ({\n stablehlo.return %b : tensor<2xf32>\n }, {\n stablehlo.return "
       "%b : tensor<2xf32>\n }, {\n stablehlo.return %b : tensor<2xf32>\n }) : (tensor<i1>) -> "
       "tensor<2xf32>",
       "has 3 regions"},
      {"i1 2xf32", "2xf32", "\"stablehlo.case\"(%a) : (tensor<i1>) -> tensor<2xf32>",
       "has 0 regions"},
      {"8xf32 f32", "4xf32",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 3>, window_strides = "
       "array<i64: 2, 2>}> ({\n ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n stablehlo.return %x : "
       "tensor<f32>\n }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>",
       "are not those of 1 dimensions"},
      {"8xf32 f32", "4xf32",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 3>}> : "
       "(tensor<8xf32>, tensor<f32>) -> tensor<4xf32>",
       "has 0 regions"},
  });
}

TEST_CASE("functions of a library of StableHLO in each form") {
  check_forms({
      {"4xf32", "3xcomplex<f32>",
       "stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>",
       "c64[3]{0} fft(a), fft_type=RFFT, fft_length={4}"},
      {"2x2xf32", "2x2xf32", "stablehlo.cholesky %a, lower = true : tensor<2x2xf32>",
       "f32[2,2]{1,0} cholesky(a), lower=true"},
      {"2x2xf32 2x2xf32", "2x2xf32",
       "\"stablehlo.triangular_solve\"(%a, %b) <{left_side = true, lower = false, unit_diagonal = "
       "true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, "
       "tensor<2x2xf32>) -> tensor<2x2xf32>",
       "f32[2,2]{1,0} triangular-solve(a, b), left_side=true, unit_diagonal=true, "
       "transpose_a=TRANSPOSE"},
      {"2xf32", "2xf32",
       "stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = \"x\", "
       "has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>",
       "f32[2]{0} custom-call(a), custom_call_target=\"f\", custom_call_has_side_effect=true, "
       "api_version=API_VERSION_TYPED_FFI, backend_config=\"x\""},
  });
  check_refused({
      {"4xf32", "3xcomplex<f32>",
       "stablehlo.fft %a, type = DFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>",
       "fft_type is DFT"},
      {"2x2xf32 2x2xf32", "2x2xf32",
       "\"stablehlo.triangular_solve\"(%a, %b) <{left_side = true, lower = false, unit_diagonal = "
       "true, transpose_a = #stablehlo<transpose TURNED>}> : (tensor<2x2xf32>, tensor<2x2xf32>) "
       "-> tensor<2x2xf32>",
       "transpose_a is TURNED"},
      {"2x2xf32 2x2xf32", "2x2xf32",
       "\"stablehlo.triangular_solve\"(%a, %b) <{left_side = true, unit_diagonal = true, "
       "transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
       "tensor<2x2xf32>",
       "lacks the attribute lower"},
  });
}

TEST_CASE("lists of StableHLO that are one number too long or too short") {
  check_forms({{"2xf32", "2xf32",
                "\"stablehlo.collective_permute\"(%a) <{source_target_pairs = dense<[[0, 0]]> : "
                "tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>",
                "f32[2]{0} collective-permute(a), source_target_pairs={{0,0}}"}});
  check_refused({
      {"2xf32", "2xf32",
       "\"stablehlo.collective_permute\"(%a) <{source_target_pairs = dense<[0, 0, 0]> : "
       "tensor<3xi64>}> : (tensor<2xf32>) -> tensor<2xf32>",
       "source_target_pairs are 3 numbers, not pairs"},
      {"2xf32", "2xf32", "stablehlo.get_tuple_element %a[0, 1] : (tensor<2xf32>) -> tensor<2xf32>",
       "index has 2 numbers for one"},
      {"2xf32", "2xf32", "stablehlo.get_tuple_element %a[] : (tensor<2xf32>) -> tensor<2xf32>",
       "index has 0 numbers for one"},
      {"2xf32", "2xf32", "\"stablehlo.get_tuple_element\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
       "lacks the attribute index"},
      {"2xf32", "2xf32", "stablehlo.abs %a : tensor<2xf32> loc(\"f.py\":2147483648:1)",
       "the number of a line"},
      {"2xf32", "2xf32", "stablehlo.abs %a : tensor<2xf32> loc(\"f.py\":-1:1)",
       "the number of a line"},
  });
  CHECK(read_op("2xf32", "2xf32", "stablehlo.abs %a : tensor<2xf32> loc(\"f.py\":2147483647:1)"));
}

// The first of each row by an approximation, of so many operands.
Result<hlo::Module> top_of(std::string_view operands, std::string_view types,
                           std::string_view dimension) {
  return read_program(cat(
      "module @m {\n func.func private @less(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, "
      "%j: tensor<i32>) -> tensor<i1> {\n  %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n  return %0 : tensor<i1>\n }\n",
      " func.func public @main(%a: tensor<8xf32>, %b: tensor<8xi32>, %c: tensor<f32>, %d: "
      "tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {\n  %0:2 = stablehlo.custom_call "
      "@ApproxTopK(",
      operands, ") {called_computations = [@less], mhlo.backend_config = {reduction_dim = ",
      dimension, " : i64}} : (", types,
      ") -> (tensor<3xf32>, tensor<3xi32>)\n  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>\n "
      "}\n}\n"));
}

TEST_CASE("the best of an approximation are of arrays and a number each") {
  const std::string_view all = "%a, %b, %c, %d",
                         types = "tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>";
  CHECK(top_of(all, types, "0"));
  const auto check = [](const Result<hlo::Module>& module) {
    REQUIRE_FALSE(module);
    CHECK_THAT(module.error().message,
               Catch::Contains("ApproxTopK takes arrays, numbers and a dimension"));
  };
  check(top_of(all, types, "1"));
  check(top_of(all, types, "-1"));
  check(top_of("%a, %b, %c, %d, %c",
               "tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>, tensor<f32>", "0"));
  check(top_of("%a, %c", "tensor<8xf32>, tensor<f32>", "0"));
}

}  // namespace
}  // namespace hlocc::tests
