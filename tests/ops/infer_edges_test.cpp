// Rules of inference beside what they take: a row an op, the last number that fits and the first
// that does not. `Kind` is the kind of the diagnostic, or the shape.
#include <catch2/catch.hpp>

#include "ops/programs.h"
#include "support/text.h"

using namespace hlocc::ops::testing;
using enum hlocc::hlo::Opcode;
using hlocc::cat;

namespace {

// The shape, or the kind of the diagnostic alone.
std::string kind(const Question& question, const Program& program = {}) {
  const std::string answer = infer(question, program);
  const size_t colon = answer.find(": ");
  return colon == std::string::npos ? answer : answer.substr(0, colon);
}

DotAttributes dot_of(PrecisionConfig precision) {
  DotAttributes dot{{1}, {0}};
  dot.precision = std::move(precision);
  return dot;
}

}  // namespace

TEST_CASE("edges: bits that can be seen") {
  CHECK(kind({kBitcast, {"pred[8]"}, {}, "u8[8]"}) == "u8[8]");
  CHECK(kind({kBitcast, {"pred[8]"}, {}, "u8[1]"}) == "shape");
  CHECK(kind({kBitcast, {"u8[2]"}, {}, "pred[2]"}) == "pred[2]");
  CHECK(kind({kBitcastConvert, {"pred[8]"}, {}, "u8[8]"}) == "u8[8]");
  CHECK(kind({kBitcastConvert, {"u8[8]"}, {}, "pred[8]"}) == "pred[8]");
  CHECK(kind({kBitcastConvert, {"f32[]"}, {}, "u8[4]"}) == "u8[4]");
  CHECK(kind({kBitcastConvert, {"u8[4]"}, {}, "f32[]"}) == "f32[]");
  CHECK(kind({kBitcastConvert, {"u8[2,<=4]"}, {}, "f32[2]"}) == "shape");
  CHECK(kind({kBitcastConvert, {"u8[<=2,4]"}, {}, "f32[2]"}) == "f32[<=2]");
  CHECK(kind({kBitcast, {"f32[4000000000,4000000000]"}, {}, "u8[4]"}) == "shape");
  CHECK(kind({kBitcast, {"s8[9000000000000000000]"}, {}, "s8[8000000000000000000]"}) == "shape");
}

TEST_CASE("edges: slices") {
  const DynamicSliceAttributes sizes{{2, 4}};
  CHECK(kind({kDynamicSlice, {"f32[<=10,<=4]", "s32[]", "s32[]"}, sizes}) == "f32[2,<=4]");
  CHECK(kind({kDynamicSlice, {"f32[10,4]", "s32[]", "s32[]"}, DynamicSliceAttributes{{0, 4}}}) ==
        "f32[0,4]");
  CHECK(kind({kDynamicSlice, {"f32[10,4]", "s32[]", "s32[]"}, DynamicSliceAttributes{{-1, 4}}}) ==
        "attribute");
  CHECK(kind({kDynamicSlice, {"f32[10]", "s32[1,1]"}, DynamicSliceAttributes{{2}}}) == "shape");
  CHECK(kind({kDynamicSlice, {"f32[10,4]", "s32[2]", "s32[2]"}, sizes}) == "shape");
  CHECK(kind({kDynamicUpdateSlice, {"f32[10]", "f32[10]", "s32[]"}}) == "f32[10]");
  CHECK(kind({kPad, {"f32[4]", "f32[]"}, PadAttributes{{{-2, -2, 0}}}}) == "f32[0]");
  CHECK(kind({kConcatenate, {"f32[2]", "f32[2]"}, DimensionsAttributes{{-1}}}) == "attribute");
  CHECK(kind({kIota, {}, IotaAttributes{-1}, "s32[4]"}) == "attribute");
  CHECK(kind({kIota, {}, IotaAttributes{0}, "s32[4]"}) == "s32[4]");
}

