// ONNX's curves in recurrent layers, losses of classes, windows of signals, conversions and powers:
// models of one node, with answers that are worked out by hand or by Python's math.
#include <limits>

#include "onnx/models.h"

namespace hlocc::tests {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();

// A recurrent layer of one unit that gives f(x), its state times 0.
NodeRow curve(double value, const char* name, const Reals& alpha, const Reals& beta,
              const std::string& answer) {
  return {"RNN",
          {x({1, 1, 1}, {value}), constant(kF32, {1, 1, 1}, {1}), constant(kF32, {1, 1, 1}, {0})},
          {{"hidden_size", 1},
           {"activations", Texts{name}},
           {"activation_alpha", alpha},
           {"activation_beta", beta}},
          answer.starts_with("!") ? answer : "f32[1,1,1,1] " + answer};
}

TEST_CASE("ONNX recurrent layers have each curve, with and without its numbers") {
  check_nodes({
      curve(-2, "Affine", {}, {}, "-2"),
      curve(-2, "Affine", {2}, {3}, "-1"),
      curve(-2, "affine", {2}, {}, "-4"),
      curve(-2, "Elu", {}, {}, "-0.864665"),
      curve(-2, "Elu", {2}, {}, "-1.72933"),
      curve(2, "Elu", {2}, {}, "2"),
      curve(-2, "HardSigmoid", {}, {}, "0.1"),
      curve(-2, "HardSigmoid", {0.125}, {0.5}, "0.25"),
      curve(-9, "HardSigmoid", {}, {}, "0"),
      curve(9, "HardSigmoid", {}, {}, "1"),
      curve(-2, "LeakyRelu", {}, {}, "-0.02"),
      curve(-2, "LeakyRelu", {0.5}, {}, "-1"),
      curve(2, "LeakyRelu", {0.5}, {}, "2"),
      curve(-2, "Relu", {}, {}, "0"),
      curve(2, "Relu", {}, {}, "2"),
      curve(-2, "ScaledTanh", {2}, {0.5}, "-1.52319"),
      curve(-2, "ScaledTanh", {}, {}, "-0.964028"),
      curve(-2, "Sigmoid", {}, {}, "0.119203"),
      curve(-2, "Softplus", {}, {}, "0.126928"),
      curve(-2, "Softsign", {}, {}, "-0.666667"),
      curve(-2, "Tanh", {}, {}, "-0.964028"),
      curve(2, "ThresholdedRelu", {}, {}, "2"),
      curve(2, "ThresholdedRelu", {3}, {}, "0"),
      curve(2, "Swish", {}, {}, "!activation \"Swish\""),
  });
  // Numbers stand one after the other, for those curves that have some.
  const auto two = [](const Texts& names, const Reals& alpha, const Reals& beta,
                      const std::string& answer) {
    return NodeRow{
        "RNN",
        {x({1, 1, 1}, {-2}), constant(kF32, {2, 1, 1}, {1, 1}), constant(kF32, {2, 1, 1}, {0, 0})},
        {{"hidden_size", 1},
         {"direction", "bidirectional"},
         {"activations", names},
         {"activation_alpha", alpha},
         {"activation_beta", beta}},
        answer};
  };
  check_nodes({
      two({"LeakyRelu", "LeakyRelu"}, {0.5, 0.25}, {}, "f32[1,2,1,1] -1 -0.5"),
      two({"LeakyRelu", "LeakyRelu"}, {0.5}, {}, "f32[1,2,1,1] -1 -0.02"),
      two({"Tanh", "LeakyRelu"}, {0.5}, {}, "f32[1,2,1,1] -0.964028 -1"),
      two({"Affine", "Affine"}, {1, 1}, {3}, "f32[1,2,1,1] 1 -2"),
      two({"LeakyRelu", "Affine"}, {0.5, 1}, {3}, "f32[1,2,1,1] -1 1"),
      two({"Tanh"}, {}, {}, "!has 1 activations, not 2"),
  });
  // What comes in is cut first.
  NodeRow cut = curve(2, "Affine", {}, {}, "0.5");
  cut.attributes.emplace_back("clip", 0.5);
  check_nodes({cut});
}

TEST_CASE("ONNX losses of classes") {
  const auto labels = [](const Dimensions& sizes, const std::vector<double>& values) {
    return given(kS64, sizes, values);
  };
  const auto scores = [] { return x({2, 3}, {-1, -2, -3, -4, -5, -6}); };
  const auto of = [&](const std::vector<NodeAttribute>& attributes, const std::string& answer) {
    return NodeRow{
        "NegativeLogLikelihoodLoss", {scores(), labels({2}, {0, 2})}, attributes, answer};
  };
  const auto weighed = [&](const std::vector<NodeAttribute>& attributes,
                           const std::string& answer) {
    return NodeRow{"NegativeLogLikelihoodLoss",
                   {scores(), labels({2}, {0, 2}), x({3}, {1, 2, 3})},
                   attributes,
                   answer};
  };
  check_nodes({
      of({}, "f32[] 3.5"),
      of({{"reduction", "mean"}}, "f32[] 3.5"),
      of({{"reduction", "sum"}}, "f32[] 7"),
      of({{"reduction", "none"}}, "f32[2] 1 6"),
      of({{"reduction", "max"}}, "!reduction is \"max\""),
      of({{"reduction", "none"}, {"ignore_index", 2}}, "f32[2] 1 0"),
      of({{"ignore_index", 2}}, "f32[] 1"),
      of({{"ignore_index", 1}}, "f32[] 3.5"),
      weighed({}, "f32[] 4.75"),
      weighed({{"reduction", "sum"}}, "f32[] 19"),
      weighed({{"reduction", "none"}}, "f32[2] 1 18"),
      weighed({{"ignore_index", 0}}, "f32[] 6"),
      {"NegativeLogLikelihoodLoss",
       {scores(), labels({2}, {0, 2}), x({1, 3})},
       {},
       "!operand 2 (\"i2\") has 2 dimensions, not 1"},
      {"NegativeLogLikelihoodLoss", {x({3}), labels({}, {0})}, {}, "!scores have no classes"},
      {"NegativeLogLikelihoodLoss",
       {x({1, 2, 2}, {-1, -2, -3, -4}), labels({1, 2}, {0, 1})},
       {{"reduction", "none"}},
       "f32[1,2] 1 4"},
      {"SoftmaxCrossEntropyLoss", {x({1, 2}, {5, 5}), labels({1}, {0})}, {}, "f32[] 0.693147"},
      {"SoftmaxCrossEntropyLoss",
       {x({1, 2}, {5, 5}), labels({1}, {0})},
       {{"reduction", "sum"}},
       "f32[] 0.693147; f32[1,2] -0.693147 -0.693147",
       2},
      {"SoftmaxCrossEntropyLoss", {x({2}), labels({}, {0})}, {}, "!scores have no classes"},
  });
}

TEST_CASE("ONNX windows of signals, whole and as a period") {
  const std::string other = "!a window of other numbers than FLOAT and DOUBLE";
  check_nodes({
      {"HannWindow", {one(4)}, {}, "f32[4] 0 0.5 1 0.5"},
      {"HannWindow", {one(4)}, {{"periodic", 0}}, "f32[4] 0 0.75 0.75 0"},
      {"HannWindow", {one(1)}, {{"periodic", 0}}, "f32[1] 0"},
      {"HannWindow", {one(1)}, {}, "f32[1] 0"},
      {"HannWindow", {one(4)}, {{"output_datatype", 11}}, "f64[4] 0 0.5 1 0.5"},
      {"HannWindow", {n({4})}, {}, "f32[4] 0 0.5 1 0.5"},
      {"HannWindow", {n({})}, {}, "!the size is no single number"},
      {"HannWindow", {one(0)}, {}, "!a size of 0"},
      {"HannWindow", {one(-1)}, {}, "!a size of -1"},
      {"HannWindow", {one((1 << 24) + 1)}, {}, "!a size of 16777217"},
      {"HannWindow", {one(1 << 24)}, {{"output_datatype", 7}}, other},
      {"HannWindow", {one(4)}, {{"output_datatype", 10}}, other},
      {"HannWindow", {one(4)}, {{"output_datatype", 99}}, other},
      {"HammingWindow", {one(4)}, {}, "f32[4] 0.0869565 0.543478 1 0.543478"},
      {"BlackmanWindow", {one(4)}, {}, "f32[4] -1.38778e-17 0.34 1 0.34"},
  });
}

TEST_CASE("ONNX Cast rounds, saturates and loses bits") {
  const auto of = [](NodeOperand operand, int to, const std::string& answer) {
    return NodeRow{"Cast", {std::move(operand)}, {{"to", to}}, answer, 1, 19};
  };
  const auto wraps = [](NodeOperand operand, int to, const std::string& answer) {
    return NodeRow{"Cast", {std::move(operand)}, {{"to", to}, {"saturate", 0}}, answer, 1, 19};
  };
  const std::string lacks = "!element types (f32) are not read";
  check_nodes({
      of(x({3}, {1.5, -2.5, 0}), 6, "s32[3] 1 -2 0"),
      of(x({3}, {0.5, -2.5, 0}), 9, "pred[3] 1 1 0"),
      // Floats of 8 and 4 bits as their bits: 1, NaN, 448; 1, infinity; 6, 6, -1.5.
      of(x({3}, {1, kNan, 500}), 17, "f8e4m3fn[3] 56 127 126"),
      wraps(x({2}, {1, 500}), 17, "f8e4m3fn[2] 56 127"),
      wraps(x({2}, {1, 1e9}), 19, "f8e5m2[2] 60 124"),
      of(x({2}, {1, 1e9}), 19, "f8e5m2[2] 60 123"),
      of(x({2}, {1, 1e9}), 10, "f16[2] 1 inf"),
      of(x({3}, {100, kNan, -1.5}), 23, "f4e2m1fn[3] 7 7 11"),
      wraps(x({3}, {100, kNan, -1.5}), 23, "f4e2m1fn[3] 7 7 11"),
      of(given(kS8, {2}, {100, -100}), 19, "f8e5m2[2] 86 214"),
      of(given(kS32, {2}, {500, 3}), 17, "f8e4m3fn[2] 126 68"),
      // A number just above the middle of two is rounded once.
      of(given(kF64, {1}, {1.0625 + 0x1p-30}), 17, "f8e4m3fn[1] 57"),
      of(given(kS32, {3}, {9, -9, 3}), 22, "s4[3] -7 7 3"),
      of(x({3}, {9, -9.75, 3}), 22, "s4[3] 7 -8 3"),
      of(x({3}, {16, -1, 3}), 21, "u4[3] 15 0 3"),
      of(given(kS32, {3}, {16, -1, 3}), 21, "u4[3] 0 15 3"),
      of(x({1}), 0, lacks),
      of(x({1}), 8, lacks),
      of(x({1}), 14, lacks),
      of(x({1}), 99, lacks),
      of(x({1}), -1, lacks),
      {"CastLike", {x({2}, {1.5, -2.5}), given(kS32, {1})}, {}, "s32[2] 1 -2", 1, 19},
      {"Abs", {given(kPred, {1})}, {}, "!element types (pred) are not read"},
      {"Abs", {given(kS32, {2}, {-3, 3})}, {}, "s32[2] 3 3"},
      {"Floor", {given(kS32, {1})}, {}, "!element types (s32) are not read"},
  });
  // Of complex numbers.
  const std::string info =
      text_field(1, "x") + text_field(2, text_field(1, number_field(1, 14) + text_field(2, "")));
  CHECK(told(model_with(text_field(11, info) +
                        nodes_of({{"Cast", {"x"}, {"y"}, attribute_of({"to", 1})}}) +
                        results_of({"y"}))) ==
        "!graph.node[0] (Cast \"y\", opset 18): element types (c64) are not read");
}

TEST_CASE("ONNX IsInf and Dropout by their flags") {
  const auto infinite = [](int above, int below, const std::string& answer) {
    return NodeRow{"IsInf",
                   {x({3}, {kInfinity, -kInfinity, 1})},
                   {{"detect_positive", above}, {"detect_negative", below}},
                   answer};
  };
  const auto drops = [](const NodeOperand& trains, const std::string& answer) {
    return NodeRow{"Dropout", {x({2}), none, trains}, {}, answer};
  };
  const std::string may = "!training_mode is, or may be, true";
  check_nodes({
      infinite(1, 1, "pred[3] 1 1 0"),
      infinite(1, 0, "pred[3] 1 0 0"),
      infinite(0, 1, "pred[3] 0 1 0"),
      infinite(0, 0, "pred[3] 0 0 0"),
      drops(constant(kPred, {}, {0}), "f32[2] 0 1"),
      drops(constant(kPred, {}, {1}), may),
      drops(given(kPred, {}, {0}), may),
      drops(constant(kPred, {0}, {}), "!training_mode is no one truth value"),
      drops(constant(kPred, {2}, {0, 0}), "!training_mode is no one truth value"),
      {"Dropout", {x({2})}, {}, "f32[2] 0 1; pred[2] 1 1", 2},
  });
}

TEST_CASE("ONNX powers and rests") {
  const auto power = [](NodeOperand base, NodeOperand exponent, const std::string& answer) {
    return NodeRow{"Pow", {std::move(base), std::move(exponent)}, {}, answer};
  };
  check_nodes({
      power(x({2}, {2, 3}), constant(kF32, {}, {2}), "f32[2] 4 9"),
      power(x({2}, {2, 3}), constant(kF32, {}, {1}), "f32[2] 2 3"),
      power(x({2}, {4, 9}), constant(kF32, {}, {0.5}), "f32[2] 2 3"),
      power(x({2}, {2, 3}), constant(kS64, {}, {2}), "f32[2] 4 9"),
      power(x({2}, {2, 3}), constant(kF32, {2}, {2, 3}), "f32[2] 4 27"),
      power(given(kS32, {2}, {4, 9}), constant(kF32, {}, {0.5}), "s32[2] 2 3"),
      power(given(kS32, {2}, {2, 3}), given(kS64, {2}, {5, 2}), "s32[2] 32 9"),
      power(given(kPred, {1}), x({1}), "!element types (pred, f32) are not read"),
      power(x({1}), given(kPred, {1}), "!element types (f32, pred) are not read"),
      {"Mod", {given(kS32, {2}, {-7, 7}), given(kS32, {2}, {4, -4})}, {}, "s32[2] 1 -1"},
      {"Mod", {given(kS32, {2}, {-7, 7}), given(kS32, {2}, {4, -4})}, {{"fmod", 1}}, "s32[2] -3 3"},
      {"Mod", {given(kU8, {2}, {7, 250}), given(kU8, {2}, {4, 100})}, {}, "u8[2] 3 50"},
      {"Mod", {x({1}, {7.5}), x({1}, {4})}, {}, "!floats need fmod"},
      {"Mod", {x({1}, {-7.5}), x({1}, {4})}, {{"fmod", 1}}, "f32[1] -3.5"},
      {"Where", {given(kPred, {2}, {1, 0}), x({2}, {1, 2}), x({2}, {3, 4})}, {}, "f32[2] 1 4"},
      {"Where",
       {given(kPred, {2}, {1, 0}), x({2}), given(kS32, {2})},
       {},
       "!element types (pred, f32, s32) are not read"},
      {"Where", {x({2}), x({2}), x({2})}, {}, "!element types (f32, f32, f32) are not read"},
  });
}

}  // namespace
}  // namespace hlocc::tests
