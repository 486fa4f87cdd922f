// Operators of TensorFlow Lite on two arrays, each on both sides of what it is refused for: models
// of one operator, and their values in the interpreter. Scales are powers of two wherever a result
// is to be seen by eye.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

FlatFields fused(int8_t activation) {
  return {flat(schema::BinaryOptions::activation, activation)};
}

NodeTensor s32(const std::vector<double>& values) {
  return given(kS32, {static_cast<int64_t>(values.size())}, values);
}
NodeTensor s64(const std::vector<double>& values) {
  return given(kS64, {static_cast<int64_t>(values.size())}, values);
}
NodeTensor f32(const std::vector<double>& values) {
  return x({static_cast<int64_t>(values.size())}, values);
}

TEST_CASE("TFLite's operators on two arrays repeat sizes of 1 and fuse activations") {
  const NodeTensor three = f32({-2, 3, 8}), ones = f32({1, 1, 1});
  check_nodes({
      {"ADD", {}, {x({2, 2}), x({2}, {10, 20})}, {y({2, 2})}, "f32[2,2] 10 21 12 23"},
      {"ADD", {}, {x({2, 1}), x({1, 2}, {10, 20})}, {y({2, 2})}, "f32[2,2] 10 20 11 21"},
      {"SUB", {}, {x({}, {5}), x({2})}, {y({2})}, "f32[2] 5 4"},
      {"MUL", {}, {x({2}), x({3})}, {y({3})}, "!operands of shapes f32[2] and f32[3]"},
      {"ADD", {}, {f32({1}), s32({1})}, {y({1})}, no_kernel + "(FLOAT32, INT32) -> FLOAT32"},
      {"ADD", {}, {f32({1}), f32({1})}, {y({1})}, "f32[1] 2", {}, {}, import::Rounding::kTflm, 5},
      {"ADD",
       {},
       {f32({1}), f32({1})},
       {y({1})},
       "!version 6 is newer than what is read",
       {},
       {},
       import::Rounding::kTflm,
       6},
      {"ADD", {}, {f32({1})}, {y({1})}, "!has 1 operands, or lacks one"},
      {"ADD", {}, {f32({1}), none}, {y({1})}, "!has 2 operands, or lacks one"},
      {"ADD", {}, {f32({1}), f32({1}), f32({1})}, {y({1})}, "!has 3 operands"},
      {"ADD", {}, {f32({1}), f32({1})}, {y({1}), y({1})}, "!has 2 results, not 1"},
      {"SUB", fused(1), {three, ones}, {y({3})}, "f32[3] 0 2 7"},
      {"SUB", fused(2), {three, ones}, {y({3})}, "f32[3] -1 1 1"},
      {"SUB", fused(3), {three, ones}, {y({3})}, "f32[3] 0 2 6"},
      {"SUB", fused(4), {f32({1}), f32({1})}, {y({1})}, "f32[1] 0"},
      {"SUB", fused(5), {three, ones}, {y({3})}, "!the fused activation 5"},
      {"ADD",
       fused(1),
       {s32({1}), s32({1})},
       {gives(kS32, {1})},
       "!an activation on plain integers"},
      {"ADD", {}, {s64({1LL << 40}), s64({1})}, {gives(kS64, {1})}, "s64[1] 1099511627777"},
      {"MUL", {}, {s32({-3, 7}), s32({5})}, {gives(kS32, {2})}, "s32[2] -15 35"},
      {"MUL",
       {},
       {f32({1}), f32({2})},
       {gives(kS32, {1})},
       "!result \"y0\" is INT32, where the operator gives f32[1]"},
      {"ADD_N", {}, {s32({1}), s32({2}), s32({4})}, {gives(kS32, {1})}, "s32[1] 7"},
      {"ADD_N", {}, {s64({5})}, {gives(kS64, {1})}, "s64[1] 5"},
      {"ADD_N", {}, {f32({1, 2}), f32({.5, 1})}, {y({2})}, "f32[2] 1.5 3"},
      {"ADD_N", {}, {of_words({1}, 1)}, {gives(kS16, {1}, 1)}, no_kernel + "(INT16) -> INT16"},
  });
}

