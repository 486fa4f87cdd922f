// ONNX nodes on both sides of a limit that other tables leave out: lists without numbers, sizes of
// 2^31 - 1, runs of borders, defaults that differ between versions.
#include <cmath>
#include <limits>

#include "onnx/models.h"

namespace hlocc::tests {
namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

TEST_CASE("ONNX lists without numbers are no single number") {
  const NodeOperand nothing = constant(kF32, {0}, {});
  const NodeOperand zero = constant(kF32, {}, {0});
  const std::string bounds = "!has bounds that are no single numbers";
  check_nodes({
      {"TopK", {x({3}), n({})}, {}, "!how many is no single number", 2},
      {"TopK", {x({3}), n({1, 1})}, {}, "!how many is no single number", 2},
      {"TopK", {x({3}), n({1})}, {}, "f32[1] 2; s64[1] 2", 2},
      {"Range", {nothing, zero, zero}, {}, bounds},
      {"Range", {zero, nothing, zero}, {}, bounds},
      {"Range", {zero, zero, nothing}, {}, bounds},
      {"OneHot", {given(kS64, {1}), n({}), x({2})}, {}, "!the depth is no single number"},
      {"OneHot",
       {given(kS64, {1}), one(kMost), x({2})},
       {{"axis", 5}},
       "!axis 5 of an array of 2 dimensions"},
      {"OneHot",
       {given(kS64, {1}), one(kMost + 1), x({2})},
       {{"axis", 5}},
       "!a depth of 2147483648"},
      {"OneHot", {given(kS64, {1}), one(-1), x({2})}, {}, "!a depth of -1"},
      {"OneHot",
       {given(kS64, {1}), constant(kF32, {}, {NAN}), x({2})},
       {},
       "!the depth is no single number"},
      {"OneHot",
       {given(kS64, {1}), constant(kPred, {}, {1}), x({2})},
       {},
       "!the depth is no single number"},
      {"GatherND", {x({2}), given(kS64, {1, 0})}, {}, "f32[1,2] 0 1"},
      {"Einsum", {x({0}), x({2})}, {{"equation", "i,i->i"}}, "!sizes 0 and 2"},
      {"Einsum", {x({2}), x({0})}, {{"equation", "i,i->i"}}, "!sizes 2 and 0"},
  });
  const auto filled = [](const Literal& value) {
    return told(model_with(
        text_field(5, tensor_of("s", import::literal_of(kS64, {2}, {1}))) +
        nodes_of({{"ConstantOfShape",
                   {"s"},
                   {"y"},
                   text_field(5, text_field(1, "value") + text_field(5, tensor_of("", value)) +
                                     number_field(20, 4))}}) +
        results_of({"y"})));
  };
  CHECK(filled(literal_from(kF32, {}, {7})) == "f32[2] 7 7");
  CHECK(filled(literal_from(kF32, {1}, {7})) == "f32[2] 7 7");
  const std::string wrong =
      "!graph.node[0] (ConstantOfShape \"y\", opset 18): value is not one number";
  CHECK(filled(literal_from(kF32, {0}, {})) == wrong);
  CHECK(filled(literal_from(kF32, {2}, {7, 8})) == wrong);
}

TEST_CASE("ONNX sizes end at 2^31 - 1") {
  check_nodes({
      {"Tile", {x({0}), n({kMost})}, {}, "f32[0]"},
      {"Tile", {x({0}), n({kMost + 1})}, {}, "!repeats [2147483648]"},
      {"Tile", {x({0}), n({-1})}, {}, "!repeats [-1]"},
      {"Pad",
       {x({0}), n({kMost, 0})},
       {{"mode", "edge"}},
       "!a padding of what has no elements, or beyond any array"},
      {"Pad",
       {x({0}), n({0, kMost})},
       {{"mode", "edge"}},
       "!a padding of what has no elements, or beyond any array"},
      {"Pad", {x({0}), n({kMost + 1, 0})}, {{"mode", "edge"}}, "!pads [2147483648,0]"},
      {"Pad", {x({0}), n({0, kMost + 1})}, {{"mode", "edge"}}, "!pads [0,2147483648]"},
  });
}

// Read and not run: whether a model is, whose result is larger than a test should make.
bool is_read(const NodeRow& row) { return noted(model_of(row)).empty(); }

TEST_CASE("ONNX sizes at limits of their own") {
  const Dimensions long_row = {0, 1 << 24}, longer_row = {0, (1 << 24) + 1};
  const auto scale = [](double value) { return constant(kF32, {1}, {value}); };
  const NodeAttribute row{"axes", L{1}}, linear{"mode", "linear"}, antialias{"antialias", 1},
      crop{"coordinate_transformation_mode", "tf_crop_and_resize"},
      by_one{"keep_aspect_ratio_policy", "not_larger"};
  const auto half = [] { return constant(kF32, {2}, {0, 0.5}); };
  check_answers({
      {"Resize", {x(long_row), none, none, n({1 << 24})}, {row}, "f32[0,16777216]"},
      {"Resize", {x(long_row), none, none, n({1 << 24})}, {row, by_one}, "f32[0,16777216]"},
      {"Resize", {x(longer_row), none, none, n({(1 << 24) + 1})}, {row}, "!a size of 16777217"},
      {"Resize", {x(long_row), none, scale(1)}, {row}, "!a scale out of range"},
      {"Resize", {x({2}), none, none, n({-1})}, {}, "!a size of -1"},
      {"Resize", {x({2})}, {}, "!has neither scales nor sizes"},
      {"Resize",
       {x({0, 4096}), half(), none, n({4096})},
       {row, crop, linear, antialias},
       "f32[0,4096]"},
      {"Resize",
       {x({0, 4097}), half(), none, n({4096})},
       {row, crop, linear, antialias},
       "!windows so large"},
  });
}

TEST_CASE("ONNX results at limits of their own") {
  const NodeAttribute row{"axes", L{1}};
  check_nodes({
      {"CenterCropPad", {x({0, 1}), n({kMost})}, {row}, "f32[0,2147483647]"},
      {"CenterCropPad", {x({0, 1}), n({kMost + 1})}, {row}, "!a size of 2147483648"},
      {"ConvTranspose",
       {x({0, 1, 1}), x({1, 1, 1})},
       {{"output_shape", L{kMost}}},
       "f32[0,1,2147483647]"},
      {"ConvTranspose",
       {x({0, 1, 1}), x({1, 1, 1})},
       {{"output_shape", L{kMost + 1}}},
       "!a result of 2147483648"},
      {"ConvTranspose", {x({1, 1, 1}), x({1, 1, 1})}, {{"output_shape", L{0}}}, "f32[1,1,0]"},
      {"ConvTranspose", {x({1, 1, 1}), x({1, 1, 1})}, {{"output_shape", L{-1}}}, "!a result of -1"},
      {"ConvTranspose",
       {x({1, 1, 1}, {1}), x({1, 1, 32767})},
       {{"pads", L{32766, 0}}},
       "f32[1,1,1] 32766"},
      {"ConvTranspose",
       {x({1, 1, 1}, {1}), x({1, 1, 32768})},
       {{"pads", L{32767, 0}}},
       "!a window of 32768 with stride 1 and dilation 1"},
  });
}

TEST_CASE("ONNX Range has no more numbers than 2^26") {
  CHECK(is_read({"Range", {one(0), one(1 << 26), one(1)}, {}, ""}));
  CHECK_FALSE(is_read({"Range", {one(0), one((1 << 26) + 1), one(1)}, {}, ""}));
  const auto f = [](double value) { return constant(kF32, {}, {value}); };
  CHECK(is_read({"Range", {f(0), f((1 << 26) - 4), f(1)}, {}, ""}));
  CHECK_FALSE(is_read({"Range", {f(0), f(1 << 26), f(1)}, {}, ""}));
}

TEST_CASE("ONNX borders of so many places") {
  const auto edge = [](int64_t low, int64_t high) {
    return NodeRow{"Pad", {x({1}), n({low, high})}, {{"mode", "edge"}}, ""};
  };
  CHECK(is_read(edge(1 << 24, 0)));
  CHECK(is_read(edge(0, 1 << 24)));
  CHECK_FALSE(is_read(edge((1 << 24) + 1, 0)));
  CHECK_FALSE(is_read(edge(0, (1 << 24) + 1)));
}

TEST_CASE("ONNX operands of one place more, or of none") {
  const NodeAttribute crop{"coordinate_transformation_mode", "tf_crop_and_resize"};
  const auto region = [](double low, double high) { return constant(kF32, {2}, {low, high}); };
  const auto f = [](double value) { return constant(kF32, {}, {value}); };
  const std::string left_out = "!\"\" is a value that is not at hand here";
  check_nodes({
      {"Sum", {x({2}), none}, {}, left_out},
      {"Sum", {x({2}), x({2})}, {}, "f32[2] 0 2"},
      {"Resize",
       {x({3}), none, constant(kF32, {1}, {1.5})},
       {{"coordinate_transformation_mode", "align_corners"}},
       "f32[4] 0 1 1 2"},
      {"Resize",
       {x({3}), region(0, 0.5), none, n({3})},
       {crop, {"mode", "linear"}},
       "f32[3] 0 0.5 1"},
      {"Resize",
       {x({3}), region(0, 2), none, n({3})},
       {crop, {"mode", "linear"}, {"extrapolation_value", 9.0}},
       "f32[3] 0 2 9"},
      {"Resize",
       {x({4}), none, none, n({1})},
       {{"coordinate_transformation_mode", "pytorch_half_pixel"}, {"mode", "linear"}},
       "f32[1] 0"},
      {"Resize",
       {given(kS32, {2}, {16777217, 3}), none, none, n({4})},
       {},
       "s32[4] 16777217 16777217 3 3"},
      {"GridSample",
       {x({1, 1, 2}, {8, 8}), x({1, 1, 1}, {0})},
       {{"mode", "bicubic"}, {"align_corners", 1}},
       "f32[1,1,1] 9.5",
       1,
       16},
      {"RotaryEmbedding",
       {x({1, 1, 1, 1, 4}), x({1, 1, 2}), x({1, 1, 2})},
       {},
       "!0 heads of f32[1,1,1,1,4]",
       1,
       23},
      {"RotaryEmbedding",
       {x({1, 1, 2}, {1, 2}), x({1, 1, 1}, {0}), x({1, 1, 1}, {1})},
       {{"num_heads", 1}},
       "f32[1,1,2] -2 1",
       1,
       23},
      {"RotaryEmbedding",
       {x({1, 1, 2}, {1, 2}), x({1, 1, 1}, {0}), x({1, 1, 1}, {1})},
       {{"num_heads", 0}},
       "!0 heads of f32[1,1,2]",
       1,
       23},
      {"QuantizeLinear", {x({2}, {3, 8}), f(2), f(1)}, {}, "f32[2] 2.5 5", 1, 21},
      {"QuantizeLinear", {x({1}, {3}), f(2)}, {{"precision", 6}}, "u8[1] 2", 1, 23},
      {"Cast", {x({1}, {1e30})}, {{"to", 10}}, "f16[1] inf"},
      {"Cast", {x({1}, {1e30})}, {{"to", 1}}, "f32[1] 1e+30"},
      {"RNN",
       {x({1, 1, 1}, {1}), x({1, 1, 1}, {2}), x({1, 1, 1}, {3}), none, given(kS32, {1}, {0})},
       {{"activations", Texts{"Relu"}}},
       "f32[1,1,1,1] 0; f32[1,1,1] 0",
       2},
      {"RNN",
       {x({1, 1, 1}, {1}), x({1, 1, 1}, {2}), x({1, 1, 1}, {3}), none, given(kS32, {1}, {1})},
       {{"activations", Texts{"Relu"}}},
       "f32[1,1,1,1] 2; f32[1,1,1] 2",
       2},
      {"QLinearMatMul",
       {given(kU8, {1, 1}, {3}), constant(kF32, {0}, {}), constant(kU8, {}, {1}),
        given(kU8, {1, 1}, {5}), f(1), constant(kU8, {}, {1}), f(1), constant(kU8, {}, {0})},
       {},
       "!a scale for each row of the first operand"},
      {"ScatterND", {x({}, {5}), given(kS64, {1, 0}), x({1}, {7})}, {}, "f32[] 7"},
  });
}

TEST_CASE("ONNX borders of many runs") {
  // To and fro over two elements: 0 1 0 1 ...
  const auto turned = [](int64_t count) {
    std::string answer = cat("f32[", count + 2, "]");
    for (int64_t i = 0; i < count + 2; ++i) answer += i % 2 == 0 ? " 0" : " 1";
    return NodeRow{"Pad", {x({2}), n({0, count})}, {{"mode", "reflect"}}, answer};
  };
  check_nodes({turned(2), turned(28), turned(29), turned(30), turned(31), turned(32), turned(33),
               turned(50)});
}

TEST_CASE("ONNX defaults that differ between versions") {
  const auto row = [] { return x({1, 1}, {1}); };
  check_nodes({
      {"Concat", {row(), row()}, {}, "!versions before opset 4 are not read", 1, 3},
      {"Concat", {row(), row()}, {}, "f32[2,1] 1 1", 1, 4},
      {"Softmax", {x({1, 2, 2})}, {}, "f32[1,2,2] 0.268941 0.731059 0.268941 0.731059", 1, 13},
      {"Softmax", {x({1, 2, 2})}, {}, "f32[1,2,2] 0.0320586 0.0871443 0.236883 0.643914", 1, 12},
      {"Upsample",
       {x({2}, {0, 4}), constant(kF32, {1}, {2})},
       {{"mode", "bilinear"}},
       "f32[4] 0 2 4 4",
       1,
       9},
      {"Upsample",
       {x({2}, {0, 4}), constant(kF32, {1}, {2})},
       {{"mode", "trilinear"}},
       "!mode is \"trilinear\"",
       1,
       9},
  });
}

TEST_CASE("ONNX blocks of one number, and of less") {
  const auto blocks = [](int64_t block, const std::string& answer) {
    return NodeRow{"QuantizeLinear",
                   {x({2}, {3, 8}), constant(kF32, {2}, {1, 2})},
                   {{"axis", 0}, {"block_size", block}},
                   answer,
                   1,
                   21};
  };
  check_nodes({blocks(1, "u8[2] 3 4"), blocks(0, "u8[2] 3 4"),
               blocks(-1, "!blocks of -1 and scales f32[2] for f32[2]")});
}

TEST_CASE("what an ONNX Loop's body gives as its condition is one truth value") {
  // The body goes on as long as its own operand `condition`.
  const auto of = [](const std::string& condition, const NodeOperand& state,
                     const std::string& answer) {
    std::string body = text_field(2, "inner") + nodes_of({{"Neg", {"s"}, {"u"}}});
    for (const char* name : {"i", "c", "s"}) body += text_field(11, text_field(1, name));
    body += results_of({condition.c_str(), "u"});
    const NodeRow row{"Loop", {one(3), none, state}, {{"body", GraphText{body}}}, answer};
    check_nodes({row});
  };
  const auto no_truth = [](const char* name) {
    return cat("!graph.node[0].attribute[0].g.output[0] (\"", name,
               "\"), the condition, is no one truth value");
  };
  of("c", x({1}, {5}), "f32[1] -5");
  of("i", x({1}, {5}), no_truth("i"));
  of("s", x({1}, {5}), no_truth("s"));
}

TEST_CASE("ONNX Loop's condition is one truth value") {
  std::string body =
      text_field(2, "inner") + nodes_of({{"Identity", {"c"}, {"d"}}, {"Neg", {"s"}, {"u"}}});
  for (const char* name : {"i", "c", "s"}) body += text_field(11, text_field(1, name));
  body += results_of({"d", "u"});
  const auto of = [&](const NodeOperand& condition, const std::string& answer) {
    return NodeRow{"Loop", {one(3), condition, x({1}, {5})}, {{"body", GraphText{body}}}, answer};
  };
  check_nodes({
      of(none, "f32[1] -5"),
      of(constant(kPred, {}, {1}), "f32[1] -5"),
      of(constant(kPred, {1}, {0}), "f32[1] 5"),
      of(constant(kPred, {0}, {}), "!a condition that is no one truth value"),
      of(constant(kPred, {2}, {1, 1}), "!a condition that is no one truth value"),
      of(given(kPred, {2}, {1, 1}), "!a condition that is no one truth value"),
      of(given(kPred, {1}, {1}), "f32[1] -5"),
      of(constant(kS32, {}, {1}), "!a condition that is no one truth value"),
      of(x({}), "!a condition that is no one truth value"),
      of({NodeOperand::kConstant, Literal::zeros(Shape::scalar(kC128))},
         "!a condition that is no one truth value"),
  });
}

}  // namespace
}  // namespace hlocc::tests
