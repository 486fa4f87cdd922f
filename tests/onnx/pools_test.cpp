// ONNX's pools, what they count at borders, and the places of what they took: models of one node.
#include "onnx/models.h"

namespace hlocc::tests {
namespace {

NodeOperand peaks() { return x({1, 1, 4}, {1, 4, 2, 3}); }
NodeOperand field() { return x({1, 1, 2, 2}, {1, 9, 3, 4}); }

TEST_CASE("ONNX MaxPool and the places of what it takes") {
  const auto of = [](std::vector<NodeAttribute> more, const std::string& answer, int results = 1) {
    more.push_back({"kernel_shape", L{2}});
    return NodeRow{"MaxPool", {peaks()}, std::move(more), answer, results};
  };
  const NodeAttribute two_by_two{"kernel_shape", L{2, 2}};
  check_nodes({
      of({}, "f32[1,1,3] 4 4 3"),
      of({}, "f32[1,1,3] 4 4 3; s64[1,1,3] 1 1 3", 2),
      of({{"strides", L{2}}}, "f32[1,1,2] 4 3; s64[1,1,2] 1 3", 2),
      of({{"dilations", L{2}}}, "f32[1,1,2] 2 4; s64[1,1,2] 2 1", 2),
      of({{"pads", L{1, 0}}}, "f32[1,1,4] 1 4 4 3; s64[1,1,4] 0 1 1 3", 2),
      of({{"pads", L{0, 1}}}, "f32[1,1,4] 4 4 3 3; s64[1,1,4] 1 1 3 3", 2),
      of({{"storage_order", 1}}, "f32[1,1,3] 4 4 3; s64[1,1,3] 1 1 3", 2),
      // The last window reaches over the border, and one that begins there is none.
      of({{"strides", L{3}}}, "f32[1,1,1] 4"),
      of({{"strides", L{3}}, {"ceil_mode", 1}}, "f32[1,1,2] 4 3; s64[1,1,2] 1 3", 2),
      of({{"strides", L{4}}, {"ceil_mode", 1}}, "f32[1,1,1] 4"),
      of({{"strides", L{4}}, {"pads", L{0, 1}}, {"ceil_mode", 1}}, "f32[1,1,1] 4"),
      of({{"strides", L{4}}, {"pads", L{1, 0}}, {"ceil_mode", 1}}, "f32[1,1,2] 1 3"),
      of({{"strides", L{2}}, {"ceil_mode", 1}}, "f32[1,1,2] 4 3"),
      {"MaxPool",
       {x({1, 1, 2}, {-1, -2})},
       {{"kernel_shape", L{2}}, {"pads", L{1, 1}}},
       "f32[1,1,3] -1 -1 -2; s64[1,1,3] 0 0 1",
       2},
      {"MaxPool",
       {x({1, 1, 2}, {5, 5})},
       {{"kernel_shape", L{2}}},
       "f32[1,1,1] 5; s64[1,1,1] 0",
       2},
      {"MaxPool",
       {given(kS8, {1, 1, 2}, {-5, -6})},
       {{"kernel_shape", L{2}}, {"pads", L{1, 0}}},
       "s8[1,1,2] -5 -5"},
      {"MaxPool",
       {given(kS8, {1, 1, 2}, {-5, -6})},
       {{"kernel_shape", L{2}}},
       "!places of integers",
       2},
      {"MaxPool", {field()}, {two_by_two}, "f32[1,1,1,1] 9; s64[1,1,1,1] 1", 2},
      {"MaxPool",
       {field()},
       {two_by_two, {"storage_order", 1}},
       "f32[1,1,1,1] 9; s64[1,1,1,1] 2",
       2},
      {"MaxPool",
       {x({1, 2, 2, 2}, {1, 9, 3, 4, 1, 9, 3, 4})},
       {two_by_two, {"storage_order", 1}},
       "f32[1,2,1,1] 9 9; s64[1,2,1,1] 2 6",
       2},
      {"MaxPool",
       {field()},
       {two_by_two, {"pads", L{1, 1, 0, 0}}},
       "f32[1,1,2,2] 1 9 3 9; s64[1,1,2,2] 0 1 2 1",
       2},
      {"MaxPool",
       {x({1, 1, 1, 3}, {1, 9, 5})},
       {{"kernel_shape", L{1, 2}}, {"dilations", L{1, 2}}},
       "f32[1,1,1,1] 5; s64[1,1,1,1] 2",
       2},
      {"MaxPool",
       {x({1, 1, 1, 1, 2})},
       {{"kernel_shape", L{1, 1, 2}}, {"storage_order", 1}},
       "!storage_order of more than two spatial dimensions",
       2},
      {"MaxPool",
       {x({1, 1, 1, 1, 2})},
       {{"kernel_shape", L{1, 1, 2}}},
       "f32[1,1,1,1,1] 1; s64[1,1,1,1,1] 1",
       2},
      {"MaxPool",
       {x({1, 1, 1024})},
       {{"kernel_shape", L{1024}}},
       "f32[1,1,1] 1023; s64[1,1,1] 1023",
       2},
      {"MaxPool", {x({1, 1, 1025})}, {{"kernel_shape", L{1025}}}, "!places of windows so large", 2},
      {"MaxPool", {peaks()}, {}, "!kernel_shape is missing"},
      {"MaxPool", {peaks()}, {two_by_two}, "!kernel_shape has 2 numbers for 1"},
      {"MaxPool",
       {peaks()},
       {{"kernel_shape", L{0}}},
       "!a window of 0 with stride 1 and dilation 1 over 4"},
      {"MaxPool", {x({1, 4})}, {two_by_two}, "!the operand has no spatial dimension"},
  });
}

TEST_CASE("ONNX windows end at 2^24 elements, steps and pads") {
  constexpr int64_t kMostNumber = 1 << 24;
  const auto of = [](const NodeAttribute& more, const std::string& answer) {
    return NodeRow{"MaxPool", {peaks()}, {{"kernel_shape", L{1}}, more}, answer};
  };
  check_nodes({
      of({"strides", L{kMostNumber}}, "f32[1,1,1] 1"),
      of({"strides", L{kMostNumber + 1}}, "!strides has 16777217"),
      of({"dilations", L{kMostNumber}}, "f32[1,1,4] 1 4 2 3"),
      of({"pads", L{-kMostNumber, 0}}, "!a window of 1 over 4 with pads -16777216 and 0"),
      of({"pads", L{-kMostNumber - 1, 0}}, "!pads has -16777217"),
      of({"strides", L{0}}, "!a window of 1 with stride 0 and dilation 1 over 4"),
      of({"dilations", L{0}}, "!a window of 1 with stride 1 and dilation 0 over 4"),
      {"MaxPool",
       {x({1, 1, 0})},
       {{"kernel_shape", L{1}}},
       "!a window of 1 with stride 1 and dilation 1 over 0"},
      {"MaxPool", {x({1, 1, 1}, {7})}, {{"kernel_shape", L{1}}}, "f32[1,1,1] 7"},
      // A window that would begin right behind the padded operand.
      {"MaxPool",
       {x({1, 1, 2})},
       {{"kernel_shape", L{1}}, {"strides", L{2}}, {"pads", L{0, 1}}, {"ceil_mode", 1}},
       "f32[1,1,1] 0; s64[1,1,1] 0",
       2},
      {"AveragePool",
       {x({1, 1, 2}, {3, 5})},
       {{"kernel_shape", L{1}}, {"strides", L{2}}, {"pads", L{0, 1}}, {"ceil_mode", 1}},
       "f32[1,1,1] 3"},
      {"MaxPool", {x({2, 2})}, {{"kernel_shape", L{1}}}, "!the operand has no spatial dimension"},
  });
  // The kernel of a convolution has the size of its weights.
  const auto convolved = [](int64_t size) {
    return told(model_with(arguments_of({"x"}, Shape::array(kF32, {1, 1, 1})) +
                           arguments_of({"w"}, Shape::array(kF32, {1, 1, size})) +
                           nodes_of({{"Conv", {"x", "w"}, {"y"}}}) + results_of({"y"})));
  };
  const std::string place = "!graph.node[0] (Conv \"y\", opset 18): ";
  CHECK(convolved(kMostNumber) == place + "a window of 16777216 over 1 with pads 0 and 0");
  CHECK(convolved(kMostNumber + 1) ==
        place + "a window of 16777217 with stride 1 and dilation 1 over 1");
}

TEST_CASE("ONNX AveragePool counts what its windows cover") {
  const auto of = [](std::vector<NodeAttribute> more, const std::string& answer) {
    more.push_back({"kernel_shape", L{2}});
    return NodeRow{"AveragePool", {peaks()}, std::move(more), answer};
  };
  const NodeAttribute all{"count_include_pad", 1}, ceil{"ceil_mode", 1};
  const NodeAttribute two_by_two{"kernel_shape", L{2, 2}};
  check_nodes({
      of({}, "f32[1,1,3] 2.5 3 2.5"),
      of({{"dilations", L{2}}}, "f32[1,1,2] 1.5 3.5"),
      of({{"pads", L{1, 1}}}, "f32[1,1,5] 1 2.5 3 2.5 3"),
      of({{"pads", L{1, 1}}, all}, "f32[1,1,5] 0.5 2.5 3 2.5 1.5"),
      of({{"pads", L{0, 1}}}, "f32[1,1,4] 2.5 3 2.5 3"),
      of({{"strides", L{3}}, ceil}, "f32[1,1,2] 2.5 3"),
      // What lies beyond the padding is never counted.
      of({{"strides", L{3}}, ceil, all}, "f32[1,1,2] 2.5 3"),
      of({{"strides", L{2}}, {"pads", L{1, 0}}, ceil}, "f32[1,1,3] 1 3 3"),
      of({{"strides", L{2}}, {"pads", L{1, 0}}, ceil, all}, "f32[1,1,3] 0.5 3 3"),
      {"AveragePool",
       {x({2, 1, 2}, {0, 2, 4, 6})},
       {{"kernel_shape", L{2}}, {"pads", L{1, 0}}},
       "f32[2,1,2] 0 1 4 5"},
      {"AveragePool", {x({1, 1, 2, 2})}, {two_by_two}, "f32[1,1,1,1] 1.5"},
      {"AveragePool",
       {x({1, 1, 2, 2})},
       {two_by_two, {"pads", L{1, 0, 0, 0}}},
       "f32[1,1,2,1] 0.5 1.5"},
      {"AveragePool",
       {x({1, 1, 2, 2})},
       {two_by_two, {"pads", L{1, 0, 0, 0}}, all},
       "f32[1,1,2,1] 0.25 1.5"},
      {"AveragePool", {x({1, 4})}, {two_by_two}, "!the operand has no spatial dimension"},
  });
}

TEST_CASE("ONNX pools of powers, and over all of a channel") {
  const auto one = [](const char* op, const std::string& answer) {
    return NodeRow{op, {x({1, 2, 2}, {1, 3, 5, 9})}, {}, answer};
  };
  const auto power = [](const char* op, int p, const std::string& answer) {
    std::vector<NodeAttribute> more{{"p", p}};
    if (op[0] == 'L') more.push_back({"kernel_shape", L{2}});
    return NodeRow{op, {x({1, 1, 2}, {3, -4})}, more, answer};
  };
  const std::string no_sides = "!the operand has no spatial dimension";
  check_nodes({
      one("GlobalAveragePool", "f32[1,2,1] 2 7"),
      one("GlobalMaxPool", "f32[1,2,1] 3 9"),
      {"GlobalAveragePool", {field()}, {}, "f32[1,1,1,1] 4.25"},
      {"GlobalMaxPool", {field()}, {}, "f32[1,1,1,1] 9"},
      {"GlobalLpPool", {x({1, 1, 2}, {3, -4})}, {}, "f32[1,1,1] 5"},
      {"GlobalAveragePool", {x({1, 2})}, {}, no_sides},
      {"GlobalMaxPool", {x({1, 2})}, {}, no_sides},
      {"GlobalLpPool", {x({1, 2})}, {}, no_sides},
      {"LpPool", {x({1, 1, 2}, {3, -4})}, {{"kernel_shape", L{2}}}, "f32[1,1,1] 5"},
      power("LpPool", 1, "f32[1,1,1] 7"),
      power("LpPool", 2, "f32[1,1,1] 5"),
      power("GlobalLpPool", 1, "f32[1,1,1] 7"),
      power("LpPool", 0, "!p is 0"),
      power("GlobalLpPool", 0, "!p is 0"),
      {"LpPool", {x({1, 1, 1}, {-2})}, {{"kernel_shape", L{1}}, {"p", 3}}, "f32[1,1,1] 2"},
      {"GlobalLpPool", {x({1, 1, 1}, {-2})}, {{"p", 3}}, "f32[1,1,1] 2"},
      {"GlobalLpPool", {given(kS32, {1, 1, 2})}, {}, "!element types (s32) are not read"},
      {"LpPool",
       {given(kS32, {1, 1, 2})},
       {{"kernel_shape", L{2}}},
       "!element types (s32) are not read"},
      {"LpPool", {x({1, 4})}, {{"kernel_shape", L{2}}}, no_sides},
  });
}

TEST_CASE("ONNX MaxUnpool puts elements back to their places") {
  const auto of = [](std::vector<NodeAttribute> more, const std::string& answer) {
    more.push_back({"kernel_shape", L{2}});
    return NodeRow{"MaxUnpool",
                   {x({1, 1, 2}, {7, 8}), given(kS64, {1, 1, 2}, {1, 2})},
                   std::move(more),
                   answer};
  };
  const auto sized = [](const NodeOperand& sizes, const std::string& answer) {
    return NodeRow{"MaxUnpool",
                   {x({1, 1, 2}, {7, 8}), given(kS64, {1, 1, 2}, {1, 2}), sizes},
                   {{"kernel_shape", L{2}}},
                   answer};
  };
  check_nodes({
      of({}, "f32[1,1,3] 0 7 8"),
      of({{"strides", L{2}}}, "f32[1,1,4] 0 7 8 0"),
      of({{"strides", L{2}}, {"pads", L{1, 0}}}, "f32[1,1,3] 0 7 8"),
      of({{"strides", L{3}}, {"pads", L{1, 1}}}, "f32[1,1,3] 0 7 8"),
      of({{"strides", L{1, 1}}}, "!strides has 2 numbers for 1"),
      of({{"pads", L{0}}}, "!pads has 1 numbers for 2"),
      sized(n({1, 1, 3}), "f32[1,1,3] 0 7 8"),
      sized(n({1, 1, 5}), "f32[1,1,5] 0 7 8 0 0"),
      sized(n({1, 5}), "!an output shape of other dimensions"),
      sized(given(kS64, {3}), "!the output shape (\"i2\") is computed when the model runs"),
      {"MaxUnpool",
       {x({1, 1, 1, 2}, {7, 8}), given(kS64, {1, 1, 1, 2}, {0, 7})},
       {{"kernel_shape", L{2, 2}}, {"strides", L{2, 2}}},
       "f32[1,1,2,4] 7 0 0 0 0 0 0 8"},
      {"MaxUnpool",
       {x({1, 4}), given(kS64, {1, 4})},
       {{"kernel_shape", L{2}}},
       "!the operand has no spatial dimension"},
  });
}

}  // namespace
}  // namespace hlocc::tests
