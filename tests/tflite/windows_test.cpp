// Convolutions and pools of TensorFlow Lite: paddings, strides, dilations, groups, and what no
// window may be.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

constexpr int8_t kSamePadding = 0, kValidPadding = 1;

struct WindowOptions {
  int8_t padding = kValidPadding;
  int32_t stride_h = 1, stride_w = 1;
  int32_t filter_h = 1, filter_w = 1;      // of pools
  int32_t dilation_h = 1, dilation_w = 1;  // of convolutions
  int8_t activation = 0;
};

NodeRow pool(const std::string& op, const WindowOptions& o, const NodeTensor& from,
             const NodeTensor& to, const std::string& answer) {
  using Fields = schema::Pool2DOptions;
  return {op,
          {flat(Fields::padding, o.padding), flat(Fields::stride_w, o.stride_w),
           flat(Fields::stride_h, o.stride_h), flat(Fields::filter_w, o.filter_w),
           flat(Fields::filter_h, o.filter_h), flat(Fields::activation, o.activation)},
          {from},
          {to},
          answer};
}
template <typename Fields = schema::Conv2DOptions>
NodeRow layer(const std::string& op, const WindowOptions& o,
              const std::vector<NodeTensor>& operands, const NodeTensor& to,
              const std::string& answer) {
  return {op,
          {flat(Fields::padding, o.padding), flat(Fields::stride_w, o.stride_w),
           flat(Fields::stride_h, o.stride_h), flat(Fields::activation, o.activation),
           flat(Fields::dilation_w, o.dilation_w), flat(Fields::dilation_h, o.dilation_h)},
          operands,
          {to},
          answer};
}
NodeTensor real_kernel(const Dimensions& sizes, const std::vector<double>& values) {
  return {NodeTensor::kConstant, counted_literal(kF32, sizes, values)};
}

TEST_CASE("TFLite's pools of reals count what each window covers") {
  const NodeTensor a = x({1, 3, 3, 1});
  const WindowOptions same = {.padding = kSamePadding, .filter_h = 2, .filter_w = 2};
  const WindowOptions valid = {.filter_h = 2, .filter_w = 2};
  check_nodes({
      pool("AVERAGE_POOL_2D", same, a, y({1, 3, 3, 1}), "f32[1,3,3,1] 2 3 3.5 5 6 6.5 6.5 7.5 8"),
      pool("AVERAGE_POOL_2D", valid, a, y({1, 2, 2, 1}), "f32[1,2,2,1] 2 3 5 6"),
      pool("AVERAGE_POOL_2D", {.stride_w = 2, .filter_h = 3}, a, y({1, 1, 2, 1}),
           "f32[1,1,2,1] 3 5"),
      pool("AVERAGE_POOL_2D", {.filter_h = 3, .activation = 3}, a, y({1, 1, 3, 1}),
           "f32[1,1,3,1] 3 4 5"),
      pool("MAX_POOL_2D", valid, a, y({1, 2, 2, 1}), "f32[1,2,2,1] 4 5 7 8"),
      pool("MAX_POOL_2D", {.filter_h = 3, .activation = 3}, a, y({1, 1, 3, 1}),
           "f32[1,1,3,1] 6 6 6"),
      pool("MAX_POOL_2D", {.stride_h = 2, .stride_w = 2}, a, y({1, 2, 2, 1}),
           "f32[1,2,2,1] 0 2 6 8"),
      pool("L2_POOL_2D", {.filter_w = 2}, x({1, 1, 2, 1}, {1, 7}), y({1, 1, 1, 1}),
           "f32[1,1,1,1] 5"),
      pool("L2_POOL_2D", {}, given(kS8, {1, 1, 1, 1}, {}, 1), gives(kS8, {1, 1, 1, 1}, 1),
           no_kernel + "(INT8) -> INT8"),
      pool("AVERAGE_POOL_2D", valid, x({3, 3}), y({2, 2}),
           "!operand 0 (\"i0\") has 2 dimensions, not 4"),
      {"MAX_POOL_2D", {}, {}, {y({1})}, "!has 0 operands, or lacks one"},
  });
}

