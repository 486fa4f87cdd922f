// See windows.h.
#include "import/onnx/windows.h"

#include <algorithm>

#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

// How many windows there are with this padding, and what they reach beyond it.
void round_up(hlo::WindowDimension& side, int64_t in, int64_t& beyond) {
  const int64_t reach = (side.size - 1) * side.window_dilation + 1;
  const int64_t padded = in + side.padding_low + side.padding_high;
  int64_t count = ceil_div(padded - reach, side.stride) + 1;
  // A window that would begin behind the operand is none.
  if ((count - 1) * side.stride >= in + side.padding_low) --count;
  const int64_t missing = (count - 1) * side.stride + reach - padded;
  beyond = std::max<int64_t>(missing, 0);
  // A window that is none may fit into the padding: so much less.
  side.padding_high += missing > -side.stride ? beyond : missing;
}

}  // namespace

Result<Dimensions> side_numbers(const Op& op, const char* name, size_t count, int64_t missing) {
  Dimensions out = op.integers(name);
  if (out.empty()) out.assign(count, missing);
  if (out.size() != count) return op.wrong(cat(name, " has ", out.size(), " numbers for ", count));
  for (const int64_t one : out)
    if (one > kMostWindow || one < -kMostWindow) return op.wrong(cat(name, " has ", one));
  return out;
}

Result<std::string> auto_pad(const Op& op) {
  std::string how = op.text("auto_pad", "NOTSET");
  for (const char* known : {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"})
    if (how == known) return how;
  return op.wrong(cat("auto_pad is ", how));
}

Result<Dimensions> kernel_shape(const Op& op, const Dimensions& x) {
  if (x.size() < 3) return op.wrong("the operand has no spatial dimension");
  if (!op.has_attribute("kernel_shape")) return op.wrong("kernel_shape is missing");
  return side_numbers(op, "kernel_shape", x.size() - 2, 1);
}

Result<Windows> windows_of(const Op& op, const Dimensions& x, const Dimensions& sizes, bool ceil) {
  const size_t count = sizes.size();
  if (x.size() != count + 2)
    return op.wrong(cat("windows of ", count, " sizes over ", x.size() - 2));
  HLOCC_TRY_ASSIGN(const std::string how, auto_pad(op));
  HLOCC_TRY_ASSIGN(const Dimensions strides, side_numbers(op, "strides", count, 1));
  HLOCC_TRY_ASSIGN(const Dimensions dilations, side_numbers(op, "dilations", count, 1));
  HLOCC_TRY_ASSIGN(const Dimensions pads, side_numbers(op, "pads", 2 * count, 0));
  const bool is_same = how == "SAME_UPPER" || how == "SAME_LOWER";
  Windows out;
  for (size_t i = 0; i < count; ++i) {
    const int64_t in = x[i + 2];
    hlo::WindowDimension side{
        .size = sizes[i], .stride = strides[i], .window_dilation = dilations[i]};
    if (side.size < 1 || side.stride < 1 || side.window_dilation < 1 || in < 1 ||
        side.size > kMostWindow)
      return op.wrong(cat("a window of ", side.size, " with stride ", side.stride, " and dilation ",
                          side.window_dilation, " over ", in));
    const int64_t reach = (side.size - 1) * side.window_dilation + 1;
    if (is_same) {
      const int64_t total =
          std::max<int64_t>((ceil_div(in, side.stride) - 1) * side.stride + reach - in, 0);
      side.padding_low = how == "SAME_UPPER" ? total / 2 : total - total / 2;
      side.padding_high = total - side.padding_low;
    } else if (how == "NOTSET") {
      side.padding_low = pads[i];
      side.padding_high = pads[count + i];
    }
    out.beyond.push_back(0);
    if (in + side.padding_low + side.padding_high < reach)
      return op.wrong(cat("a window of ", reach, " over ", in, " with pads ", side.padding_low,
                          " and ", side.padding_high));
    if (ceil) round_up(side, in, out.beyond.back());
    out.sides.push_back(side);
  }
  return out;
}

hlo::Window whole_window(const Windows& windows) {
  hlo::Window out;
  out.dimensions.resize(2);
  out.dimensions.insert(out.dimensions.end(), windows.sides.begin(), windows.sides.end());
  return out;
}

}  // namespace hlocc::import::onnx
