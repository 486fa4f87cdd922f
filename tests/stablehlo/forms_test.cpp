// One operation a row, in each form that it may be written in, and the HLO that it is; then rows
// that differ from one that is read in one thing, and what is said of them. Contractions,
// convolutions, movements.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

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
  with("[b, 1, 1, f]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 1, f]x[0, i, o]->[b, 0, f]", "", once);
  with("[b, 0, f]x[0, i, i]->[b, 0, f]", "", once);
  with("[b, 0, f]x[0, i, o]->[f, 0, f]", "", once);
  with("[b, 64, f]x[0, i, o]->[b, 0, f]", "", once);
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
      {"1xf32", "0xf32",
       "stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> tensor<0xf32>",
       "f32[0]{0} broadcast(reshape.1), dimensions={}"},
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
      {"2xf32", "2xf32",
       "stablehlo.custom_call @f(%a) {api_version = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>",
       "f32[2]{0} custom-call(a), custom_call_target=\"f\""},
      {"2xf32", "2xf32",
       "\"stablehlo.reduce_precision\"(%a) {exponent_bits = 4294967301 : i64, mantissa_bits = 3 : "
       "i64} : (tensor<2xf32>) -> tensor<2xf32>",
       "f32[2]{0} reduce-precision(a), exponent_bits=2147483647, mantissa_bits=3"},
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
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = 5 : tensor<2xf32>",
       "expected a word"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = [] : tensor<2xf32>",
       "expected a word"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = m5e10 : tensor<2xf32>",
       "format is m5e10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = x5m10 : tensor<2xf32>",
       "format is x5m10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e5m : tensor<2xf32>",
       "format is e5m"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = em10 : tensor<2xf32>",
       "format is em10"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e5m1x : tensor<2xf32>",
       "format is e5m1x"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = m : tensor<2xf32>",
       "format is m"},
      {"2xf32", "2xf32", "stablehlo.reduce_precision %a, format = e : tensor<2xf32>",
       "format is e"},
      {"2xf32", "2xf32",
       "\"stablehlo.reduce_precision\"(%a) {exponent_bits = -4294967291 : i64, mantissa_bits = 3 : "
       "i64} : (tensor<2xf32>) -> tensor<2xf32>",
       "exponent_bits is -1 and must be at least 1"},
      {"2xf32", "2xf32",
       "stablehlo.custom_call @f(%a) {api_version = -1 : i32} : (tensor<2xf32>) -> tensor<2xf32>",
       "api_version has the unknown value -1"},
      {"2xf32", "2xf32",
       "stablehlo.custom_call @f(%a) {api_version = 5 : i32} : (tensor<2xf32>) -> tensor<2xf32>",
       "api_version has the unknown value 5"},
  });
}

}  // namespace
}  // namespace hlocc::tests
