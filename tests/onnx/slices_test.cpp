// Operators that take parts of arrays, each on both sides of what it is refused for: models of one
// node, their values in the interpreter, and what is said of wrong ones.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

TEST_CASE("ONNX Slice counts from both ends and in both directions") {
  check_nodes({
      {"Slice", {x({6}), n({1}), n({5}), n({0}), n({2})}, {}, "f32[2] 1 3"},
      {"Slice", {x({6}), n({1}), n({6}), n({0}), n({2})}, {}, "f32[3] 1 3 5"},
      {"Slice", {x({6}), n({0}), n({7}), n({0}), n({5})}, {}, "f32[2] 0 5"},
      {"Slice", {x({6}), n({0}), n({6}), n({0}), n({6})}, {}, "f32[1] 0"},
      {"Slice", {x({6}), n({1}), n({6}), n({0}), n({INT64_MAX})}, {}, "f32[1] 1"},
      {"Slice", {x({6}), n({-2}), n({INT64_MAX})}, {}, "f32[2] 4 5"},
      {"Slice", {x({6}), n({-6}), n({-5})}, {}, "f32[1] 0"},
      {"Slice", {x({6}), n({-7}), n({-5})}, {}, "f32[1] 0"},
      {"Slice", {x({6}), n({2}), n({2})}, {}, "f32[0]"},
      {"Slice", {x({6}), n({3}), n({2})}, {}, "f32[0]"},
      {"Slice", {x({6}), n({6}), n({9})}, {}, "f32[0]"},
      {"Slice", {x({6}), n({5}), n({0}), n({0}), n({-1})}, {}, "f32[5] 5 4 3 2 1"},
      {"Slice", {x({6}), n({6}), n({-7}), n({0}), n({-1})}, {}, "f32[6] 5 4 3 2 1 0"},
      {"Slice", {x({6}), n({5}), n({0}), n({0}), n({-2})}, {}, "f32[3] 5 3 1"},
      {"Slice", {x({6}), n({-1}), n({-7}), n({0}), n({-2})}, {}, "f32[3] 5 3 1"},
      {"Slice", {x({6}), n({4}), n({-7}), n({0}), n({-2})}, {}, "f32[3] 4 2 0"},
      {"Slice", {x({6}), n({5}), n({INT64_MIN}), n({0}), n({INT64_MIN + 1})}, {}, "f32[1] 5"},
      {"Slice", {x({6}), n({2}), n({4}), n({0}), n({-1})}, {}, "f32[0]"},
      {"Slice", {x({0}), n({0}), n({4}), n({0}), n({2})}, {}, "f32[0]"},
      {"Slice", {x({0}), n({4}), n({-9}), n({0}), n({-2})}, {}, "f32[0]"},
      {"Slice", {x({2, 3}), n({1}), n({3}), n({-1})}, {}, "f32[2,2] 1 2 4 5"},
      {"Slice", {x({2, 3}), n({1, 0}), n({2, 2})}, {}, "f32[1,2] 3 4"},
      {"Slice", {x({2, 3})}, {{"starts", L{1}}, {"ends", L{2}}}, "f32[1,3] 3 4 5", 1, 9},
      {"Slice",
       {x({2, 3})},
       {{"starts", L{1}}, {"ends", L{2}}, {"axes", L{1}}},
       "f32[2,1] 1 4",
       1,
       9},
      {"Slice", {x({6})}, {}, "f32[6] 0 1 2 3 4 5", 1, 9},
  });
}

