// Shapes of contractions, windows, reductions, gather and scatter.
#include <catch2/catch.hpp>

#include "ops/contraction_types.h"
#include "ops/programs.h"

using namespace hlocc::ops::testing;
using Catch::Matchers::StartsWith;
using enum hlocc::hlo::Opcode;

TEST_CASE("dot: batch, then free dimensions of left and right") {
  const DotAttributes matmul{{1}, {0}, {}, {}, {}};
  CHECK(infer({kDot, {"f32[2,3]", "f32[3,4]"}, matmul, "f32[2,4]"}) == "f32[2,4]");
  CHECK(infer({kDot, {"s8[2,3]", "s8[3,4]"}, matmul, "s32[2,4]"}) == "s32[2,4]");
  CHECK(infer({kDot, {"bf16[2,3]", "bf16[3,4]"}, matmul, "f32[]"}) == "f32[2,4]");
  CHECK(infer({kDot, {"f32[2,3]", "f32[3,4]"}, DotAttributes{}, "f32[]"}) == "f32[2,3,3,4]");
  const DotAttributes batched{{2}, {1}, {0}, {2}, {}};
  CHECK(infer({kDot, {"f32[5,<=2,3]", "f32[4,3,5]"}, batched, "f32[]"}) == "f32[5,<=2,4]");
  CHECK_THAT(infer({kDot, {"f32[2,3]", "f32[4,3]"}, matmul, "f32[]"}), StartsWith("shape:"));
  CHECK_THAT(infer({kDot, {"f32[2,3]", "f32[3,4]"}, DotAttributes{{2}, {0}, {}, {}, {}}, "f32[]"}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kDot, {"f32[2,3]", "f32[3,4]"}, DotAttributes{{1}, {}, {}, {}, {}}, "f32[]"}),
             StartsWith("attribute:"));
  CHECK_THAT(
      infer({kDot, {"f32[3,3]", "f32[3,3]"}, DotAttributes{{1}, {0}, {1}, {1}, {}}, "f32[]"}),
      StartsWith("attribute:"));
  CHECK_THAT(infer({kDot, {"s32[2,3]", "s32[3,4]"}, matmul, "s8[]"}), StartsWith("type:"));
  CHECK_THAT(infer({kDot, {"c64[2,3]", "f32[3,4]"}, matmul, "f32[]"}), StartsWith("type:"));
  CHECK(infer({kDot, {"s8[2,3]", "s8[3,4]"}, matmul, "f32[]"}) == "f32[2,4]");
}

TEST_CASE("contractions mix types") {
  const DotAttributes matmul{{1}, {0}, {}, {}, {}};
  for (const char* const result : {"f32", "bf16", "s32", "s8", "c64", "f64"})
    CHECK(infer({kDot, {"f32[2,3]", "s32[3,4]"}, matmul, std::string(result) + "[]"}) ==
          std::string(result) + "[2,4]");
}

TEST_CASE("scaled-dot: one scale a block, or one for all") {
  const DotAttributes inner{{1}, {1}, {}, {}, {}};
  const auto scaled = [&](std::string lhs, std::string rhs) {
    return infer({kScaledDot, {"f8e4m3fn[4,8]", "f8e4m3fn[6,8]", lhs, rhs}, inner, "f32[]"});
  };
  CHECK(scaled("f8e8m0fnu[4,2]", "f8e8m0fnu[6,1]") == "f32[4,6]");
  CHECK(scaled("bf16[]", "f8e8m0fnu[2,8]") == "f32[4,6]");
  CHECK_THAT(scaled("f8e8m0fnu[4,3]", "bf16[]"), StartsWith("shape:"));
  CHECK_THAT(scaled("f8e8m0fnu[4]", "bf16[]"), StartsWith("shape:"));
  CHECK_THAT(scaled("s8[4,2]", "bf16[]"), StartsWith("type:"));
}

