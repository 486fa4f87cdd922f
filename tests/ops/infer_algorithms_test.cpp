// Shapes of sorting, transforms, linear algebra, normalisation, random numbers, control flow and
// collectives.
#include <catch2/catch.hpp>

#include "ops/programs.h"

using namespace hlocc::ops::testing;
using Catch::Matchers::StartsWith;
using enum hlocc::hlo::Opcode;

TEST_CASE("sort and topk") {
  Program program;
  const ComputationId less = program.body("less", {"f32[]", "f32[]"}, kCompare, "pred[]");
  const ComputationId pairs =
      program.body("pairs", {"f32[]", "f32[]", "s32[]", "s32[]"}, kCompare, "pred[]");
  CHECK(infer({kSort, {"f32[2,3]"}, SortAttributes{1, true}, "()", {less}}, program) == "f32[2,3]");
  CHECK(infer({kSort, {"f32[3]", "s32[3]"}, SortAttributes{0}, "()", {pairs}}, program) ==
        "(f32[3], s32[3])");
  CHECK_THAT(infer({kSort, {"f32[3]", "s32[3]"}, SortAttributes{0}, "()", {less}}, program),
             StartsWith("arity:"));
  CHECK_THAT(infer({kSort, {"s32[3]"}, SortAttributes{0}, "()", {less}}, program),
             StartsWith("shape:"));
  CHECK_THAT(infer({kSort, {"f32[3]"}, SortAttributes{1}, "()", {less}}, program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kSort, {"f32[3]", "s32[4]"}, SortAttributes{0}, "()", {pairs}}, program),
             StartsWith("shape:"));

  CHECK(infer({kTopK, {"f32[2,8]"}, TopKAttributes{3}}) == "(f32[2,3], s32[2,3])");
  CHECK_THAT(infer({kTopK, {"f32[8]"}, TopKAttributes{9}}), StartsWith("attribute:"));
  CHECK_THAT(infer({kTopK, {"f32[]"}, TopKAttributes{0}}), StartsWith("shape:"));
}

TEST_CASE("fft") {
  CHECK(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kFft, {8}}}) == "c64[2,8]");
  CHECK(infer({kFft, {"f32[4,8]"}, FftAttributes{FftType::kRfft, {4, 8}}}) == "c64[4,5]");
  CHECK(infer({kFft, {"c64[4,5]"}, FftAttributes{FftType::kIrfft, {4, 9}}}) == "f32[4,9]");
  CHECK(infer({kFft, {"f64[7]"}, FftAttributes{FftType::kRfft, {7}}}) == "c128[4]");
  CHECK_THAT(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kFft, {7}}}), StartsWith("shape:"));
  // Transforms of no points, and of signals that have none.
  CHECK(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kFft, {0}}}) == "c64[2,8]");
  CHECK(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kIfft, {2, 0}}}) == "c64[2,8]");
  CHECK(infer({kFft, {"c64[2,0]"}, FftAttributes{FftType::kFft, {1}}}) == "c64[2,0]");
  CHECK_THAT(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kFft, {3, 0}}}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kFft, {"f32[2,8]"}, FftAttributes{FftType::kRfft, {0}}}), StartsWith("shape:"));
  CHECK_THAT(infer({kFft, {"c64[2,8]"}, FftAttributes{FftType::kIrfft, {0}}}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kFft, {"f32[8]"}, FftAttributes{FftType::kFft, {8}}}), StartsWith("type:"));
  CHECK_THAT(infer({kFft, {"f16[8]"}, FftAttributes{FftType::kRfft, {8}}}), StartsWith("type:"));
  CHECK_THAT(infer({kFft, {"c64[8]"}, FftAttributes{FftType::kFft, {}}}), StartsWith("attribute:"));
  CHECK_THAT(infer({kFft, {"c64[8]"}, FftAttributes{FftType::kFft, {8, 8}}}),
             StartsWith("attribute:"));
}

