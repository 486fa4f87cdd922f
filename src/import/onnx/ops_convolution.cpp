// Conv and ConvTranspose.
#include "import/onnx/convolution.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx {

// x: batch, channels, spatial; w: output channels, input channels of a group, spatial.
Result<InstructionId> convolved(const Op& op, InstructionId x, InstructionId w,
                                PrimitiveType type) {
  Builder& b = op.b;
  const Dimensions xs = b.sizes(x), ws = b.sizes(w);
  const int64_t groups = op.integer("group", 1);
  if (ws.size() < 3 || xs.size() != ws.size())
    return op.wrong(cat("weights ", b.shape(w), " for ", b.shape(x)));
  const Dimensions kernel(ws.begin() + 2, ws.end());
  if (op.has_attribute("kernel_shape") && op.integers("kernel_shape") != kernel)
    return op.wrong(cat("kernel_shape is not that of the weights, ", b.shape(w)));
  if (groups < 1 || xs[1] % groups != 0 || xs[1] / groups != ws[1] || ws[0] % groups != 0)
    return op.wrong(cat(groups, " groups of ", xs[1], " channels by weights ", b.shape(w)));
  HLOCC_TRY_ASSIGN(const Windows windows, windows_of(op, xs, kernel, false));
  return b.convolution(x, w, convolution_of(windows.sides, groups), type);
}

hlo::ConvolutionAttributes convolution_of(const std::vector<hlo::WindowDimension>& sides,
                                          int64_t groups) {
  hlo::ConvolutionAttributes how;
  how.window.dimensions = sides;
  how.input_feature = how.output_feature = how.kernel_input_feature = 1;
  how.feature_group_count = groups;
  for (size_t i = 0; i < sides.size(); ++i)
    how.input_spatial.push_back(static_cast<int64_t>(i) + 2);
  how.kernel_spatial = how.output_spatial = how.input_spatial;
  return how;
}

InstructionId with_bias(const Op& op, InstructionId y, int operand) {
  if (!op.has(operand)) return y;
  return op.b.binary(Opcode::kAdd, y, op.b.broadcast(op.value(operand), op.b.sizes(y), {1}));
}