TEST_CASE("operands meet in the wider type, or in the result's where that holds it") {
  using enum hlocc::hlo::PrimitiveType;
  using hlocc::ops::contraction_types, hlocc::ops::ContractionTypes, hlocc::ops::higher_precision;
  CHECK(contraction_types(kF16, kF32, kBF16) == ContractionTypes{kF16, kF32, kBF16});
  CHECK(contraction_types(kS8, kS32, kF32) == ContractionTypes{kS8, kS32, kF32});
  CHECK(contraction_types(kBF16, kS8, kF32) == ContractionTypes{kBF16, kF32, kF32});
  CHECK(contraction_types(kS8, kF32, kBF16) == ContractionTypes{kF32, kF32, kBF16});
  CHECK(contraction_types(kF32, kF32, kS32) == ContractionTypes{kF32, kF32, kF32});
  CHECK(contraction_types(kF32, kF32, kC64) == ContractionTypes{kC64, kC64, kC64});
  CHECK(contraction_types(kF64, kF32, kC64) == ContractionTypes{kF64, kF32, kF64});
  CHECK(contraction_types(kS32, kS32, kC128) == ContractionTypes{kS32, kS32, kS32});
  CHECK(contraction_types(kC64, kS8, kC128) == ContractionTypes{kC64, kC128, kC128});
  CHECK(higher_precision(kF16, kBF16) == kBF16);
  CHECK(higher_precision(kU8, kS8) == kS8);
  CHECK(higher_precision(kF64, kC64) == kC64);
  CHECK(higher_precision(kS64, kF8E5M2) == kF8E5M2);
}

TEST_CASE("ragged-dot: the ragged dimension decides the mode") {
  const DotAttributes matmul{{1}, {1}, {}, {}, {}};
  CHECK(infer({kRaggedDot,
               {"f32[8,3]", "f32[2,3,4]", "s32[2]"},
               RaggedDotAttributes{matmul, {0}, {0}},
               "f32[]"}) == "f32[8,4]");
  const DotAttributes inner{{1}, {0}, {}, {}, {}};
  CHECK(infer({kRaggedDot,
               {"f32[8,3]", "f32[3,4]", "s32[2]"},
               RaggedDotAttributes{inner, {1}, {}},
               "f32[]"}) == "f32[2,8,4]");
  CHECK_THAT(infer({kRaggedDot,
                    {"f32[8,3]", "f32[2,3,4]", "s32[3]"},
                    RaggedDotAttributes{matmul, {0}, {0}},
                    "f32[]"}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kRaggedDot,
                    {"f32[8,3]", "f32[2,3,4]", "s32[2]"},
                    RaggedDotAttributes{matmul, {0}, {}},
                    "f32[]"}),
             StartsWith("attribute:"));
}

TEST_CASE("ragged-dot: group sizes for each index in front of the ragged one") {
  const RaggedDotAttributes batched{{{2}, {2}, {0}, {0}, {}}, {1}, {1}};
  CHECK(infer({kRaggedDot, {"f32[5,8,3]", "f32[5,2,3,4]", "s32[5,2]"}, batched, "f32[]"}) ==
        "f32[5,8,4]");
  CHECK(infer({kRaggedDot, {"f32[5,8,3]", "f32[5,2,3,4]", "s32[2]"}, batched, "f32[]"}) ==
        "f32[5,8,4]");
  CHECK_THAT(infer({kRaggedDot, {"f32[5,8,3]", "f32[5,2,3,4]", "s32[4,2]"}, batched, "f32[]"}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kRaggedDot, {"f32[5,8,3]", "f32[5,2,3,4]", "s32[5,1,2]"}, batched, "f32[]"}),
             StartsWith("shape:"));
  const RaggedDotAttributes free{{{2}, {1}, {}, {}, {}}, {1}, {0}};
  CHECK(infer({kRaggedDot, {"f32[5,8,3]", "f32[2,3,4]", "s32[5,2]"}, free, "f32[]"}) ==
        "f32[5,8,4]");
}

namespace {
// b01f_01io->b01f with the given windows.
ConvolutionAttributes image_convolution(std::vector<WindowDimension> windows) {
  ConvolutionAttributes conv;
  conv.window.dimensions = std::move(windows);
  conv.input_batch = 0, conv.input_feature = 3, conv.input_spatial = {1, 2};
  conv.kernel_input_feature = 2, conv.kernel_output_feature = 3, conv.kernel_spatial = {0, 1};
  conv.output_batch = 0, conv.output_feature = 3, conv.output_spatial = {1, 2};
  return conv;
}
}  // namespace

