// ONNX's reductions, places along an axis, and elements by their indices, each on both sides of
// what it is refused for: models of one node, and their values in the interpreter.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

TEST_CASE("ONNX reductions take axes from attributes and operands") {
  const auto m = [] { return x({2, 3}); };
  check_nodes({
      {"ReduceSum", {m()}, {}, "f32[1,1] 15"},
      {"ReduceSum", {m()}, {{"keepdims", 0}}, "f32[] 15"},
      {"ReduceSum", {m(), n({1})}, {}, "f32[2,1] 3 12"},
      {"ReduceSum", {m(), n({-1, 1})}, {{"keepdims", 0}}, "f32[2] 3 12"},
      {"ReduceSum", {m(), n({0})}, {{"keepdims", 0}}, "f32[3] 3 5 7"},
      {"ReduceSum", {m(), n({})}, {{"noop_with_empty_axes", 1}}, "f32[2,3] 0 1 2 3 4 5"},
      {"ReduceSum", {m(), n({})}, {}, "f32[1,1] 15"},
      {"ReduceSum", {m(), n({0})}, {{"noop_with_empty_axes", 1}}, "f32[1,3] 3 5 7"},
      {"ReduceSum", {m()}, {{"axes", L{0}}}, "f32[1,3] 3 5 7", 1, 11},
      {"ReduceMean", {m(), n({1})}, {}, "f32[2,1] 1 4"},
      {"ReduceMean", {m(), n({})}, {{"noop_with_empty_axes", 1}}, "f32[2,3] 0 1 2 3 4 5"},
      {"ReduceMax", {given(kPred, {2, 2}, {0, 1, 0, 0}), n({1})}, {}, "pred[2,1] 1 0"},
      {"ReduceMin", {given(kPred, {2, 2}, {1, 1, 0, 1}), n({1})}, {}, "pred[2,1] 1 0"},
      {"ReduceMax", {m(), n({1})}, {}, "f32[2,1] 2 5"},
      {"ReduceMin", {m(), n({1})}, {}, "f32[2,1] 0 3"},
      {"ReduceL1", {x({2}, {-1, 2})}, {}, "f32[1] 3"},
      {"ReduceL2", {x({2}, {-3, 4})}, {}, "f32[1] 5"},
      {"ReduceL2", {given(kS32, {2}, {-3, 4})}, {}, "s32[1] 5"},
      {"ReduceSumSquare", {x({2}, {-3, 4})}, {}, "f32[1] 25"},
      {"ReduceLogSum", {x({2}, {0.5, 0.5})}, {}, "f32[1] 0"},
      {"ReduceLogSum", {given(kS32, {2}, {0, 1})}, {}, "s32[1] 0"},
      {"ReduceLogSumExp", {x({1}, {3})}, {}, "f32[1] 3"},
      {"ReduceLogSumExp", {x({1}, {200})}, {}, "f32[1] 200"},
      {"ReduceLogSumExp", {x({2}, {1, 2}), n({})}, {{"noop_with_empty_axes", 1}}, "f32[2] 1 2"},
      {"ReduceLogSumExp", {given(kS32, {2})}, {}, "!element types (s32) are not read"},
      {"ReduceSum", {m(), n({2})}, {}, "!axis 2 of an array of 2 dimensions"},
      {"ReduceSum", {m(), n({-3})}, {}, "!axis -3 of an array of 2 dimensions"},
      {"ReduceSum",
       {m(), given(kS64, {1})},
       {},
       "!the axes (\"i1\") is computed when the model runs"},
  });
}

TEST_CASE("ONNX finds places, and sums along an axis") {
  const auto v = [] { return x({4}, {1, 3, 3, 1}); };
  check_nodes({
      {"ArgMax", {v()}, {}, "s64[1] 1"},
      {"ArgMax", {v()}, {{"select_last_index", 1}}, "s64[1] 2"},
      {"ArgMin", {v()}, {{"keepdims", 0}}, "s64[] 0"},
      {"ArgMin", {v()}, {{"select_last_index", 1}, {"keepdims", 0}}, "s64[] 3"},
      {"ArgMax", {x({2, 2})}, {{"axis", -1}}, "s64[2,1] 1 1"},
      {"ArgMax", {v()}, {{"axis", 1}}, "!axis 1 of an array of 1 dimensions"},
      {"CumSum", {v(), one(0)}, {}, "f32[4] 1 4 7 8"},
      {"CumSum", {v(), one(-1)}, {{"exclusive", 1}}, "f32[4] 0 1 4 7"},
      {"CumSum", {v(), one(0)}, {{"reverse", 1}}, "f32[4] 8 7 4 1"},
      {"CumSum", {v(), one(0)}, {{"reverse", 1}, {"exclusive", 1}}, "f32[4] 7 4 1 0"},
      {"CumSum", {x({0}), one(0)}, {}, "f32[0]"},
      {"CumSum", {x({1}, {5}), one(0)}, {}, "f32[1] 5"},
      {"CumSum", {v(), n({0, 0})}, {}, "!the axis is no single number"},
      {"CumSum", {v(), one(1)}, {}, "!axis 1 of an array of 1 dimensions"},
      {"TopK", {v(), n({2})}, {}, "f32[2] 3 3; s64[2] 1 2", 2},
      {"TopK", {v(), n({2})}, {{"largest", 0}}, "f32[2] 1 1; s64[2] 0 3", 2},
      {"TopK", {x({2, 2}), n({1})}, {{"axis", 0}}, "f32[1,2] 2 3; s64[1,2] 1 1", 2},
      {"TopK", {v(), n({0})}, {}, "f32[0]; s64[0]", 2},
      {"TopK", {v()}, {{"k", 1}}, "f32[1] 3; s64[1] 1", 2, 9},
      {"TopK", {v(), n({4})}, {}, "f32[4] 3 3 1 1; s64[4] 1 2 0 3", 2},
      {"TopK", {v(), n({5})}, {}, "!the first 5 of 4", 2},
      {"TopK", {v(), n({-1})}, {}, "!the first -1 of 4", 2},
  });
}

