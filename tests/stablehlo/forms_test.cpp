// One operation a row, in each form that it may be written in, and the HLO that it is; then rows
// that differ from one that is read in one thing, and what is said of them.
#include <catch2/catch.hpp>

#include "import/stablehlo/import.h"
#include "ops/text/printer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc {
namespace {

Result<hlo::Module> read_source(const std::string& text) {
  Budget budget;
  const BudgetScope scope(&budget);
  import::Elided elided;
  return import::stablehlo::read_stablehlo(text, "file", elided);
}

// One operation of arguments %a, %b, ...: "2x3xf32 3xi32" are their types.
Result<hlo::Module> read_op(std::string_view arguments, std::string_view result,
                            std::string_view op) {
  std::string list;
  char name = 'a';
  for (const std::string& type : split(arguments, ' '))
    list += cat(list.empty() ? "" : ", ", "%", std::string(1, name++), ": tensor<", type, ">");
  return read_source(cat("module @m {\n  func.func public @main(", list, ") -> (tensor<", result,
                         ">) {\n    %0 = ", op, "\n    return %0 : tensor<", result,
                         ">\n  }\n}\n"));
}

// The root as HLO, without its name and what tells where it comes from.
std::string root_of(const hlo::Module& module) {
  const hlo::Computation& entry = module.computations[static_cast<size_t>(module.entry)];
  std::string text = ops::to_text(module, entry, entry[entry.root]);
  text.erase(0, text.find(" = ") + 3);
  std::erase(text, '%');
  return text.substr(0, text.find(", metadata="));
}

struct Form {
  std::string_view arguments, result, op, hlo;
};

void check_forms(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    INFO(form.op);
    const Result<hlo::Module> module = read_op(form.arguments, form.result, form.op);
    INFO((module ? "" : module.error().to_string()));
    REQUIRE(module);
    CHECK(root_of(*module) == form.hlo);
  }
}

struct Refused {
  std::string_view arguments, result, op, message;
};

void check_refused(const std::vector<Refused>& rows) {
  for (const Refused& row : rows) {
    INFO(row.op);
    const Result<hlo::Module> module = read_op(row.arguments, row.result, row.op);
    REQUIRE_FALSE(module);
    CHECK_THAT(module.error().message, Catch::Contains(std::string(row.message)));
    CHECK_THAT(module.error().message, Catch::Contains("(column "));
    CHECK(module.error().location.line >= 3);
  }
}

