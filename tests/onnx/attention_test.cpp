// ONNX's Attention and RotaryEmbedding, each on both sides of what it is refused for: models of one
// node. Keys that are alike share evenly.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

NodeRow attention(std::vector<NodeOperand> operands, std::vector<NodeAttribute> attributes,
                  const std::string& answer, int results = 1) {
  return {"Attention", std::move(operands), std::move(attributes), answer, results, 23};
}

NodeOperand query() { return x({1, 1, 1, 1}, {2}); }
NodeOperand keys() { return x({1, 1, 2, 1}, {3, 3}); }
NodeOperand values() { return x({1, 1, 2, 1}, {1, 3}); }

TEST_CASE("ONNX Attention: masks, past keys and scores") {
  const auto with_mask = [](const NodeOperand& mask, const std::string& answer) {
    return attention({query(), keys(), values(), mask}, {}, answer);
  };
  const auto scores = [](int mode, const std::string& answer) {
    return attention({query(), keys(), values()}, {{"qk_matmul_output_mode", mode}}, answer, 4);
  };
  const std::string shown = "f32[1,1,1,1] 2; f32[1,1,2,1] 3 3; f32[1,1,2,1] 1 3; f32[1,1,1,2] ";
  const auto queries = [] { return x({1, 1, 2, 1}, {2, 2}); };
  check_nodes({
      attention({query(), keys(), values()}, {}, "f32[1,1,1,1] 2"),
      attention({query(), x({1, 1, 1, 1}), x({1, 1, 1, 2}, {3, 4})}, {}, "f32[1,1,1,2] 3 4"),
      attention({queries(), keys(), values()}, {}, "f32[1,1,2,1] 2 2"),
      attention({queries(), keys(), values()}, {{"is_causal", 1}}, "f32[1,1,2,1] 1 2"),
      attention({query(), keys(), values()}, {{"softcap", 1.0}}, "f32[1,1,1,1] 2"),
      // 200 and 400, or both the cap.
      attention({query(), x({1, 1, 2, 1}, {100, 200}), values()}, {{"softcap", 0.0}},
                "f32[1,1,1,1] 3"),
      attention({query(), x({1, 1, 2, 1}, {100, 200}), values()}, {{"softcap", 0.5}},
                "f32[1,1,1,1] 2"),
      attention({query(), keys(), values()}, {{"softmax_precision", 11}}, "f32[1,1,1,1] 2"),
      attention({query(), keys(), values()}, {{"q_num_heads", 1}, {"kv_num_heads", 1}},
                "f32[1,1,1,1] 2"),
      with_mask(given(kPred, {1, 2}, {1, 0}), "f32[1,1,1,1] 1"),
      with_mask(given(kPred, {2}, {0, 1}), "f32[1,1,1,1] 3"),
      with_mask(x({1, 2}, {0, -200}), "f32[1,1,1,1] 1"),
      with_mask(x({1, 1}, {5}), "f32[1,1,1,1] 2"),
      attention({query(), x({1, 1, 1, 1}, {3}), x({1, 1, 1, 1}, {3}), none, x({1, 1, 1, 1}, {3}),
                 x({1, 1, 1, 1}, {1})},
                {}, "f32[1,1,1,1] 2; f32[1,1,2,1] 3 3; f32[1,1,2,1] 1 3", 3),
      scores(0, shown + "6 6"),
      scores(3, shown + "0.5 0.5"),
      scores(1, "!qk_matmul_output_mode 1"),
      scores(2, "!qk_matmul_output_mode 2"),
      attention({query(), keys(), values()}, {{"qk_matmul_output_mode", 1}}, "f32[1,1,1,1] 2"),
      attention({query(), keys(), values()}, {{"scale", 4.0}, {"qk_matmul_output_mode", 0}},
                shown + "24 24", 4),
  });
}