TEST_CASE("ONNX Slice refuses steps, axes and lists that no slice has") {
  const std::string lists = "!has another number of starts than of ends, axes or steps";
  check_nodes({
      {"Slice", {x({6}), n({1}), n({5}), n({0}), n({0})}, {}, "!a step of 0"},
      {"Slice",
       {x({6}), n({1}), n({5}), n({0}), n({INT64_MIN})},
       {},
       "!a step of -9223372036854775808"},
      {"Slice", {x({6}), n({1}), n({5, 6})}, {}, lists},
      {"Slice", {x({6}), n({1}), n({5}), n({0, 0})}, {}, lists},
      {"Slice", {x({6}), n({1}), n({5}), n({})}, {}, lists},
      {"Slice", {x({6}), n({1}), n({5}), n({0}), n({1, 1})}, {}, lists},
      {"Slice", {x({6}), n({1}), n({5}), n({1})}, {}, "!axis 1 of an array of 1 dimensions"},
      {"Slice", {x({6}), n({1}), n({5}), n({-2})}, {}, "!axis -2 of an array of 1 dimensions"},
      {"Slice", {x({6}), x({1}), n({5})}, {}, "!starts (\"i1\") is computed when the model runs"},
      {"Slice", {x({6}), constant(kF32, {1}, {1}), n({5})}, {}, "!starts is no integer"},
  });
}

TEST_CASE("ONNX Split takes parts that fill the dimension") {
  check_nodes({
      {"Split", {x({5})}, {{"num_outputs", 2}}, "f32[3] 0 1 2; f32[2] 3 4", 2},
      {"Split", {x({4})}, {{"num_outputs", 3}}, "f32[2] 0 1; f32[2] 2 3; f32[0]", 3},
      {"Split", {x({1})}, {{"num_outputs", 3}}, "f32[1] 0; f32[0]; f32[0]", 3},
      {"Split", {x({4})}, {}, "f32[2] 0 1; f32[2] 2 3", 2, 13},
      {"Split", {x({2, 2})}, {{"axis", -1}}, "f32[2,1] 0 2; f32[2,1] 1 3", 2, 13},
      {"Split", {x({4}), n({1, 3})}, {}, "f32[1] 0; f32[3] 1 2 3", 2},
      {"Split", {x({4}), n({0, 4})}, {}, "f32[0]; f32[4] 0 1 2 3", 2},
      {"Split", {x({4}), n({4, 0})}, {}, "f32[4] 0 1 2 3; f32[0]", 2},
      {"Split", {x({4})}, {{"split", L{3, 1}}}, "f32[3] 0 1 2; f32[1] 3", 2, 11},
      {"Split", {x({4}), n({1, 2})}, {}, "!parts [1,2] of 4", 2},
      {"Split", {x({4}), n({1, 4})}, {}, "!parts [1,4] of a dimension of 4", 2},
      {"Split", {x({4}), n({5, -1})}, {}, "!parts [5,-1] of a dimension of 4", 2},
      {"Split", {x({4}), n({-1, 5})}, {}, "!parts [-1,5] of a dimension of 4", 2},
      {"Split", {x({4}), n({1, 1, 2})}, {}, "!has 2 results for 3 parts", 2},
      {"Split", {x({4}), n({4})}, {}, "!has 2 results for 1 parts", 2},
      {"Split", {x({4})}, {{"num_outputs", 3}}, "!num_outputs is 3", 2},
      {"Split", {x({4})}, {{"num_outputs", 1}}, "!num_outputs is 1", 2},
      {"Split", {x({4})}, {{"axis", 1}}, "!axis 1 of an array of 1 dimensions", 2},
  });
}

