// Operators that make shapes and change them, each on both sides of what it is refused for: models
// of one node, their values in the interpreter, and what is said of wrong ones.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

TEST_CASE("ONNX Shape and Size count, from both ends") {
  check_nodes({
      {"Shape", {x({2, 3, 4})}, {}, "s64[3] 2 3 4"},
      {"Shape", {x({2, 3, 4})}, {{"start", 1}}, "s64[2] 3 4"},
      {"Shape", {x({2, 3, 4})}, {{"start", -1}}, "s64[1] 4"},
      {"Shape", {x({2, 3, 4})}, {{"start", -4}}, "s64[3] 2 3 4"},
      {"Shape", {x({2, 3, 4})}, {{"start", 3}}, "s64[0]"},
      {"Shape", {x({2, 3, 4})}, {{"start", 4}}, "s64[0]"},
      {"Shape", {x({2, 3, 4})}, {{"end", 0}}, "s64[0]"},
      {"Shape", {x({2, 3, 4})}, {{"end", -1}}, "s64[2] 2 3"},
      {"Shape", {x({2, 3, 4})}, {{"end", 4}}, "s64[3] 2 3 4"},
      {"Shape", {x({2, 3, 4})}, {{"start", 2}, {"end", 1}}, "s64[0]"},
      {"Size", {x({2, 3})}, {}, "s64[] 6"},
      {"Size", {x({})}, {}, "s64[] 1"},
  });
}

TEST_CASE("ONNX Reshape: zeros stay, and one size is left open") {
  check_nodes({
      {"Reshape", {x({2, 3}), n({3, 2})}, {}, "f32[3,2] 0 1 2 3 4 5"},
      {"Reshape", {x({2, 3}), n({0, 3})}, {}, "f32[2,3] 0 1 2 3 4 5"},
      {"Reshape", {x({2, 3}), n({1, 2, -1})}, {}, "f32[1,2,3] 0 1 2 3 4 5"},
      {"Reshape", {x({2, 3}), n({-1, 1})}, {}, "f32[6,1] 0 1 2 3 4 5"},
      {"Reshape", {x({0, 3}), n({2, 0})}, {{"allowzero", 1}}, "f32[2,0]"},
      {"Reshape", {x({0, 3}), n({-1, 3})}, {}, "f32[0,3]"},
      {"Reshape", {x({1}), n({})}, {}, "f32[] 0"},
      {"Reshape", {x({2, 3}), n({6, 1, 0})}, {}, "!size 2 is 0, and the operand has none"},
      {"Reshape", {x({6}), n({2, 0})}, {}, "!size 1 is 0, and the operand has none"},
      {"Reshape", {x({2, 3}), n({-1, -1})}, {}, "!shape [-1,-1]"},
      {"Reshape", {x({2, 3}), n({-2, 3})}, {}, "!shape [-2,3]"},
      {"Reshape", {x({2, 3}), n({-1, 4})}, {}, "!shape [-1,4] for 6 elements"},
      {"Reshape", {x({0, 3}), n({-1, 0})}, {{"allowzero", 1}}, "!shape [-1,0] for 0 elements"},
      {"Reshape", {x({0}), n({1LL << 31, 0})}, {{"allowzero", 1}}, "!shape [2147483648,0]"},
      {"Reshape", {x({0}), n({INT32_MAX, 0})}, {{"allowzero", 1}}, "f32[2147483647,0]"},
      {"Reshape",
       {x({2}), n({INT32_MAX, INT32_MAX, INT32_MAX})},
       {},
       "!shape [2147483647,2147483647,2147483647]"},
      {"Reshape",
       {x({2}), given(kS64, {1}, {2})},
       {},
       "!the shape (\"i1\") is computed when the model runs"},
  });
}

