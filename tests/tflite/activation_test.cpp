// Functions of one array in TensorFlow Lite: relus, curves and their quantised kernels, each on
// both sides of what it is refused for.
#include <cmath>

#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeRow unary(const std::string& op, const NodeTensor& from, const NodeTensor& to,
              const std::string& answer, FlatFields options = {}) {
  return {op, std::move(options), {from}, {to}, answer};
}
NodeTensor to8(int64_t count, float scale, int64_t zero = 0) {
  return gives(kS8, {count}, scale, zero);
}
NodeTensor to16(int64_t count, float scale, int64_t zero = 0) {
  return gives(kS16, {count}, scale, zero);
}
NodeTensor reals(const std::vector<double>& values) {
  return x({static_cast<int64_t>(values.size())}, values);
}

TEST_CASE("TFLite's relus bound reals, and integers of scales") {
  const NodeTensor r = reals({-3, .5, 8}), q = of_bytes({-3, 1, 16, 90}, .5f, 1);
  const std::string other = "!a result of another scale than the operand";
  const auto u8 = [](double value, int64_t zero) { return given(kU8, {1}, {value}, 1, zero); };
  const auto to_u8 = [](int64_t zero) { return gives(kU8, {1}, 1, zero); };
  check_nodes({
      unary("RELU", r, y({3}), "f32[3] 0 0.5 8"),
      unary("RELU6", r, y({3}), "f32[3] 0 0.5 6"),
      unary("RELU_N1_TO_1", r, y({3}), "f32[3] -1 0.5 1"),
      unary("RELU_0_TO_1", r, y({3}), "f32[3] 0 0.5 1"),
      unary("RELU", q, to8(4, .25f, -10), "s8[4] -10 -10 20 127"),
      unary("RELU_N1_TO_1", q, to8(4, .5f, 3), "s8[4] 1 3 5 5"),
      unary("RELU_0_TO_1", q, to8(4, .5f, 3), "s8[4] 3 3 5 5"),
      unary("RELU6", q, to8(4, .5f, 1), "s8[4] 1 1 13 13"),
      unary("RELU6", q, to8(4, 1, 1), other),
      unary("RELU6", q, to8(4, .5f, 0), other),
      unary("RELU6", of_words({-3, 100}, .5f), to16(2, 1), "s16[2] 0 6"),
      unary("RELU", of_words({-3, 100}, .5f), to16(2, 1), "s16[2] 0 50"),
      unary("RELU", r, to8(3, 1), no_kernel + "(FLOAT32) -> INT8"),
      unary("RELU", given(kS32, {1}), gives(kS32, {1}), no_kernel + "(INT32) -> INT32"),
      unary("RELU6", given(kS32, {1}), gives(kS32, {1}), no_kernel + "(INT32) -> INT32"),
      unary("RELU", of_bytes({1}, 0), to8(1, 1), "!\"i0\" has no scale"),
      unary("RELU", of_bytes({1}, 1), to8(1, 0), "!\"y0\" has no scale"),
      unary("RELU6", of_bytes({1}, 0), to8(1, 1), "!\"i0\" has no scale"),
      unary("RELU", u8(5, 0), to_u8(0), "u8[1] 5"),
      unary("RELU", u8(254, 255), to_u8(255), "u8[1] 255"),
      unary("RELU", u8(5, 256), to_u8(0), no_kernel + "(UINT8) -> INT8"),
      unary("RELU", u8(5, -1), to_u8(0), no_kernel + "(UINT8) -> INT8"),
      unary("CAST", u8(200, 0), gives(kS32, {1}), "!quantised UINT8"),
      unary("CAST", given(kU8, {1}, {200}), gives(kS32, {1}), "s32[1] 200"),
      unary("CAST", reals({3}), to_u8(0), "!quantised UINT8"),
      {"RELU", {}, {}, {y({1})}, "!has 0 operands, or lacks one"},
      {"RELU6", {}, {}, {y({1})}, "!has 0 operands, or lacks one"},
      {"RELU6", {}, {reals({1}), reals({1})}, {y({1})}, "!has 2 operands"},
      {"RELU6", {}, {q, q}, {to8(4, .5f, 1)}, "!has 2 operands"},
  });
}