TEST_CASE("ONNX Pad adds, cuts, turns and repeats") {
  check_nodes({
      {"Pad", {x({3}), n({1, 2})}, {}, "f32[6] 0 0 1 2 0 0"},
      {"Pad", {x({3}), n({-1, 1}), x({}, {7})}, {}, "f32[3] 1 2 7"},
      {"Pad", {x({3}), n({1, 0}), x({1}, {7})}, {}, "f32[4] 7 0 1 2"},
      {"Pad", {x({3})}, {{"pads", L{0, 1}}, {"value", 2.5}}, "f32[4] 0 1 2 2.5", 1, 10},
      {"Pad", {x({1, 2}), n({1, 0}), none, n({0})}, {}, "f32[2,2] 0 0 0 1"},
      {"Pad", {x({1, 2}), n({0, 1}), none, n({-1})}, {}, "f32[1,3] 0 1 0"},
      {"Pad", {x({3}), n({2, 1})}, {{"mode", "edge"}}, "f32[6] 0 0 0 1 2 2"},
      {"Pad", {x({3}), n({2, 1})}, {{"mode", "wrap"}}, "f32[6] 1 2 0 1 2 0"},
      {"Pad", {x({3}), n({4, 3})}, {{"mode", "wrap"}}, "f32[10] 2 0 1 2 0 1 2 0 1 2"},
      {"Pad", {x({3}), n({2, 1})}, {{"mode", "reflect"}}, "f32[6] 2 1 0 1 2 1"},
      {"Pad", {x({3}), n({0, 3})}, {{"mode", "reflect"}}, "f32[6] 0 1 2 1 0 1"},
      {"Pad", {x({2}), n({3, 2})}, {{"mode", "reflect"}}, "f32[7] 1 0 1 0 1 0 1"},
      {"Pad", {x({1}), n({1, 2})}, {{"mode", "reflect"}}, "f32[4] 0 0 0 0"},
      {"Pad", {x({4}), n({-1, 1})}, {{"mode", "reflect"}}, "f32[4] 1 2 3 2"},
      {"Pad", {x({4}), n({-1, -1})}, {{"mode", "edge"}}, "f32[2] 1 2"},
      {"Pad", {x({4}), n({-2, -1})}, {{"mode", "edge"}}, "f32[1] 2"},
      {"Pad", {x({4}), n({-1, 0})}, {{"mode", "edge"}}, "f32[3] 1 2 3"},
      {"Pad", {x({0, 1}), n({0, 1, 0, 0})}, {{"mode", "edge"}}, "f32[0,2]"},
      // Up to 16 runs are slices; more are looked up.
      {"Pad", {x({2}), n({6, 6})}, {{"mode", "wrap"}}, "f32[14] 0 1 0 1 0 1 0 1 0 1 0 1 0 1"},
      {"Pad",
       {x({2}), n({20, 0})},
       {{"mode", "wrap"}},
       "f32[22] 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1"},
      {"Pad",
       {x({2}), n({16, 18})},
       {{"mode", "wrap"}},
       "f32[36] 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1"},
  });
}

TEST_CASE("ONNX Pad refuses pads that are not its operand's") {
  const std::string beyond = "!a padding of what has no elements, or beyond any array";
  check_nodes({
      {"Pad", {x({3}), n({1})}, {}, "!pads [1]"},
      {"Pad", {x({3}), n({1, 2, 3})}, {}, "!pads [1,2,3]"},
      {"Pad", {x({1, 2}), n({1, 0, 0, 0}), none, n({0})}, {}, "!pads [1,0,0,0]"},
      {"Pad", {x({3}), n({1LL << 31, 0})}, {}, "!pads [2147483648,0]"},
      {"Pad", {x({3}), n({0, 1LL << 31})}, {}, "!pads [0,2147483648]"},
      {"Pad", {x({3}), n({-(1LL << 31), 0})}, {}, "!pads [-2147483648,0]"},
      {"Pad", {x({3}), n({INT32_MAX, -INT32_MAX})}, {}, "f32[3] 0 0 0"},
      {"Pad", {x({3}), n({INT64_MIN, 0})}, {}, "!pads [-9223372036854775808,0]"},
      {"Pad", {x({3}), n({0, INT64_MIN})}, {}, "!pads [0,-9223372036854775808]"},
      {"Pad", {x({3}), n({0, 1}), none, n({1})}, {}, "!axis 1 of an array of 1 dimensions"},
      {"Pad", {x({3}), n({1, 0})}, {{"mode", "mirror"}}, "!mode is \"mirror\""},
      {"Pad", {x({0}), n({1, 0})}, {{"mode", "edge"}}, beyond},
      {"Pad", {x({3}), n({(1 << 24) + 1, 0})}, {{"mode", "edge"}}, beyond},
      {"Pad", {x({3}), n({0, (1 << 24) + 1})}, {{"mode", "edge"}}, beyond},
      {"Pad", {x({3}), n({-2, -1})}, {{"mode", "edge"}}, beyond},
  });
}