TEST_CASE("contractions of StableHLO in each form") {
  check_forms({
      {"3xf32 3xf32", "f32", "stablehlo.dot %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>",
       "f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
      {"2x3xf32 3x2xf32", "2x2xf32",
       "stablehlo.dot %a, %b, precision = [HIGHEST, HIGH] : (tensor<2x3xf32>, tensor<3x2xf32>) -> "
       "tensor<2x2xf32>",
       "f32[2,2]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
       "operand_precision={highest,high}"},
      {"4x2x3xf32 4x3x2xf32", "4x2x2xf32",
       "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
       "(tensor<4x2x3xf32>, tensor<4x3x2xf32>) -> tensor<4x2x2xf32>",
       "f32[4,2,2]{2,1,0} dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
       "rhs_batch_dims={0}, rhs_contracting_dims={1}"},
      {"4x2x3xf32 4x3x2xf32", "4x2x2xf32",
       "\"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = "
       "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
       "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : "
       "(tensor<4x2x3xf32>, tensor<4x3x2xf32>) -> tensor<4x2x2xf32>",
       "f32[4,2,2]{2,1,0} dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
       "rhs_batch_dims={0}, rhs_contracting_dims={1}"},
      {"2x3xf32 3x2xf32", "2x2xf32",
       "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = "
       "<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, "
       "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, "
       "allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> "
       "tensor<2x2xf32>",
       "f32[2,2]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
       "algorithm=dot_bf16_bf16_f32_x3"},
  });
}

TEST_CASE("contractions of StableHLO that are refused") {
  const std::string_view types = " : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>";
  const auto with = [&](std::string_view text) {
    check_refused({{"2x3xf32 3x2xf32", "2x2xf32", cat(text, types), ""}});
  };
  with("stablehlo.dot_general %a, %b, contracting_dims = [1] x [1]");
  with("stablehlo.dot_general %a, %b, contracting_dims = [2] x [0]");
  with("stablehlo.dot_general %a, %b, contracting_dims = [1]");
  with("stablehlo.dot_general %a, %b");
  with("stablehlo.dot_general %a, contracting_dims = [1] x [0]");
  const auto algorithm = [&](std::string_view parts, std::string_view message) {
    const std::string op =
        cat("stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <", parts, ">",
            types);
    check_refused({{"2x3xf32 3x2xf32", "2x2xf32", op, message}});
  };
  const std::string_view none = "has no equivalent in HLO";
  algorithm("lhs_precision_type = bf16, rhs_precision_type = f16, accumulation_type = f32", none);
  algorithm("lhs_precision_type = f16, rhs_precision_type = bf16, accumulation_type = f32", none);
  algorithm("lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f64", none);
  algorithm(
      "lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, "
      "lhs_component_count = 2",
      none);
  algorithm(
      "lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, "
      "rhs_component_count = 2",
      none);
  algorithm(
      "lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, "
      "num_primitive_operations = 2",
      none);
  algorithm(
      "lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, "
      "allow_imprecise_accumulation = true",
      none);
  algorithm("lhs_precision_type = f16, rhs_precision_type = f16", "accumulation_type");
  algorithm("lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, more = 1",
            "more of algorithm of stablehlo.dot_general is not understood");
  check_refused({{"3xf32 3xf32", "f32",
                  "stablehlo.dot %a, %b, precision = [BEST, HIGH] : (tensor<3xf32>, tensor<3xf32>) "
                  "-> tensor<f32>",
                  "precision_config is BEST"}});
}

constexpr std::string_view kConvolved =
    " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, "
    "tensor<3x2x4xf32>) -> ";

TEST_CASE("convolutions of StableHLO in each form") {
  check_forms({
      {"1x8x2xf32 3x2x4xf32", "1x6x4xf32",
       cat("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
           "{}",
           kConvolved, "tensor<1x6x4xf32>"),
       "f32[1,6,4]{2,1,0} convolution(a, b), window={size=3}, dim_labels=b0f_0io->b0f"},
      {"1x8x2xf32 3x2x4xf32", "1x4x4xf32",
       cat("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
           "{stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]}",
           kConvolved, "tensor<1x4x4xf32>"),
       "f32[1,4,4]{2,1,0} convolution(a, b), window={size=3 stride=2 pad=1_0 rhs_reversal=1}, "
       "dim_labels=b0f_0io->b0f"},
      {"1x8x2xf32 3x2x4xf32", "1x13x4xf32",
       cat("stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
           "{lhs_dilate = [2]}",
           kConvolved, "tensor<1x13x4xf32>"),
       "f32[1,13,4]{2,1,0} convolution(a, b), window={size=3 lhs_dilate=2}, "
       "dim_labels=b0f_0io->b0f"},
      {"1x8x2xf32 3x2x4xf32", "1x4x4xf32",
       "\"stablehlo.convolution\"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, "
       "o]->[b, 0, f]>, window_strides = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, "
       "lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 2>, window_reversal = array<i1: "
       "false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : "
       "(tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<1x4x4xf32>",
       "f32[1,4,4]{2,1,0} convolution(a, b), window={size=3 rhs_dilate=2}, "
       "dim_labels=b0f_0io->b0f"},
      {"1x2x8xf32 4x2x3xf32", "1x4x6xf32",
       "stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x8xf32>, "
       "tensor<4x2x3xf32>) -> tensor<1x4x6xf32>",
       "f32[1,4,6]{2,1,0} convolution(a, b), window={size=3}, dim_labels=bf0_oi0->bf0"},
  });
}

TEST_CASE("convolutions of StableHLO that are refused") {
  const auto with = [](std::string_view numbers, std::string_view window,
                       std::string_view message) {
    const std::string op = cat("stablehlo.convolution(%a, %b) dim_numbers = ", numbers,
                               ", window = {", window, "}", kConvolved, "tensor<1x6x4xf32>");
    check_refused({{"1x8x2xf32 3x2x4xf32", "1x6x4xf32", op, message}});
  };
  const std::string_view sound = "[b, 0, f]x[0, i, o]->[b, 0, f]", once = "each label once";
  with("[b, 0, b]x[0, i, o]->[b, 0, f]", "", once);
  with("[0, f]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 0]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 0, 0, f]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 1, f]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 0, f]x[0, i, i]->[b, 0, f]", "", once);
  with("[b, 0, f]x[0, i, o]->[f, 0, f]", "", once);
  with("[b, 65, f]x[0, i, o]->[b, 0, f]", "", "the number of a dimension");
  with("[b, -1, f]x[0, i, o]->[b, 0, f]", "", "the number of a dimension");
  with("[b, 0, f]-[0, i, o]->[b, 0, f]", "", "'x'");
  with("[b, 0, f]x[0, i, o]-[b, 0, f]", "", "'->'");
  const std::string_view other = "are not those of 1 dimensions";
  with(sound, "stride = [1, 1]", other);
  with(sound, "pad = [0, 0, 0]", other);
  with(sound, "lhs_dilate = [1, 1]", other);
  with(sound, "rhs_dilate = [1, 1]", other);
  with(sound, "reverse = [0, 0]", other);
  with(sound, "more = [0]", "more of window of stablehlo.convolution is not understood");
  with(sound, "stride = [2]", "gives f32[1,3,4], and its type says f32[1,6,4]");
}

TEST_CASE("movements of StableHLO in each form") {
  check_forms({
      {"4x6xf32", "2x2xf32",
       "stablehlo.slice %a [1:3, 0:6:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>",
       "f32[2,2]{1,0} slice(a), slice={[1:3], [0:6:3]}"},
      {"4x6xf32", "2x2xf32",
       "\"stablehlo.slice\"(%a) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, "
       "6>, strides = array<i64: 1, 3>}> : (tensor<4x6xf32>) -> tensor<2x2xf32>",
       "f32[2,2]{1,0} slice(a), slice={[1:3], [0:6:3]}"},
      {"2x3xf32", "3x2xf32",
       "stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "f32[3,2]{1,0} transpose(a), dimensions={1,0}"},
      {"2x3xf32", "2x3xf32", "stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>",
       "f32[2,3]{1,0} reverse(a), dimensions={1}"},
      {"3xf32", "2x3xf32",
       "stablehlo.broadcast %a, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>",
       "f32[2,3]{1,0} broadcast(a), dimensions={1}"},
      {"3xf32", "3x2xf32",
       "stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>",
       "f32[3,2]{1,0} broadcast(a), dimensions={0}"},
      // One element along a dimension of one is no dimension that is repeated.
      {"1xf32", "1x2xf32",
       "stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>",
       "f32[1,2]{1,0} broadcast(a), dimensions={0}"},
      {"2xf32 3xf32", "5xf32",
       "stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>",
       "f32[5]{0} concatenate(a, b), dimensions={0}"},
      {"4xf32 i32", "2xf32",
       "stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> "
       "tensor<2xf32>",
       "f32[2]{0} dynamic-slice(a, b), dynamic_slice_sizes={2}"},
      {"2xf32 f32", "8xf32",
       "stablehlo.pad %a, %b, low = [1], high = [3], interior = [2] : (tensor<2xf32>, "
       "tensor<f32>) -> tensor<8xf32>",
       "f32[8]{0} pad(a, b), padding=1_3_2"},
      {"2xf32", "3x2xi32", "stablehlo.iota dim = 1 : tensor<3x2xi32>",
       "s32[3,2]{1,0} iota(), iota_dimension=1"},
      {"2xf32", "2xi1",
       "stablehlo.compare LE, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> "
       "tensor<2xi1>",
       "pred[2]{0} compare(a, a), direction=LE"},
      {"2xf32", "2xi1",
       "stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
       "pred[2]{0} compare(a, a), direction=LT, type=TOTALORDER"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e5m10 : tensor<2xf32>",
       "f32[2]{0} reduce-precision(a), exponent_bits=5, mantissa_bits=10"},
      {"4x6xf32 2x1xi32", "2x6xf32",
       "\"stablehlo.gather\"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
       "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
       "indices_are_sorted = true, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, "
       "tensor<2x1xi32>) -> tensor<2x6xf32>",
       "f32[2,6]{1,0} gather(a, b), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}, indices_are_sorted=true"},
  });
}

TEST_CASE("movements of StableHLO that are refused") {
  check_refused({
      {"4xf32", "2xf32", "stablehlo.slice %a [1 3] : (tensor<4xf32>) -> tensor<2xf32>", "':'"},
      {"4xf32", "2xf32", "stablehlo.slice %a [1:] : (tensor<4xf32>) -> tensor<2xf32>",
       "an integer"},
      {"4xf32", "2xf32", "stablehlo.slice %a [1:3:] : (tensor<4xf32>) -> tensor<2xf32>",
       "an integer"},
      {"4xf32", "4xf32", "stablehlo.slice %a [1:5] : (tensor<4xf32>) -> tensor<4xf32>",
       "stablehlo.slice: "},
      {"2xf32 f32", "8xf32",
       "stablehlo.pad %a, %b, low = [1, 1], high = [3], interior = [2] : (tensor<2xf32>, "
       "tensor<f32>) -> tensor<8xf32>",
       "edge_padding_low has another number of entries"},
      {"2xf32 f32", "8xf32",
       "stablehlo.pad %a, %b, low = [1], high = [3], interior = [2, 0] : (tensor<2xf32>, "
       "tensor<f32>) -> tensor<8xf32>",
       "edge_padding_low has another number of entries"},
      {"3xf32", "2x3xf32",
       "stablehlo.broadcast %a, %a, sizes = [2] : (tensor<3xf32>, tensor<3xf32>) -> "
       "tensor<2x3xf32>",
       "has 2 operands and takes 1"},
      {"3xf32", "3x2xf32",
       "stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<3xf32>) -> tensor<3x2xf32>",
       "has 2 entries for 1 dimensions"},
      {"1xf32", "2xf32",
       "stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<1xf32>) -> tensor<2xf32>",
       "stablehlo.broadcast_in_dim: "},
      {"1xf32", "2xf32",
       "stablehlo.broadcast_in_dim %a, dims = [-1] : (tensor<1xf32>) -> tensor<2xf32>",
       "stablehlo.broadcast_in_dim: "},
      {"2xf32", "2xi1",
       "stablehlo.compare LE, %a, %a, ALWAYS : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
       "compare_type is ALWAYS"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e5 : tensor<2xf32>",
       "format is e5"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = m5e10 : tensor<2xf32>",
       "format is m5e10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = x5m10 : tensor<2xf32>",
       "format is x5m10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e5m : tensor<2xf32>",
       "format is e5m"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = em10 : tensor<2xf32>",
       "format is em10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = m : tensor<2xf32>",
       "format is m"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e : tensor<2xf32>",
       "format is e"},
  });
}

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

// A constant of that type, as the text between dense< and >.
std::string constant_of(std::string_view type, std::string_view text) {
  return cat("stablehlo.constant dense<", text, "> : tensor<", type, ">");
}

TEST_CASE("constants of StableHLO in each form") {
  const auto check = [](std::string_view type, std::string_view text, std::string_view hlo) {
    check_forms({{"f32", type, constant_of(type, text), hlo}});
  };
  check("3xi8", "[1, -2, 3]", "s8[3]{0} constant({1, -2, 3})");
  check("2x2xi32", "[[1, 2], [3, 4]]", "s32[2,2]{1,0} constant({ {1, 2}, {3, 4} })");
  check("0xi8", "", "s8[0]{0} constant({})");
  check("2xi1", "[true, false]", "pred[2]{0} constant({true, false})");
  check("2xcomplex<f32>", "[(1.0, 2.0), (3.0, -4.0)]", "c64[2]{0} constant({(1, 2), (3, -4)})");
  // Bytes as hexadecimal digits of either case, and numbers of several of them, low end first.
  check("5xi8", "\"0x7fFAafA009\"", "s8[5]{0} constant({127, -6, -81, -96, 9})");
  check("2xi16", "\"0x0100FFFF\"", "s16[2]{0} constant({1, -1})");
  check("2xi4", "\"0x0F01\"", "s4[2]{0} constant({-1, 1})");
  check("2xui4", "\"0x0F01\"", "u4[2]{0} constant({15, 1})");
  // Truth values as bits, low end first, or as bytes.
  check("9xi1", "\"0x0501\"",
        "pred[9]{0} constant({true, false, true, false, false, false, false, false, true})");
  check("3xi1", "\"0x010001\"", "pred[3]{0} constant({true, false, true})");
  // The bits of one number.
  check("f32", "0x7F800000", "f32[] constant(inf)");
  check("f32", "0X3F800000", "f32[] constant(1)");
  check("i8", "0xFF", "s8[] constant(-1)");
  check("i64", "0xFFFFFFFFFFFFFFFE", "s64[] constant(-2)");
  check("i4", "0xF", "s4[] constant(-1)");
}

TEST_CASE("constants of StableHLO that are refused") {
  const auto check = [](std::string_view type, std::string_view text, std::string_view message) {
    check_refused({{"f32", type, constant_of(type, text), message}});
  };
  check("3xi8", "[1, 2]", "the list is not one of s8[3]");
  check("3xi8", "[1, 2, 3, 4]", "the list is not one of s8[3]");
  check("2x2xi8", "[1, 2]", "the list is not one of s8[2,2]");
  check("2xi8", "[[1, 2]]", "expected a number of type s8");
  check("i8", "[1]", "the list is not one of s8[]");
  check("2xcomplex<f32>", "[1.0, 2.0]", "expected '('");
  check("2xcomplex<f32>", "[(1.0 2.0), (1.0, 2.0)]", "expected ','");
  check("2xcomplex<f32>", "[(1.0, 2.0, 3.0), (1.0, 2.0)]", "expected ')'");
  check("2xi8", "\"0x0G01\"", "hexadecimal digits");
  check("2xi8", "\"0x0`01\"", "hexadecimal digits");
  check("3xi8", "\"0x0102\"", "the blob has 2 bytes, and its type 3");
  check("3xi8", "\"0x010\"", "the blob has 1 bytes, and its type 3");
  check("9xi1", "\"0x050100\"", "the blob has 3 bytes, and its type 9");
  check("9xi8", "\"0x0501\"", "the blob has 2 bytes, and its type 9");
  check("f32", "0x7F80000G", "a number of type f32");
  check("f32", "0x1007F8000", "a number of type f32");
  check("i8", "0x100", "a number of type s8");
  check("i4", "0x10", "a number of type s4");
  check("i64", "0x1FFFFFFFFFFFFFFFF", "a number of type s64");
}

TEST_CASE("types of StableHLO that are refused") {
  const auto check = [](std::string_view type, std::string_view message) {
    check_refused({{"2xf32", "2xf32", cat("stablehlo.abs %a : ", type), message}});
  };
  check("tensor<*xf32>", "known only at run time");
  check("tensor<2x?xf32>", "known only at run time");
  check("tensor<2f32>", "'x' and an element type");
  check("tensor<2xf32", "'>'");
  check("tensor<2xf31>", "elements of type f31");
  check("tuple<tensor<2xf32> tensor<2xf32>>", "',' or '>'");
  check("!stablehlo.tokens", "stablehlo.abs");
  check("tensor", "'<'");
}

TEST_CASE("strings of StableHLO have MLIR's escapes") {
  const auto config = [](std::string_view text, std::string_view hlo) {
    check_forms({{"2xf32", "2xf32",
                  cat("stablehlo.custom_call @f(%a) {backend_config = \"", text,
                      "\"} : (tensor<2xf32>) -> tensor<2xf32>"),
                  cat("f32[2]{0} custom-call(a), custom_call_target=\"f\", "
                      "api_version=API_VERSION_ORIGINAL, backend_config=\"",
                      hlo, "\"")}});
  };
  config("a b", "a b");
  config("\\41\\4f\\4Fx", "AOOx");
  config("\\4g", "4g");
  config("\\g4", "g4");
  config("a\\4", "a4");
  config("\\61\\7A", "az");
  config("\\22", "\\\"");
  config("\\\"", "\\\"");
  // The name of a symbol may be one.
  check_forms(
      {{"2xf32", "2xf32",
        "stablehlo.custom_call @\"f \\41\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        "f32[2]{0} custom-call(a), custom_call_target=\"f A\", "
        "api_version=API_VERSION_ORIGINAL"},
       {"2xf32", "2xf32", "stablehlo.custom_call @f$g.h-1_2(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        "f32[2]{0} custom-call(a), custom_call_target=\"f$g.h-1_2\", "
        "api_version=API_VERSION_ORIGINAL"}});
}

TEST_CASE("operands and results that an operation lacks") {
  check_refused({
      {"8xf32", "8xf32",
       "\"stablehlo.sort\"() ({\n ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n stablehlo.return %x : "
       "tensor<f32>\n }) : () -> tensor<8xf32>",
       "stablehlo.sort: has no operands"},
      {"f32", "2xf32",
       "\"stablehlo.rng\"(%a, %a) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : "
       "(tensor<f32>, tensor<f32>) -> tensor<2xf32>",
       "has 2 operands and takes 3"},
      {"2xf32", "2xi1", "chlo.is_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xi1", "chlo.is_pos_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xi1", "chlo.is_neg_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xf32", "chlo.next_after %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"2xf32", "2xf32", "chlo.zeta %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"2xf32", "2xf32", "chlo.polygamma %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.case\"(%a, %b) ({\n stablehlo.return %b : tensor<2xf32>\n }) : (tensor<i1>, "
       "tensor<2xf32>) -> tensor<2xf32>",
       "has 2 operands and takes 1"},
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
  return read_source(cat(
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
}  // namespace hlocc
