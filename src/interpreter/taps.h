// Windows, one dimension at a time: which window positions of an output position fall on elements
// of the input. What falls on padding or into a dilation hole is left out.
#pragma once
#include <vector>

#include "hlo/attributes.h"

namespace hlocc::interpreter {

struct Tap {
  int64_t window, input;
};
// taps[o]: in window order.
using DimensionTaps = std::vector<std::vector<Tap>>;

inline DimensionTaps taps_of(const hlo::WindowDimension& w, int64_t input_extent,
                             int64_t output_extent) {
  DimensionTaps taps(static_cast<size_t>(output_extent));
  for (int64_t o = 0; o < output_extent; ++o) {
    const int64_t start = o * w.stride - w.padding_low;
    for (int64_t k = 0; k < w.size; ++k) {
      const int64_t dilated = start + k * w.window_dilation;
      if (dilated < 0 || dilated % w.base_dilation != 0) continue;
      const int64_t input = dilated / w.base_dilation;
      if (input < input_extent) taps[o].push_back({w.window_reversal ? w.size - 1 - k : k, input});
    }
  }
  return taps;
}

}  // namespace hlocc::interpreter
