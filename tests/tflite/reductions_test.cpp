// Reductions, sums along an axis and lengths in TensorFlow Lite, each on both sides of what it is
// refused for.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

const FlatFields keeps = {flat(schema::ReducerOptions::keep_dims, uint8_t{1})};

NodeRow along(const std::string& op, const NodeTensor& from, const NodeTensor& axes,
              const NodeTensor& to, const std::string& answer, FlatFields options = {}) {
  return {op, std::move(options), {from, axes}, {to}, answer};
}

TEST_CASE("TFLite's SUM and MEAN take axes from both ends, twice and none") {
  const NodeTensor a = x({2, 3});
  check_nodes({
      along("SUM", a, n({0}), y({3}), "f32[3] 3 5 7"),
      along("SUM", a, n({0}), y({1, 3}), "f32[1,3] 3 5 7", keeps),
      along("SUM", a, n({-1}), y({2}), "f32[2] 3 12"),
      along("SUM", a, n({1}), y({2, 1}), "f32[2,1] 3 12", keeps),
      along("SUM", a, n({0, 0, -2}), y({3}), "f32[3] 3 5 7"),
      along("SUM", a, n({1, 0}), y({}), "f32[] 15"),
      along("SUM", a, n({}), y({2, 3}), "f32[2,3] 0 1 2 3 4 5"),
      along("SUM", a, n({2}), y({}), "!axis 2 of an array of 2 dimensions"),
      along("SUM", a, n({-3}), y({}), "!axis -3 of an array of 2 dimensions"),
      along("SUM", a, given(kS32, {1}), y({3}),
            "!the axes (operand 1, \"i1\") is computed when the model runs"),
      along("SUM", a, constant(kF32, {1}, {0}), y({3}), "!the axes is no integer"),
      along("SUM", a, n({0}), gives(kS32, {3}), no_kernel + "(FLOAT32, INT32) -> INT32"),
      along("SUM", given(kS32, {2}), one(0), gives(kS32, {}), "s32[] 1"),
      along("SUM", given(kS64, {2}), n({0}), gives(kS64, {}),
            no_kernel + "(INT64, INT32) -> INT64"),
      along("SUM", x({0, 2}), n({0}), y({2}), "!an empty array"),
      along("SUM", x({1, 2}, {3, 4}), n({0}), y({2}), "f32[2] 3 4"),
      along("MEAN", a, n({1}), y({2}), "f32[2] 1 4"),
      along("MEAN", a, n({0, 1}), y({1, 1}), "f32[1,1] 2.5", keeps),
      along("MEAN", given(kS32, {2}), n({0}), gives(kS32, {}),
            no_kernel + "(INT32, INT32) -> INT32"),
      {"SUM", {}, {a}, {y({3})}, "!has 1 operands, or lacks one"},
  });
}

TEST_CASE("TFLite's SUM and MEAN of quantised arrays have their scales") {
  const auto to = [](float scale, int64_t zero) { return gives(kS8, {}, scale, zero); };
  const NodeTensor q = of_bytes({3, 5, 8, 12}, .5f, 1);
  check_nodes({
      along("SUM", q, n({0}), to(1, -2), "s8[] 10"),
      along("MEAN", q, n({0}), to(.5f, -2), "s8[] 4"),
      along("MEAN", q, n({0}), to(.25f, 0), "s8[] 12"),
      along("MEAN", of_words({300, 500}, 1), n({0}), gives(kS16, {}, 2), "s16[] 200"),
      along("SUM", of_words({300, 500}, 1), n({0}), gives(kS16, {}, 2), "s16[] 400"),
      along("MEAN", of_bytes({7}, 1, 2), n({0}), to(1, 2), "s8[] 7"),
      along("MEAN", of_bytes({1, 2}, 0), n({0}), to(1, 0), "!\"i0\" has no scale"),
      along("MEAN", q, n({0}), to(0, 0), "!\"y0\" has no scale"),
  });
}

TEST_CASE("TFLite's extremes, products and truths along axes") {
  const std::string other = "!a result of another scale than the operand";
  const NodeTensor q = of_bytes({3, -5}, .5f, 1), to = gives(kS8, {}, .5f, 1);
  const NodeTensor truths = given(kPred, {2, 2}, {1, 0, 1, 1}), truth = gives(kPred, {2});
  check_nodes({
      along("REDUCE_MAX", q, n({0}), to, "s8[] 3"),
      along("REDUCE_MIN", q, n({0}), to, "s8[] -5"),
      along("REDUCE_MAX", q, n({0}), gives(kS8, {}, 1, 1), other),
      along("REDUCE_MIN", q, n({0}), gives(kS8, {}, .5f, 0), other),
      along("REDUCE_MAX", of_words({300, 5}, 1), n({0}), gives(kS16, {}, 1), "s16[] 300"),
      along("REDUCE_MIN", of_words({300, 5}, 1), n({0}), gives(kS16, {}, 2), other),
      along("REDUCE_PROD", q, n({0}), to, no_kernel + "(INT8, INT32) -> INT8"),
      along("REDUCE_PROD", x({3}, {2, 3, 4}), n({0}), y({}), "f32[] 24"),
      along("REDUCE_PROD", given(kS32, {2}, {2, 3}), n({0}), gives(kS32, {}), "s32[] 6"),
      along("REDUCE_MAX", scaled(given(kS32, {2}), 1), n({0}), gives(kS32, {}, 2), "s32[] 1"),
      along("REDUCE_MAX", given(kS64, {2}), n({0}), gives(kS64, {}), "s64[] 1"),
      along("REDUCE_MAX", given(kU32, {2}), n({0}), gives(kU32, {}),
            no_kernel + "(UINT32, INT32) -> UINT32"),
      along("REDUCE_MAX", truths, n({0}), truth, no_kernel + "(BOOL, INT32) -> BOOL"),
      along("REDUCE_ANY", truths, n({0}), truth, "pred[2] 1 1"),
      along("REDUCE_ALL", truths, n({1}), truth, "pred[2] 0 1"),
      along("REDUCE_ANY", x({2, 2}), n({0}), truth, no_kernel + "(FLOAT32, INT32) -> BOOL"),
  });
}

