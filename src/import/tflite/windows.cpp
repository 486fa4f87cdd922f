// See windows.h. SAME puts the smaller half of the padding in front.
#include "import/tflite/windows.h"

#include <algorithm>

#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::import::tflite {

namespace {

// Sizes, strides and dilations; products of two stay far from overflow.
constexpr int64_t kMostWindow = 1 << 24;

}  // namespace

Result<hlo::WindowDimension> window_side(const Op& op, const WindowSide& side, int padding) {
  const int64_t greatest = std::max({side.size, side.stride, side.dilation});
  if (side.size < 1 || side.stride < 1 || side.dilation < 1 || side.in < 1 ||
      greatest > kMostWindow)
    return op.wrong(cat("a window of ", side.size, " with stride ", side.stride, " and dilation ",
                        side.dilation, " over ", side.in));
  if (padding != kSame && padding != kValid) return op.wrong(cat("has padding ", padding));
  const int64_t reach = (side.size - 1) * side.dilation + 1;
  hlo::WindowDimension out{
      .size = side.size, .stride = side.stride, .window_dilation = side.dilation};
  if (padding == kSame) {
    const int64_t results = ceil_div(side.in, side.stride);
    const int64_t total = std::max<int64_t>((results - 1) * side.stride + reach - side.in, 0);
    out.padding_low = total / 2;
    out.padding_high = total - total / 2;
  } else if (reach > side.in) {
    return op.wrong(cat("a window of ", reach, " over ", side.in, " without padding"));
  }
  return out;
}

InstructionId padded(Builder& b, InstructionId x, double value, hlo::WindowDimension& rows,
                     hlo::WindowDimension& columns) {
  const auto take = [](hlo::WindowDimension& side) {
    const hlo::PaddingDimension out{side.padding_low, side.padding_high, 0};
    side.padding_low = side.padding_high = 0;
    return out;
  };
  const hlo::PaddingDimension top = take(rows), left = take(columns);
  return b.pad(x, b.number(b.type(x), value), {{}, top, left, {}});
}

}  // namespace hlocc::import::tflite