TEST_CASE("TFLite's pools of integers round halves away from zero") {
  const auto two = [](PrimitiveType type, std::vector<double> values, float scale = 1,
                      int64_t zero = 0) {
    return given(type, {1, 1, 2, 1}, std::move(values), scale, zero);
  };
  const auto to = [](PrimitiveType type, float scale = 1, int64_t zero = 0) {
    return gives(type, {1, 1, 1, 1}, scale, zero);
  };
  const WindowOptions both = {.filter_w = 2};
  const WindowOptions relu = {.filter_w = 2, .activation = 1},
                      relu6 = {.filter_w = 2, .activation = 3};
  check_nodes({
      pool("AVERAGE_POOL_2D", both, two(kS8, {1, 2}), to(kS8), "s8[1,1,1,1] 2"),
      pool("AVERAGE_POOL_2D", both, two(kS8, {-1, -2}), to(kS8), "s8[1,1,1,1] -2"),
      pool("AVERAGE_POOL_2D", both, two(kS16, {300, 601}), to(kS16), "s16[1,1,1,1] 451"),
      pool("AVERAGE_POOL_2D", both, two(kU8, {1, 2}, 1, 128), to(kU8, 1, 128), "u8[1,1,1,1] 2"),
      pool("AVERAGE_POOL_2D", relu, two(kS8, {-5, -7}, 1, -3), to(kS8, 1, -3), "s8[1,1,1,1] -3"),
      pool("MAX_POOL_2D", both, two(kS8, {-5, -7}), to(kS8), "s8[1,1,1,1] -5"),
      pool("MAX_POOL_2D", relu, two(kS8, {-5, -7}, 1, -3), to(kS8, 1, -3), "s8[1,1,1,1] -3"),
      pool("MAX_POOL_2D", relu6, two(kS16, {50, 70}, .5f), to(kS16, .5f), "s16[1,1,1,1] 12"),
      pool("MAX_POOL_2D", both, two(kS16, {50, 70}), to(kS16), "s16[1,1,1,1] 70"),
      pool("MAX_POOL_2D", both, two(kS8, {1, 2}), to(kS16), no_kernel + "(INT8) -> INT16"),
      pool("AVERAGE_POOL_2D", both, two(kS16, {1, 2}), to(kS8), no_kernel + "(INT16) -> INT8"),
      pool("MAX_POOL_2D", both, two(kS32, {1, 2}), to(kS32), no_kernel + "(INT32) -> INT32"),
      pool("AVERAGE_POOL_2D", both, two(kS32, {1, 2}), to(kS32), no_kernel + "(INT32) -> INT32"),
  });
}

TEST_CASE("TFLite's windows have sizes, steps and holes above 0 and below 2^24") {
  const NodeTensor a = x({1, 2, 2, 1}), to = y({1, 1, 1, 1}), w = real_kernel({1, 1, 1, 1}, {1});
  const auto refused = [&](const WindowOptions& o, const std::string& answer) {
    return pool("MAX_POOL_2D", o, a, to, answer);
  };
  const std::string over = " and dilation 1 over 2";
  check_nodes({
      refused({.filter_h = 0}, "!a window of 0 with stride 1" + over),
      refused({.filter_w = 0}, "!a window of 0 with stride 1" + over),
      refused({.filter_w = -1}, "!a window of -1 with stride 1" + over),
      refused({.stride_h = 0}, "!a window of 1 with stride 0" + over),
      refused({.stride_w = -1}, "!a window of 1 with stride -1" + over),
      refused({.stride_w = (1 << 24) + 1}, "!a window of 1 with stride 16777217" + over),
      refused({.stride_h = 1 << 24, .stride_w = 1 << 24}, "f32[1,1,1,1] 0"),
      refused({.filter_h = 3}, "!a window of 3 over 2 without padding"),
      refused({.filter_h = 2, .filter_w = 2}, "f32[1,1,1,1] 3"),
      refused({.padding = 2}, "!has padding 2"),
      refused({.padding = -1}, "!has padding -1"),
      pool("MAX_POOL_2D", {}, x({1, 0, 2, 1}), to,
           "!a window of 1 with stride 1 and dilation 1 over 0"),
      pool("MAX_POOL_2D", {}, x({1, 1, 1, 1}, {3}), to, "f32[1,1,1,1] 3"),
      pool("MAX_POOL_2D", {.padding = kSamePadding, .filter_h = 9}, x({1, 1, 1, 1}, {3}), to,
           "f32[1,1,1,1] 3"),
      layer("CONV_2D", {.dilation_h = 0}, {a, w}, to,
            "!a window of 1 with stride 1 and dilation 0 over 2"),
      layer("CONV_2D", {.dilation_w = -1}, {a, w}, to,
            "!a window of 1 with stride 1 and dilation -1 over 2"),
      layer("CONV_2D", {.dilation_w = (1 << 24) + 1}, {a, w}, to,
            "!a window of 1 with stride 1 and dilation 16777217 over 2"),
      layer("CONV_2D", {.dilation_w = 1 << 24}, {a, w}, y({1, 2, 2, 1}), "f32[1,2,2,1] 0 1 2 3"),
      layer("CONV_2D", {.stride_w = 1 << 24}, {x({1, 1, 2, 1}, {5}), w}, to, "f32[1,1,1,1] 5"),
  });
}

