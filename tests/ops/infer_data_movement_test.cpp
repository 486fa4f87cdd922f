// Shapes of data movement, dynamic sizes, tuples and tokens.
#include <catch2/catch.hpp>

#include "ops/programs.h"

using namespace hlocc::ops::testing;
using Catch::Matchers::StartsWith;
using enum hlocc::hlo::Opcode;

TEST_CASE("reshape, bitcast and bitcast-convert") {
  CHECK(infer({kReshape, {"f32[2,3]"}, {}, "f32[3,1,2]{0,1,2}"}) == "f32[3,1,2]");
  CHECK_THAT(infer({kReshape, {"f32[2,3]"}, {}, "f32[7]"}), StartsWith("shape:"));
  CHECK(infer({kReshape, {"f32[2,3]"}, {}, "s32[6]"}) == "f32[6]");
  CHECK(infer({kBitcast, {"f32[2,3]"}, {}, "u8[24]"}) == "u8[24]");
  CHECK_THAT(infer({kBitcast, {"f32[2,3]"}, {}, "u8[25]"}), StartsWith("shape:"));
  // A truth value takes a byte.
  CHECK(infer({kBitcast, {"pred[8]"}, {}, "u8[8]"}) == "u8[8]");
  CHECK_THAT(infer({kBitcast, {"pred[8]"}, {}, "u8[1]"}), StartsWith("shape:"));
  CHECK(infer({kBitcastConvert, {"pred[8]"}, {}, "u8[8]"}) == "u8[8]");
  CHECK(infer({kBitcastConvert, {"pred[2,4]"}, {}, "f32[2]"}) == "f32[2]");
  CHECK(infer({kBitcastConvert, {"pred[1,8]"}, {}, "u8[1,8]"}) == "u8[1,8]");
  CHECK(infer({kBitcastConvert, {"f32[2]"}, {}, "s32[2]"}) == "s32[2]");
  CHECK(infer({kBitcastConvert, {"f32[2]"}, {}, "u8[2,4]"}) == "u8[2,4]");
  CHECK(infer({kBitcastConvert, {"u8[2,4]"}, {}, "f32[2]"}) == "f32[2]");
  CHECK(infer({kBitcastConvert, {"s8[2]"}, {}, "s4[2,2]"}) == "s4[2,2]");
  CHECK_THAT(infer({kBitcastConvert, {"u8[2,3]"}, {}, "f32[2]"}), StartsWith("shape:"));
  CHECK_THAT(infer({kBitcastConvert, {"u8[]"}, {}, "f32[]"}), StartsWith("shape:"));
  CHECK_THAT(infer({kBitcastConvert, {"c64[2]"}, {}, "f64[2]"}), StartsWith("type:"));
}

TEST_CASE("broadcast places operand dimensions") {
  CHECK(infer({kBroadcast, {"f32[]"}, {}, "f32[2,3]"}) == "f32[2,3]");
  CHECK(infer({kBroadcast, {"f32[3]"}, DimensionsAttributes{{1}}, "f32[2,3]"}) == "f32[2,3]");
  // No size of 1 stretches: what comes out is not what was stated.
  CHECK(infer({kBroadcast, {"f32[1]"}, DimensionsAttributes{{1}}, "f32[2,3]"}) == "f32[2,1]");
  CHECK(infer({kBroadcast, {"f32[<=3]"}, DimensionsAttributes{{1}}, "f32[2,3]"}) == "f32[2,<=3]");
  CHECK_THAT(infer({kBroadcast, {"f32[3]"}, DimensionsAttributes{{2}}, "f32[2,3]"}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kBroadcast, {"f32[3,3]"}, DimensionsAttributes{{1, 1}}, "f32[3,3]"}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kBroadcast, {"f32[3]"}, DimensionsAttributes{{}}, "f32[2,3]"}),
             StartsWith("attribute:"));
}

