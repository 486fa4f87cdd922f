// Convolutions and matrix products of TensorFlow Lite: element types, biases, zero points, scales by
// channel and roundings, each on both sides of what it is refused for.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

using Dense = schema::FullyConnectedOptions;

NodeRow dense(const std::vector<NodeTensor>& operands, const NodeTensor& result,
              const std::string& answer, FlatFields options = {},
              import::Rounding rounding = import::Rounding::kTflm) {
  return {"FULLY_CONNECTED", std::move(options), operands, {result}, answer, {}, {}, rounding};
}
NodeTensor row8(const std::vector<double>& values, float scale, int64_t zero = 0) {
  return given(kS8, {1, static_cast<int64_t>(values.size())}, values, scale, zero);
}
NodeTensor row16(const std::vector<double>& values, float scale, int64_t zero = 0) {
  return given(kS16, {1, static_cast<int64_t>(values.size())}, values, scale, zero);
}
NodeTensor kernel8(const Dimensions& sizes, const std::vector<double>& values, float scale,
                   int64_t zero = 0) {
  return scaled(constant(kS8, sizes, values), scale, zero);
}

TEST_CASE("TFLite's FULLY_CONNECTED of reals, with weights of reals or bytes") {
  const NodeTensor a = x({1, 2}, {1, 2}), w = constant(kF32, {2, 2}, {1, 0, 1, 1});
  const NodeTensor bias = constant(kF32, {2}, {.5, -5}), to = y({1, 2});
  const auto fused = [](int8_t activation) {
    return FlatFields{flat(Dense::activation, activation)};
  };
  const FlatFields keeps = {flat(Dense::keep_num_dims, uint8_t{1})};
  const auto hybrid = [&](const NodeTensor& weights, const std::string& answer) {
    return dense({a, weights}, to, answer);
  };
  const NodeTensor bytes_of_w = constant(kS8, {2, 2}, {1, 0, 1, 1});
  check_nodes({
      dense({a, w}, to, "f32[1,2] 1 3"),
      dense({a, w, none}, to, "f32[1,2] 1 3"),
      dense({a, w, bias}, to, "f32[1,2] 1.5 -2"),
      dense({a, w, bias}, to, "f32[1,2] 1.5 0", fused(1)),
      dense({a, w, bias}, to, "!the fused activation 5", fused(5)),
      dense({a, w, constant(kF32, {1, 2}, {1, 1})}, to, "!the bias is no vector"),
      dense({a, w, constant(kF32, {}, {1})}, to, "!the bias is no vector"),
      dense({a, w, n({1, 1})}, to, no_kernel + "(FLOAT32, FLOAT32, INT32) -> FLOAT32"),
      dense({a, n({1, 1})}, to, "!operand 1 (\"i1\") has 1 dimensions, not 2"),
      dense({a, constant(kS32, {2, 2}, {1, 0, 1, 1})}, to,
            no_kernel + "(FLOAT32, INT32) -> FLOAT32"),
      dense({a, w}, gives(kS8, {1, 2}, 1), no_kernel + "(FLOAT32, FLOAT32) -> INT8"),
      dense({given(kS32, {1, 2}), w}, to, no_kernel + "(INT32, FLOAT32) -> FLOAT32"),
      dense({x({3}), w}, to, "!weights of shape [2,2] on [3]"),
      dense({x({1, 2}), constant(kF32, {2, 0}, {})}, to, "!weights of shape [2,0] on [1,2]"),
      dense({x({2}), constant(kF32, {1, 1}, {3})}, y({2}), "f32[2] 0 3"),
      dense({a, w}, to, "!shuffled weights", {flat(Dense::weights_format, int8_t{1})}),
      dense({x({1, 1, 2}), w}, y({1, 1, 2}), "f32[1,1,2] 0 1", keeps),
      dense({x({1, 4}), w}, y({1, 4}), "!keeps dimensions that do not fit", keeps),
      dense({x({}), constant(kF32, {1, 1}, {3})}, y({}), "!keeps dimensions that do not fit",
            keeps),
      dense({a, scaled(w, 1, 1)}, to, "f32[1,2] 1 3"),
      hybrid(scaled(bytes_of_w, .5f), "f32[1,2] 0.5 1.5"),
      hybrid(by_channel(bytes_of_w, {.5f, 2}, 0), "f32[1,2] 0.5 6"),
      hybrid(bytes_of_w, "!\"i1\" has no scale"),
      hybrid(scaled(bytes_of_w, .5f, 1), "!weights with a zero point on floats"),
      hybrid(by_channel(bytes_of_w, {.5f, 2}, 0, {0, 1}), "!weights with a zero point on floats"),
  });
}

