// ONNX operands of element types that their operators do not take, and arrays of no elements, where
// what is known when the model is read decides.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

// A constant of complex zeros: elements wider than any integer.
NodeOperand wide(const Dimensions& sizes) {
  return {NodeOperand::kConstant, Literal::zeros(Shape::array(kC128, sizes))};
}
NodeOperand of_bits(PrimitiveType type, int64_t bits) {
  return {NodeOperand::kConstant, import::literal_of(type, {bits}, {1})};
}

TEST_CASE("what is known of an operand is read as its type") {
  const auto types = [](const std::string& list) {
    return cat("!element types (", list, ") are not read");
  };
  const NodeOperand two = x({2}, {3, 4}), byte = given(kU8, {1, 1}, {3});
  const auto one_hot = [](const NodeOperand& at, const NodeOperand& depth,
                          const std::string& answer) {
    return NodeRow{"OneHot", {at, depth, x({2}, {0, 1})}, {}, answer};
  };
  const std::string depth = "!the depth is no single number";
  const std::string training = "!training_mode is no one truth value";
  check_nodes({
      {"Pow", {two, constant(kF32, {}, {2})}, {}, "f32[2] 9 16"},
      {"Pow", {two, constant(kS32, {}, {2})}, {}, "f32[2] 9 16"},
      {"Pow", {two, of_bits(kF16, 0x4000)}, {}, "f32[2] 9 16"},
      {"Pow", {two, wide({})}, {}, types("f32, c128")},
      {"Pow", {wide({}), two}, {}, types("c128, f32")},
      {"Pow", {two, constant(kPred, {}, {1})}, {}, types("f32, pred")},
      one_hot(constant(kS64, {1}, {-1}), one(3), "f32[1,3] 0 0 1"),
      one_hot(constant(kF32, {1}, {-1}), one(3), "f32[1,3] 0 0 1"),
      one_hot(x({1}, {-1}), one(3), "f32[1,3] 0 0 1"),
      one_hot(x({1}, {1}), constant(kF32, {}, {2}), "f32[1,2] 0 1"),
      one_hot(x({1}), constant(kF32, {}, {NAN}), depth),
      one_hot(x({1}), constant(kF32, {}, {1e30}), "!a depth of 2147483648"),
      one_hot(x({1}), wide({}), depth),
      one_hot(x({1}), n({1, 2}), depth),
      one_hot(x({1}), n({}), depth),
      one_hot(x({1}), given(kS64, {}), "!the depth (\"i1\") is computed when the model runs"),
      {"Dropout", {two, none, constant(kPred, {}, {0})}, {}, "f32[2] 3 4"},
      {"Dropout", {two, none, wide({})}, {}, training},
      {"Dropout", {two, none, one(0)}, {}, training},
      {"Dropout", {two, none, constant(kPred, {0}, {})}, {}, training},
      {"Compress", {two, constant(kPred, {2}, {0, 1})}, {}, "f32[1] 4"},
      {"Compress", {two, wide({2})}, {}, types("f32, c128")},
      {"Compress", {two, n({0, 1})}, {}, types("f32, s64")},
      {"NonZero", {constant(kF32, {2}, {0, 1})}, {}, "s64[1,1] 1"},
      {"NonZero", {constant(kPred, {2}, {1, 0})}, {}, "s64[1,1] 0"},
      {"NonZero", {wide({2})}, {}, types("c128")},
      {"MatMulInteger", {byte, byte, constant(kU8, {}, {1})}, {}, "s32[1,1] 6"},
      {"MatMulInteger", {byte, byte, constant(kS8, {}, {0})}, {}, types("u8, u8, s8")},
      {"MatMulInteger", {byte, byte, wide({})}, {}, types("u8, u8, c128")},
  });
}

TEST_CASE("ONNX indices are integers") {
  const NodeOperand two = x({2}, {3, 4});
  const std::string wrong = "!indices of c128[1]";
  check_nodes({
      {"Gather", {two, n({-1})}, {}, "f32[1] 4"},
      {"Gather", {two, wide({1})}, {}, "!element types (f32, c128) are not read"},
      {"Gather", {two, x({1})}, {}, "!element types (f32, f32) are not read"},
      {"GatherElements", {two, n({-1})}, {}, "f32[1] 4"},
      {"GatherElements", {two, wide({1})}, {}, wrong},
      {"GatherElements", {two, x({1})}, {}, "!indices of f32[1]"},
      {"GatherElements", {two, constant(kPred, {1}, {1})}, {}, "!indices of pred[1]"},
      {"GatherND", {two, n({-1})}, {}, "f32[] 4"},
      {"GatherND", {two, wide({1})}, {}, wrong},
      {"ScatterElements", {two, wide({1}), x({1})}, {}, wrong},
      {"ScatterND", {two, wide({1}), x({})}, {}, wrong},
  });
}

TEST_CASE("a product over no elements is zeros, known or not") {
  check_nodes({
      {"MatMul", {constant(kS32, {2, 0}, {}), constant(kS32, {0, 2}, {})}, {}, "s32[2,2] 0 0 0 0"},
      {"MatMul", {constant(kF32, {2, 0}, {}), constant(kF32, {0, 2}, {})}, {}, "f32[2,2] 0 0 0 0"},
      {"MatMul", {given(kS32, {2, 0}), given(kS32, {0, 2})}, {}, "s32[2,2] 0 0 0 0"},
      {"ReduceSum", {constant(kS32, {2, 0}, {})}, {{"keepdims", 0}}, "s32[] 0"},
  });
}

TEST_CASE("numbers of constants are cut as a running model cuts them") {
  const NodeAttribute to_u8{"to", 2}, to_s8{"to", 3};
  const std::vector<double> values = {300, -1, 2.5, -300};
  const std::string bytes = "u8[4] 255 0 2 0", signs = "s8[4] 127 -1 2 -128";
  // 2^63, and half of it.
  constexpr int64_t kTop = std::numeric_limits<int64_t>::min();
  check_nodes({
      {"Cast", {constant(kF32, {4}, values)}, {to_u8}, bytes},
      {"Cast", {x({4}, values)}, {to_u8}, bytes},
      {"Cast", {constant(kF32, {4}, values)}, {to_s8}, signs},
      {"Cast", {x({4}, values)}, {to_s8}, signs},
      {"Div", {of_bits(kU64, kTop), of_bits(kU64, 2)}, {}, "u64[1] 4611686018427387904"},
      {"Max", {of_bits(kU64, kTop), of_bits(kU64, 2)}, {}, cat("u64[1] ", kTop)},
      {"Greater", {of_bits(kU64, kTop), of_bits(kU64, 2)}, {}, "pred[1] 1"},
      {"Cast", {of_bits(kU64, kTop)}, {{"to", 1}}, "f32[1] 9.22337e+18"},
  });
}

}  // namespace
}  // namespace hlocc::tests
