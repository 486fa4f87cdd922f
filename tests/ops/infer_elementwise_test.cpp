// Shapes and types of elementwise ops and sources.
#include <catch2/catch.hpp>

#include "ops/programs.h"

using namespace hlocc::ops::testing;
using Catch::Matchers::StartsWith;
using enum hlocc::hlo::Opcode;

TEST_CASE("unary ops keep the shape and take the types of their row") {
  CHECK(infer({kNegate, {"s8[2,3]"}}) == "s8[2,3]");
  CHECK(infer({kExp, {"c64[]"}}) == "c64[]");
  CHECK(infer({kExp, {"f32[2,<=3]"}}) == "f32[2,<=3]");
  CHECK(infer({kNot, {"pred[4]"}}) == "pred[4]");
  CHECK(infer({kPopcnt, {"u16[4]"}}) == "u16[4]");
  CHECK_THAT(infer({kSqrt, {"s32[4]"}}), StartsWith("type: %sqrt.1 (sqrt) in computation %main: "));
  CHECK_THAT(infer({kNot, {"f32[4]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kFloor, {"s32[]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kNegate, {"pred[]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kErf, {"c64[]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kNegate, {"(f32[])"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kNegate, {"token[]"}}), StartsWith("shape:"));
}

TEST_CASE("ops with another result type") {
  CHECK(infer({kAbs, {"c64[3]"}}) == "f32[3]");
  CHECK(infer({kAbs, {"u8[3]"}}) == "u8[3]");
  CHECK(infer({kReal, {"c128[3]"}}) == "f64[3]");
  CHECK(infer({kImag, {"f32[3]"}}) == "f32[3]");
  CHECK_THAT(infer({kReal, {"s32[3]"}}), StartsWith("type:"));
  CHECK(infer({kIsFinite, {"bf16[<=3]"}}) == "pred[<=3]");
  CHECK(infer({kConvert, {"f32[2]"}, {}, "s4[2]"}) == "s4[2]");
  CHECK_THAT(infer({kConvert, {"f32[2]"}, {}, "token[]"}), StartsWith("shape:"));
  CHECK(infer({kComplex, {"f64[2]", "f64[2]"}}) == "c128[2]");
  CHECK_THAT(infer({kComplex, {"f16[2]", "f16[2]"}}), StartsWith("type:"));
}

TEST_CASE("binary ops want equal operands and never broadcast") {
  CHECK(infer({kAdd, {"pred[2]", "pred[2]"}}) == "pred[2]");
  CHECK(infer({kAdd, {"f32[2]", "f32[<=2]"}}) == "f32[<=2]");
  CHECK(infer({kShiftLeft, {"s4[2]", "s4[2]"}}) == "s4[2]");
  CHECK_THAT(infer({kAdd, {"f32[2]", "f32[]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kAdd, {"f32[2]", "f32[1]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kAdd, {"f32[2]", "f16[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kSubtract, {"pred[2]", "pred[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kAnd, {"f32[2]", "f32[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kMaximum, {"c64[2]", "c64[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kShiftLeft, {"f32[2]", "f32[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kAdd, {"f32[2]"}}), StartsWith("arity:"));
  CHECK_THAT(infer({kAdd, {"f32[2]", "f32[2]", "f32[2]"}}), StartsWith("arity:"));
}

TEST_CASE("compare, select and clamp") {
  const CompareAttributes less{Direction::kLt, ComparisonType::kFloat};
  CHECK(infer({kCompare, {"f32[2]", "f32[2]"}, less}) == "pred[2]");
  CHECK_THAT(infer({kCompare, {"s32[2]", "s32[2]"}, less}), StartsWith("attribute:"));
  CHECK(infer({kCompare,
               {"s32[2]", "s32[2]"},
               CompareAttributes{Direction::kLt, ComparisonType::kSigned}}) == "pred[2]");
  CHECK_THAT(infer({kCompare, {"c64[2]", "c64[2]"}, less}), StartsWith("type:"));
  CHECK(infer({kCompare, {"c64[2]", "c64[2]"}, CompareAttributes{}}) == "pred[2]");

  CHECK(infer({kSelect, {"pred[2]", "f32[2]", "f32[2]"}}) == "f32[2]");
  CHECK(infer({kSelect, {"pred[]", "f32[2]", "f32[2]"}}) == "f32[2]");
  CHECK_THAT(infer({kSelect, {"pred[1]", "f32[2]", "f32[2]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kSelect, {"s32[2]", "f32[2]", "f32[2]"}}), StartsWith("type:"));
  CHECK_THAT(infer({kSelect, {"pred[]", "(f32[2])", "(f32[2])"}}), StartsWith("shape:"));

  CHECK(infer({kClamp, {"f32[]", "f32[2]", "f32[2]"}}) == "f32[2]");
  CHECK_THAT(infer({kClamp, {"f32[1]", "f32[2]", "f32[2]"}}), StartsWith("shape:"));
  CHECK_THAT(infer({kClamp, {"s32[]", "f32[2]", "f32[]"}}), StartsWith("type:"));
}

TEST_CASE("reduce-precision and stochastic-convert") {
  CHECK(infer({kReducePrecision, {"f32[2]"}, ReducePrecisionAttributes{5, 10}}) == "f32[2]");
  CHECK_THAT(infer({kReducePrecision, {"f32[2]"}, ReducePrecisionAttributes{0, 10}}),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kReducePrecision, {"f32[2]"}, ReducePrecisionAttributes{5, -1}}),
             StartsWith("attribute:"));
  CHECK(infer({kStochasticConvert, {"f32[2]", "u32[2]"}, {}, "s8[2]"}) == "s8[2]");
  CHECK_THAT(infer({kStochasticConvert, {"f32[2]", "u16[2]"}, {}, "s8[2]"}), StartsWith("type:"));
  CHECK_THAT(infer({kStochasticConvert, {"f32[2]", "s32[2]"}, {}, "s8[2]"}), StartsWith("type:"));
}

TEST_CASE("map applies a scalar computation") {
  Program program;
  const ComputationId less = program.body("less", {"f32[]", "f32[]"}, kCompare, "pred[]");
  CHECK(infer({kMap, {"f32[2,3]", "f32[2,3]"}, MapAttributes{{0, 1}}, "()", {less}}, program) ==
        "pred[2,3]");
  CHECK_THAT(infer({kMap, {"f32[2,3]", "f32[2,3]"}, MapAttributes{{1, 0}}, "()", {less}}, program),
             StartsWith("attribute:"));
  CHECK_THAT(infer({kMap, {"f32[2]"}, MapAttributes{{0}}, "()", {less}}, program),
             StartsWith("arity:"));
  CHECK_THAT(infer({kMap, {}, MapAttributes{{}}, "()", {less}}, program), StartsWith("arity:"));
  CHECK_THAT(infer({kMap, {"f32[2]", "s32[2]"}, MapAttributes{{0}}, "()", {less}}, program),
             StartsWith("shape:"));
}

TEST_CASE("sources take their own word") {
  CHECK(infer({kIota, {}, IotaAttributes{1}, "s32[2,3]{0,1}"}) == "s32[2,3]");
  CHECK_THAT(infer({kIota, {}, IotaAttributes{2}, "s32[2,3]"}), StartsWith("attribute:"));
  CHECK_THAT(infer({kIota, {}, IotaAttributes{0}, "s32[]"}), StartsWith("attribute:"));
  CHECK_THAT(infer({kIota, {}, IotaAttributes{0}, "pred[2]"}), StartsWith("type:"));
  CHECK(infer({kConstant, {}, ConstantAttributes{Literal::zeros(shape("f32[2]"))}, "f32[3]"}) ==
        "f32[2]");
  CHECK(infer({kReplicaId, {}}) == "u32[]");
}