TEST_CASE("ONNX moves blocks of depth, and refuses blocks that do not divide") {
  check_nodes({
      {"DepthToSpace", {x({1, 8, 1, 1})}, {{"blocksize", 2}}, "f32[1,2,2,2] 0 2 4 6 1 3 5 7"},
      {"DepthToSpace",
       {x({1, 8, 1, 1})},
       {{"blocksize", 2}, {"mode", "CRD"}},
       "f32[1,2,2,2] 0 1 2 3 4 5 6 7"},
      {"DepthToSpace", {x({1, 2, 1, 1})}, {{"blocksize", 1}}, "f32[1,2,1,1] 0 1"},
      {"DepthToSpace",
       {x({1, 8, 1, 1})},
       {{"blocksize", 2}, {"mode", "CDR"}},
       "!mode CDR, blocks of 2 of 8 channels"},
      {"DepthToSpace",
       {x({1, 6, 1, 1})},
       {{"blocksize", 2}},
       "!mode DCR, blocks of 2 of 6 channels"},
      {"DepthToSpace",
       {x({1, 8, 1, 1})},
       {{"blocksize", 0}},
       "!mode DCR, blocks of 0 of 8 channels"},
      {"DepthToSpace", {x({1, 0, 1, 1})}, {{"blocksize", 32767}}, "f32[1,0,32767,32767]"},
      {"DepthToSpace",
       {x({1, 0, 1, 1})},
       {{"blocksize", 32768}},
       "!mode DCR, blocks of 32768 of 0 channels"},
      {"DepthToSpace",
       {x({8, 1, 1})},
       {{"blocksize", 2}},
       "!operand 0 (\"i0\") has 3 dimensions, not 4"},
      {"SpaceToDepth", {x({1, 1, 2, 4})}, {{"blocksize", 2}}, "f32[1,4,1,2] 0 2 1 3 4 6 5 7"},
      {"SpaceToDepth", {x({1, 1, 2, 1})}, {{"blocksize", 1}}, "f32[1,1,2,1] 0 1"},
      {"SpaceToDepth", {x({1, 1, 3, 4})}, {{"blocksize", 2}}, "!blocks of 2 of 3 x 4"},
      {"SpaceToDepth", {x({1, 1, 4, 3})}, {{"blocksize", 2}}, "!blocks of 2 of 4 x 3"},
      {"SpaceToDepth", {x({1, 1, 4, 4})}, {{"blocksize", 0}}, "!blocks of 0 of 4 x 4"},
      {"SpaceToDepth", {x({1, 1, 0, 0})}, {{"blocksize", INT16_MAX}}, "f32[1,1073676289,0,0]"},
      {"SpaceToDepth",
       {x({1, 1, 0, 0})},
       {{"blocksize", INT16_MAX + 1}},
       "!blocks of 32768 of 0 x 0"},
      {"SpaceToDepth",
       {x({1, 4, 4})},
       {{"blocksize", 2}},
       "!operand 0 (\"i0\") has 3 dimensions, not 4"},
  });
}

TEST_CASE("ONNX Trilu keeps a half, with a diagonal that may be moved") {
  const auto m = [] { return x({2, 3}, {1, 2, 3, 4, 5, 6}); };
  check_nodes({
      {"Trilu", {m()}, {}, "f32[2,3] 1 2 3 0 5 6"},
      {"Trilu", {m()}, {{"upper", 0}}, "f32[2,3] 1 0 0 4 5 0"},
      {"Trilu", {m(), one(1)}, {}, "f32[2,3] 0 2 3 0 0 6"},
      {"Trilu", {m(), n({-1})}, {{"upper", 0}}, "f32[2,3] 0 0 0 4 0 0"},
      {"Trilu", {x({2})}, {}, "!the operand is no matrix"},
  });
}