TEST_CASE("TFLite's convolutions: paddings, strides, holes, groups") {
  const NodeTensor a = x({1, 3, 3, 1}), w = real_kernel({1, 2, 2, 1}, {1, 2, 3, 4});
  const NodeTensor channels = x({1, 1, 1, 4}, {1, 2, 3, 4});
  const auto depthwise = [&](const WindowOptions& o, const std::vector<NodeTensor>& operands,
                             const NodeTensor& to, const std::string& answer) {
    return layer<schema::DepthwiseConv2DOptions>("DEPTHWISE_CONV_2D", o, operands, to, answer);
  };
  const NodeTensor four = y({1, 1, 1, 4});
  check_nodes({
      layer("CONV_2D", {}, {a, w}, y({1, 2, 2, 1}), "f32[1,2,2,1] 27 37 57 67"),
      layer("CONV_2D", {.padding = kSamePadding}, {a, w}, y({1, 3, 3, 1}),
            "f32[1,3,3,1] 27 37 17 57 67 29 20 23 8"),
      layer("CONV_2D", {.padding = kSamePadding, .stride_h = 2, .stride_w = 2}, {a, w},
            y({1, 2, 2, 1}), "f32[1,2,2,1] 27 17 20 8"),
      layer("CONV_2D", {.dilation_h = 2, .dilation_w = 2}, {a, w}, y({1, 1, 1, 1}),
            "f32[1,1,1,1] 54"),
      layer("CONV_2D", {.activation = 3}, {a, w, constant(kF32, {1}, {-30})}, y({1, 2, 2, 1}),
            "f32[1,2,2,1] 0 6 6 6"),
      // Two groups of two channels.
      layer("CONV_2D", {}, {channels, real_kernel({2, 1, 1, 2}, {1, 1, 1, 2})}, y({1, 1, 1, 2}),
            "f32[1,1,1,2] 3 11"),
      layer("CONV_2D", {}, {channels, real_kernel({3, 1, 1, 2}, {})}, y({1, 1, 1, 3}),
            "!weights of shape [3,1,1,2] on 4 channels"),
      layer("CONV_2D", {}, {channels, real_kernel({1, 1, 1, 3}, {})}, y({1, 1, 1, 1}),
            "!weights of shape [1,1,1,3] on 4 channels"),
      layer("CONV_2D", {}, {x({1, 3, 3, 0}), real_kernel({1, 1, 1, 1}, {1})}, y({1, 3, 3, 1}),
            "!weights of shape [1,1,1,1] on 0 channels"),
      layer("CONV_2D", {}, {channels, n({1})}, four, "!operand 1 (\"i1\") has 1 dimensions, not 4"),
      depthwise({}, {channels, real_kernel({1, 1, 1, 4}, {1, 2, 3, 4})}, four,
                "f32[1,1,1,4] 1 4 9 16"),
      depthwise({}, {x({1, 1, 1, 2}, {3, 5}), real_kernel({1, 1, 1, 4}, {1, 2, 3, 4})}, four,
                "f32[1,1,1,4] 3 6 15 20"),
      depthwise({}, {channels, real_kernel({2, 1, 1, 4}, {})}, four,
                "!weights of shape [2,1,1,4] on 4 channels"),
      depthwise({}, {channels, real_kernel({1, 1, 1, 6}, {})}, y({1, 1, 1, 6}),
                "!weights of shape [1,1,1,6] on 4 channels"),
  });
}

