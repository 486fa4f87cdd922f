// ONNX's RNN, GRU and LSTM, whose curves are max(x, 0) here so that whole numbers go in and come
// out: models of one node, by hand.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

using Operands = std::vector<NodeOperand>;
using Attributes = std::vector<NodeAttribute>;

// Of one unit: the weights of each gate, for the input and for what was before.
NodeOperand gates(const std::vector<double>& weights) {
  return x({1, static_cast<int64_t>(weights.size()), 1}, weights);
}
NodeOperand lengths(const std::vector<double>& values) {
  return given(kS32, {static_cast<int64_t>(values.size())}, values);
}
// The inputs 1 and 2, weights 2 and 3: 2 * 1, then 2 * 2 + 3 * 2.
NodeOperand one_two() { return x({2, 1, 1}, {1, 2}); }

NodeRow rnn(Operands more, Attributes attributes, const std::string& answer, int results = 2) {
  NodeRow out{"RNN", {one_two(), gates({2}), gates({3})}, std::move(attributes), answer, results};
  out.operands.insert(out.operands.end(), more.begin(), more.end());
  out.attributes.push_back({"activations", Texts{"Relu"}});
  return out;
}

TEST_CASE("ONNX RNN: directions, states, biases and lengths") {
  const Texts two{"Relu", "relu"};
  const auto both = [] { return x({2, 1, 1}, {2, 2}); };
  const auto back = [] { return x({2, 1, 1}, {3, 3}); };
  const NodeAttribute reverse{"direction", "reverse"}, ways{"direction", "bidirectional"};
  check_nodes({
      rnn({}, {}, "f32[2,1,1,1] 2 10; f32[1,1,1] 10"),
      rnn({}, {{"direction", "forward"}}, "f32[2,1,1,1] 2 10; f32[1,1,1] 10"),
      rnn({}, {{"hidden_size", 1}}, "f32[2,1,1,1] 2 10; f32[1,1,1] 10"),
      rnn({}, {reverse}, "f32[2,1,1,1] 14 4; f32[1,1,1] 14"),
      rnn({}, {{"clip", 5.0}}, "f32[2,1,1,1] 2 5; f32[1,1,1] 5"),
      rnn({x({1, 2}, {10, 20})}, {}, "f32[2,1,1,1] 32 130; f32[1,1,1] 130"),
      rnn({none, none, x({1, 1, 1}, {1})}, {}, "f32[2,1,1,1] 5 19; f32[1,1,1] 19"),
      // A sequence that ends before the others gives zeros behind its end, and its last state.
      rnn({none, lengths({1})}, {}, "f32[2,1,1,1] 2 0; f32[1,1,1] 2"),
      rnn({none, lengths({0})}, {}, "f32[2,1,1,1] 0 0; f32[1,1,1] 0"),
      rnn({none, lengths({2})}, {}, "f32[2,1,1,1] 2 10; f32[1,1,1] 10"),
      rnn({none, lengths({1})}, {reverse}, "f32[2,1,1,1] 2 0; f32[1,1,1] 2"),
      rnn({none, constant(kS32, {1}, {1})}, {}, "f32[2,1,1,1] 2 0; f32[1,1,1] 2"),
      rnn({none, constant(kS32, {1}, {2})}, {}, "f32[2,1,1,1] 2 10; f32[1,1,1] 10"),
      rnn({none, {NodeOperand::kConstant, Literal::zeros(Shape::array(kC128, {1}))}}, {},
          "!element types (f32, f32, f32, c128) are not read"),
      {"RNN",
       {x({2, 2, 1}, {1, 1, 2, 2}), gates({2}), gates({3}), none, constant(kS32, {2}, {2, 1})},
       {{"activations", Texts{"Relu"}}},
       "f32[2,1,2,1] 2 2 10 0; f32[1,2,1] 10 2",
       2},
      {"RNN",
       {one_two(), both(), back()},
       {ways, {"activations", two}},
       "f32[2,2,1,1] 2 14 10 4; f32[2,1,1] 10 14",
       2},
      {"RNN",
       {x({1, 2, 1}, {1, 2}), gates({2}), gates({3})},
       {{"layout", 1}, {"activations", Texts{"Relu"}}},
       "f32[1,2,1,1] 2 10; f32[1,1,1] 10",
       2},
      {"RNN",
       {x({2, 1, 1}, {1, 2}), gates({2}), gates({3}), none, none, x({2, 1, 1}, {1, 10})},
       {{"layout", 1}, {"activations", Texts{"Relu"}}},
       "f32[2,1,1,1] 5 34; f32[2,1,1] 5 34",
       2},
      {"RNN",
       {one_two(), both(), back()},
       {ways,
        {"activations", Texts{"Affine", "Affine"}},
        {"activation_alpha", Reals{1, 2}},
        {"activation_beta", Reals{0, 1}}},
       // Backwards 2 * 4 + 1 = 9, then 2 * (2 + 27) + 1.
       "f32[2,2,1,1] 2 59 10 9; f32[2,1,1] 10 59",
       2},
      {"RNN",
       {one_two(), both(), back()},
       {ways, {"activations", Texts{"Relu", "Affine"}}, {"activation_alpha", Reals{2}}},
       "f32[2,2,1,1] 2 52 10 8; f32[2,1,1] 10 52",
       2},
      {"RNN",
       {x({1, 1, 1}, {-2}), gates({2}), gates({3})},
       {{"activations", Texts{"LeakyRelu"}}, {"activation_alpha", Reals{0.5}}},
       "f32[1,1,1,1] -2",
       1},
  });
}

