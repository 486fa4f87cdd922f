// Functions of one array in TensorFlow Lite that are no activations: signs, roots, types, scales,
// SOFTMAX; each on both sides of what it is refused for.
#include <cmath>

#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeRow of_one(const std::string& op, const NodeTensor& from, const NodeTensor& to,
               const std::string& answer, FlatFields options = {}) {
  return {op, std::move(options), {from}, {to}, answer};
}

TEST_CASE("TFLite's functions of reals take reals, some plain integers too") {
  const NodeTensor r = x({2}, {-1.5, 4}), i = given(kS32, {2}, {-3, 3});
  const NodeTensor to = y({2}), ints = gives(kS32, {2}), i64 = given(kS64, {2}, {-3, 3});
  check_nodes({
      of_one("NEG", r, to, "f32[2] 1.5 -4"),
      of_one("NEG", i, ints, "s32[2] 3 -3"),
      of_one("NEG", i64, gives(kS64, {2}), "s64[2] 3 -3"),
      of_one("NEG", r, ints, no_kernel + "(FLOAT32) -> INT32"),
      of_one("NEG", given(kU32, {2}), gives(kU32, {2}), no_kernel + "(UINT32) -> UINT32"),
      of_one("SIGN", i, ints, "s32[2] -1 1"),
      of_one("EXP", x({1}, {0}), y({1}), "f32[1] 1"),
      of_one("EXP", i, ints, no_kernel + "(INT32) -> INT32"),
      of_one("EXP", i64, gives(kS64, {2}), no_kernel + "(INT64) -> INT64"),
      of_one("FLOOR", r, to, "f32[2] -2 4"),
      of_one("FLOOR", i, ints, no_kernel + "(INT32) -> INT32"),
      of_one("CEIL", r, to, "f32[2] -1 4"),
      of_one("ROUND", x({3}, {.5, 1.5, -2.5}), y({3}), "f32[3] 0 2 -2"),
      of_one("SQUARE", r, to, "f32[2] 2.25 16"),
      of_one("SQUARE", i, ints, no_kernel + "(INT32) -> INT32"),
      of_one("GELU", i, ints, no_kernel + "(INT32) -> INT32"),
      of_one("LOGICAL_NOT", given(kPred, {2}, {0, 1}), gives(kPred, {2}), "pred[2] 1 0"),
      of_one("LOGICAL_NOT", i, ints, no_kernel + "(INT32) -> INT32"),
      of_one("ABS", r, to, "f32[2] 1.5 4"),
      of_one("ABS", i, ints, "s32[2] 3 3"),
      of_one("ABS", of_bytes({-4, 4, 9}, .5f, 1), gives(kS8, {3}, .5f, -1), "s8[3] 4 2 7"),
      of_one("ABS", of_bytes({-4, 4, 9}, .5f), gives(kS8, {3}, .25f), "s8[3] 8 8 18"),
      of_one("ABS", of_words({-400, 4}, .5f), gives(kS16, {2}, 1), "s16[2] 200 2"),
      of_one("ABS", of_bytes({1}, 1), gives(kS16, {1}, 1), no_kernel + "(INT8) -> INT16"),
      of_one("ABS", of_bytes({1}, 0), gives(kS8, {1}, 1), "!\"i0\" has no scale"),
      of_one("RSQRT", x({1}, {4}), y({1}), "f32[1] 0.5"),
      // 127 of 0; of 1 and of 4.
      of_one("RSQRT", of_bytes({-128, -124, -112}, .25f, -128), gives(kS8, {3}, .125f),
             "s8[3] 127 8 4"),
      of_one("RSQRT", of_bytes({1}, 1), gives(kS8, {1}, 1), "!numbers below zero"),
      of_one("RSQRT", of_bytes({1}, 1, -128), gives(kS16, {1}, 1), no_kernel + "(INT8) -> INT16"),
      of_one("RSQRT", of_words({1}, 1), gives(kS16, {1}, 1), no_kernel + "(INT16) -> INT16"),
      {"RSQRT", {}, {}, {y({1})}, "!has 0 operands, or lacks one"},
  });
}