TEST_CASE("TFLite's quantised convolutions pad with zero points, by channel or not") {
  const auto q = [](const Dimensions& sizes, std::vector<double> values, int64_t zero) {
    return given(kS8, sizes, std::move(values), 1, zero);
  };
  const NodeTensor w = scaled(constant(kS8, {1, 1, 3, 1}, {1, 2, 3}), 1);
  const NodeTensor w2 = constant(kS8, {1, 1, 1, 2}, {3, 5});
  const auto depthwise = [&](const NodeTensor& kernel, const std::string& answer) {
    return layer<schema::DepthwiseConv2DOptions>("DEPTHWISE_CONV_2D", {},
                                                 {q({1, 1, 1, 2}, {4, 7}, 1), kernel},
                                                 gives(kS8, {1, 1, 1, 2}, 1), answer);
  };
  const NodeTensor to = gives(kS8, {1, 1, 3, 1}, 1, -1);
  check_nodes({
      // 1, 2, 3 less the zero point: 0, 1, 2.
      layer("CONV_2D", {.padding = kSamePadding}, {q({1, 1, 3, 1}, {1, 2, 3}, 1), w}, to,
            "s8[1,1,3,1] 2 7 4"),
      layer("CONV_2D", {.padding = kSamePadding}, {q({1, 1, 3, 1}, {0, 1, 2}, 0), w}, to,
            "s8[1,1,3,1] 2 7 4"),
      depthwise(scaled(w2, 1), "s8[1,1,1,2] 9 30"),
      depthwise(by_channel(w2, {1, .5f}, 3), "s8[1,1,1,2] 9 15"),
      depthwise(by_channel(constant(kS8, {1, 1, 1, 2}, {3, 5}), {1}, 3), "s8[1,1,1,2] 9 30"),
      layer("CONV_2D", {}, {x({1, 1, 1, 1}, {3}), scaled(constant(kS8, {1, 1, 1, 1}, {2}), .5f)},
            y({1, 1, 1, 1}), "f32[1,1,1,1] 3"),
  });
}

TEST_CASE("TFLite's TRANSPOSE_CONV spreads its operand") {
  const auto spread = [](const WindowOptions& o, const NodeTensor& w, const NodeTensor& from,
                         const NodeTensor& to, const std::string& answer) {
    return layer("TRANSPOSE_CONV", o, {n({1, 1, 1, 1}), w, from}, to, answer);
  };
  const NodeTensor w = real_kernel({1, 1, 2, 1}, {1, 10}), two = x({1, 1, 2, 1}, {1, 2});
  const NodeTensor wq = scaled(constant(kS8, {1, 1, 2, 1}, {1, 10}), 1);
  const auto q = [](int64_t zero) {
    return given(kS8, {1, 1, 2, 1},
                 {1. + static_cast<double>(zero), 2. + static_cast<double>(zero)}, 1, zero);
  };
  const std::string weights = "!weights that do not fit";
  check_nodes({
      spread({}, w, two, y({1, 1, 3, 1}), "f32[1,1,3,1] 1 12 20"),
      spread({.stride_w = 2}, w, two, y({1, 1, 4, 1}), "f32[1,1,4,1] 1 10 2 20"),
      spread({.padding = kSamePadding}, w, two, y({1, 1, 2, 1}), "f32[1,1,2,1] 1 12"),
      spread({}, w, x({1, 1, 1, 1}, {3}), y({1, 1, 2, 1}), "f32[1,1,2,1] 3 30"),
      spread({}, w, x({1, 1, 0, 1}), y({1, 1, 2, 1}), "!a result that does not fit"),
      spread({}, w, x({1, 1, 2, 3}), y({1, 1, 3, 1}), weights),
      spread({}, w, two, y({1, 1, 3}), weights),
      spread({}, w, two, y({1, 1, 3, 2}), weights),
      spread({}, w, two, y({1, 1, 3, 1, 1}), weights),
      spread({}, wq, q(0), gives(kS8, {1, 1, 3, 1}, 1), "s8[1,1,3,1] 1 12 20"),
      spread({}, wq, q(3), gives(kS8, {1, 1, 3, 1}, 1), "s8[1,1,3,1] 1 12 20"),
      layer("TRANSPOSE_CONV", {}, {n({1}), w, two, constant(kF32, {1}, {.5})}, y({1, 1, 3, 1}),
            "f32[1,1,3,1] 1.5 12.5 20.5"),
  });
}

}  // namespace
}  // namespace hlocc::tests