TEST_CASE("TFLite's FULLY_CONNECTED of bytes takes zero points off, and scales by channel") {
  const NodeTensor a = row8({3, -1}, .5f, 1), w = kernel8({2, 2}, {1, 2, 3, 4}, 1);
  const NodeTensor to = gives(kS8, {1, 2}, .5f, -2), bias = n({10, -10});
  const NodeTensor raw_w = constant(kS8, {2, 2}, {1, 2, 3, 4});
  const std::string overflows = "!a result's scale so small that sums overflow";
  check_nodes({
      // (3 - 1, -1 - 1) times (1, 2) and (3, 4).
      dense({a, w}, to, "s8[1,2] -4 -4"),
      dense({a, w, bias}, to, "s8[1,2] 6 -14"),
      dense({a, w, bias}, to, "s8[1,2] 6 -2", {flat(Dense::activation, int8_t{1})}),
      dense({row8({3, -1}, .5f), w}, to, "s8[1,2] -1 3"),
      dense({a, by_channel(raw_w, {1, 2}, 0)}, to, "s8[1,2] -4 -6"),
      dense({a, by_channel(raw_w, {1, 2}, 1)}, to,
            "!weights are quantised along another dimension than the outputs'"),
      dense({a, scaled(raw_w, 1, 1)}, to, "!weights with a zero point"),
      dense({a, raw_w}, to, "!\"i1\" has no scale"),
      dense({a, w}, gives(kS8, {1, 2}), "!\"y0\" has no scale"),
      dense({row8({3, -1}, 0), w}, to, "!\"i0\" has no scale"),
      dense({a, scaled(given(kS8, {2, 2}), 1)}, to,
            "!quantised weights that are computed when the model runs"),
      dense({a, w, given(kS32, {2})}, to, "!a bias that is computed when the model runs"),
      dense({a, w, n({1})}, to, "!has 1 biases for 2 outputs"),
      dense({a, w, constant(kS64, {2}, {1, 1})}, to, no_kernel + "(INT8, INT8, INT64) -> INT8"),
      dense({a, w, constant(kF32, {2}, {1, 1})}, to, no_kernel + "(INT8, INT8, FLOAT32) -> INT8"),
      dense({a, constant(kF32, {2, 2}, {1, 2, 3, 4})}, to, no_kernel + "(INT8, FLOAT32) -> INT8"),
      dense({a, w}, gives(kS16, {1, 2}, 1), no_kernel + "(INT8, INT8) -> INT16"),
      dense({given(kS32, {1, 2}, {}, 1), w}, gives(kS32, {1, 2}, 1),
            no_kernel + "(INT32, INT8) -> INT32"),
      dense({a, w}, y({1, 2}), no_kernel + "(INT8, INT8) -> FLOAT32"),
      dense({row8({0, 0}, 1), kernel8({1, 2}, {1, 0}, 1)}, gives(kS8, {1, 1}, 0x1p-30f),
            "s8[1,1] 0"),
      dense({row8({1, 0}, 1), kernel8({1, 2}, {1, 0}, 1)}, gives(kS8, {1, 1}, 0x1p-31f), overflows),
  });
}

TEST_CASE("TFLite's FULLY_CONNECTED of words, of sums of 32 and 64 bits") {
  const NodeTensor a = row16({300, -100}, 1), w = kernel8({1, 2}, {1, 2}, 1);
  const NodeTensor to = gives(kS16, {1, 1}, 2);
  const std::string zero = "!16-bit activations have a zero point";
  const std::string overflows = "!a result's scale so small that sums overflow";
  check_nodes({
      dense({a, w}, to, "s16[1,1] 50"),
      dense({a, w, n({10})}, to, "s16[1,1] 55"),
      dense({a, w, constant(kS64, {1}, {10})}, to, "s16[1,1] 55"),
      dense({a, w, constant(kF32, {1}, {10})}, to, no_kernel + "(INT16, INT8, FLOAT32) -> INT16"),
      dense({row16({1, 1}, 1, 1), w}, to, zero),
      dense({a, w}, gives(kS16, {1, 1}, 2, 1), zero),
      dense({row16({0, 0}, 1), w}, gives(kS16, {1, 1}, 0x1p-13f), "s16[1,1] 0"),
      dense({row16({0, 0}, 1), w}, gives(kS16, {1, 1}, 0x1p-14f), overflows),
      dense({row16({0, 0}, 1), w, constant(kS64, {1}, {0})}, gives(kS16, {1, 1}, 0x1p-14f),
            overflows),
      dense({row16({0, 0}, 1), w, n({0})}, gives(kS16, {1, 1}, 0x1p-14f), "s16[1,1] 0"),
      dense({row16({0, 0}, 1), w, n({0})}, gives(kS16, {1, 1}, 0x1p-31f), overflows),
  });
}

