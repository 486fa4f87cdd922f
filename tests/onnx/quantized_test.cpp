// ONNX's quantised numbers: one scale for all, one for each index of an axis and one for each block
// of them, zero points, limits of types, and products of integers: models of one node.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

NodeOperand scale(double value) { return x({}, {value}); }
NodeOperand zero(PrimitiveType type, double value) { return given(type, {}, {value}); }
NodeOperand bytes(const Dimensions& sizes, const std::vector<double>& values) {
  return given(kU8, sizes, values);
}

TEST_CASE("ONNX QuantizeLinear rounds to even and ends at the limits of its type") {
  const auto wide = [] { return x({4}, {-1e6, -3, 3, 1e6}); };
  const auto as = [&](int64_t type, const std::string& answer) {
    return NodeRow{"QuantizeLinear", {wide(), scale(2)}, {{"output_dtype", type}}, answer, 1, 21};
  };
  check_nodes({
      {"QuantizeLinear",
       {x({5}, {-30, -1, 1, 3, 600}), scale(2), zero(kU8, 10)},
       {},
       "u8[5] 0 10 10 12 255"},
      {"QuantizeLinear", {wide(), scale(2), zero(kS8, 10)}, {}, "s8[4] -128 8 12 127"},
      {"QuantizeLinear", {wide(), scale(2)}, {}, "u8[4] 0 0 2 255"},
      {"QuantizeLinear", {given(kS32, {2}, {4, 5}), scale(2)}, {}, "u8[2] 2 2"},
      {"QuantizeLinear",
       {given(kF64, {1}, {4}), given(kF64, {}, {2}), zero(kU8, 1)},
       {},
       "u8[1] 3"},
      as(2, "u8[4] 0 0 2 255"),
      as(3, "s8[4] -128 -2 2 127"),
      as(4, "u16[4] 0 0 2 65535"),
      as(5, "s16[4] -32768 -2 2 32767"),
      as(6, "!element types (f32, f32) are not read"),
      // By their bits: -448, -1.5, 1.5 and 448; 1.5 and 2.5.
      as(17, "f8e4m3fn[4] 254 188 60 126"),
      {"QuantizeLinear",
       {x({2}, {3, 5}), scale(2)},
       {{"output_dtype", 17}, {"saturate", 0}},
       "f8e4m3fn[2] 60 66",
       1,
       21},
      {"QuantizeLinear",
       {given(kPred, {2}), scale(2)},
       {},
       "!element types (pred, f32) are not read"},
      {"QuantizeLinear",
       {x({2}), given(kS32, {}, {2})},
       {},
       "!element types (f32, s32) are not read"},
      {"QuantizeLinear",
       {x({2}), scale(2), zero(kS32, 0)},
       {},
       "!element types (f32, f32, s32) are not read"},
  });
}