TEST_CASE("convolution") {
  const WindowDimension same{.size = 3, .padding_low = 1, .padding_high = 1};
  const WindowDimension strided{.size = 3, .stride = 2, .padding_high = 1};
  ConvolutionAttributes conv = image_convolution({same, strided});
  CHECK(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,3,16]"}, conv, "f32[1,8,4,16]"}) ==
        "f32[1,8,4,16]");
  CHECK(infer({kConvolution, {"s8[<=2,8,8,3]", "s8[3,3,3,16]"}, conv, "s32[1,8,4,16]"}) ==
        "s32[<=2,8,4,16]");
  // The kernel takes another number of features, or another window, or the ranks differ.
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,4,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,5,3,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kConvolution, {"f32[1,8,3]", "f32[3,3,3,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("shape:"));
  conv.feature_group_count = 3;
  CHECK(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,1,6]"}, conv, "f32[1,8,4,6]"}) ==
        "f32[1,8,4,6]");
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,1,7]"}, conv, "f32[1,8,4,7]"}),
             StartsWith("shape:"));
  conv.batch_group_count = 2;
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,1,6]"}, conv, "f32[1,8,4,6]"}),
             StartsWith("attribute:"));
  conv.feature_group_count = 1;
  CHECK(infer({kConvolution, {"f32[4,8,8,3]", "f32[3,3,3,6]"}, conv, "f32[2,8,4,6]"}) ==
        "f32[2,8,4,6]");
  CHECK_THAT(infer({kConvolution, {"f32[3,8,8,3]", "f32[3,3,3,6]"}, conv, "f32[2,8,4,6]"}),
             StartsWith("shape:"));
  conv.batch_group_count = 0;
  CHECK_THAT(infer({kConvolution, {"f32[4,8,8,3]", "f32[3,3,3,6]"}, conv, "f32[2,8,4,6]"}),
             StartsWith("attribute:"));
  conv = image_convolution({same, strided});
  conv.input_spatial = {1, 1};
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,3,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("attribute:"));
  conv = image_convolution({same, {.size = 3, .stride = 0}});
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,3,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("attribute:"));
  conv =
      image_convolution({same, {.size = 3, .padding_low = INT64_MAX, .padding_high = INT64_MAX}});
  CHECK_THAT(infer({kConvolution, {"f32[1,8,8,3]", "f32[3,3,3,16]"}, conv, "f32[1,8,4,16]"}),
             StartsWith("limit:"));
}

TEST_CASE("reduce, one value and several") {
  Program program;
  const ComputationId add = program.reducer(kAdd, "f32");
  CHECK(infer({kReduce, {"f32[2,3,<=4]", "f32[]"}, DimensionsAttributes{{1}}, "()", {add}},
              program) == "f32[2,<=4]");
  CHECK(infer({kReduce, {"f32[]", "f32[]"}, DimensionsAttributes{}, "()", {add}}, program) ==
        "f32[]");
  CHECK_THAT(
      infer({kReduce, {"f32[2]", "f32[1]"}, DimensionsAttributes{{0}}, "()", {add}}, program),
      StartsWith("shape:"));
  CHECK_THAT(infer({kReduce, {"s32[2]", "s32[]"}, DimensionsAttributes{{0}}, "()", {add}}, program),
             StartsWith("shape:"));
  CHECK_THAT(infer({kReduce, {"f32[2]", "f16[]"}, DimensionsAttributes{{0}}, "()", {add}}, program),
             StartsWith("type:"));
  CHECK_THAT(infer({kReduce, {"f32[2]", "f32[]"}, DimensionsAttributes{{1}}, "()", {add}}, program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kReduce, {"f32[2]", "f32[2]", "f32[]"}, DimensionsAttributes{{0}}, "()", {add}},
                   program),
             StartsWith("arity:"));
  const ComputationId both =
      program.body("both", {"f32[]", "s32[]", "f32[]", "s32[]"}, kTuple, "(f32[], s32[])");
  // The body of both returns all four.
  CHECK_THAT(infer({kReduce,
                    {"f32[2]", "s32[2]", "f32[]", "s32[]"},
                    DimensionsAttributes{{0}},
                    "()",
                    {both}},
                   program),
             StartsWith("(f32[], s32[])"));
  CHECK_THAT(infer({kReduce,
                    {"f32[2]", "s32[3]", "f32[]", "s32[]"},
                    DimensionsAttributes{{0}},
                    "()",
                    {both}},
                   program),
             StartsWith("shape:"));
}

TEST_CASE("reduce-window and select-and-scatter") {
  Program program;
  const ComputationId add = program.reducer(kAdd, "f32");
  const ComputationId greater = program.body("ge", {"f32[]", "f32[]"}, kCompare, "pred[]");
  const WindowAttributes pool{{{{.size = 1}, {.size = 2, .stride = 2}}}};
  CHECK(infer({kReduceWindow, {"f32[3,9]", "f32[]"}, pool, "()", {add}}, program) == "f32[3,4]");
  CHECK_THAT(infer({kReduceWindow, {"f32[9]", "f32[]"}, pool, "()", {add}}, program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kReduceWindow,
                    {"f32[3,9]", "f32[]"},
                    WindowAttributes{{{{.size = 0}, {}}}},
                    "()",
                    {add}},
                   program),
             StartsWith("attribute:"));
  const std::vector<ComputationId> called{greater, add};
  CHECK(infer({kSelectAndScatter, {"f32[3,9]", "f32[3,4]", "f32[]"}, pool, "()", called},
              program) == "f32[3,9]");
  CHECK_THAT(
      infer({kSelectAndScatter, {"f32[3,9]", "f32[3,5]", "f32[]"}, pool, "()", called}, program),
      StartsWith("shape:"));
  CHECK_THAT(infer({kSelectAndScatter, {"f32[3,9]", "f32[3,4]", "f32[]"}, pool, "()", {add, add}},
                   program),
             StartsWith("shape:"));
}