TEST_CASE("TFLite's divisions round as their names say, of reals and plain integers") {
  const NodeTensor over = s32({7, -7, 7, -7, 6, -6}), by = s32({2, 2, -2, -2, 3, 3});
  const NodeTensor far = s64({7, -7, 7, -7}), by_far = s64({2, 2, -2, -2});
  const NodeTensor reals = f32({7, -7, 7, -7, 6}), by_reals = f32({2, 2, -2, -2, -3});
  const auto to = [](PrimitiveType type, int64_t count) { return gives(type, {count}); };
  check_nodes({
      {"DIV", {}, {over, by}, {to(kS32, 6)}, "s32[6] 3 -3 -3 3 2 -2"},
      {"DIV", {}, {far, by_far}, {to(kS64, 4)}, "s64[4] 3 -3 -3 3"},
      {"DIV", {}, {reals, by_reals}, {y({5})}, "f32[5] 3.5 -3.5 -3.5 3.5 -2"},
      {"DIV",
       {},
       {of_words({1}, 1), of_words({1}, 1)},
       {gives(kS16, {1}, 1)},
       no_kernel + "(INT16, INT16) -> INT16"},
      {"FLOOR_DIV", {}, {over, by}, {to(kS32, 6)}, "s32[6] 3 -4 -4 3 2 -2"},
      {"FLOOR_DIV", {}, {far, by_far}, {to(kS64, 4)}, "s64[4] 3 -4 -4 3"},
      {"FLOOR_DIV", {}, {reals, by_reals}, {y({5})}, "f32[5] 3 -4 -4 3 -2"},
      {"FLOOR_DIV",
       {},
       {of_bytes({1}, 1), of_bytes({1}, 1)},
       {gives(kS8, {1}, 1)},
       no_kernel + "(INT8, INT8) -> INT8"},
      {"FLOOR_MOD", {}, {over, by}, {to(kS32, 6)}, "s32[6] 1 1 -1 -1 0 0"},
      {"FLOOR_MOD", {}, {far, by_far}, {to(kS64, 4)}, "s64[4] 1 1 -1 -1"},
      {"FLOOR_MOD", {}, {reals, by_reals}, {y({5})}, "f32[5] 1 1 -1 -1 0"},
      {"FLOOR_MOD",
       {},
       {of_bytes({1}, 1), of_bytes({1}, 1)},
       {gives(kS8, {1}, 1)},
       no_kernel + "(INT8, INT8) -> INT8"},
      {"POW", {}, {f32({2, 9}), f32({3, .5})}, {y({2})}, "f32[2] 8 3"},
      {"POW", {}, {s32({2}), s32({3})}, {to(kS32, 1)}, no_kernel + "(INT32, INT32) -> INT32"},
      {"ATAN2", {}, {f32({0, 1}), f32({1, 0})}, {y({2})}, "f32[2] 0 1.5708"},
      {"ATAN2", {}, {s32({2}), s32({3})}, {to(kS32, 1)}, no_kernel + "(INT32, INT32) -> INT32"},
  });
}