TEST_CASE("TFLite's CAST, QUANTIZE and DEQUANTIZE go from type to type") {
  const NodeTensor r = x({3}, {-1, .25, 40});
  const auto s8 = [](float scale, int64_t zero = 0) { return gives(kS8, {3}, scale, zero); };
  const NodeTensor q = of_bytes({-4, 3, 100}, .5f, 1);
  check_nodes({
      of_one("CAST", x({2}, {-1.5, 2.5}), gives(kS32, {2}), "s32[2] -1 2"),
      of_one("CAST", given(kS32, {2}), gives(kPred, {2}), "pred[2] 0 1"),
      of_one("CAST", x({1}), gives(kC64, {1}), no_kernel + "(FLOAT32) -> COMPLEX64"),
      of_one("CAST", {NodeTensor::kArgument, Literal::zeros(Shape::array(kC64, {1}))}, y({1}),
             no_kernel + "(COMPLEX64) -> FLOAT32"),
      of_one("CAST", x({1}), numbered(y({1}), 5), no_kernel + "(FLOAT32) -> STRING"),
      of_one("CAST", x({1}), numbered(y({1}), 99), no_kernel + "(FLOAT32) -> type 99"),
      of_one("QUANTIZE", r, s8(.5f, 3), "s8[3] 1 4 83"),
      of_one("QUANTIZE", r, s8(.25f), "s8[3] -4 1 127"),
      of_one("QUANTIZE", r, gives(kS16, {3}, .125f), "s16[3] -8 2 320"),
      of_one("QUANTIZE", r, gives(kU8, {3}, .5f, 3), "u8[3] 1 4 83"),
      of_one("QUANTIZE", r, gives(kS32, {3}, 1), no_kernel + "(FLOAT32) -> INT32"),
      of_one("QUANTIZE", r, y({3}), no_kernel + "(FLOAT32) -> FLOAT32"),
      of_one("QUANTIZE", r, s8(0), "!\"y0\" has no scale"),
      of_one("QUANTIZE", r, by_channel(s8(0), {1, 1, 1}, 0), "!scales by channel"),
      of_one("QUANTIZE", q, s8(.25f), "s8[3] -10 4 127"),
      of_one("QUANTIZE", q, s8(.5f, -1), "s8[3] -6 1 98"),
      of_one("QUANTIZE", q, gives(kS32, {3}, .25f, 5), "s32[3] -5 9 203"),
      of_one("QUANTIZE", q, gives(kS16, {3}, .25f), "s16[3] -10 4 198"),
      of_one("QUANTIZE", scaled(given(kS32, {1}, {100}), .5f), gives(kS8, {1}, 1), "s8[1] 50"),
      of_one("QUANTIZE", of_words({100}, .5f), gives(kS8, {1}, 1), "s8[1] 50"),
      of_one("QUANTIZE", of_bytes({1}, 0), gives(kS8, {1}, 1), "!\"i0\" has no scale"),
      of_one("QUANTIZE", given(kS64, {1}), gives(kS8, {1}, 1), no_kernel + "(INT64) -> INT8"),
      of_one("DEQUANTIZE", q, y({3}), "f32[3] -2.5 1 49.5"),
      of_one("DEQUANTIZE", of_words({100}, .5f), y({1}), "f32[1] 50"),
      of_one("DEQUANTIZE", given(kU8, {1}, {130}, .5f, 128), y({1}), "f32[1] 1"),
      of_one("DEQUANTIZE", given(kU8, {1}), y({1}), "!\"i0\" has no scale"),
      of_one("DEQUANTIZE", given(kU8, {1}, {}, 1, 255), y({1}), "f32[1] -255"),
      of_one("DEQUANTIZE", given(kU8, {1}, {}, 1, 256), y({1}),
             "!the zero point of \"i0\" is beyond its type"),
      of_one("DEQUANTIZE", given(kU8, {1}, {}, 1, -1), y({1}),
             "!the zero point of \"i0\" is beyond its type"),
      of_one("DEQUANTIZE", given(kS32, {1}, {}, 1), y({1}), no_kernel + "(INT32) -> FLOAT32"),
      of_one("DEQUANTIZE", given(kS64, {1}, {}, 1), y({1}), no_kernel + "(INT64) -> FLOAT32"),
      of_one("DEQUANTIZE", q, s8(1), no_kernel + "(INT8) -> INT8"),
      of_one("DEQUANTIZE", by_channel(given(kS8, {2}), {1, 1}, 0), y({2}), "!scales by channel"),
      of_one("DENSIFY", constant(kF32, {1}, {3}), y({1}), "f32[1] 3"),
      of_one("DENSIFY", x({0}), y({0, 1}), "f32[0,1]"),
  });
}

TEST_CASE("TFLite's IF and WHILE name subgraphs of the model that take as much") {
  using Fields = schema::IfOptions;
  const auto branches = [](int32_t yes, int32_t no, const std::string& answer) {
    return of_one("IF", given(kPred, {}), y({}), answer,
                  {flat(Fields::then_subgraph, yes), flat(Fields::else_subgraph, no)});
  };
  check_nodes({
      branches(1, 0, "!names subgraph 1 of 1"),
      branches(-1, 0, "!names subgraph -1 of 1"),
      branches(INT32_MIN, 0, "!names subgraph -2147483648 of 1"),
      branches(0, 0, "!subgraph 0 takes 1 values, not 0"),
      {"IF", {}, {}, {y({})}, "!lacks an operand"},
      {"IF", {}, {none}, {y({})}, "!lacks an operand"},
      of_one("IF", x({}), y({}), "!a condition that is no one truth value"),
      of_one("WHILE", x({}), y({}), "!names subgraph 9 of 1",
             {flat(schema::WhileOptions::body_subgraph, 9)}),
  });
}