TEST_CASE("ONNX GRU and LSTM step by step") {
  const NodeAttribute gru_curves{"activations", Texts{"Relu", "Relu"}};
  const NodeAttribute lstm_curves{"activations", Texts{"Relu", "Relu", "Relu"}};
  // Update 0, reset 2, and 3 + what was before: 5, twice.
  const auto gru = [&](Operands more, Attributes attributes, const std::string& answer) {
    NodeRow out{"GRU",
                {x({1, 1, 1}, {1}), gates({0, 2, 3}), gates({0, 0, 1})},
                std::move(attributes),
                answer,
                2};
    more.resize(3, none);
    more[2] = x({1, 1, 1}, {5});
    out.operands.insert(out.operands.end(), more.begin(), more.end());
    out.attributes.push_back(gru_curves);
    return out;
  };
  const auto biases = [] { return x({1, 6}, {0, 0, 0, 0, 0, 7}); };
  const NodeAttribute after{"linear_before_reset", 1};
  // Input 1, output 2, forget 3, and 4 for the cell, which was 10.
  const auto lstm = [&](Operands more, Attributes attributes, const std::string& answer) {
    NodeRow out{"LSTM",
                {x({1, 1, 1}, {1}), gates({1, 2, 3, 4}), gates({0, 0, 0, 0}), none, none, none,
                 x({1, 1, 1}, {10})},
                std::move(attributes),
                answer,
                3};
    out.operands.insert(out.operands.end(), more.begin(), more.end());
    out.attributes.push_back(lstm_curves);
    return out;
  };
  const auto ones = [] { return x({2, 1, 1}, {1, 1}); };
  check_nodes({
      gru({}, {}, "f32[1,1,1,1] 13; f32[1,1,1] 13"),
      gru({}, {after}, "f32[1,1,1,1] 13; f32[1,1,1] 13"),
      gru({biases()}, {}, "f32[1,1,1,1] 20; f32[1,1,1] 20"),
      gru({biases()}, {after}, "f32[1,1,1,1] 27; f32[1,1,1] 27"),
      gru({x({1, 6}, {0.5, 0, 0, 0, 0, 0})}, {}, "f32[1,1,1,1] 9; f32[1,1,1] 9"),
      gru({x({1, 6}, {0, 0, 0, 0.5, 0, 0})}, {after}, "f32[1,1,1,1] 9; f32[1,1,1] 9"),
      {"GRU",
       {ones(), gates({0, 2, 3}), gates({0, 0, 1})},
       {gru_curves},
       "f32[2,1,1,1] 3 9; f32[1,1,1] 9",
       2},
      lstm({}, {}, "f32[1,1,1,1] 68; f32[1,1,1] 68; f32[1,1,1] 34"),
      lstm({}, {{"input_forget", 1}}, "f32[1,1,1,1] 8; f32[1,1,1] 8; f32[1,1,1] 4"),
      lstm({x({1, 3}, {1, 1, 1})}, {}, "f32[1,1,1,1] 30624; f32[1,1,1] 30624; f32[1,1,1] 174"),
      {"LSTM",
       {ones(), gates({1, 2, 3, 4}), gates({1, 0, 0, 0})},
       {lstm_curves},
       "f32[2,1,1,1] 8 96; f32[1,1,1] 96; f32[1,1,1] 48",
       3},
      {"LSTM",
       {ones(), gates({1, 2, 3, 4}), gates({1, 0, 0, 0}), none, lengths({1})},
       {lstm_curves},
       "f32[2,1,1,1] 8 0; f32[1,1,1] 8; f32[1,1,1] 4",
       3},
      // With peepholes in a loop: i = 1, f = 3, c = 4, o = 2 + 4; then 5, 7, 28 + 20, and 50.
      {"LSTM",
       {ones(), gates({1, 2, 3, 4}), gates({0, 0, 0, 0}), none, none, none, none,
        x({1, 3}, {1, 1, 1})},
       {lstm_curves},
       "f32[2,1,1,1] 24 2400; f32[1,1,1] 2400; f32[1,1,1] 48",
       3},
      {"LSTM",
       {x({1, 2, 1}, {1, 1}), gates({1, 2, 3, 4}), gates({1, 0, 0, 0})},
       {lstm_curves, {"layout", 1}},
       "f32[1,2,1,1] 8 96; f32[1,1,1] 96; f32[1,1,1] 48",
       3},
  });
}