TEST_CASE("ONNX Attention refuses heads, masks and types that do not fit") {
  const auto flat = [] { return x({1, 2, 1}); };
  const auto many = [] { return x({1, 2, 2, 1}); };
  const std::string dimensions = "!operands of three dimensions";
  const std::string heads = "!queries of more heads than keys";
  const std::string other_heads = "!another number of heads than its operands have";
  const std::string cap = "!softcap with a mask";
  const std::string types = "!element types (f32, f32, f32) are not read";
  check_nodes({
      attention({flat(), keys(), values()}, {}, dimensions),
      attention({query(), flat(), values()}, {}, dimensions),
      attention({query(), keys(), flat()}, {}, dimensions),
      attention({many(), keys(), values()}, {}, heads),
      attention({many(), many(), values()}, {}, heads),
      attention({query(), many(), values()}, {}, heads),
      attention({query(), keys(), values()}, {{"q_num_heads", 2}}, other_heads),
      attention({query(), keys(), values()}, {{"kv_num_heads", 2}}, other_heads),
      attention({query(), keys(), values(), x({3})}, {}, "!a mask of f32[3] for f32[1,1,1,2]"),
      attention({query(), keys(), values(), x({2, 2})}, {}, "!a mask of f32[2,2] for f32[1,1,1,2]"),
      attention({query(), keys(), values(), x({1, 2})}, {{"softcap", 1.0}}, cap),
      attention({query(), keys(), values()}, {{"softcap", 1.0}, {"is_causal", 1}}, cap),
      attention({query(), keys(), values()}, {{"softmax_precision", 6}}, types),
      attention({query(), keys(), values()}, {{"softmax_precision", 99}}, types),
      attention({query(), given(kS32, {1, 1, 2, 1}), values()}, {},
                "!element types (f32, s32, f32) are not read"),
      attention({given(kS32, {1, 1, 1, 1}), given(kS32, {1, 1, 2, 1}), values()}, {},
                "!element types (s32, s32, f32) are not read"),
  });
}

NodeRow turned(std::vector<NodeOperand> operands, std::vector<NodeAttribute> attributes,
               const std::string& answer) {
  return {"RotaryEmbedding", std::move(operands), std::move(attributes), answer, 1, 23};
}

TEST_CASE("ONNX RotaryEmbedding turns pairs by a right angle") {
  const auto four = [] { return x({1, 1, 1, 4}, {1, 2, 3, 4}); };
  // The first pair stays, the second one is turned.
  const auto cosines = [] { return x({1, 1, 2}, {1, 0}); };
  const auto sines = [] { return x({1, 1, 2}, {0, 1}); };
  const auto c = [] { return x({1, 1, 1}, {0}); };
  const auto s = [] { return x({1, 1, 1}, {1}); };
  const auto dim = [&](int number, const std::string& answer) {
    return turned({four(), c(), s()}, {{"rotary_embedding_dim", number}}, answer);
  };
  const std::string tables = "!tables of another number of dimensions";
  const auto at = [](double place) { return given(kS64, {1, 1}, {place}); };
  const auto row = [](const std::vector<double>& numbers) { return x({2, 1}, numbers); };
  const auto two = [] { return x({1, 1, 1, 2}, {1, 2}); };
  check_nodes({
      turned({two(), c(), s()}, {}, "f32[1,1,1,2] -2 1"),
      turned({four(), cosines(), sines()}, {}, "f32[1,1,1,4] 1 -4 3 2"),
      turned({four(), cosines(), sines()}, {{"interleaved", 1}}, "f32[1,1,1,4] 1 2 -4 3"),
      dim(2, "f32[1,1,1,4] -2 1 3 4"),
      turned({four(), c(), s()}, {{"rotary_embedding_dim", 2}, {"interleaved", 1}},
             "f32[1,1,1,4] -2 1 3 4"),
      turned({two(), row({1, 0}), row({0, 1}), at(0)}, {}, "f32[1,1,1,2] 1 2"),
      turned({two(), row({1, 0}), row({0, 1}), at(1)}, {}, "f32[1,1,1,2] -2 1"),
      turned({x({1, 1, 4}, {1, 2, 3, 4}), c(), s()}, {{"num_heads", 2}}, "f32[1,1,4] -2 1 -4 3"),
      turned({x({1, 2, 1, 2}, {1, 2, 3, 4}), c(), s()}, {}, "f32[1,2,1,2] -2 1 -4 3"),
      turned({x({1, 1, 4}), c(), s()}, {}, "!0 heads of f32[1,1,4]"),
      turned({x({1, 1, 4}), c(), s()}, {{"num_heads", -1}}, "!-1 heads of f32[1,1,4]"),
      turned({x({1, 1, 4}), c(), s()}, {{"num_heads", 3}}, "!3 heads of f32[1,1,4]"),
      turned({x({1, 4}), c(), s()}, {{"num_heads", 1}}, "!1 heads of f32[1,4]"),
      dim(1, "!turns 1"),
      dim(3, "!turns 3"),
      dim(6, "!turns 6"),
      dim(-2, "!turns -2"),
      turned({x({1, 1, 1, 1}), c(), s()}, {}, "!turns 1"),
      turned({two(), row({1, 0}), s()}, {}, tables),
      turned({two(), c(), row({1, 0})}, {}, tables),
      turned({two(), c(), s(), at(0)}, {}, tables),
      turned({two(), row({1, 0}), row({0, 1}), given(kS64, {1})}, {}, tables),
  });
}

}  // namespace
}  // namespace hlocc::tests
