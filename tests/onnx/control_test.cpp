// ONNX's If, Loop and Scan: what is known when the model is read and what the model finds out, and
// graphs that do not fit their node: models of one node, whose graphs read what it is given.
#include <limits>

#include "onnx/node.h"

namespace hlocc::tests {
namespace {

std::string body_node(const char* op, const Texts& inputs, const std::string& output) {
  std::string out;
  for (const std::string& input : inputs) out += text_field(1, input);
  return text_field(1, out + text_field(2, output) + text_field(4, op));
}

GraphText graph_of(const std::string& nodes, const Texts& inputs, const Texts& outputs) {
  std::string out = text_field(2, "inner") + nodes;
  for (const std::string& input : inputs) out += text_field(11, text_field(1, input));
  for (const std::string& output : outputs) out += text_field(12, text_field(1, output));
  return {out};
}

NodeOperand truth(double value) { return given(kPred, {}, {value}); }
NodeOperand known(double value) { return constant(kPred, {}, {value}); }

TEST_CASE("ONNX If takes a branch when the model is read, or when it runs") {
  // The condition's contrary, or the condition: 0 for a branch that fits it.
  const NodeAttribute yes{"then_branch", graph_of(body_node("Not", {"i0"}, "t"), {}, {"t"})};
  const NodeAttribute no{"else_branch", graph_of(body_node("Identity", {"i0"}, "e"), {}, {"e"})};
  const NodeAttribute nothing{"else_branch", graph_of("", {}, {"e"})};
  const std::string condition = "!a condition that is no one truth value";
  const auto of = [&](const NodeOperand& operand, const std::string& answer, int results = 1) {
    return NodeRow{"If", {operand}, {yes, no}, answer, results};
  };
  check_nodes({
      of(truth(1), "pred[] 0"),
      of(truth(0), "pred[] 0"),
      of(known(1), "pred[] 0"),
      of(known(0), "pred[] 0"),
      of(given(kPred, {1}, {1}), "pred[1] 0"),
      of(given(kPred, {1}, {0}), "pred[1] 0"),
      of(given(kPred, {2}), condition),
      of(x({}), condition),
      of(truth(1), "!graph.node[0].attribute[0].g gives 1 values", 2),
      of(known(0), "!graph.node[0].attribute[1].g gives 1 values", 2),
      {"If", {truth(1)}, {yes}, "!lacks a branch"},
      {"If", {truth(1)}, {no}, "!lacks a branch"},
      {"If", {known(1)}, {yes, nothing}, "pred[] 0"},
      {"If",
       {known(0)},
       {yes, nothing},
       "!graph.node[0].attribute[1].g.output[0] is given by nothing"},
      {"If",
       {truth(0)},
       {yes, nothing},
       "!graph.node[0].attribute[1].g.output[0] (\"e\") is given by nothing"},
  });
}

TEST_CASE("ONNX Loop counts, goes on as long as a condition holds, and collects") {
  constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
  const std::string twice = body_node("Add", {"v", "v"}, "w");
  const Texts inputs{"at", "c", "v"};
  const NodeAttribute counted{"body", graph_of(twice, inputs, {"c", "w"})};
  const NodeAttribute collects{
      "body", graph_of(twice + body_node("Identity", {"v"}, "u"), inputs, {"c", "w", "u"})};
  const NodeAttribute once{"body",
                           graph_of(twice + body_node("Not", {"c"}, "d"), inputs, {"d", "w"})};
  // Until it is not below ten.
  const NodeAttribute below{
      "body", graph_of(twice + body_node("Less", {"w", "ten"}, "d") +
                           text_field(5, tensor_of("ten", literal_from(kF32, {}, {10}))),
                       inputs, {"d", "w"})};
  // Goes on whatever was before; a name of its own that stands for another value outside.
  const NodeAttribute always{
      "body", graph_of(twice + text_field(5, tensor_of("yes", literal_from(kPred, {}, {1}))),
                       inputs, {"yes", "w"})};
  const NodeAttribute hides{
      "body",
      graph_of(body_node("Neg", {"v"}, "i2") + body_node("Neg", {"i2"}, "w"), inputs, {"c", "w"})};
  const auto v = [] { return x({}, {1}); };
  const auto of = [&](const NodeOperand& most, const NodeOperand& condition,
                      const NodeAttribute& body, const std::string& answer, int results = 1) {
    return NodeRow{"Loop", {most, condition, v()}, {body}, answer, results};
  };
  const std::string collected = "!what a loop collects that ends when its condition says so";
  check_nodes({
      of(one(3), none, counted, "f32[] 8"),
      of(n({3}), none, counted, "f32[] 8"),
      of(one(3), known(1), counted, "f32[] 8"),
      of(one(3), known(0), counted, "f32[] 1"),
      of(one(3), truth(1), counted, "f32[] 8"),
      of(one(3), truth(0), counted, "f32[] 1"),
      of(one(0), none, counted, "f32[] 1"),
      of(one(-1), none, counted, "f32[] 1"),
      of(one(3), none, collects, "f32[] 8; f32[3] 1 2 4", 2),
      of(one(1), none, collects, "f32[] 2; f32[1] 1", 2),
      of(one(0), none, collects, "f32[] 1; f32[0]", 2),
      of(one(-1), none, collects, "f32[] 1; f32[0]", 2),
      of(one(3), none, once, "f32[] 2"),
      of(none, none, once, "f32[] 2"),
      of(none, none, below, "f32[] 16"),
      of(none, truth(0), below, "f32[] 1"),
      of(one(2), none, below, "f32[] 4"),
      of(one(2), truth(1), below, "f32[] 4"),
      of(one(kForever), none, below, "f32[] 16"),
      of(one(3), none, always, "f32[] 8"),
      of(one(3), known(0), always, "f32[] 1"),
      of(one(3), truth(0), always, "f32[] 1"),
      of(one(3), truth(1), always, "f32[] 8"),
      of(one(3), none, hides, "f32[] 1"),
      {"Loop", {one(3), none, none}, {counted}, "!\"\" is a value that is not at hand here"},
      {"Loop",
       {one(3), none, v()},
       {{"body", graph_of(twice, inputs, {"c"})}},
       "elsewhere: graph.node[0] (Loop \"\", opset 18): graph.node[0].attribute[0].g takes 3 "
       "values "
       "and gives 1",
       0},
      of(one(3), truth(1), collects, collected, 2),
      of(one(3), known(0), collects, collected, 2),
      of(none, none, collects, collected, 2),
      of(one(int64_t{INT32_MAX} + 1), none, counted, "!2147483648 iterations"),
      of(n({1, 2}), none, counted, "!the trip count is no single number"),
      of(given(kS64, {}, {3}), none, counted,
         "!the trip count (\"i0\") is computed when the model runs"),
      of(one(3), none, collects, "!graph.node[0].attribute[0].g takes 3 values and gives 3"),
      of(one(3), none, counted, "!graph.node[0].attribute[0].g takes 3 values and gives 2", 2),
      {"Loop",
       {one(3), none},
       {counted},
       "!graph.node[0].attribute[0].g takes 3 values and gives 2"},
      {"Loop", {one(3), none, v()}, {}, "!lacks a body"},
  });
}

TEST_CASE("ONNX Scan walks along axes, to and fro") {
  const std::string sums = body_node("Add", {"s", "e"}, "t") + body_node("Identity", {"t"}, "y");
  const NodeAttribute body{"body", graph_of(sums, {"s", "e"}, {"t", "y"})};
  const NodeAttribute count{"num_scan_inputs", 1};
  const NodeAttribute last_only{"body", graph_of(sums, {"s", "e"}, {"t"})};
  const NodeAttribute three_to_one{"body", graph_of(sums, {"s", "r", "e"}, {"t"})};
  const auto of = [&](const NodeOperand& state, const NodeOperand& list,
                      std::vector<NodeAttribute> more, const std::string& answer) {
    more.insert(more.begin(), {body, count});
    return NodeRow{"Scan", {state, list}, std::move(more), answer, 2};
  };
  const auto zero = [] { return x({}, {0}); };
  const auto list = [] { return x({3}, {1, 2, 3}); };
  const auto lying = [] { return x({1, 3}, {1, 2, 3}); };
  const std::string lacks = "!lacks a body, or scanned operands";
  const NodeAttribute last{"scan_input_axes", L{1}}, both{"num_scan_inputs", 2};
  check_nodes({
      of(zero(), list(), {}, "f32[] 6; f32[3] 1 3 6"),
      of(x({}, {7}), x({0}), {}, "f32[] 7; f32[0]"),
      of(x({}, {7}), x({0}), {{"scan_output_directions", L{1}}}, "f32[] 7; f32[0]"),
      of(zero(), list(), {{"scan_input_directions", L{1}}}, "f32[] 6; f32[3] 3 5 6"),
      of(zero(), list(), {{"scan_output_directions", L{1}}}, "f32[] 6; f32[3] 6 3 1"),
      of(x({1}), lying(), {last}, "f32[1] 6; f32[3,1] 1 3 6"),
      of(x({1}), lying(), {{"scan_input_axes", L{-1}}}, "f32[1] 6; f32[3,1] 1 3 6"),
      of(x({1}), lying(), {last, {"scan_output_axes", L{1}}}, "f32[1] 6; f32[1,3] 1 3 6"),
      of(zero(), list(), {last}, "!axis 1 of an array of 1 dimensions"),
      of(zero(), list(), {{"scan_output_axes", L{1}}}, "!axis 1 of an array of 1 dimensions"),
      of(zero(), list(), {{"scan_input_axes", L{0, 0}}}, "!scan_input_axes has 2 numbers for 1"),
      of(zero(), list(), {{"scan_output_directions", L{0, 0}}},
         "!scan_output_directions has 2 numbers for 1"),
      {"Scan", {list(), list()}, {body, both}, "f32[3] 2 4 6; f32[3] 2 4 6", 2},
      {"Scan", {list(), x({2})}, {body, both}, "!scanned operands of other lengths", 2},
      {"Scan", {x({0}), x({2})}, {body, both}, "!scanned operands of other lengths", 2},
      {"Scan", {zero(), list()}, {last_only, count}, "f32[] 6"},
      {"Scan",
       {zero(), zero(), list()},
       {three_to_one, count},
       "!graph.node[0].attribute[0].g takes or gives another number of values"},
      {"Scan", {zero(), list()}, {body, {"num_scan_inputs", 0}}, lacks, 2},
      {"Scan", {zero(), list()}, {body, {"num_scan_inputs", 3}}, lacks, 2},
      {"Scan", {zero(), list()}, {count}, lacks, 2},
      {"Scan",
       {zero(), list()},
       {body, count},
       "!graph.node[0].attribute[0].g takes or gives another number of values"},
      {"Scan",
       {list()},
       {body, count},
       "!graph.node[0].attribute[0].g takes or gives another number of values",
       2},
  });
}

}  // namespace
}  // namespace hlocc::tests