TEST_CASE("TFLite's extremes and comparisons take integers of one scale, or scale them") {
  const std::string scales = "!operands and result of different scales";
  const NodeTensor a = of_bytes({3, -5}, .5f, 1), b = of_bytes({2, -4}, .5f, 1);
  const NodeTensor same = gives(kS8, {2}, .5f, 1), truth = gives(kPred, {2});
  check_nodes({
      {"MAXIMUM", {}, {a, b}, {same}, "s8[2] 3 -4"},
      {"MINIMUM", {}, {a, b}, {same}, "s8[2] 2 -5"},
      {"MINIMUM", {}, {a, of_bytes({2, -4}, 1, 1)}, {same}, scales},
      {"MINIMUM", {}, {a, of_bytes({2, -4}, .5f, 0)}, {same}, scales},
      {"MINIMUM", {}, {of_bytes({2, -4}, .5f, 0), b}, {same}, scales},
      {"MAXIMUM", {}, {of_words({1}, 1), of_words({2}, 1)}, {gives(kS16, {1}, 2)}, scales},
      {"MAXIMUM", {}, {f32({1}), f32({2})}, {y({1})}, "f32[1] 2"},
      {"MAXIMUM",
       {},
       {scaled(s32({1}), 1), scaled(s32({2}), 2)},
       {gives(kS32, {1}, 4)},
       "s32[1] 2"},
      // 2 of halves is 4 of quarters.
      {"EQUAL", {}, {of_bytes({2, 2}, .5f), of_bytes({4, 5}, .25f)}, {truth}, "pred[2] 1 0"},
      {"NOT_EQUAL", {}, {of_bytes({2, 2}, .5f), of_bytes({4, 5}, .25f)}, {truth}, "pred[2] 0 1"},
      {"LESS", {}, {of_bytes({2, 2}, .5f), of_bytes({4, 5}, .25f)}, {truth}, "pred[2] 0 1"},
      {"LESS_EQUAL", {}, {of_bytes({2, 3}, .5f), of_bytes({4, 5}, .25f)}, {truth}, "pred[2] 1 0"},
      {"GREATER", {}, {of_bytes({2, 3}, .5f), of_bytes({4, 5}, .25f)}, {truth}, "pred[2] 0 1"},
      {"GREATER_EQUAL",
       {},
       {of_bytes({2, 2}, .5f), of_bytes({4, 5}, .25f)},
       {truth},
       "pred[2] 1 0"},
      {"EQUAL", {}, {of_bytes({2, 2}, .5f, 1), of_bytes({1, 2}, .5f)}, {truth}, "pred[2] 1 0"},
      {"EQUAL", {}, {of_bytes({2, 2}, 1), a}, {truth}, "!a scale of 1 or more"},
      {"EQUAL", {}, {a, of_bytes({2, 2}, 1)}, {truth}, "!a scale of 1 or more"},
      {"EQUAL", {}, {a, of_bytes({3, 2}, 0)}, {truth}, "!\"i1\" has no scale"},
      {"EQUAL", {}, {f32({1, 2}), f32({1, 3})}, {truth}, "pred[2] 1 0"},
      {"LOGICAL_AND",
       {},
       {given(kPred, {2}, {1, 1}), given(kPred, {2}, {1, 0})},
       {truth},
       "pred[2] 1 0"},
      {"LOGICAL_OR",
       {},
       {given(kPred, {2}, {0, 1}), given(kPred, {2}, {0, 0})},
       {truth},
       "pred[2] 0 1"},
      {"LOGICAL_OR", {}, {f32({1}), f32({1})}, {truth}, no_kernel + "(FLOAT32, FLOAT32) -> BOOL"},
  });
}

TEST_CASE("TFLite's sums of quantised arrays, by whose rounding") {
  const auto sum = [](float first, float second, float result, const std::string& answer,
                      import::Rounding rounding = import::Rounding::kTflm) {
    return NodeRow{"ADD",
                   {},
                   {of_bytes({1, -1, 2, 0}, first), of_bytes({0, 0, 1, 0}, second)},
                   {gives(kS8, {4}, result)},
                   answer,
                   {},
                   {},
                   rounding};
  };
  const std::string overflows = "!a result's scale so small that the sum overflows";
  const std::string beyond = "!scales that XNNPACK does not take";
  constexpr auto kXnnpack = import::Rounding::kXnnpack;
  const NodeTensor u8 = given(kU8, {2}, {129, 127}, 1, 128);
  check_nodes({
      sum(1, 1, 1, "s8[4] 1 -1 3 0"),
      sum(1, .5f, .5f, "s8[4] 2 -2 5 0"),
      // Halves away from zero.
      sum(1, 1, 2, "s8[4] 1 -1 2 0"),
      sum(1, 1, 0x1p-19f, overflows),
      sum(1, 1, 0x1.000002p-19f, "s8[4] 127 -128 127 0"),
      // Halves up.
      sum(1, 1, 2, "s8[4] 1 0 2 0", kXnnpack),
      sum(256, 1, 1, "s8[4] 127 -128 127 0", kXnnpack),
      sum(1, 256, 1, "s8[4] 1 -1 127 0", kXnnpack),
      sum(512, 1, 1, beyond, kXnnpack),
      sum(1, 512, 1, beyond, kXnnpack),
      sum(1, 1, 1024, "s8[4] 0 0 0 0", kXnnpack),
      sum(1, 1, 2048, beyond, kXnnpack),
      {"SUB",
       {},
       {of_bytes({5, 1}, 1, 1), of_bytes({2, 3}, 1, 1)},
       {gives(kS8, {2}, 1, -2)},
       "s8[2] 1 -4"},
      {"SUB",
       {},
       {of_words({500, 1}, 1), of_words({2, 3}, 1)},
       {gives(kS16, {2}, 2)},
       "s16[2] 249 -1"},
      {"SUB",
       {},
       {of_words({500, 1}, 1), of_words({2, 3}, 1)},
       {gives(kS16, {2}, 2)},
       "s16[2] 249 -1",
       {},
       {},
       kXnnpack},
      {"ADD", {}, {f32({1}), f32({2})}, {y({1})}, "f32[1] 3", {}, {}, kXnnpack},
      // Of UINT8 there are no kernels of XNNPACK's here: halves away from zero.
      {"ADD",
       {},
       {u8, given(kU8, {2}, {128, 128}, 1, 128)},
       {gives(kU8, {2}, 2, 128)},
       "u8[2] 129 127",
       {},
       {},
       kXnnpack},
      {"ADD",
       {},
       {of_bytes({1}, 0), of_bytes({1}, 1)},
       {gives(kS8, {1}, 1)},
       "!\"i0\" has no scale"},
      {"ADD",
       fused(1),
       {of_bytes({3, -3}, 1), of_bytes({1, 1}, 1)},
       {gives(kS8, {2}, 1, 2)},
       "s8[2] 6 2"},
      {"ADD",
       fused(2),
       {of_bytes({30, -30}, .5f), of_bytes({1, 1}, .5f)},
       {gives(kS8, {2}, .5f, 2)},
       "s8[2] 4 0"},
      {"ADD",
       fused(3),
       {of_bytes({30, -30}, .5f), of_bytes({1, 1}, .5f)},
       {gives(kS8, {2}, .5f, 2)},
       "s8[2] 14 2"},
      {"ADD",
       fused(4),
       {of_bytes({1}, 1), of_bytes({1}, 1)},
       {gives(kS8, {1}, 1)},
       "!the fused activation 4 in integers"},
  });
}

