// ONNX's normalisations, each on both sides of what it is refused for: models of one node. The
// numbers have whole means and variances that are squares.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

const NodeAttribute exact{"epsilon", 0.0};

// Two numbers around 2 with the variance 4, which are -1 and 1 when normalised.
NodeOperand around_two(const Dimensions& sizes) { return x(sizes, {0, 4}); }
NodeOperand vector(const std::vector<double>& values) {
  return x({static_cast<int64_t>(values.size())}, values);
}

TEST_CASE("ONNX BatchNormalization by given statistics and by its own") {
  const auto of = [](const NodeOperand& operand, std::vector<NodeAttribute> more,
                     const std::string& answer, int results = 1, int opset = 18) {
    return NodeRow{"BatchNormalization",
                   {operand, vector({2, 3}), vector({10, 20}), vector({1, 2}), vector({4, 1})},
                   std::move(more),
                   answer,
                   results,
                   opset};
  };
  const auto rank = [](int wrong) {
    NodeRow row{"BatchNormalization", {x({1, 1})}, {}, ""};
    for (int i = 1; i < 5; ++i) row.operands.push_back(i == wrong ? x({1, 1}) : x({1}));
    row.answer = cat("!operand ", wrong, " (\"i", wrong, "\") has 2 dimensions, not 1");
    return row;
  };
  const auto trained = [](const Dimensions& sizes) {
    return std::vector<NodeOperand>{around_two(sizes), vector({3}), vector({10}), vector({10}),
                                    vector({2})};
  };
  check_nodes({
      of(x({1, 2, 2}, {1, 2, 3, 4}), {exact}, "f32[1,2,2] 10 11 23 26"),
      of(x({1, 2}, {1, 3}), {exact}, "f32[1,2] 10 23"),
      of(x({1, 2}, {1, 2}), {{"epsilon", 12.0}}, "f32[1,2] 10 20"),
      of(x({1, 2}, {1, 3}), {exact, {"spatial", 1}}, "f32[1,2] 10 23", 1, 7),
      of(x({1, 2}), {{"spatial", 0}}, "!statistics by element (spatial = 0)", 1, 7),
      of(x({2}), {}, "!the operand has no channels"),
      of(x({1, 2}), {}, "!results of training", 2),
      {"BatchNormalization",
       trained({2, 1, 1}),
       {exact, {"training_mode", 1}, {"momentum", 0.5}},
       "f32[2,1,1] 7 13; f32[1] 6; f32[1] 3",
       3},
      {"BatchNormalization",
       trained({1, 1, 2}),
       {exact, {"training_mode", 1}, {"momentum", 1.0}},
       "f32[1,1,2] 7 13; f32[1] 10; f32[1] 2",
       3},
      rank(1),
      rank(2),
      rank(3),
      rank(4),
  });
}

TEST_CASE("ONNX normalizes instances and groups") {
  const auto group = [](const NodeOperand& operand, std::vector<NodeAttribute> more,
                        const std::string& answer, int opset = 18) {
    more.push_back(exact);
    return NodeRow{"GroupNormalization",
                   {operand, vector({3}), vector({10})},
                   std::move(more),
                   answer,
                   1,
                   opset};
  };
  const std::string types = "!element types (f32, f32, f32) are not read";
  check_nodes({
      {"InstanceNormalization",
       {x({1, 2, 2}, {0, 4, 2, 10}), vector({3, 2}), vector({10, 0})},
       {exact},
       "f32[1,2,2] 7 13 -2 2"},
      {"InstanceNormalization",
       {x({2, 1, 2}, {0, 4, 2, 10}), vector({3}), vector({10})},
       {exact},
       "f32[2,1,2] 7 13 7 13"},
      {"InstanceNormalization",
       {x({1, 2}), x({2}), x({2})},
       {},
       "!the operand has no spatial dimension"},
      {"InstanceNormalization",
       {x({1, 1, 2}), x({1, 1}), x({1})},
       {},
       "!operand 1 (\"i1\") has 2 dimensions, not 1"},
      {"InstanceNormalization",
       {x({1, 1, 2}), x({1}), x({1, 1})},
       {},
       "!operand 2 (\"i2\") has 2 dimensions, not 1"},
      group(around_two({1, 2, 1}), {{"num_groups", 1}}, "f32[1,2,1] 7 13"),
      group(around_two({1, 2, 1}), {{"num_groups", 1}}, "f32[1,2,1] 7 13", 20),
      group(around_two({1, 1, 2}), {{"num_groups", 1}, {"stash_type", 11}}, "f32[1,1,2] 7 13"),
      // A scale and a bias for each group, and for each channel.
      {"GroupNormalization",
       {x({1, 4, 1}, {0, 4, 2, 10}), vector({3, 2}), vector({10, 0})},
       {exact, {"num_groups", 2}},
       "f32[1,4,1] 7 13 -2 2"},
      {"GroupNormalization",
       {around_two({1, 2, 1}), vector({3, 2}), vector({10, 0})},
       {exact, {"num_groups", 1}},
       "f32[1,2,1] 7 2",
       1,
       21},
      group(x({1, 2, 1}), {}, "!0 groups of f32[1,2,1]"),
      group(x({1, 2, 1}), {{"num_groups", -1}}, "!-1 groups of f32[1,2,1]"),
      group(x({1, 2, 1}), {{"num_groups", 4}}, "!4 groups of f32[1,2,1]"),
      group(x({1, 2}), {{"num_groups", 1}}, "!1 groups of f32[1,2]"),
      group(x({1, 2, 1}), {{"num_groups", 1}, {"stash_type", 6}}, types),
      group(x({1, 2, 1}), {{"num_groups", 1}, {"stash_type", 99}}, types),
  });
}

