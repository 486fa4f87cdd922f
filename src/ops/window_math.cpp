// The formulas of windows, as XLA states them.
#include "ops/window_math.h"

#include <algorithm>

#include "support/checked_math.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {

std::optional<int64_t> sum(std::optional<int64_t> a, int64_t b) {
  return a ? checked_add(*a, b) : std::nullopt;
}

}  // namespace

std::optional<int64_t> dilated_size(int64_t n, int64_t dilation) {
  if (n <= 0) return 0;
  const std::optional<int64_t> span = checked_multiply(n - 1, dilation);
  return sum(span, 1);
}

std::optional<int64_t> padded_size(int64_t n, const hlo::PaddingDimension& padding) {
  const std::optional<int64_t> step = checked_add(padding.interior, 1);
  if (!step) return std::nullopt;
  return sum(sum(dilated_size(n, *step), padding.low), padding.high);
}

std::optional<int64_t> padded_base_size(int64_t n, const hlo::WindowDimension& window) {
  return sum(sum(dilated_size(n, window.base_dilation), window.padding_low), window.padding_high);
}

Result<int64_t> window_output_size(int64_t n, const hlo::WindowDimension& window) {
  const std::pair<const char*, int64_t> positive[] = {{"size", window.size},
                                                      {"stride", window.stride},
                                                      {"window dilation", window.window_dilation},
                                                      {"base dilation", window.base_dilation}};
  for (const auto& [name, value] : positive)
    if (value < 1)
      return error(DiagnosticKind::kAttribute,
                   cat("the window's ", name, " is ", value, " and must be at least 1"));
  const std::optional<int64_t> base = padded_base_size(n, window);
  const std::optional<int64_t> reach = dilated_size(window.size, window.window_dilation);
  if (!base || !reach)
    return error(DiagnosticKind::kLimit, "the padded or dilated size exceeds 64 bits");
  if (*base < *reach) return int64_t{0};
  return (*base - *reach) / window.stride + 1;
}

std::optional<hlo::Window> window_with_pad(const hlo::ConvolutionAttributes& a,
                                           const hlo::PadAttributes& pad) {
  const hlo::PaddingDimension none;
  if (pad.dimensions[a.input_batch] != none || pad.dimensions[a.input_feature] != none)
    return std::nullopt;
  hlo::Window window = a.window;
  for (size_t i = 0; i < a.input_spatial.size(); ++i) {
    const hlo::PaddingDimension& d = pad.dimensions[a.input_spatial[i]];
    if (d == none) continue;
    hlo::WindowDimension& w = window.dimensions[i];
    // Padded first, dilated after: the dilation would go between the padded zeros too, which is
    // padding all the same, but counts in other steps.
    if (w.base_dilation != 1 || (d.interior > 0 && (d.low < 0 || d.high < 0))) return std::nullopt;
    w.base_dilation = d.interior + 1;
    w.padding_low += d.low;
    w.padding_high += d.high;
  }
  return window;
}

bool is_trivial(const hlo::WindowDimension& w) {
  return w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0 &&
         w.base_dilation == 1;
}

std::pair<int64_t, int64_t> windows_inside(const hlo::WindowDimension& w, int64_t input,
                                           int64_t output) {
  const int64_t room = input - 1 + w.padding_low - (w.size - 1) * w.window_dilation;
  const int64_t first = std::clamp<int64_t>(ceil_div(w.padding_low, w.stride), 0, output);
  return {first, std::clamp<int64_t>(floor_div(room, w.stride) + 1, first, output)};
}

}  // namespace hlocc::ops