TEST_CASE("ONNX recurrent layers refuse what does not fit") {
  const auto of = [](Operands operands, Attributes attributes, const std::string& answer) {
    return NodeRow{"RNN", std::move(operands), std::move(attributes), answer, 2};
  };
  const auto w = [] { return gates({2}); };
  const std::string of_weights = "!weights f32[1,1,1] and f32[1,1,1] for f32[2,1,1]";
  check_nodes({
      rnn({}, {{"direction", "both"}}, "!direction is \"both\""),
      rnn({}, {{"hidden_size", 2}}, of_weights),
      rnn({}, {{"direction", "bidirectional"}}, "!has 1 activations, not 2"),
      rnn({x({1, 1})}, {}, "!operand 3 is f32[1,1], not f32[1,2]"),
      rnn({none, none, x({1, 1, 2})}, {}, "!a state of f32[1,1,2]"),
      rnn({none, none, x({2, 1, 1})}, {}, "!a state of f32[2,1,1]"),
      rnn({none, given(kS32, {1, 1})}, {}, "!operand 4 (\"i4\") has 2 dimensions, not 1"),
      of({x({2, 1}), w(), w()}, {}, "!operand 0 (\"i0\") has 2 dimensions, not 3"),
      of({one_two(), x({1, 1}), w()}, {}, "!operand 1 (\"i1\") has 2 dimensions, not 3"),
      of({one_two(), w(), x({1, 1})}, {}, "!operand 2 (\"i2\") has 2 dimensions, not 3"),
      of({one_two(), w(), w()}, {{"direction", "bidirectional"}}, of_weights),
      of({one_two(), x({1, 2, 1}), w()}, {}, "!weights f32[1,2,1] and f32[1,1,1] for f32[2,1,1]"),
      of({one_two(), x({1, 1, 2}), w()}, {}, "!weights f32[1,1,2] and f32[1,1,1] for f32[2,1,1]"),
      of({one_two(), w(), x({1, 2, 1})}, {}, "!weights f32[1,1,1] and f32[1,2,1] for f32[2,1,1]"),
      of({x({0, 1, 1}), w(), w()}, {}, "!a sequence of no steps"),
      of({given(kS32, {1, 1, 1}), w(), w()}, {}, "!element types (s32, f32, f32) are not read"),
      of({one_two(), w(), w()}, {{"activations", Texts{"Gelu"}}}, "!activation \"Gelu\""),
      of({one_two(), w(), w()}, {{"activations", Texts{"Relu", "Relu"}}},
         "!has 2 activations, not 1"),
      {"LSTM",
       {one_two(), gates({1, 2, 3, 4}), gates({0, 0, 0, 0})},
       {{"activations", Texts{"Relu", "Relu"}}},
       "!has 2 activations, not 3",
       3},
      // Without words the curves are tanh, whose 0 is 0.
      of({x({1, 1, 1}), gates({2}), gates({3})}, {}, "f32[1,1,1,1] 0; f32[1,1,1] 0"),
      of({x({1, 1, 1}), x({2, 1, 1}), x({2, 1, 1})}, {{"direction", "bidirectional"}},
         "f32[1,2,1,1] 0 0; f32[2,1,1] 0 0"),
      {"LSTM",
       {one_two(), gates({1, 2, 3, 4}), gates({0, 0, 0, 0}), none, none, none, none, x({1, 2})},
       {},
       "!operand 7 is f32[1,2], not f32[1,3]",
       3},
      {"LSTM",
       {one_two(), gates({1, 2, 3, 4}), gates({0, 0, 0, 0}), none, none, none, x({1, 1, 2})},
       {},
       "!a state of f32[1,1,2]",
       3},
  });
}

}  // namespace
}  // namespace hlocc::tests