TEST_CASE("ONNX ReverseSequence turns the first elements") {
  const auto lengths = [] { return given(kS64, {2}, {2, 3}); };
  check_nodes({
      {"ReverseSequence", {x({3, 2}), lengths()}, {}, "f32[3,2] 2 5 0 3 4 1"},
      {"ReverseSequence",
       {x({2, 3}), lengths()},
       {{"batch_axis", 0}, {"time_axis", 1}},
       "f32[2,3] 1 0 2 5 4 3"},
      {"ReverseSequence",
       {x({3, 2}), lengths()},
       {{"batch_axis", -1}, {"time_axis", -2}},
       "f32[3,2] 2 5 0 3 4 1"},
      {"ReverseSequence", {x({3, 2}), lengths()}, {{"batch_axis", 0}}, "!time_axis is batch_axis"},
      {"ReverseSequence",
       {x({3, 2}), lengths()},
       {{"batch_axis", 2}},
       "!axis 2 of an array of 2 dimensions"},
      {"ReverseSequence",
       {x({3, 2}), lengths()},
       {{"time_axis", -3}},
       "!axis -3 of an array of 2 dimensions"},
      {"ReverseSequence", {x({3, 2}), one(2)}, {}, "!operand 1 (\"i1\") has 0 dimensions, not 1"},
  });
}

TEST_CASE("ONNX CenterCropPad keeps the middle") {
  check_nodes({
      {"CenterCropPad", {x({4}), n({2})}, {}, "f32[2] 1 2"},
      {"CenterCropPad", {x({4}), n({1})}, {}, "f32[1] 1"},
      {"CenterCropPad", {x({2}), n({5})}, {}, "f32[5] 0 0 1 0 0"},
      {"CenterCropPad", {x({2}), n({2})}, {}, "f32[2] 0 1"},
      {"CenterCropPad", {x({2}), n({0})}, {}, "f32[0]"},
      {"CenterCropPad", {x({1, 3}), n({1})}, {{"axes", L{-1}}}, "f32[1,1] 1"},
      {"CenterCropPad", {x({2}), n({-1})}, {}, "!a size of -1"},
      {"CenterCropPad", {x({2}), n({1LL << 31})}, {}, "!a size of 2147483648"},
      {"CenterCropPad", {x({2}), n({1, 1})}, {}, "!a shape for another number of axes"},
      {"CenterCropPad", {x({2}), n({1})}, {{"axes", L{1}}}, "!axis 1 of an array of 1 dimensions"},
  });
}

TEST_CASE("ONNX Compress and NonZero need what decides the shape") {
  const auto which = [](const std::vector<double>& values) {
    return constant(kPred, {static_cast<int64_t>(values.size())}, values);
  };
  check_nodes({
      {"Compress", {x({2, 2}), which({0, 1, 1})}, {}, "f32[2] 1 2"},
      {"Compress", {x({2, 2}), which({0, 1, 0, 1})}, {}, "f32[2] 1 3"},
      {"Compress", {x({2, 2}), which({0, 1})}, {{"axis", 0}}, "f32[1,2] 2 3"},
      {"Compress", {x({2, 2}), which({0, 1})}, {{"axis", -1}}, "f32[2,1] 1 3"},
      {"Compress", {x({2, 2}), which({0, 0})}, {}, "f32[0]"},
      {"Compress", {x({2, 2}), which({0, 1, 0})}, {{"axis", 0}}, "f32[1,2] 2 3"},
      {"Compress",
       {x({2, 2}), which({0, 0, 1})},
       {{"axis", 0}},
       "!the condition is longer than the operand"},
      {"Compress",
       {x({2, 2}), which({0, 1})},
       {{"axis", 2}},
       "!axis 2 of an array of 2 dimensions"},
      {"Compress",
       {x({2}), given(kPred, {2}, {1, 0})},
       {},
       "!the condition (\"i1\") is computed when the model runs"},
      {"NonZero", {constant(kF32, {2, 2}, {0, 0.5, 2, 0})}, {}, "s64[2,2] 0 1 1 0"},
      {"NonZero", {constant(kS32, {3}, {0, 7, -1})}, {}, "s64[1,2] 1 2"},
      {"NonZero", {constant(kS32, {2}, {0, 0})}, {}, "s64[1,0]"},
      {"NonZero",
       {x({2})},
       {},
       "!what decides how many elements there are (\"i0\") is computed when the model runs"},
  });
}

}  // namespace
}  // namespace hlocc::tests