TEST_CASE("transpose and reverse") {
  CHECK(infer({kTranspose, {"f32[2,<=3,4]"}, DimensionsAttributes{{2, 0, 1}}}) == "f32[4,2,<=3]");
  CHECK_THAT(infer({kTranspose, {"f32[2,3]"}, DimensionsAttributes{{0, 0}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kTranspose, {"f32[2,3]"}, DimensionsAttributes{{0}}}),
             StartsWith("attribute:"));
  CHECK(infer({kReverse, {"f32[2,3]"}, DimensionsAttributes{{1}}}) == "f32[2,3]");
  CHECK_THAT(infer({kReverse, {"f32[2,3]"}, DimensionsAttributes{{1, 1}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kReverse, {"f32[2,3]"}, DimensionsAttributes{{-1}}}), StartsWith("attribute:"));
}

TEST_CASE("slices") {
  CHECK(infer({kSlice, {"f32[10,4]"}, SliceAttributes{{1, 4}, {10, 4}, {4, 1}}}) == "f32[3,0]");
  CHECK(infer({kSlice, {"f32[10]"}, SliceAttributes{{0}, {10}, {INT64_MAX}}}) == "f32[1]");
  CHECK_THAT(infer({kSlice, {"f32[10]"}, SliceAttributes{{0}, {11}, {1}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kSlice, {"f32[10]"}, SliceAttributes{{-1}, {3}, {1}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kSlice, {"f32[10]"}, SliceAttributes{{4}, {3}, {1}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kSlice, {"f32[10]"}, SliceAttributes{{0}, {3}, {0}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kSlice, {"f32[10]"}, SliceAttributes{{0}, {3}, {}}}), StartsWith("attribute:"));

  const DynamicSliceAttributes sizes{{2, 4}};
  CHECK(infer({kDynamicSlice, {"f32[10,4]", "s32[]", "s32[]"}, sizes}) == "f32[2,4]");
  CHECK(infer({kDynamicSlice, {"f32[10,4]", "u8[2]"}, sizes}) == "f32[2,4]");
  CHECK_THAT(infer({kDynamicSlice, {"f32[10,4]", "s32[]"}, sizes}), StartsWith("arity:"));
  CHECK_THAT(infer({kDynamicSlice, {"f32[10,4]", "s32[3]"}, sizes}), StartsWith("shape:"));
  CHECK_THAT(infer({kDynamicSlice, {"f32[10,4]", "s32[]", "f32[]"}, sizes}), StartsWith("type:"));
  CHECK_THAT(infer({kDynamicSlice, {"f32[10,4]", "s32[]", "s64[]"}, sizes}), StartsWith("type:"));
  CHECK_THAT(infer({kDynamicSlice, {"f32[10,3]", "s32[]", "s32[]"}, sizes}),
             StartsWith("attribute:"));

  CHECK(infer({kDynamicUpdateSlice, {"f32[10]", "f32[3]", "s32[]"}}) == "f32[10]");
  CHECK(infer({kDynamicUpdateSlice, {"f32[]", "f32[]"}}) == "f32[]");
  CHECK_THAT(infer({kDynamicUpdateSlice, {"f32[10]", "f32[11]", "s32[]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kDynamicUpdateSlice, {"f32[10]", "f32[]", "s32[]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kDynamicUpdateSlice, {"f32[10]", "s32[3]", "s32[]"}}), StartsWith("type:"));
}

TEST_CASE("concatenate and pad") {
  CHECK(infer({kConcatenate, {"f32[2,3]", "f32[0,3]", "f32[5,<=3]"}, DimensionsAttributes{{0}}}) ==
        "f32[7,<=3]");
  CHECK_THAT(infer({kConcatenate, {"f32[2,3]", "f32[2,4]"}, DimensionsAttributes{{0}}}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kConcatenate, {"f32[2,3]", "f32[2]"}, DimensionsAttributes{{0}}}),
             StartsWith("shape:"));
  CHECK_THAT(infer({kConcatenate, {"f32[2]", "s32[2]"}, DimensionsAttributes{{0}}}),
             StartsWith("type:"));
  CHECK_THAT(infer({kConcatenate, {"f32[]"}, DimensionsAttributes{{0}}}), StartsWith("attribute:"));
  CHECK_THAT(infer({kConcatenate, {"f32[2]"}, DimensionsAttributes{{0, 0}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kConcatenate,
                    {"s8[9000000000000000000]", "s8[9000000000000000000]"},
                    DimensionsAttributes{{0}}}),
             StartsWith("limit:"));

  CHECK(infer({kPad, {"f32[4,2]", "f32[]"}, PadAttributes{{{-1, 2, 1}, {0, 0, 0}}}}) == "f32[8,2]");
  CHECK(infer({kPad, {"f32[0]", "f32[]"}, PadAttributes{{{1, 2, 5}}}}) == "f32[3]");
  CHECK_THAT(infer({kPad, {"f32[4]", "f32[]"}, PadAttributes{{{0, 0, -1}}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kPad, {"f32[4]", "f32[]"}, PadAttributes{{{-3, -2, 0}}}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kPad, {"f32[4]", "f32[]"}, PadAttributes{}}), StartsWith("attribute:"));
  CHECK_THAT(infer({kPad, {"f32[4]", "f32[1]"}, PadAttributes{{{0, 0, 0}}}}), StartsWith("shape:"));
  CHECK_THAT(infer({kPad, {"f32[4]", "s32[]"}, PadAttributes{{{0, 0, 0}}}}), StartsWith("type:"));
  CHECK_THAT(infer({kPad, {"f32[4]", "f32[]"}, PadAttributes{{{0, 0, INT64_MAX}}}}),
             StartsWith("limit:"));
}

TEST_CASE("dynamic sizes") {
  CHECK(infer({kGetDimensionSize, {"f32[2,<=3]"}, DimensionsAttributes{{1}}}) == "s32[]");
  CHECK_THAT(infer({kGetDimensionSize, {"f32[2]"}, DimensionsAttributes{{1}}}),
             StartsWith("attribute:"));
  CHECK(
      infer({kSetDimensionSize, {"f32[2,3]", "s32[]"}, DimensionsAttributes{{1}}, "f32[2,<=3]"}) ==
      "f32[2,<=3]");
  CHECK(
      infer({kSetDimensionSize, {"f32[2,<=3]", "s32[]"}, DimensionsAttributes{{1}}, "f32[2,3]"}) ==
      "f32[2,3]");
  CHECK_THAT(infer({kSetDimensionSize, {"f32[2]", "s64[]"}, DimensionsAttributes{{0}}}),
             StartsWith("type:"));
  CHECK(infer({kDynamicReshape, {"f32[<=6]", "s32[]", "s32[]"}, {}, "f32[2,<=3]"}) == "f32[2,<=3]");
  CHECK_THAT(infer({kDynamicReshape, {"f32[<=6]", "s32[]"}, {}, "f32[2,<=3]"}),
             StartsWith("arity:"));
}

TEST_CASE("tuples, tokens and barriers") {
  CHECK(infer({kTuple, {"f32[2]{0}", "(s32[], token[])"}}) == "(f32[2], (s32[], token[]))");
  CHECK(infer({kTuple, {}}) == "()");
  CHECK(infer({kGetTupleElement, {"(f32[2], s32[])"}, TupleIndexAttributes{1}}) == "s32[]");
  CHECK_THAT(infer({kGetTupleElement, {"(f32[2])"}, TupleIndexAttributes{1}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kGetTupleElement, {"f32[2]"}, TupleIndexAttributes{0}}), StartsWith("shape:"));
  CHECK(infer({kOptBarrier, {"(f32[2], s32[])"}}) == "(f32[2], s32[])");
  CHECK(infer({kAfterAll, {"token[]", "token[]"}}) == "token[]");
  CHECK_THAT(infer({kAfterAll, {"f32[]"}}), StartsWith("shape:"));
  CHECK(infer({kAddDependency, {"f32[2]", "token[]"}}) == "f32[2]");
  CHECK_THAT(infer({kAddDependency, {"f32[2]", "f32[2]"}}), StartsWith("shape:"));
}