TEST_CASE("ONNX Flatten makes a matrix at any axis") {
  check_nodes({
      {"Flatten", {x({1, 2, 3})}, {}, "f32[1,6] 0 1 2 3 4 5"},
      {"Flatten", {x({1, 2, 3})}, {{"axis", 0}}, "f32[1,6] 0 1 2 3 4 5"},
      {"Flatten", {x({1, 2, 3})}, {{"axis", 2}}, "f32[2,3] 0 1 2 3 4 5"},
      {"Flatten", {x({1, 2, 3})}, {{"axis", 3}}, "f32[6,1] 0 1 2 3 4 5"},
      {"Flatten", {x({2, 1, 3})}, {{"axis", -2}}, "f32[2,3] 0 1 2 3 4 5"},
      {"Flatten", {x({2, 3})}, {{"axis", -2}}, "f32[1,6] 0 1 2 3 4 5"},
      {"Flatten", {x({2, 3})}, {{"axis", 3}}, "!axis 3 of 2 dimensions"},
      {"Flatten", {x({2, 3})}, {{"axis", -3}}, "!axis -3 of 2 dimensions"},
  });
}

TEST_CASE("ONNX Squeeze and Unsqueeze take dimensions of 1") {
  check_nodes({
      {"Squeeze", {x({1, 2, 1})}, {}, "f32[2] 0 1"},
      {"Squeeze", {x({1, 2, 1}), n({0})}, {}, "f32[2,1] 0 1"},
      {"Squeeze", {x({1, 2, 1}), n({-1})}, {}, "f32[1,2] 0 1"},
      {"Squeeze", {x({1, 2, 1}), n({2, 0})}, {}, "f32[2] 0 1"},
      {"Squeeze", {x({1, 2, 1}), n({})}, {}, "f32[1,2,1] 0 1"},
      {"Squeeze", {x({1, 2, 1})}, {{"axes", L{2}}}, "f32[1,2] 0 1", 1, 11},
      {"Squeeze", {x({1, 2, 1}), n({1})}, {}, "!dimension 1 is 2, not 1"},
      {"Squeeze", {x({1, 0}), n({1})}, {}, "!dimension 1 is 0, not 1"},
      {"Squeeze", {x({1}), n({1})}, {}, "!axis 1 of an array of 1 dimensions"},
      {"Squeeze", {x({1}), n({-2})}, {}, "!axis -2 of an array of 1 dimensions"},
      {"Unsqueeze", {x({2}), n({0})}, {}, "f32[1,2] 0 1"},
      {"Unsqueeze", {x({2}), n({1})}, {}, "f32[2,1] 0 1"},
      {"Unsqueeze", {x({2}), n({-1, 0})}, {}, "f32[1,2,1] 0 1"},
      {"Unsqueeze", {x({2})}, {{"axes", L{-2}}}, "f32[1,2] 0 1", 1, 11},
      {"Unsqueeze", {x({2}), n({2})}, {}, "!axis 2 of an array of 2 dimensions"},
      {"Unsqueeze", {x({2}), n({-3})}, {}, "!axis -3 of an array of 2 dimensions"},
      {"Unsqueeze", {x({2}), n({0, -3})}, {}, "!has an axis twice"},
  });
}

TEST_CASE("ONNX Transpose takes each dimension once") {
  check_nodes({
      {"Transpose", {x({2, 3})}, {}, "f32[3,2] 0 3 1 4 2 5"},
      {"Transpose", {x({2, 3})}, {{"perm", L{0, 1}}}, "f32[2,3] 0 1 2 3 4 5"},
      {"Transpose", {x({1, 2, 3})}, {{"perm", L{2, 0, 1}}}, "f32[3,1,2] 0 3 1 4 2 5"},
      {"Transpose", {x({2, 3})}, {{"perm", L{0, 0}}}, "!perm [0,0] of 2 dimensions"},
      {"Transpose", {x({2, 3})}, {{"perm", L{1, 2}}}, "!perm [1,2] of 2 dimensions"},
      {"Transpose", {x({2, 3})}, {{"perm", L{0}}}, "!perm [0] of 2 dimensions"},
      {"Transpose", {x({2, 3})}, {{"perm", L{0, 1, 2}}}, "!perm [0,1,2] of 2 dimensions"},
  });
}