namespace ops {
namespace {

// How far the result of a transposed convolution is cut in front of a side and behind it.
struct Cuts {
  int64_t low = 0, high = 0;
};

Result<std::vector<Cuts>> cuts_of(const Op& op, const Windows& w, const Dimensions& x,
                                  const Dimensions& more) {
  HLOCC_TRY_ASSIGN(const std::string how, auto_pad(op));
  const bool is_same = how == "SAME_UPPER" || how == "SAME_LOWER";
  const size_t count = w.sides.size();
  HLOCC_TRY_ASSIGN(const Dimensions pads, side_numbers(op, "pads", 2 * count, 0));
  const Dimensions wanted = op.integers("output_shape");
  std::vector<Cuts> out;
  if (!wanted.empty() && wanted.size() != count && wanted.size() != count + 2)
    return op.wrong("output_shape has another number of sizes");
  for (size_t i = 0; i < count; ++i) {
    const hlo::WindowDimension& side = w.sides[i];
    if (wanted.empty() && !is_same) {
      out.push_back(how == "VALID" ? Cuts{} : Cuts{pads[i], pads[count + i]});
      continue;
    }
    const int64_t size =
        wanted.empty() ? x[i + 2] * side.stride : wanted[wanted.size() - count + i];
    if (size < 0 || size > INT32_MAX) return op.wrong(cat("a result of ", size));
    const int64_t total =
        side.stride * (x[i + 2] - 1) + more[i] + (side.size - 1) * side.window_dilation + 1 - size;
    // What is wanted beyond the windows is zeros behind them.
    if (total < 0) {
      out.push_back({0, total});
      continue;
    }
    const int64_t half = total / 2;
    out.push_back(how == "SAME_UPPER" ? Cuts{half, total - half} : Cuts{total - half, half});
  }
  return out;
}

// Weights as a convolution has them: [input channels of a group, output channels, spatial].
InstructionId regrouped(Builder& b, InstructionId w, int64_t groups) {
  Dimensions sizes = b.sizes(w);
  if (groups == 1) return w;
  const auto rank = static_cast<int64_t>(sizes.size());
  Dimensions parts = sizes, permutation = counting(rank + 1);
  parts[0] /= groups;
  parts.insert(parts.begin(), groups);
  std::swap(permutation[0], permutation[1]);
  sizes[0] /= groups;
  sizes[1] *= groups;
  return b.reshape(b.transpose(b.reshape(w, parts), permutation), sizes);
}

// The window of the operand as it is read: without padding, which is cut from the result.
Result<Windows> windows_without_pads(const Op& op, const Dimensions& kernel) {
  Windows out;
  HLOCC_TRY_ASSIGN(const Dimensions strides, side_numbers(op, "strides", kernel.size(), 1));
  HLOCC_TRY_ASSIGN(const Dimensions dilations, side_numbers(op, "dilations", kernel.size(), 1));
  for (size_t i = 0; i < kernel.size(); ++i) {
    out.sides.push_back({.size = kernel[i], .stride = strides[i], .window_dilation = dilations[i]});
    const hlo::WindowDimension& side = out.sides.back();
    if (side.size < 1 || side.stride < 1 || side.window_dilation < 1 || side.size > INT16_MAX ||
        side.stride > INT16_MAX || side.window_dilation > INT16_MAX)
      return op.wrong(cat("a window of ", side.size, " with stride ", side.stride, " and dilation ",
                          side.window_dilation));
  }
  return out;
}

}  // namespace

Status conv(const Op& op) {
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const InstructionId y, convolved(op, op.value(0), op.value(1), op.type(0)));
  return op.set(with_bias(op, y, 2));
}

Status conv_transpose(const Op& op) {
  Builder& b = op.b;
  const Dimensions xs = op.sizes(0), ws = op.sizes(1);
  const int64_t groups = op.integer("group", 1);
  if (op.type(0) != op.type(1)) return op.unsupported_types();
  if (ws.size() < 3 || xs.size() != ws.size() || groups < 1 || xs[1] != ws[0] ||
      ws[0] % groups != 0)
    return op.wrong(
        cat(groups, " groups of weights ", b.shape(op.value(1)), " for ", b.shape(op.value(0))));
  const Dimensions kernel(ws.begin() + 2, ws.end());
  if (op.has_attribute("kernel_shape") && op.integers("kernel_shape") != kernel)
    return op.wrong("kernel_shape is not that of the weights");
  HLOCC_TRY_ASSIGN(Windows windows, windows_without_pads(op, kernel));
  HLOCC_TRY_ASSIGN(const Dimensions more, side_numbers(op, "output_padding", kernel.size(), 0));
  HLOCC_TRY_ASSIGN(const std::vector<Cuts> cuts, cuts_of(op, windows, xs, more));
  for (size_t i = 0; i < kernel.size(); ++i) {
    hlo::WindowDimension& side = windows.sides[i];
    const int64_t reach = (side.size - 1) * side.window_dilation;
    side.base_dilation = side.stride;
    side.stride = 1;
    side.window_reversal = true;
    side.padding_low = reach - cuts[i].low;
    side.padding_high = reach - cuts[i].high + more[i];
  }
  hlo::ConvolutionAttributes how = convolution_of(windows.sides, groups);
  how.kernel_input_feature = 0;
  how.kernel_output_feature = 1;
  const InstructionId y =
      b.convolution(op.value(0), regrouped(b, op.value(1), groups), std::move(how), op.type(0));
  return op.set(with_bias(op, y, 2));
}

}  // namespace ops
}  // namespace hlocc::import::onnx