TEST_CASE("gather") {
  const GatherAttributes rows{.offset_dims = {1},
                              .collapsed_slice_dims = {0},
                              .start_index_map = {0},
                              .index_vector_dim = 1,
                              .slice_sizes = {1, 4}};
  CHECK(infer({kGather, {"f32[10,4]", "s32[5,1]"}, rows}) == "f32[5,4]");
  GatherAttributes gather = rows;
  gather.index_vector_dim = 2;
  gather.offset_dims = {0};
  CHECK(infer({kGather, {"f32[10,4]", "s32[5,6]"}, gather}) == "f32[4,5,6]");
  CHECK_THAT(infer({kGather, {"f32[10,4]", "f32[5,1]"}, rows}), StartsWith("type:"));
  CHECK_THAT(infer({kGather, {"f32[10,4]", "s32[5,2]"}, rows}), StartsWith("attribute:"));
  CHECK_THAT(infer({kGather, {"f32[10,3]", "s32[5,1]"}, rows}), StartsWith("attribute:"));
  gather = rows, gather.slice_sizes = {2, 4};
  CHECK_THAT(infer({kGather, {"f32[10,4]", "s32[5,1]"}, gather}), StartsWith("attribute:"));
  gather = rows, gather.offset_dims = {2};
  CHECK_THAT(infer({kGather, {"f32[10,4]", "s32[5,1]"}, gather}), StartsWith("attribute:"));
  gather = rows, gather.index_vector_dim = 3;
  CHECK_THAT(infer({kGather, {"f32[10,4]", "s32[5,1]"}, gather}), StartsWith("attribute:"));
  gather = rows, gather.start_index_map = {2};
  CHECK_THAT(infer({kGather, {"f32[10,4]", "s32[5,1]"}, gather}), StartsWith("attribute:"));
  const GatherAttributes batched{.offset_dims = {},
                                 .collapsed_slice_dims = {1},
                                 .start_index_map = {1},
                                 .operand_batching_dims = {0},
                                 .start_indices_batching_dims = {0},
                                 .index_vector_dim = 2,
                                 .slice_sizes = {1, 1}};
  CHECK(infer({kGather, {"f32[3,7]", "s32[3,2]"}, batched}) == "f32[3,2]");
  CHECK_THAT(infer({kGather, {"f32[3,7]", "s32[4,2]"}, batched}), StartsWith("shape:"));
}

TEST_CASE("scatter") {
  Program program;
  const ComputationId add = program.reducer(kAdd, "f32");
  const ScatterAttributes rows{.update_window_dims = {1},
                               .inserted_window_dims = {0},
                               .scatter_dims_to_operand_dims = {0},
                               .index_vector_dim = 1};
  CHECK(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5,4]"}, rows, "()", {add}}, program) ==
        "f32[10,4]");
  CHECK(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5,3]"}, rows, "()", {add}}, program) ==
        "f32[10,4]");
  CHECK_THAT(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5,5]"}, rows, "()", {add}}, program),
             StartsWith("shape:"));
  CHECK_THAT(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[6,4]"}, rows, "()", {add}}, program),
             StartsWith("shape:"));
  CHECK_THAT(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5]"}, rows, "()", {add}}, program),
             StartsWith("shape:"));
  CHECK_THAT(infer({kScatter, {"f32[10,4]", "s32[5,1]", "s32[5,4]"}, rows, "()", {add}}, program),
             StartsWith("type:"));
  CHECK_THAT(infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5,4]", "f32[5,4]"}, rows, "()", {add}},
                   program),
             StartsWith("arity:"));
  ScatterAttributes scatter = rows;
  scatter.inserted_window_dims = {2};
  CHECK_THAT(
      infer({kScatter, {"f32[10,4]", "s32[5,1]", "f32[5,4]"}, scatter, "()", {add}}, program),
      StartsWith("attribute:"));
}