TEST_CASE("ONNX normalizes layers, and by the root of mean squares") {
  const auto layer = [](std::vector<NodeOperand> operands, std::vector<NodeAttribute> more,
                        const std::string& answer, int results = 1) {
    more.push_back(exact);
    return NodeRow{"LayerNormalization", std::move(operands), std::move(more), answer, results};
  };
  const auto two = [] { return around_two({1, 2}); };
  const std::string types = "!element types (f32, f32) are not read";
  check_nodes({
      layer({two(), vector({3, 2})}, {}, "f32[1,2] -3 2"),
      layer({two(), vector({3, 2}), vector({10, 0})}, {}, "f32[1,2] 7 2"),
      layer({two(), vector({3, 2}), vector({10})}, {}, "f32[1,2] 7 12"),
      layer({two(), vector({3, 2})}, {}, "f32[1,2] -3 2; f32[1,1] 2; f32[1,1] 0.5", 3),
      layer({two(), vector({3, 2})}, {{"axis", -2}}, "f32[1,2] -3 2"),
      layer({around_two({2, 1}), vector({3})}, {{"axis", 0}},
            "f32[2,1] -3 3; f32[1,1] 2; f32[1,1] 0.5", 3),
      layer({x({2, 2}, {0, 4, 2, 10}), vector({1})}, {{"axis", 1}},
            "f32[2,2] -1 1 -1 1; f32[2,1] 2 6; f32[2,1] 0.5 0.25", 3),
      layer({two(), vector({3, 2})}, {{"stash_type", 11}}, "f32[1,2] -3 2"),
      layer({given(kF64, {1, 2}, {0, 4}), given(kF64, {2}, {3, 2})}, {}, "f64[1,2] -3 2"),
      layer({two(), x({3})}, {}, "!operand 1 does not broadcast to the first"),
      layer({two(), x({1, 1, 2})}, {}, "!operand 1 does not broadcast to the first"),
      layer({two(), x({2}), x({3})}, {}, "!operand 2 does not broadcast to the first"),
      layer({two(), x({2})}, {{"axis", 2}}, "!axis 2 of an array of 2 dimensions"),
      layer({two(), x({2})}, {{"axis", -3}}, "!axis -3 of an array of 2 dimensions"),
      layer({two(), x({2})}, {{"stash_type", 6}}, types),
      layer({two(), x({2})}, {{"stash_type", 99}}, types),
      layer({given(kS32, {2}), given(kS32, {2})}, {}, "!element types (s32, s32) are not read"),
      {"RMSNormalization", {x({1, 2}, {-2, 2}), vector({3, 5})}, {exact}, "f32[1,2] -3 5", 1, 23},
      {"LpNormalization", {x({2}, {1, -3})}, {{"p", 1}}, "f32[2] 0.25 -0.75"},
      {"LpNormalization", {x({2}, {0, -2})}, {{"p", 2}}, "f32[2] 0 -1"},
      {"LpNormalization", {x({2}, {0, -2})}, {}, "f32[2] 0 -1"},
      {"LpNormalization", {x({2}, {0, 0})}, {}, "f32[2] 0 0"},
      {"LpNormalization",
       {x({2, 2}, {1, 2, 3, 6})},
       {{"p", 1}, {"axis", 0}},
       "f32[2,2] 0.25 0.25 0.75 0.75"},
      {"LpNormalization", {x({2})}, {{"p", 0}}, "!p is 0"},
      {"LpNormalization", {x({2})}, {{"p", 3}}, "!p is 3"},
      {"LpNormalization", {x({2})}, {{"axis", 1}}, "!axis 1 of an array of 1 dimensions"},
  });
}

TEST_CASE("ONNX normalizes by neighbouring channels, and by means and variances") {
  const auto lrn = [](const NodeOperand& operand, int64_t size, double alpha,
                      const std::string& answer) {
    return NodeRow{
        "LRN", {operand}, {{"size", size}, {"alpha", alpha}, {"beta", 1.0}, {"bias", 0.0}}, answer};
  };
  const auto ones = [] { return x({1, 4}, {1, 1, 1, 1}); };
  check_nodes({
      lrn(x({1, 3}, {1, 2, 4}), 1, 1, "f32[1,3] 1 0.5 0.25"),
      // One more channel behind than in front where the size is even.
      lrn(ones(), 2, 2, "f32[1,4] 0.5 0.5 0.5 1"),
      lrn(ones(), 4, 16, "f32[1,4] 0.0833333 0.0625 0.0833333 0.125"),
      lrn(x({1, 1, 2}, {2, 4}), 1, 1, "f32[1,1,2] 0.5 0.25"),
      lrn(x({1, 1}, {2}), INT16_MAX, INT16_MAX, "f32[1,1] 0.5"),
      lrn(ones(), 0, 1, "!a size of 0"),
      lrn(ones(), INT16_MAX + 1, 1, "!a size of 32768"),
      lrn(x({4}), 1, 1, "!the operand has no channels"),
      {"MeanVarianceNormalization", {around_two({1, 1, 1, 2})}, {}, "f32[1,1,1,2] -1 1"},
      {"MeanVarianceNormalization", {around_two({2, 1, 1, 1})}, {}, "f32[2,1,1,1] -1 1"},
      {"MeanVarianceNormalization",
       {x({2, 2}, {0, 4, 2, 10})},
       {{"axes", L{-1}}},
       "f32[2,2] -1 1 -1 1"},
      {"MeanVarianceNormalization", {x({2, 2, 2})}, {}, "!axis 3 of an array of 3 dimensions"},
  });
}

}  // namespace
}  // namespace hlocc::tests