TEST_CASE("ONNX Expand, Tile and Concat") {
  check_nodes({
      {"Expand", {x({2, 1}), n({2, 2})}, {}, "f32[2,2] 0 0 1 1"},
      {"Expand", {x({2, 1}), n({1, 3})}, {}, "f32[2,3] 0 0 0 1 1 1"},
      {"Expand", {x({2}), n({2, 1})}, {}, "f32[2,2] 0 1 0 1"},
      {"Expand", {x({2}), n({1})}, {}, "f32[2] 0 1"},
      {"Expand", {x({2}), n({3})}, {}, "!the operand does not broadcast to [3]"},
      {"Expand", {x({3}), n({2, 2})}, {}, "!the operand does not broadcast to [2,2]"},
      {"Tile", {x({2}), n({2})}, {}, "f32[4] 0 1 0 1"},
      {"Tile", {x({1, 2}), n({2, 1})}, {}, "f32[2,2] 0 1 0 1"},
      {"Tile", {x({2, 1}), n({1, 2})}, {}, "f32[2,2] 0 0 1 1"},
      {"Tile", {x({2}), n({0})}, {}, "f32[0]"},
      {"Tile", {x({2}), n({-1})}, {}, "!repeats [-1]"},
      {"Tile", {x({0}), n({1LL << 31})}, {}, "!repeats [2147483648]"},
      {"Tile", {x({2}), n({2, 1})}, {}, "!repeats for another number of dimensions"},
      {"Concat", {x({1, 2}), x({1, 2})}, {{"axis", 0}}, "f32[2,2] 0 1 0 1"},
      {"Concat", {x({1, 2}), x({1, 1})}, {{"axis", -1}}, "f32[1,3] 0 1 0"},
      {"Concat", {x({1, 2}), x({1, 2})}, {{"axis", 2}}, "!axis 2 of an array of 2 dimensions"},
      {"Concat", {x({1, 2}), x({1, 2})}, {{"axis", -3}}, "!axis -3 of an array of 2 dimensions"},
  });
}

TEST_CASE("ONNX Range counts towards its limit, which it does not reach") {
  const auto range = [](PrimitiveType type, double start, double limit, double delta) {
    return std::vector<NodeOperand>{constant(type, {}, {start}), constant(type, {}, {limit}),
                                    constant(type, {}, {delta})};
  };
  constexpr double kMost = 1 << 26;
  check_nodes({
      {"Range", range(kS32, 1, 7, 2), {}, "s32[3] 1 3 5"},
      {"Range", range(kS32, 1, 8, 2), {}, "s32[4] 1 3 5 7"},
      {"Range", range(kS32, 5, 1, -2), {}, "s32[2] 5 3"},
      {"Range", range(kS32, 5, 1, 2), {}, "s32[0]"},
      {"Range", range(kS32, 1, 1, 1), {}, "s32[0]"},
      {"Range", range(kS32, 0, -kMost - 1, 1), {}, "s32[0]"},
      {"Range", range(kS32, 0, kMost + 1, 1), {}, "!a delta of 1"},
      {"Range", range(kS32, 0, 1, 0), {}, "!a delta of 0"},
      {"Range", range(kS32, 1, 0, 0), {}, "!a delta of 0"},
      {"Range", range(kF32, 1, 2, 0.5), {}, "f32[2] 1 1.5"},
      {"Range", range(kF32, 1, 2.25, 0.5), {}, "f32[3] 1 1.5 2"},
      {"Range", range(kF64, 1, -1, -0.75), {}, "f64[3] 1 0.25 -0.5"},
      {"Range", range(kF32, 2, 1, 0.5), {}, "f32[0]"},
      {"Range", range(kF32, 0, 1, 0), {}, "!bounds that no array has"},
      {"Range", range(kF32, 1, 1, 0), {}, "!bounds that no array has"},
      {"Range", range(kF32, 0, kMost, 1), {}, "!bounds that no array has"},
      {"Range",
       {constant(kF32, {}, {0}), constant(kF32, {2}, {1, 1}), constant(kF32, {}, {1})},
       {},
       "!has bounds that are no single numbers"},
      {"Range",
       {constant(kF32, {2}, {0, 0}), constant(kF32, {}, {1}), constant(kF32, {}, {1})},
       {},
       "!has bounds that are no single numbers"},
      {"Range",
       {constant(kF32, {}, {0}), constant(kF32, {}, {1}), constant(kF32, {2}, {1, 1})},
       {},
       "!has bounds that are no single numbers"},
      {"Range",
       {constant(kF32, {}, {0}), constant(kF32, {}, {1}), constant(kF64, {}, {1})},
       {},
       "!element types (f32, f32, f64) are not read"},
      {"Range",
       {constant(kF32, {}, {0}), constant(kF64, {}, {1}), constant(kF32, {}, {1})},
       {},
       "!element types (f32, f64, f32) are not read"},
      {"Range", range(kPred, 0, 1, 1), {}, "!element types (pred, pred, pred) are not read"},
      {"Range",
       {constant(kS32, {}, {0}), constant(kS32, {2}, {1, 1}), constant(kS32, {}, {1})},
       {},
       "!the limit is no single number"},
      {"Range",
       {constant(kS32, {}, {0}), given(kS32, {}), constant(kS32, {}, {1})},
       {},
       "!the limit (\"i1\") is computed when the model runs"},
      {"Range",
       {constant(kF32, {}, {0}), x({}), constant(kF32, {}, {1})},
       {},
       "!the limit (\"i1\") is computed when the model runs"},
  });
}

