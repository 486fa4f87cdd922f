// CONV_2D and DEPTHWISE_CONV_2D: one convolution, the bias, and what the kernel does with a sum.
#include "import/build/numbers.h"
#include "import/tflite/accumulate.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/windows.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

// What differs between the two ops.
struct Layer {
  Field padding, stride_w, stride_h, activation, dilation_w, dilation_h;
  bool is_depthwise = false;
};
using Plain = schema::Conv2DOptions;
using Depthwise = schema::DepthwiseConv2DOptions;
constexpr Layer plain_layer = {Plain::padding,    Plain::stride_w,   Plain::stride_h,
                               Plain::activation, Plain::dilation_w, Plain::dilation_h};
constexpr Layer depthwise_layer = {Depthwise::padding,
                                   Depthwise::stride_w,
                                   Depthwise::stride_h,
                                   Depthwise::activation,
                                   Depthwise::dilation_w,
                                   Depthwise::dilation_h,
                                   true};

// Rows, columns, inputs of a group, outputs: the order in which kernels lie in most programs.
InstructionId kernel_of(const Op& op, const Layer& layer) {
  const InstructionId w = op.value(1);
  if (!layer.is_depthwise) return op.b.transpose(w, {1, 2, 3, 0});
  const Dimensions sizes = op.b.sizes(w);
  return op.b.reshape(w, {sizes[1], sizes[2], 1, sizes[3]});
}

Status check_shapes(const Op& op, const Layer& layer) {
  HLOCC_TRY(op.require(2, 3));
  HLOCC_TRY(op.require_rank(0, 4));
  HLOCC_TRY(op.require_rank(1, 4));
  const Dimensions x = op.sizes(0), w = op.sizes(1);
  const int64_t channels = x[3];
  const bool fits = layer.is_depthwise ? w[0] == 1 && channels > 0 && w[3] % channels == 0
                                       : w[3] > 0 && channels % w[3] == 0 && channels > 0 &&
                                             w[0] % (channels / w[3]) == 0;
  if (!fits && !op.b.failure())
    return op.wrong(cat("weights of shape [", join(w, ","), "] on ", channels, " channels"));
  return {};
}

hlo::ConvolutionAttributes attributes_of(hlo::Window window, int64_t groups) {
  hlo::ConvolutionAttributes out;
  out.window = std::move(window);
  out.input_feature = out.output_feature = 3;
  out.input_spatial = out.output_spatial = {1, 2};
  out.kernel_spatial = {0, 1};
  out.kernel_input_feature = 2;
  out.kernel_output_feature = 3;
  out.feature_group_count = groups;
  return out;
}

Status convolve(const Op& op, const Layer& layer) {
  Builder& b = op.b;
  HLOCC_TRY(check_shapes(op, layer));
  const Dimensions x_sizes = op.sizes(0), w_sizes = op.sizes(1);
  const auto option = [&](Field field, int missing) {
    return op.options.number<int32_t>(field, missing);
  };
  const int padding = op.options.number<int8_t>(layer.padding);
  HLOCC_TRY_ASSIGN(auto rows, window_side(op,
                                          {x_sizes[1], w_sizes[1], option(layer.stride_h, 0),
                                           option(layer.dilation_h, 1)},
                                          padding));
  HLOCC_TRY_ASSIGN(auto columns, window_side(op,
                                             {x_sizes[2], w_sizes[2], option(layer.stride_w, 0),
                                              option(layer.dilation_w, 1)},
                                             padding));
  HLOCC_TRY_ASSIGN(const Accumulation sums, accumulation_of(op, layer.is_depthwise ? 3 : 0));
  const int64_t groups = layer.is_depthwise ? x_sizes[3] : x_sizes[3] / w_sizes[3];
  InstructionId x = sums.operand(op.value(0));
  // What lies beyond the border counts as zero: the zero point, where there is one.
  if (sums.pad_value() != 0) x = padded(b, x, sums.pad_value(), rows, columns);
  const InstructionId y = b.convolution(x, sums.weights(kernel_of(op, layer), 3),
                                        attributes_of({{rows, columns}}, groups), sums.type());
  return sums.finish(y, 3, op.options.number<int8_t>(layer.activation));
}

// One side of a transposed convolution: the map is spread by the stride, and the kernel walks over
// it backwards.
Result<hlo::WindowDimension> spread_side(const Op& op, int64_t in, int64_t kernel, int64_t stride,
                                         int64_t out, int padding) {
  HLOCC_TRY_ASSIGN(const auto forward, window_side(op, {out, kernel, stride}, padding));
  const int64_t spread = (in - 1) * stride + 1;
  hlo::WindowDimension side{.size = kernel, .base_dilation = stride};
  side.padding_low = kernel - 1 - forward.padding_low;
  side.padding_high = out + kernel - 1 - spread - side.padding_low;
  if (in < 1 || side.padding_high < -spread) return op.wrong("a result that does not fit");
  return side;
}

}  // namespace

Status conv_2d(const Op& op) { return convolve(op, plain_layer); }
Status depthwise_conv_2d(const Op& op) { return convolve(op, depthwise_layer); }

Status transpose_conv(const Op& op) {
  using Fields = schema::Conv2DOptions;
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 4));
  HLOCC_TRY(op.require_rank(1, 4));
  HLOCC_TRY(op.require_rank(2, 4));
  const Dimensions w = op.sizes(1), x = op.sizes(2), y = op.out().shape;
  if (b.failure()) return {};
  if (w[3] != x[3] || y.size() != 4 || y[3] != w[0]) return op.wrong("weights that do not fit");
  const auto option = [&](Field field) { return op.options.number<int32_t>(field); };
  const int padding = op.options.number<int8_t>(Fields::padding);
  HLOCC_TRY_ASSIGN(const auto rows,
                   spread_side(op, x[1], w[1], option(Fields::stride_h), y[1], padding));
  HLOCC_TRY_ASSIGN(const auto columns,
                   spread_side(op, x[2], w[2], option(Fields::stride_w), y[2], padding));
  HLOCC_TRY_ASSIGN(const Accumulation sums,
                   accumulation_of(op, 0, {.x = 2, .weights = 1, .bias = 3, .sums_all = false}));
  const InstructionId kernel = b.reverse(b.transpose(op.value(1), {1, 2, 3, 0}), {0, 1});
  const InstructionId out = b.convolution(sums.operand(op.value(2)), sums.weights(kernel, 3),
                                          attributes_of({{rows, columns}}, 1), sums.type());
  return sums.finish(out, 3, op.options.number<int8_t>(Fields::activation));
}

}  // namespace hlocc::import::tflite::ops