TEST_CASE("edges: collectives and what starts and ends apart") {
  const CollectiveAttributes along{.dimensions = {0}};
  CHECK(kind({kAllGather, {"f32[4]"}, along, "f32[8]"}) == "f32[8]");
  CHECK(kind({kAllGather, {"f32[4]"}, along, "f32[1]"}) == "f32[1]");
  CHECK(kind({kAllGather, {"f32[4]"}, along, "f32[6]"}) == "shape");
  CHECK(kind({kAllGather, {"f32[0]"}, along, "f32[0]"}) == "f32[0]");
  CHECK(kind({kAllGather, {"f32[0]"}, along, "f32[2]"}) == "shape");
  CHECK(kind({kAllGather, {"f32[4]"}, along, "f32[8,1]"}) == "f32[4]");
  CHECK(kind({kAllGather, {"f32[4]", "f32[2]"}, along, "(f32[8], f32[4])"}) == "(f32[8], f32[4])");
  CHECK(kind({kAllGather, {"f32[4]", "f32[2]"}, along, "(f32[8])"}) == "shape");
  for (const char* start : {"((f32[4]))", "f32[4]", "()"})
    CHECK(kind({kAllGatherDone, {start}}) == "shape");
  CHECK(kind({kAllGatherDone, {"((f32[4]), f32[8])"}}) == "f32[8]");
  Program program;
  const auto id = program.body("negated", {"f32[4]"}, kNegate, "f32[4]");
  const std::string started = "((f32[4]), f32[4])";
  CHECK(kind({kAsyncStart, {"f32[4]"}, {}, started, {id}}, program) == started);
  CHECK(kind({kAsyncStart, {"f32[4]"}, {}, started, {id, id}}, program) == "arity");
}

TEST_CASE("edges: branches, aliases of calls, scans") {
  Program program;
  const auto f = program.body("f", {"f32[]"}, kNegate, "f32[]");
  CHECK(kind({kConditional, {"s32[]"}, {}, "f32[]"}, program) == "arity");
  CHECK(kind({kConditional, {"s32[]", "f32[]"}, {}, "f32[]", {f}}, program) == "f32[]");
  CHECK(kind({kConditional, {"pred[]", "f32[]"}, {}, "f32[]", {f}}, program) == "arity");
  CHECK(kind({kConditional, {"pred[]", "f32[]", "f32[]"}, {}, "f32[]", {f, f}}, program) ==
        "f32[]");
  CHECK(kind({kConditional, {"pred[]", "f32[]", "f32[]", "f32[]"}, {}, "f32[]", {f, f, f}},
             program) == "arity");
  const auto aliased = [&](int64_t operand) {
    CustomCallAttributes call{.target = "t"};
    call.output_operand_aliasing = {{{}, operand, {}}};
    return kind({kCustomCall, {"f32[]", "f32[]"}, call, "f32[]"});
  };
  for (const int64_t operand : {0, 1}) CHECK(aliased(operand) == "f32[]");
  for (const int64_t operand : {-1, 2}) CHECK(aliased(operand) == "attribute");

  const auto sum = program.body("sum", {"f32[]", "f32[]"}, kAdd, "f32[]");
  const auto carries = [](int64_t count) { return ScanAttributes{0, count}; };
  CHECK(kind({kScan, {"f32[4]", "f32[]"}, carries(1), "()", {sum}}, program) == "f32[]");
  CHECK(kind({kScan, {"f32[4]", "f32[4]"}, carries(0), "()", {sum}}, program) == "f32[4]");
  CHECK(kind({kScan, {"f32[4]", "f32[3]"}, carries(0), "()", {sum}}, program) == "shape");
  CHECK(kind({kScan, {"f32[4]", "f32[4]"}, carries(-1), "()", {sum}}, program) == "attribute");
  CHECK(kind({kScan, {"f32[4]", "f32[]"}, carries(2), "()", {sum}}, program) == "attribute");
  const auto two = program.body("two", {"f32[]", "f32[]", "f32[]"}, kAdd, "f32[]");
  CHECK(kind({kScan, {"f32[4]", "f32[]", "f32[]"}, carries(2), "()", {two}}, program) == "shape");
}

TEST_CASE("edges: groups of convolutions") {
  const auto with = [](int64_t features, int64_t batches, const char* input, const char* kernel) {
    ConvolutionAttributes conv;
    conv.window.dimensions = {{.size = 1}};
    conv.input_feature = conv.output_feature = 1;
    conv.kernel_input_feature = 1;
    conv.kernel_output_feature = 2;
    conv.input_spatial = conv.output_spatial = {2};
    conv.kernel_spatial = {0};
    conv.feature_group_count = features;
    conv.batch_group_count = batches;
    return kind({kConvolution, {input, kernel}, conv, "f32[1,1,4]"});
  };
  CHECK(with(1, 1, "f32[2,4,4]", "f32[1,4,3]") == "f32[2,3,4]");
  CHECK(with(0, 1, "f32[2,4,4]", "f32[1,4,3]") == "attribute");
  CHECK(with(1, 0, "f32[2,4,4]", "f32[1,4,3]") == "attribute");
  CHECK(with(2, 2, "f32[2,4,4]", "f32[1,2,4]") == "attribute");
  CHECK(with(2, 1, "f32[2,4,4]", "f32[1,2,4]") == "f32[2,4,4]");
  CHECK(with(2, 1, "f32[2,4,4]", "f32[1,2,3]") == "shape");
  CHECK(with(1, 2, "f32[2,4,4]", "f32[1,4,4]") == "f32[1,4,4]");
  CHECK(with(1, 2, "f32[2,4,4]", "f32[1,4,3]") == "shape");
  CHECK(with(1, 2, "f32[3,4,4]", "f32[1,4,4]") == "shape");
}