TEST_CASE("ONNX EyeLike, ConstantOfShape and Constant") {
  check_nodes({
      {"EyeLike", {x({2, 3})}, {}, "f32[2,3] 1 0 0 0 1 0"},
      {"EyeLike", {x({2, 3})}, {{"k", 1}, {"dtype", 6}}, "s32[2,3] 0 1 0 0 0 1"},
      {"EyeLike", {x({2, 3})}, {{"k", -1}}, "f32[2,3] 0 0 0 1 0 0"},
      {"EyeLike", {x({1, 1})}, {{"k", INT32_MAX / 2}}, "f32[1,1] 0"},
      {"EyeLike", {x({1, 1})}, {{"k", INT32_MAX / 2 + 1}}, "!k is 1073741824"},
      {"EyeLike", {x({1, 1})}, {{"k", -INT32_MAX / 2}}, "f32[1,1] 0"},
      {"EyeLike", {x({1, 1})}, {{"k", -INT32_MAX / 2 - 1}}, "!k is -1073741824"},
      {"EyeLike", {x({1, 1})}, {{"k", INT64_MIN}}, "!k is -9223372036854775808"},
      {"EyeLike", {x({2, 3})}, {{"dtype", 8}}, "!element types (f32) are not read"},
      {"EyeLike", {x({2})}, {}, "!operand 0 (\"i0\") has 1 dimensions, not 2"},
      {"ConstantOfShape", {n({2})}, {}, "f32[2] 0 0"},
      {"ConstantOfShape", {n({2})}, {{"value", 1}}, "!value is no tensor"},
      {"Constant", {}, {{"value_int", 3}}, "s64[] 3"},
      {"Constant", {}, {{"value_ints", L{3, 4}}}, "s64[2] 3 4"},
      {"Constant", {}, {{"value_float", 1.5}}, "f32[] 1.5"},
      {"Constant",
       {},
       {{"value_string", "s"}},
       "!a value in attribute \"value_string\": HLO lacks it"},
      {"Constant", {}, {}, "!has not one value"},
      {"Constant", {}, {{"value_int", 3}, {"value_float", 1.5}}, "!has not one value"},
  });
}

}  // namespace
}  // namespace hlocc::tests