TEST_CASE("ONNX takes elements by indices, and puts some to such places") {
  const auto at = [](const Dimensions& sizes, const std::vector<double>& values) {
    return given(kS64, sizes, values);
  };
  const auto m = [] { return x({2, 2}); };
  const auto put = [&](const char* how, const std::string& answer) {
    return NodeRow{"ScatterElements",
                   {x({3}, {1, 2, 3}), at({1}, {-2}), x({1}, {5})},
                   {{"reduction", how}},
                   answer};
  };
  const std::string updates = "!updates of another shape than the indices, or of another type";
  check_nodes({
      {"Gather", {m(), at({1}, {-1})}, {}, "f32[1,2] 2 3"},
      {"Gather", {m(), n({0})}, {{"axis", 1}}, "f32[2,1] 0 2"},
      {"Gather", {m(), n({-1})}, {{"axis", 1}}, "f32[2,1] 1 3"},
      {"Gather", {m(), x({1})}, {}, "!element types (f32, f32) are not read"},
      {"Gather", {m(), n({0})}, {{"axis", 2}}, "!axis 2 of an array of 2 dimensions"},
      {"GatherElements", {m(), at({2, 1}, {1, -2})}, {{"axis", 1}}, "f32[2,1] 1 2"},
      {"GatherElements", {m(), at({1}, {1})}, {}, "!operand 1 (\"i1\") has 1 dimensions, not 2"},
      {"GatherND", {m(), at({1, 2}, {1, -2})}, {}, "f32[1] 2"},
      {"GatherND", {m(), at({1}, {1})}, {}, "f32[2] 2 3"},
      {"GatherND", {m(), at({2, 1}, {1, 0})}, {{"batch_dims", 1}}, "f32[2] 1 2"},
      {"GatherND", {m(), at({3}, {0, 0, 0})}, {}, "!batch_dims 0 for indices s64[3]"},
      {"GatherND",
       {m(), at({2, 2}, {})},
       {{"batch_dims", 1}},
       "!batch_dims 1 for indices s64[2,2]"},
      {"GatherND", {m(), at({1}, {})}, {{"batch_dims", 1}}, "!batch_dims 1 for indices s64[1]"},
      {"GatherND", {m(), at({1}, {})}, {{"batch_dims", -1}}, "!batch_dims -1 for indices s64[1]"},
      {"GatherND", {m(), at({}, {})}, {}, "!batch_dims 0 for indices s64[]"},
      put("none", "f32[3] 1 5 3"),
      put("add", "f32[3] 1 7 3"),
      put("mul", "f32[3] 1 10 3"),
      put("max", "f32[3] 1 5 3"),
      put("min", "f32[3] 1 2 3"),
      put("sub", "!reduction is \"sub\""),
      {"ScatterElements",
       {m(), at({1, 1}, {0}), x({1, 1}, {9})},
       {{"axis", 1}},
       "f32[2,2] 9 1 2 3"},
      {"ScatterElements", {m(), at({1, 1}, {0}), x({1, 2})}, {}, updates},
      {"ScatterElements", {m(), at({1, 1}, {0}), given(kS32, {1, 1})}, {}, updates},
      {"ScatterND", {m(), at({1, 1}, {-1}), x({1, 2}, {8, 9})}, {}, "f32[2,2] 0 1 8 9"},
      {"ScatterND", {m(), at({1, 2}, {0, 1}), x({1}, {8})}, {}, "f32[2,2] 0 8 2 3"},
      {"ScatterND", {m(), at({1, 3}, {}), x({1})}, {}, "!indices s64[1,3]"},
      {"ScatterND", {m(), at({}, {}), x({1})}, {}, "!indices s64[]"},
      {"ScatterND", {m(), at({1, 2}, {0, 1}), given(kS32, {1})}, {}, "!indices s64[1,2]"},
      {"OneHot", {at({2}, {0, -1}), one(2), x({2}, {5, 7})}, {}, "f32[2,2] 7 5 5 7"},
      {"OneHot", {at({2}, {0, 1}), n({3}), x({2}, {5, 7})}, {{"axis", 0}}, "f32[3,2] 7 5 5 7 5 5"},
      {"OneHot", {at({1}, {0}), constant(kF32, {}, {2}), x({2}, {5, 7})}, {}, "f32[1,2] 7 5"},
      {"OneHot", {at({1}, {0}), one(0), x({2}, {5, 7})}, {}, "f32[1,0]"},
      {"OneHot", {at({1}, {0}), one(-1), x({2})}, {}, "!a depth of -1"},
      {"OneHot", {at({1}, {0}), one(1LL << 31), x({2})}, {}, "!a depth of 2147483648"},
      {"OneHot", {at({1}, {0}), one(2), x({3})}, {}, "!values are not two"},
      {"OneHot",
       {at({1}, {0}), one(2), x({1, 2})},
       {},
       "!operand 2 (\"i2\") has 2 dimensions, not 1"},
      {"OneHot", {at({1}, {0}), n({2, 2}), x({2})}, {}, "!the depth is no single number"},
      {"OneHot",
       {at({1}, {0}), one(2), x({2})},
       {{"axis", 2}},
       "!axis 2 of an array of 2 dimensions"},
  });
}