TEST_CASE("scales are positive, and zero points within their types") {
  const auto from = [](PrimitiveType type, float scale, int64_t zero, const std::string& answer) {
    return of_one("DEQUANTIZE", given(type, {1}, {0}, scale, zero), y({1}), answer);
  };
  const auto as_s32 = [](int64_t zero, const std::string& answer) {
    return of_one("QUANTIZE", of_bytes({0}, 1), gives(kS32, {1}, 1, zero), answer);
  };
  const std::string beyond = "!the zero point of \"i0\" is beyond its type";
  const std::string scale = "!the scale of \"i0\" is no positive number";
  check_nodes({
      from(kS8, 1, 127, "f32[1] -127"),
      from(kS8, 1, 128, beyond),
      from(kS8, 1, -128, "f32[1] 128"),
      from(kS8, 1, -129, beyond),
      from(kS16, 1, 32767, "f32[1] -32767"),
      from(kS16, 1, 32768, beyond),
      from(kS16, 1, -32768, "f32[1] 32768"),
      from(kS16, 1, -32769, beyond),
      as_s32(INT32_MAX, "s32[1] 2147483647"),
      as_s32(INT32_MIN, "s32[1] -2147483648"),
      from(kS8, .5f, 2, "f32[1] -1"),
      from(kS8, 2, 2, "f32[1] -4"),
      from(kS8, -1, 0, scale),
      from(kS8, INFINITY, 0, scale),
      from(kS8, NAN, 0, scale),
      of_one("DEQUANTIZE", by_channel(given(kS8, {1}), {0}, 0), y({1}), scale),
  });
}

TEST_CASE("TFLite's SOFTMAX asks for a positive beta and results of probabilities") {
  const auto beta = [](float value) {
    return FlatFields{flat(schema::SoftmaxOptions::beta, value)};
  };
  const auto softmax = [&](const NodeTensor& from, const NodeTensor& to, const std::string& answer,
                           float by = 1) { return of_one("SOFTMAX", from, to, answer, beta(by)); };
  const NodeTensor two = x({2}, {0, 0}), to = y({2}), even = of_bytes({5, 5}, .5f);
  const NodeTensor p8 = gives(kS8, {2}, 0x1p-8f, -128);
  const NodeTensor from16 = gives(kS16, {2}, 0x1p-16f, -32768), p16 = gives(kS16, {2}, 0x1p-15f);
  const std::string positive = "!beta is no positive number";
  const std::string result = "!a result whose scale or zero point is not that of probabilities";
  const std::string small = "!a scale so small that all differences vanish";
  check_nodes({
      softmax(two, to, "f32[2] 0.5 0.5"),
      softmax(x({2}, {0, 2 * std::log(3)}), to, "f32[2] 0.25 0.75", .5f),
      softmax(two, to, positive, 0),
      softmax(two, to, positive, -1),
      softmax(two, to, positive, INFINITY),
      softmax(two, to, positive, NAN),
      softmax(x({}), y({}), "!the operand has no dimension"),
      softmax(even, p8, "s8[2] 0 0"),
      softmax(even, p8, "s8[2] 0 0", .5f),
      softmax(of_bytes({0, 1}, 16), p8, "s8[2] -128 127"),
      softmax(even, from16, "s16[2] 0 0"),
      softmax(of_words({5, 5}, .5f), p16, "s16[2] 16384 16384"),
      softmax(of_words({5, 5}, 0x1p-28f), p16, "s16[2] 16384 16384"),
      softmax(even, gives(kS8, {2}, .004f, -128), result),
      softmax(even, gives(kS8, {2}, 0x1p-8f, -127), result),
      softmax(even, gives(kS16, {2}, 0x1p-15f, -32768), result),
      softmax(of_words({5, 5}, .5f), from16, result),
      softmax(of_bytes({5, 5}, 0x1p-26f), p8, small),
      softmax(of_bytes({5, 5}, 0x1p-25f), p8, "s8[2] 0 0"),
      softmax(even, gives(kS32, {2}, 1), no_kernel + "(INT8) -> INT32"),
      softmax(even, y({2}), no_kernel + "(INT8) -> FLOAT32"),
      softmax(of_words({5, 5}, 1), p8, no_kernel + "(INT16) -> INT8"),
      softmax(of_words({5, 5}, 1), gives(kS32, {2}, 1), no_kernel + "(INT16) -> INT32"),
      softmax(scaled(given(kS32, {2}), 1), p8, no_kernel + "(INT32) -> INT8"),
      softmax(scaled(given(kS32, {2}), 1), p16, no_kernel + "(INT32) -> INT16"),
      of_one("LOG_SOFTMAX", two, to, "f32[2] -0.693147 -0.693147"),
      of_one("LOG_SOFTMAX", x({}), y({}), "!the operand has no dimension"),
      of_one("LOG_SOFTMAX", even, p8, no_kernel + "(INT8) -> INT8"),
  });
}

}  // namespace
}  // namespace hlocc::tests