TEST_CASE("ONNX scales along an axis and by blocks") {
  const auto square = [] { return x({2, 2}, {2, 4, 6, 8}); };
  const auto axis = [&](const NodeOperand& scales, int64_t number, const std::string& answer) {
    return NodeRow{"QuantizeLinear", {square(), scales}, {{"axis", number}}, answer};
  };
  const auto blocks = [](const NodeOperand& operand, const NodeOperand& scales, int64_t number,
                         int64_t block, const std::string& answer) {
    return NodeRow{"QuantizeLinear",
                   {operand, scales},
                   {{"axis", number}, {"block_size", block}},
                   answer,
                   1,
                   21};
  };
  check_nodes({
      {"QuantizeLinear", {square(), x({2}, {1, 2})}, {}, "u8[2,2] 2 2 6 4"},
      axis(x({2}, {1, 2}), 1, "u8[2,2] 2 2 6 4"),
      axis(x({2}, {1, 2}), -1, "u8[2,2] 2 2 6 4"),
      axis(x({2}, {1, 2}), 0, "u8[2,2] 2 4 3 4"),
      axis(x({1}, {2}), 0, "u8[2,2] 1 2 3 4"),
      axis(x({2}), 2, "!axis 2 of an array of 2 dimensions"),
      axis(x({3}), 1, "!scales or zero points f32[3] for axis 1 of f32[2,2]"),
      axis(x({1, 2}), 1, "!scales or zero points f32[1,2] for axis 1 of f32[2,2]"),
      {"QuantizeLinear",
       {square(), x({2}, {1, 2}), bytes({2}, {10, 20})},
       {},
       "u8[2,2] 12 22 16 24"},
      {"QuantizeLinear",
       {square(), x({2}, {1, 2}), bytes({3}, {})},
       {},
       "!scales or zero points f32[3] for axis 1 of f32[2,2]"},
      blocks(x({2, 4}), x({2, 2}, {1, 2, 1, 2}), 1, 2, "u8[2,4] 0 1 1 2 4 5 3 4"),
      blocks(x({4, 1}, {2, 4, 6, 8}), x({2, 1}, {1, 2}), 0, 2, "u8[4,1] 2 4 3 4"),
      blocks(x({1, 3}), x({1, 2}, {1, 2}), 1, 2, "u8[1,3] 0 1 1"),
      blocks(x({2, 2}, {2, 4, 6, 8}), x({2, 1}, {1, 2}), 1, 2, "u8[2,2] 2 4 3 4"),
      blocks(x({2, 2}), x({2, 1}), 1, 3, "!blocks of 3 and scales f32[2,1] for f32[2,2]"),
      blocks(x({2, 2}), x({2, 1}), 1, -1, "!blocks of -1 and scales f32[2,1] for f32[2,2]"),
      blocks(x({1, 4}), x({2}), 1, 2, "!blocks of 2 and scales f32[2] for f32[1,4]"),
      blocks(x({1, 5}), x({1, 2}), 1, 2, "!blocks of 2 and scales f32[1,2] for f32[1,5]"),
      blocks(x({1, 3}), x({1, 3}), 1, 2, "!blocks of 2 and scales f32[1,3] for f32[1,3]"),
      blocks(x({2, 4}), x({3, 2}), 1, 2, "!blocks of 2 and scales f32[3,2] for f32[2,4]"),
  });
}

TEST_CASE("ONNX DequantizeLinear, and scales that are found when the model runs") {
  check_nodes({
      {"DequantizeLinear", {bytes({2}, {1, 5}), scale(2), zero(kU8, 3)}, {}, "f32[2] -4 4"},
      {"DequantizeLinear", {given(kS32, {2}, {-1, 5}), scale(2)}, {}, "f32[2] -2 10"},
      {"DequantizeLinear", {x({2}, {1.5, 2}), scale(2)}, {}, "f32[2] 3 4"},
      {"DequantizeLinear",
       {bytes({2, 2}, {1, 2, 3, 4}), x({2}, {1, 10}), bytes({2}, {1, 2})},
       {},
       "f32[2,2] 0 0 2 20"},
      {"DequantizeLinear",
       {bytes({2, 2}, {1, 2, 3, 4}), x({2}, {1, 10})},
       {{"axis", 0}},
       "f32[2,2] 1 2 30 40"},
      {"DequantizeLinear", {bytes({1}, {3}), scale(2)}, {{"output_dtype", 11}}, "f64[1] 6", 1, 23},
      {"DequantizeLinear", {bytes({1}, {3}), scale(2)}, {{"output_dtype", 6}}, "f32[1] 6", 1, 23},
      {"DequantizeLinear",
       {bytes({1}, {3}), given(kS32, {}, {2})},
       {},
       "!element types (u8, s32) are not read"},
      {"DequantizeLinear",
       {given(kPred, {1}), scale(2)},
       {},
       "!element types (pred, f32) are not read"},
      {"DynamicQuantizeLinear", {x({3}, {0, 255, 510})}, {}, "u8[3] 0 128 255; f32[] 2; u8[] 0", 3},
      {"DynamicQuantizeLinear", {x({2}, {-255, 255})}, {}, "u8[2] 0 255; f32[] 2; u8[] 128", 3},
      {"DynamicQuantizeLinear", {x({1}, {255})}, {}, "u8[1] 255; f32[] 1; u8[] 0", 3},
      {"DynamicQuantizeLinear", {x({1}, {-255})}, {}, "u8[1] 0; f32[] 1; u8[] 255", 3},
      {"DynamicQuantizeLinear", {given(kS32, {1})}, {}, "!element types (s32) are not read", 3},
  });
}