TEST_CASE("TFLite's ARG_MAX and ARG_MIN give the first of the extremes along one axis") {
  const NodeTensor a = x({2, 3}, {1, 5, 5, 0, -2, -2});
  check_nodes({
      along("ARG_MAX", a, one(1), gives(kS32, {2}), "s32[2] 1 0"),
      along("ARG_MAX", a, n({-1}), gives(kS64, {2}), "s64[2] 1 0"),
      along("ARG_MIN", a, n({0}), gives(kS32, {3}), "s32[3] 1 1 1"),
      along("ARG_MIN", of_bytes({3, -5, -5}, .5f), n({0}), gives(kS32, {}), "s32[] 1"),
      along("ARG_MAX", a, n({0, 1}), gives(kS32, {}), "!has no one axis"),
      along("ARG_MAX", a, n({}), gives(kS32, {}), "!has no one axis"),
      along("ARG_MAX", a, n({2}), gives(kS32, {}), "!axis 2 of an array of 2 dimensions"),
      along("ARG_MAX", a, n({0}), y({3}), no_kernel + "(FLOAT32, INT32) -> FLOAT32"),
      along("ARG_MAX", a, n({0}), numbered(gives(kS32, {3}), 5),
            no_kernel + "(FLOAT32, INT32) -> STRING"),
  });
}

TEST_CASE("TFLite's CUMSUM and L2_NORMALIZATION") {
  using Fields = schema::CumsumOptions;
  const FlatFields back = {flat(Fields::reverse, uint8_t{1})};
  const FlatFields beside = {flat(Fields::exclusive, uint8_t{1})};
  const FlatFields both = {flat(Fields::exclusive, uint8_t{1}), flat(Fields::reverse, uint8_t{1})};
  const NodeTensor a = x({3}, {1, 2, 4});
  const auto length = [](const NodeTensor& from, const NodeTensor& to, const std::string& answer,
                         FlatFields options = {}) {
    return NodeRow{"L2_NORMALIZATION", std::move(options), {from}, {to}, answer};
  };
  check_nodes({
      along("CUMSUM", a, one(0), y({3}), "f32[3] 1 3 7"),
      along("CUMSUM", a, one(-1), y({3}), "f32[3] 7 6 4", back),
      along("CUMSUM", a, one(0), y({3}), "f32[3] 0 1 3", beside),
      along("CUMSUM", a, one(0), y({3}), "f32[3] 6 4 0", both),
      along("CUMSUM", given(kS32, {2, 2}), one(0), gives(kS32, {2, 2}), "s32[2,2] 0 1 2 4"),
      along("CUMSUM", given(kS64, {2}), one(0), gives(kS64, {2}), "s64[2] 0 1"),
      along("CUMSUM", x({0}), one(0), y({0}), "f32[0]"),
      along("CUMSUM", x({1}, {5}), one(0), y({1}), "f32[1] 0", beside),
      along("CUMSUM", a, n({0, 0}), y({3}), "!has no one axis"),
      along("CUMSUM", a, n({}), y({3}), "!has no one axis"),
      along("CUMSUM", a, one(1), y({3}), "!axis 1 of an array of 1 dimensions"),
      along("CUMSUM", of_bytes({1}, 1), one(0), gives(kS8, {1}, 1),
            no_kernel + "(INT8, INT32) -> INT8"),
      length(x({2}, {3, 4}), y({2}), "f32[2] 0.6 0.8"),
      length(x({2, 2}, {3, 4, 0, 2}), y({2, 2}), "f32[2,2] 0.6 0.8 0 1"),
      length(x({}), y({}), "!the operand has no dimension"),
      length(x({2}), y({2}), "!a fused activation",
             {flat(schema::L2NormOptions::activation, int8_t{1})}),
      length(of_bytes({1}, 1), gives(kS8, {1}, 1), no_kernel + "(INT8) -> INT8"),
  });
}

}  // namespace
}  // namespace hlocc::tests