TEST_CASE("TFLite's LEAKY_RELU and PRELU slope below zero") {
  const auto by = [](float alpha) {
    return FlatFields{flat(schema::LeakyReluOptions::alpha, alpha)};
  };
  const auto prelu = [](const NodeTensor& from, const NodeTensor& slope, const NodeTensor& to,
                        const std::string& answer) {
    return NodeRow{"PRELU", {}, {from, slope}, {to}, answer};
  };
  const NodeTensor q = of_bytes({-8, 0, 4}, .5f, 0);
  check_nodes({
      unary("LEAKY_RELU", reals({-4, 0, 2}), y({3}), "f32[3] -2 0 2", by(.5f)),
      unary("LEAKY_RELU", q, to8(3, .25f, 1), "s8[3] -7 1 9", by(.5f)),
      unary("LEAKY_RELU", of_bytes({-7, 1, 5}, .5f, 1), to8(3, .25f, 1), "s8[3] -7 1 9", by(.5f)),
      unary("LEAKY_RELU", of_words({-8, 4}, .5f), to16(2, .25f), "s16[2] -8 8", by(.5f)),
      unary("LEAKY_RELU", given(kS32, {1}), gives(kS32, {1}), no_kernel + "(INT32) -> INT32"),
      prelu(x({2, 2}, {-4, 2, -6, 8}), x({2}, {.5, 2}), y({2, 2}), "f32[2,2] -2 2 -3 8"),
      prelu(q, of_bytes({1, 1, 1}, .5f), to8(3, .25f, 1), "s8[3] -7 1 9"),
      prelu(q, of_bytes({2, 2, 2}, .5f, 1), to8(3, .25f, 1), "s8[3] -7 1 9"),
      prelu(q, of_bytes({1, 1, 1}, 0), to8(3, .25f, 1), "!\"i1\" has no scale"),
      prelu(q, reals({1, 1, 1}), to8(3, .25f, 1), no_kernel + "(INT8, FLOAT32) -> INT8"),
      prelu(of_words({1}, 1), of_words({1}, 1), to16(1, 1), no_kernel + "(INT16, INT16) -> INT16"),
      {"PRELU", {}, {reals({1})}, {y({1})}, "!has 1 operands, or lacks one"},
  });
}

TEST_CASE("TFLite's LOGISTIC and TANH of bytes end where kernels end") {
  const auto logistic = [](float scale, const std::string& answer) {
    return unary("LOGISTIC", of_bytes({-1, 0, 1}, scale), to8(3, 0x1p-8f, -128), answer);
  };
  const std::string scale = "!a scale beyond what kernels take";
  const std::string result = "!a result whose scale or zero point is not the function's";
  check_nodes({
      logistic(0x1p-27f, "s8[3] 0 0 0"),
      logistic(0x1p-28f, scale),
      // 1 / (1 + e) and e / (1 + e), of 256.
      logistic(1, "s8[3] -59 0 59"),
      // From 15 / 8 on kernels give the ends: here from 1, there from 0.
      logistic(4, "s8[3] -128 0 127"),
      logistic(8, "s8[3] -128 -128 127"),
      logistic(15.5f, "s8[3] -128 -128 127"),
      logistic(16, scale),
      unary("TANH", of_bytes({-2, 0, 2}, .5f), to8(3, 0x1p-7f), "s8[3] -97 0 97"),
      unary("LOGISTIC", of_bytes({1}, 1), to8(1, 0x1p-8f, -127), result),
      unary("LOGISTIC", of_bytes({1}, 1), to8(1, 0x1p-7f, -128), result),
      unary("TANH", of_bytes({1}, 1), to8(1, 0x1p-7f, 1), result),
      unary("TANH", of_bytes({1}, 1), to8(1, 0x1p-8f), result),
      unary("LOGISTIC", reals({0}), y({1}), "f32[1] 0.5"),
      unary("TANH", reals({0, 100}), y({2}), "f32[2] 0 1"),
      unary("TANH", given(kS32, {1}), gives(kS32, {1}), no_kernel + "(INT32) -> INT32"),
  });
}