TEST_CASE("ONNX products of integers with zero points") {
  const auto a = [] { return bytes({1, 2}, {3, 4}); };
  const auto c = [] { return bytes({2, 1}, {5, 6}); };
  const auto line = [] { return bytes({1, 1, 3}, {1, 2, 3}); };
  const auto tens = [] { return bytes({1, 1, 2}, {1, 10}); };
  check_nodes({
      {"MatMulInteger", {a(), c()}, {}, "s32[1,1] 39"},
      {"MatMulInteger", {a(), c(), zero(kU8, 1), zero(kU8, 2)}, {}, "s32[1,1] 18"},
      {"MatMulInteger", {a(), c(), none, zero(kU8, 2)}, {}, "s32[1,1] 25"},
      {"MatMulInteger", {a(), c(), constant(kU8, {}, {0})}, {}, "s32[1,1] 39"},
      {"MatMulInteger", {a(), c(), constant(kU8, {}, {1})}, {}, "s32[1,1] 28"},
      {"MatMulInteger",
       {bytes({2, 1}, {3, 4}), bytes({1, 1}, {5}), bytes({2}, {1, 3})},
       {},
       "s32[2,1] 10 5"},
      {"MatMulInteger",
       {bytes({2, 1}, {3, 4}), bytes({1, 1}, {5}), constant(kU8, {2}, {0, 3})},
       {},
       "s32[2,1] 15 5"},
      {"MatMulInteger",
       {bytes({1, 1}, {5}), bytes({1, 2}, {3, 4}), none, bytes({2}, {1, 3})},
       {},
       "s32[1,2] 10 5"},
      {"MatMulInteger",
       {bytes({2, 1}, {3, 4}), bytes({1, 1}, {5}), bytes({3}, {})},
       {},
       "!scales or zero points s32[3] for axis 0 of s32[2,1]"},
      {"MatMulInteger", {given(kS32, {1, 2}), c()}, {}, "!element types (s32, u8) are not read"},
      {"MatMulInteger", {a(), x({2, 1})}, {}, "!element types (u8, f32) are not read"},
      {"ConvInteger", {line(), tens(), zero(kU8, 1)}, {}, "s32[1,1,2] 10 21"},
      {"ConvInteger", {line(), tens()}, {}, "s32[1,1,2] 21 32"},
      {"ConvInteger", {line(), tens(), zero(kU8, 1), zero(kU8, 1)}, {}, "s32[1,1,2] 9 18"},
      {"ConvInteger",
       {bytes({1, 1, 1}, {2}), bytes({2, 1, 1}, {5, 6}), none, bytes({2}, {1, 3})},
       {},
       "s32[1,2,1] 8 6"},
      {"ConvInteger", {x({1, 1, 3}), tens()}, {}, "!element types (f32, u8) are not read"},
      {"ConvInteger", {line(), x({1, 1, 2})}, {}, "!element types (u8, f32) are not read"},
  });
}

TEST_CASE("ONNX quantised products have scales of three tensors") {
  const auto product = [](const NodeOperand& first, const NodeOperand& second,
                          const std::string& answer) {
    return NodeRow{"QLinearMatMul",
                   {bytes({1, 2}, {3, 4}), first, zero(kU8, 1), bytes({2, 2}, {5, 5, 6, 6}), second,
                    zero(kU8, 2), scale(0.25), zero(kU8, 10)},
                   {},
                   answer};
  };
  const auto convolution = [](const NodeOperand& image, const NodeOperand& bias,
                              const std::string& answer) {
    return NodeRow{"QLinearConv",
                   {image, scale(0.5), zero(kU8, 1), bytes({1, 1, 2}, {1, 10}), scale(0.5),
                    zero(kU8, 0), scale(0.25), zero(kU8, 5), bias},
                   {},
                   answer};
  };
  const auto image = [] { return bytes({1, 1, 3}, {1, 2, 3}); };
  check_nodes({
      product(scale(0.5), scale(0.5), "u8[1,2] 28 28"),
      product(x({1}, {0.5}), x({1}, {0.5}), "u8[1,2] 28 28"),
      product(scale(0.5), x({2}, {0.5, 1}), "u8[1,2] 28 46"),
      product(x({2}), scale(1), "!a scale for each row of the first operand"),
      product(zero(kS32, 1), scale(1),
              "!element types (u8, s32, u8, u8, f32, u8, f32, u8) are not read"),
      convolution(image(), none, "u8[1,1,2] 15 26"),
      convolution(image(), given(kS32, {1}, {100}), "u8[1,1,2] 115 126"),
      convolution(x({1, 1, 3}), none,
                  "!element types (f32, f32, u8, u8, f32, u8, f32, u8) are not read"),
  });
}

}  // namespace
}  // namespace hlocc::tests