TEST_CASE("ONNX products of matrices of any rank, and Gemm") {
  const auto m = [] { return x({2, 2}, {1, 2, 3, 4}); };
  check_nodes({
      {"MatMul", {m(), m()}, {}, "f32[2,2] 7 10 15 22"},
      {"MatMul", {x({2}, {1, 2}), m()}, {}, "f32[2] 7 10"},
      {"MatMul", {m(), x({2}, {1, 2})}, {}, "f32[2] 5 11"},
      {"MatMul", {x({2}, {1, 2}), x({2}, {3, 4})}, {}, "f32[] 11"},
      {"MatMul", {x({1, 1, 2}, {1, 2}), x({2, 2, 1}, {1, 2, 3, 4})}, {}, "f32[2,1,1] 5 11"},
      {"MatMul", {x({2}, {1, 2}), x({2, 2, 1}, {1, 2, 3, 4})}, {}, "f32[2,1] 5 11"},
      {"MatMul", {x({}), m()}, {}, "!an operand has no dimension"},
      {"MatMul", {m(), x({})}, {}, "!an operand has no dimension"},
      {"MatMul", {m(), x({3, 2})}, {}, "!operands f32[2,2] and f32[3,2] are no product"},
      {"MatMul",
       {x({2, 1, 1}), x({3, 1, 1})},
       {},
       "!operands f32[2,1,1] and f32[3,1,1] do not broadcast"},
      {"MatMul", {m(), given(kS32, {2, 2})}, {}, "!element types (f32, s32) are not read"},
      {"Gemm", {m(), m(), x({2}, {1, 2})}, {}, "f32[2,2] 8 12 16 24"},
      {"Gemm",
       {m(), m(), x({2}, {1, 2})},
       {{"alpha", 2.0}, {"beta", 0.5}},
       "f32[2,2] 14.5 21 30.5 45"},
      {"Gemm", {m(), x({1, 2}, {1, 2})}, {{"transB", 1}}, "f32[2,1] 5 11"},
      {"Gemm", {x({2, 1}, {1, 2}), m()}, {{"transA", 1}}, "f32[1,2] 7 10"},
      {"Gemm", {m(), m(), x({3})}, {}, "!C is f32[3] for f32[2,2]"},
      {"Gemm", {m(), m(), x({1, 2, 2})}, {}, "!C is f32[1,2,2] for f32[2,2]"},
      {"Gemm", {x({2}), m()}, {}, "!operand 0 (\"i0\") has 1 dimensions, not 2"},
      {"Gemm", {m(), x({2})}, {}, "!operand 1 (\"i1\") has 1 dimensions, not 2"},
      {"Gemm", {m(), given(kS32, {2, 2})}, {}, "!element types (f32, s32) are not read"},
      {"Hardmax", {x({2, 2}, {1, 1, 0, 2})}, {}, "f32[2,2] 1 0 0 1"},
      {"Hardmax", {x({2, 2}, {1, 1, 0, 2})}, {{"axis", 0}}, "f32[2,2] 0 0 0 1", 1, 12},
      {"Hardmax", {x({2, 2}, {1, 1, 0, 2})}, {}, "f32[2,2] 1 0 0 1", 1, 12},
      {"Softmax", {x({1, 2}, {3, 3})}, {}, "f32[1,2] 0.5 0.5"},
      {"Softmax", {x({2, 1}, {3, 9})}, {}, "f32[2,1] 1 1"},
      {"Softmax", {x({2, 1}, {3, 3})}, {{"axis", 0}}, "f32[2,1] 0.5 0.5", 1, 12},
      {"Softmax", {given(kS32, {2})}, {}, "!element types (s32) are not read"},
      {"LogSoftmax", {x({2, 1}, {3, 9})}, {}, "f32[2,1] 0 0"},
  });
}

}  // namespace
}  // namespace hlocc::tests