TEST_CASE("linear algebra") {
  CHECK(infer({kCholesky, {"f64[5,3,3]"}}) == "f64[5,3,3]");
  CHECK_THAT(infer({kCholesky, {"f32[3,4]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kCholesky, {"s32[3,3]"}}), StartsWith("type:"));
  TriangularSolveAttributes left{.left_side = true};
  CHECK(infer({kTriangularSolve, {"f32[3,3]", "f32[3,7]"}, left}) == "f32[3,7]");
  CHECK_THAT(infer({kTriangularSolve, {"f32[3,3]", "f32[7,3]"}, left}), StartsWith("shape:"));
  left.left_side = false;
  CHECK(infer({kTriangularSolve, {"f32[2,3,3]", "f32[2,7,3]"}, left}) == "f32[2,7,3]");
  CHECK_THAT(infer({kTriangularSolve, {"f32[2,3,3]", "f32[1,7,3]"}, left}), StartsWith("shape:"));
  left.transpose_a = TriangularSolveAttributes::kInvalid;
  CHECK_THAT(infer({kTriangularSolve, {"f32[3,3]", "f32[7,3]"}, left}), StartsWith("attribute:"));
}

TEST_CASE("batch normalisation") {
  const BatchNormAttributes last{1e-3f, 1};
  CHECK(infer({kBatchNormTraining, {"f32[2,3]", "f32[3]", "f32[3]"}, last}) ==
        "(f32[2,3], f32[3], f32[3])");
  CHECK(infer({kBatchNormInference, {"f32[2,3]", "f32[3]", "f32[3]", "f32[3]", "f32[3]"}, last}) ==
        "f32[2,3]");
  CHECK(infer({kBatchNormGrad, {"f32[2,3]", "f32[3]", "f32[3]", "f32[3]", "f32[2,3]"}, last}) ==
        "(f32[2,3], f32[3], f32[3])");
  CHECK_THAT(infer({kBatchNormTraining, {"f32[2,3]", "f32[2]", "f32[3]"}, last}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kBatchNormTraining, {"f32[3]", "f32[3]", "f32[3]"}, last}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kBatchNormTraining, {"s32[2,3]", "s32[3]", "s32[3]"}, last}),
             StartsWith("type:"));
}

TEST_CASE("random numbers") {
  const RngBitGeneratorAttributes three_fry{RngAlgorithm::kThreeFry};
  CHECK(infer({kRngBitGenerator, {"u64[2]"}, three_fry, "(u64[2], u32[5])"}) == "(u64[2], u32[5])");
  CHECK(infer({kRngBitGenerator, {"u64[3]"}, {}, "(u64[3], u32[5])"}) == "(u64[3], u32[5])");
  CHECK_THAT(infer({kRngBitGenerator, {"u64[3]"}, three_fry, "(u64[3], u32[5])"}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kRngBitGenerator, {"u32[4]"}, {}, "(u32[4], u32[5])"}), StartsWith("type:"));
  CHECK_THAT(infer({kRngBitGenerator, {"u64[2]"}, {}, "u32[5]"}), StartsWith("shape:"));
  CHECK_THAT(infer({kRngBitGenerator, {"u64[2]"}, {}, "(u64[2], f32[5])"}), StartsWith("type:"));
  const RngAttributes uniform{RngDistribution::kUniform};
  CHECK(infer({kRng, {"f32[]", "f32[]"}, uniform, "f32[5]"}) == "f32[5]");
  CHECK_THAT(infer({kRng, {"f32[]", "f32[]"}, {}, "f32[5]"}), StartsWith("attribute:"));
  CHECK_THAT(infer({kRng, {"s32[]", "s32[]"}, RngAttributes{RngDistribution::kNormal}, "s32[5]"}),
             StartsWith("type:"));
  CHECK(infer({kRngGetAndUpdateState, {}, RngStateAttributes{1}}) == "u64[2]");
}

TEST_CASE("loops, branches and calls fit their computations") {
  Program program;
  const ComputationId body = program.body("body", {"f32[2]"}, kNegate, "f32[2]");
  const ComputationId always = program.body("always", {"f32[2]"}, kConstant, "pred[]");
  CHECK(infer({kWhile, {"f32[2]"}, {}, "()", {body, always}}, program) == "f32[2]");
  CHECK_THAT(infer({kWhile, {"f32[3]"}, {}, "()", {body, always}}, program), StartsWith("shape:"));
  CHECK_THAT(infer({kWhile, {"f32[2]"}, {}, "()", {body, body}}, program), StartsWith("shape:"));
  CHECK_THAT(infer({kWhile, {"f32[2]"}, {}, "()", {body}}, program), StartsWith("arity:"));

  CHECK(infer({kConditional, {"pred[]", "f32[2]", "f32[2]"}, {}, "()", {body, body}}, program) ==
        "f32[2]");
  CHECK(infer({kConditional, {"s32[]", "f32[2]"}, {}, "()", {body}}, program) == "f32[2]");
  CHECK_THAT(infer({kConditional, {"pred[]", "f32[2]"}, {}, "()", {body}}, program),
             StartsWith("arity:"));
  CHECK_THAT(infer({kConditional, {"s32[]", "f32[2]"}, {}, "()", {body, body}}, program),
             StartsWith("arity:"));
  CHECK_THAT(infer({kConditional, {"s64[]", "f32[2]", "f32[2]"}, {}, "()", {body, body}}, program),
             StartsWith("type:"));
  CHECK_THAT(
      infer({kConditional, {"pred[]", "f32[2]", "f32[2]"}, {}, "()", {body, always}}, program),
      StartsWith("shape:"));

  CHECK(infer({kCall, {"f32[2]"}, {}, "()", {body}}, program) == "f32[2]");
  CHECK_THAT(infer({kCall, {"f32[2]", "f32[2]"}, {}, "()", {body}}, program), StartsWith("arity:"));
  CHECK_THAT(infer({kFusion, {"f32[3]"}, {}, "()", {body}}, program), StartsWith("shape:"));
  CHECK_THAT(infer({kCall, {"f32[2]"}, {}, "()", {17}}, program), StartsWith("structure:"));

  CHECK(infer({kCustomCall, {"f32[3]"}, CustomCallAttributes{.target = "f"}, "(f32[3], s32[])"}) ==
        "(f32[3], s32[])");
  CHECK_THAT(infer({kCustomCall, {}, CustomCallAttributes{}, "f32[]"}), StartsWith("attribute:"));
}

TEST_CASE("scan stacks outputs and returns carries") {
  Program program;
  const ComputationId step = program.body("step", {"f32[3]", "s32[]"}, kTuple, "(f32[3], s32[])");
  CHECK(infer({kScan,
               {"f32[5,3]", "s32[]"},
               ScanAttributes{.dimension = 0, .num_carries = 1},
               "()",
               {step}},
              program) == "(f32[5,3], s32[])");
  CHECK_THAT(infer({kScan,
                    {"f32[5,3]", "s32[]"},
                    ScanAttributes{.dimension = 2, .num_carries = 1},
                    "()",
                    {step}},
                   program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kScan,
                    {"f32[5,3]", "s32[]"},
                    ScanAttributes{.dimension = 0, .num_carries = 2},
                    "()",
                    {step}},
                   program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kScan,
                    {"f32[5,4]", "s32[]"},
                    ScanAttributes{.dimension = 0, .num_carries = 1},
                    "()",
                    {step}},
                   program),
             StartsWith("shape:"));
}