TEST_CASE("TFLite's LOGISTIC and TANH of words take what 16-bit kernels take") {
  const std::string refused = "!a scale or zero point that 16-bit kernels do not take";
  const auto of = [](const std::string& op, float scale, const std::string& answer) {
    return unary(op, of_words({32767}, scale), to16(1, 0x1p-15f), answer);
  };
  check_nodes({
      // Half, and what of a half is left of 2^-14.
      of("LOGISTIC", 0x1p-29f, "s16[1] 16385"),
      of("LOGISTIC", 0x1p-30f, refused),
      of("LOGISTIC", 1e-12f, refused),
      of("LOGISTIC", 2, "s16[1] 32767"),
      of("LOGISTIC", 2.66f, "s16[1] 32767"),
      of("LOGISTIC", 2.67f, refused),
      of("LOGISTIC", 4, refused),
      of("TANH", 4, refused),
      unary("TANH", of_words({1}, 1, 1), to16(1, 0x1p-15f), refused),
      unary("TANH", of_words({1}, 1), to16(1, 0x1p-15f, 1), refused),
      unary("TANH", of_words({1}, 1), to16(1, 0x1p-14f), refused),
  });
}

TEST_CASE("TFLite's curves of words lie beside the functions, whatever the scale") {
  const std::vector<double> from = {-32768, -20000, -3000, -1, 0, 1, 700, 12000, 32767};
  for (const float scale : {0x1p-15f, 0x1p-13f, 0x1p-12f, 0x1p-11f, 0x1p-10f, 0x1p-8f, 1.4e-4f,
                            3.5e-4f, 4.9e-4f, .01f, 1.f})
    for (const bool is_tanh : {false, true}) {
      INFO("scale " << scale << ", tanh: " << is_tanh);
      const std::vector<double> found = numbers_of(
          unary(is_tanh ? "TANH" : "LOGISTIC", of_words(from, scale), to16(9, 0x1p-15f), ""));
      REQUIRE(found.size() == from.size());
      for (size_t i = 0; i < from.size(); ++i) {
        const double real = from[i] * static_cast<double>(scale);
        const double wanted = is_tanh ? std::tanh(real) : 1 / (1 + std::exp(-real));
        INFO("of " << from[i]);
        CHECK(std::abs(found[i] - std::min(wanted * 32768, 32767.0)) < 12);
      }
    }
}

TEST_CASE("TFLite's HARD_SWISH and ELU of bytes, for scales of each size") {
  const auto swish = [](const std::vector<double>& values, float scale, float to,
                        const std::string& answer) {
    const auto count = static_cast<int64_t>(values.size());
    return unary("HARD_SWISH", of_bytes(values, scale), to8(count, to), answer);
  };
  const std::string small = "!a result's scale so small that the kernel would overflow";
  check_nodes({
      // x (x + 3) / 6 between -3 and 3: 2 / 3 of 1, 7 / 24 of 1 / 2.
      unary("HARD_SWISH", reals({-4, -1.5, 1, 4}), y({4}), "f32[4] -0 -0.375 0.666667 4"),
      swish({100}, .01f, 0x1p-7f, "s8[1] 85"),
      swish({50, -75}, .02f, 0x1p-7f, "s8[2] 85 -48"),
      swish({100}, .005f, 0x1p-8f, "s8[1] 75"),
      swish({-100, -60, 80}, .05f, .05f, "s8[3] 0 0 80"),
      swish({0, 100, -100}, 1, 0x1p-7f, small),
      swish({0, 100, -100}, 1, 0x1.02p-7f, "s8[3] 0 127 0"),
      // Of 16 bits the kernel drops what is behind 63.99.
      swish({1, -1}, 256, 4, "s8[2] 63 0"),
      swish({1, -1}, 512, 8, small),
      unary("HARD_SWISH", of_words({1}, 1), to16(1, 1), no_kernel + "(INT16) -> INT16"),
      unary("ELU", reals({-1, 0, 2}), y({3}), "f32[3] -0.632121 0 2"),
      unary("ELU", of_bytes({-2, 0, 2}, .5f), to8(3, .25f, 1), "s8[3] -2 1 5"),
      unary("ELU", of_words({1}, 1), to16(1, 1), no_kernel + "(INT16) -> INT16"),
  });
}

}  // namespace
}  // namespace hlocc::tests