TEST_CASE("TFLite's products of bytes are rounded by whose kernels are asked for") {
  using enum import::Rounding;
  // 1 / 4, 1 / 2, -1 / 2, 3 / 2.
  const NodeTensor a = row8({1}, 1), w = kernel8({4, 1}, {1, 2, -2, 6}, .25f);
  const NodeTensor to = gives(kS8, {1, 4}, 1);
  const NodeTensor u8 = given(kU8, {1, 1}, {129}, 1, 128), to_u8 = gives(kU8, {1, 4}, 1, 128);
  const NodeTensor w_u8 = scaled(constant(kU8, {4, 1}, {129, 130, 126, 134}), .25f, 128);
  const auto image = [](const NodeTensor& from, const NodeTensor& kernel, const NodeTensor& result,
                        const std::string& answer, import::Rounding rounding) {
    using Fields = schema::Conv2DOptions;
    const FlatFields options = {flat(Fields::stride_w, 1), flat(Fields::stride_h, 1),
                                flat(Fields::padding, int8_t{1})};
    return NodeRow{"CONV_2D", options, {from, kernel}, {result}, answer, {}, {}, rounding};
  };
  const NodeTensor pixel = given(kS8, {1, 1, 1, 1}, {1}, 1);
  const NodeTensor of_pixel = kernel8({4, 1, 1, 1}, {1, 2, -2, 6}, .25f);
  const NodeTensor to_pixel = gives(kS8, {1, 1, 1, 4}, 1);
  check_nodes({
      // Twice: up to halves, then halves away from zero.
      dense({a, w}, to, "s8[1,4] 1 1 -1 2"),
      // Once, halves up.
      dense({a, w}, to, "s8[1,4] 0 1 0 2", {}, kLitert),
      // Halves to even.
      dense({a, w}, to, "s8[1,4] 0 0 0 2", {}, kXnnpack),
      dense({u8, w_u8}, to_u8, "u8[1,4] 128 129 128 130"),
      dense({u8, w_u8}, to_u8, "u8[1,4] 128 129 128 130", {}, kXnnpack),
      dense({u8, scaled(constant(kU8, {4, 1}, {129, 130, 126, 134}), 1, 130)}, to_u8,
            "u8[1,4] 127 128 124 132"),
      dense({row16({1}, 1), w, n({0, 0, 0, 0})}, gives(kS16, {1, 4}, 1), "s16[1,4] 0 1 0 2", {},
            kXnnpack),
      dense({x({1, 1}, {1}), w}, y({1, 4}), "f32[1,4] 0.25 0.5 -0.5 1.5", {}, kXnnpack),
      image(pixel, of_pixel, to_pixel, "s8[1,1,1,4] 1 1 -1 2", kTflm),
      image(pixel, of_pixel, to_pixel, "s8[1,1,1,4] 1 1 -1 2", kLitert),
      image(pixel, of_pixel, to_pixel, "s8[1,1,1,4] 0 0 0 2", kXnnpack),
  });
}

TEST_CASE("TFLite's BATCH_MATMUL repeats batches and turns matrices") {
  using Fields = schema::BatchMatMulOptions;
  const NodeTensor a = x({1, 2}, {1, 2}), b = x({2, 2}, {1, 2, 3, 4});
  const auto product = [](const NodeTensor& first, const NodeTensor& second,
                          const NodeTensor& result, const std::string& answer,
                          FlatFields options = {}) {
    return NodeRow{"BATCH_MATMUL", std::move(options), {first, second}, {result}, answer};
  };
  const NodeTensor q = row8({3, -1}, 1, 1), r = given(kS8, {2, 1}, {2, 5}, 1, 2);
  check_nodes({
      product(a, b, y({1, 2}), "f32[1,2] 7 10"),
      product(a, b, y({1, 2}), "f32[1,2] 5 11", {flat(Fields::adj_y, uint8_t{1})}),
      product(b, b, y({2, 2}), "f32[2,2] 10 14 14 20", {flat(Fields::adj_x, uint8_t{1})}),
      product(x({2, 1, 2}), b, y({2, 1, 2}), "f32[2,1,2] 3 4 11 16"),
      product(x({2}), b, y({2}), "!operands that are no matrices"),
      product(b, x({2}), y({2}), "!operands that are no matrices"),
      product(x({}), b, y({2}), "!operands that are no matrices"),
      product(b, x({}), y({2}), "!operands that are no matrices"),
      product(x({2, 1, 2}), x({3, 2, 1}), y({2, 1, 1}), "!operands that do not broadcast"),
      product(a, given(kS32, {2, 2}), y({1, 2}), no_kernel + "(FLOAT32, INT32) -> FLOAT32"),
      product(a, b, gives(kS32, {1, 2}), no_kernel + "(FLOAT32, FLOAT32) -> INT32"),
      product(given(kS32, {1, 2}), given(kS32, {2, 2}), gives(kS32, {1, 2}),
              no_kernel + "(INT32, INT32) -> INT32"),
      product(q, r, gives(kS8, {1, 1}, 2, 1), "s8[1,1] -2"),
      product(q, given(kS8, {2, 1}), gives(kS8, {1, 1}, 1), "!\"i1\" has no scale"),
      product(q, by_channel(given(kS8, {2, 1}), {1, 1}, 0), gives(kS8, {1, 1}, 1),
              "!scales by channel"),
  });
}

}  // namespace
}  // namespace hlocc::tests