TEST_CASE("edges: precisions and types of products") {
  const auto with = [](PrecisionConfig precision) {
    return kind({kDot, {"f32[2,3]", "f32[3,2]"}, dot_of(std::move(precision)), "f32[2,2]"});
  };
  for (const int value : {0, 3}) CHECK(with({{value, 0}}) == "f32[2,2]");
  for (const int value : {-1, 4}) CHECK(with({{value, 0}}) == "attribute");
  CHECK(with({{}, -1}) == "attribute");
  const auto typed = [](const char* lhs, const char* rhs, const char* result) {
    return kind({kDot, {cat(lhs, "[2,3]"), cat(rhs, "[3,2]")}, dot_of({}), cat(result, "[2,2]")});
  };
  CHECK(typed("s8", "s8", "s8") == "s8[2,2]");
  CHECK(typed("s32", "s32", "s8") == "type");
  CHECK(typed("f32", "f32", "bf16") == "bf16[2,2]");
  CHECK(typed("s32", "s32", "bf16") == "bf16[2,2]");
  CHECK(typed("c128", "c128", "c64") == "type");
  RaggedDotAttributes ragged;
  ragged.dot = DotAttributes{{1}, {1}};
  ragged.lhs_ragged = {0};
  ragged.rhs_group = {0};
  CHECK(kind({kRaggedDot, {"f32[4,3]", "f32[2,3,5]", "s32[2]"}, ragged, "f32[4,5]"}) == "f32[4,5]");
  CHECK(infer({kRaggedDot, {"f32[4,3]", "f32[2,3,5]", "s32[]"}, ragged, "f32[4,5]"})
            .ends_with("must have a dimension"));
}

TEST_CASE("edges: elementwise attributes") {
  const auto rounded = [](int exponent, int mantissa) {
    return kind({kReducePrecision, {"f32[2]"}, ReducePrecisionAttributes{exponent, mantissa}});
  };
  CHECK(rounded(1, 0) == "f32[2]");
  CHECK(rounded(0, 0) == "attribute");
  CHECK(rounded(1, -1) == "attribute");
  const auto compared = [](const char* type, Direction direction, ComparisonType order) {
    return kind({kCompare, {type, type}, CompareAttributes{direction, order}});
  };
  CHECK(compared("f32[2]", Direction::kLt, ComparisonType::kTotalOrder) == "pred[2]");
  CHECK(compared("s32[2]", Direction::kLt, ComparisonType::kTotalOrder) == "attribute");
  CHECK(compared("c64[2]", Direction::kEq, ComparisonType::kFloat) == "pred[2]");
  CHECK(compared("c64[2]", Direction::kNe, ComparisonType::kFloat) == "pred[2]");
  CHECK(compared("c64[2]", Direction::kLt, ComparisonType::kFloat) == "type");
  Program program;
  const auto f = program.body("f", {"f32[]"}, kNegate, "f32[]");
  CHECK(kind({kMap, {"f32[2]"}, MapAttributes{{0}}, "f32[2]", {f}}, program) == "f32[2]");
  CHECK(kind({kSetDimensionSize, {"f32[2,<=3]", "s32[]"}, DimensionsAttributes{{0}}, "f32[]"}) ==
        "f32[<=2,<=3]");
}

TEST_CASE("edges: transforms") {
  const auto fft = [](const char* operand, FftType type, Dimensions length) {
    return kind({kFft, {operand}, FftAttributes{type, std::move(length)}});
  };
  CHECK(fft("c64[2,3,4,5]", FftType::kFft, {3, 4, 5}) == "c64[2,3,4,5]");
  CHECK(fft("c64[2,3,4,5]", FftType::kFft, {2, 3, 4, 5}) == "attribute");
  CHECK(fft("c64[0]", FftType::kFft, {0}) == "c64[0]");
  CHECK(fft("c64[1]", FftType::kFft, {-1}) == "attribute");
  CHECK(fft("f32[0]", FftType::kRfft, {0}) == "c64[0]");
  CHECK(fft("f32[1]", FftType::kRfft, {1}) == "c64[1]");
  CHECK(fft("f32[2]", FftType::kRfft, {2}) == "c64[2]");
  CHECK(fft("c64[0]", FftType::kIrfft, {0}) == "f32[0]");
  CHECK(fft("c64[1]", FftType::kIrfft, {1}) == "f32[1]");
}