TEST_CASE("TFLite's products and squares of quantised arrays, by whose rounding") {
  constexpr auto kXnnpack = import::Rounding::kXnnpack;
  const NodeTensor a = of_bytes({1, 3, -1, 100}, .5f), b = of_bytes({1, 1, 1, 100}, 1);
  const NodeTensor u8 = given(kU8, {2}, {129, 131}, .5f, 128);
  const NodeTensor by_u8 = given(kU8, {2}, {129, 129}, 1, 128);
  check_nodes({
      {"MUL", {}, {a, b}, {gives(kS8, {4}, 1)}, "s8[4] 1 2 0 127"},
      {"MUL", {}, {a, b}, {gives(kS8, {4}, 1)}, "s8[4] 0 2 0 127", {}, {}, kXnnpack},
      {"MUL", {}, {u8, by_u8}, {gives(kU8, {2}, 1, 128)}, "u8[2] 129 130"},
      {"MUL", {}, {u8, by_u8}, {gives(kU8, {2}, 1, 128)}, "u8[2] 129 130", {}, {}, kXnnpack},
      {"MUL",
       {},
       {of_words({1, 3}, .5f), of_words({1, 1}, 1)},
       {gives(kS16, {2}, 1)},
       "s16[2] 1 2",
       {},
       {},
       kXnnpack},
      {"MUL", {}, {f32({3}), f32({.5})}, {y({1})}, "f32[1] 1.5", {}, {}, kXnnpack},
      {"MUL", fused(1), {a, b}, {gives(kS8, {4}, .5f, -1)}, "s8[4] 0 2 -1 127"},
      {"MUL",
       {},
       {of_bytes({5, 3}, 1, 2), of_bytes({3, 1}, 1, 1)},
       {gives(kS8, {2}, 1, -3)},
       "s8[2] 3 -3"},
      {"SQUARED_DIFFERENCE", {}, {f32({1, 5}), f32({3, 1})}, {y({2})}, "f32[2] 4 16"},
      {"SQUARED_DIFFERENCE", {}, {s32({1, 5}), s32({3, 1})}, {gives(kS32, {2})}, "s32[2] 4 16"},
      {"SQUARED_DIFFERENCE",
       {},
       {of_bytes({6, -2}, .5f), of_bytes({2, 2}, .5f)},
       {gives(kS8, {2}, .5f, 1)},
       "s8[2] 9 9"},
      {"SQUARED_DIFFERENCE",
       {},
       {of_words({6, -2}, .5f), of_words({2, 2}, .5f)},
       {gives(kS16, {2}, .5f)},
       "s16[2] 8 8"},
      {"SQUARED_DIFFERENCE",
       {},
       {of_bytes({6}, .5f), of_bytes({2}, 0)},
       {gives(kS8, {1}, .5f)},
       "!\"i1\" has no scale"},
  });
}

}  // namespace
}  // namespace hlocc::tests