TEST_CASE("collectives of one replica") {
  Program program;
  const ComputationId add = program.reducer(kAdd, "f32");
  CollectiveAttributes along;
  along.dimensions = {0};
  CHECK(infer({kAllReduce, {"f32[2]"}, {}, "()", {add}}, program) == "f32[2]");
  CHECK(infer({kAllReduce, {"f32[2]", "f32[3]"}, {}, "()", {add}}, program) == "(f32[2], f32[3])");
  CHECK(infer({kAllGather, {"f32[2,3]"}, along, "f32[2,3]"}) == "f32[2,3]");
  CHECK_THAT(infer({kAllGather, {"f32[2,3]"}, along, "f32[3,3]"}), StartsWith("shape:"));
  CHECK(infer({kReduceScatter, {"f32[4]"}, along, "f32[4]", {add}}, program) == "f32[4]");
  CHECK(infer({kAllToAll, {"f32[4]"}, {}, "(f32[4])"}) == "(f32[4])");
  CHECK(infer({kCollectivePermute, {"f32[4]"}}) == "f32[4]");
  CHECK(infer({kCollectivePermuteStart, {"f32[4]"}, {}, "(f32[4], f32[4], u32[], u32[])"}) ==
        "(f32[4], f32[4], u32[], u32[])");
  CHECK(infer({kAllGatherDone, {"(f32[4], f32[8])"}}) == "f32[8]");
  CHECK_THAT(infer({kAllGatherDone, {"f32[4]"}}), StartsWith("shape:"));
  CHECK(infer({kCopyStart, {"f32[4]"}}) == "(f32[4], f32[4], u32[])");
  CHECK(infer({kCopyDone, {"(f32[4], f32[4], u32[])"}}) == "f32[4]");
  CHECK(infer({kAsyncStart, {"f32[]", "f32[]"}, {}, "((f32[], f32[]), f32[], s32[])", {add}},
              program) == "((f32[], f32[]), f32[], s32[])");
  CHECK(infer({kAsyncDone, {"((f32[], f32[]), f32[], s32[])"}, {}, "()", {}}) == "f32[]");
}

TEST_CASE("the attributes must be the op's own") {
  CHECK_THAT(infer({kAdd, {"f32[]", "f32[]"}, IotaAttributes{0}}), StartsWith("attribute:"));
  CHECK_THAT(infer({kTranspose, {"f32[2]"}, IotaAttributes{0}}), StartsWith("attribute:"));
}