TEST_CASE("edges: gather and scatter") {
  const auto gathered = [](GatherAttributes gather, const char* operand, const char* indices) {
    return kind({kGather, {operand, indices}, std::move(gather)});
  };
  GatherAttributes rows{.offset_dims = {1},
                        .collapsed_slice_dims = {0},
                        .start_index_map = {0},
                        .index_vector_dim = 1,
                        .slice_sizes = {1, 3}};
  CHECK(gathered(rows, "f32[4,3]", "s32[5,1]") == "f32[5,3]");
  rows.index_vector_dim = 0;
  rows.offset_dims = {1};
  CHECK(gathered(rows, "f32[4,3]", "s32[1,5]") == "f32[5,3]");
  rows.index_vector_dim = -1;
  CHECK(gathered(rows, "f32[4,3]", "s32[5,1]") == "attribute");
  rows.index_vector_dim = 3;
  CHECK(gathered(rows, "f32[4,3]", "s32[5,1]") == "attribute");
  rows.index_vector_dim = 1;
  rows.slice_sizes = {0, 3};
  CHECK(gathered(rows, "f32[4,3]", "s32[5,1]") == "f32[5,3]");
  rows.slice_sizes = {1, -1};
  CHECK(gathered(rows, "f32[4,3]", "s32[5,1]") == "attribute");
  GatherAttributes batched{.offset_dims = {1},
                           .start_index_map = {1},
                           .operand_batching_dims = {0},
                           .start_indices_batching_dims = {0},
                           .index_vector_dim = 1,
                           .slice_sizes = {1, 2}};
  CHECK(gathered(batched, "f32[4,3]", "s32[4,1]") == "f32[4,2]");
  batched.slice_sizes = {2, 2};
  CHECK(gathered(batched, "f32[4,3]", "s32[4,1]") == "attribute");
  batched.slice_sizes = {1, 2};
  batched.start_indices_batching_dims = {1};
  CHECK(gathered(batched, "f32[1,3]", "s32[4,1]") == "attribute");
}

TEST_CASE("edges: matrices, tops, random bits, tuples") {
  CHECK(kind({kCholesky, {"f32[3]"}}) == "shape");
  CHECK(kind({kCholesky, {"f32[]"}}) == "shape");
  CHECK(kind({kTriangularSolve, {"f32[3,3]", "f32[2,3,3]"}, TriangularSolveAttributes{}}) ==
        "shape");
  CHECK(kind({kTopK, {"f32[8]"}, TopKAttributes{0}}) == "(f32[0], s32[0])");
  CHECK(kind({kTopK, {"f32[8]"}, TopKAttributes{8}}) == "(f32[8], s32[8])");
  CHECK(kind({kTopK, {"f32[8]"}, TopKAttributes{-1}}) == "attribute");
  const auto bits = [](const char* state, RngAlgorithm algorithm, const char* result) {
    return kind({kRngBitGenerator, {state}, RngBitGeneratorAttributes{algorithm}, result});
  };
  CHECK(bits("u64[2]", RngAlgorithm::kThreeFry, "(u64[2], u32[4])") == "(u64[2], u32[4])");
  CHECK(bits("u64[3]", RngAlgorithm::kPhilox, "(u64[3], u32[4])") == "(u64[3], u32[4])");
  CHECK(bits("u64[3]", RngAlgorithm::kThreeFry, "(u64[3], u32[4])") == "shape");
  CHECK(bits("u64[4]", RngAlgorithm::kPhilox, "(u64[4], u32[4])") == "shape");
  CHECK(bits("u64[2,1]", RngAlgorithm::kPhilox, "(u64[2,1], u32[4])") == "shape");
  for (const char* result : {"u32[4]", "(u64[2])", "(u64[2], u32[4], u32[4])"})
    CHECK(bits("u64[2]", RngAlgorithm::kPhilox, result) == "shape");
  CHECK(kind({kGetTupleElement, {"(f32[2], s32[])"}, TupleIndexAttributes{0}}) == "f32[2]");
  CHECK(kind({kGetTupleElement, {"(f32[2])"}, TupleIndexAttributes{-1}}) == "attribute");
}
