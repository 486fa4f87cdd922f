// See seen_weights.h. A cut leaves a range of taps in each dimension.
#include "transforms/channels/seen_weights.h"

#include <algorithm>
#include <set>

#include "hlo/along.h"

namespace hlocc::transforms {
namespace {

using Taps = ImageRange;

// The ranges of taps that some output's window has in the image, in the spatial dimension d.
std::set<Taps> seen_taps(const SeenImage& of, size_t d) {
  const hlo::WindowDimension& window = of.convolution.window.dimensions[d];
  const auto outputs = of.output[static_cast<size_t>(of.convolution.output_spatial[d])];
  std::set<Taps> seen;
  for (int64_t at = 0; at < outputs; ++at) {
    Taps taps{window.size, 0};
    for (int64_t tap = 0; tap < window.size; ++tap) {
      const int64_t place = at * window.stride + tap * window.window_dilation - window.padding_low;
      if (place < of.image[d].begin || place >= of.image[d].end) continue;
      const int64_t weight = window.window_reversal ? window.size - 1 - tap : tap;
      taps = {std::min(taps.begin, weight), std::max(taps.end, weight + 1)};
    }
    seen.insert(taps.end == 0 ? Taps{0, 0} : taps);
  }
  return seen;
}

std::vector<int64_t> sums_of(const SeenImage& of, const std::vector<Taps>& cut) {
  const hlo::Dimensions& sizes = of.weights.shape().dimensions;
  const hlo::Along features(sizes, of.convolution.kernel_output_feature);
  std::vector<hlo::Along> spatial;
  for (const int64_t d : of.convolution.kernel_spatial) spatial.emplace_back(sizes, d);
  std::vector<int64_t> sums(static_cast<size_t>(features.places));
  for (int64_t at = 0; at < of.weights.element_count(); ++at) {
    bool is_seen = true;
    for (size_t d = 0; d < cut.size(); ++d) {
      const int64_t tap = spatial[d].place(at);
      is_seen = is_seen && tap >= cut[d].begin && tap < cut[d].end;
    }
    if (is_seen) sums[static_cast<size_t>(features.place(at))] += hlo::integer_at(of.weights, at);
  }
  return sums;
}

}  // namespace

std::vector<std::vector<int64_t>> seen_weights(const SeenImage& of) {
  std::vector<std::vector<Taps>> cuts{{}};
  for (size_t d = 0; d < of.image.size(); ++d) {
    std::vector<std::vector<Taps>> more;
    for (const std::vector<Taps>& cut : cuts)
      for (const Taps& taps : seen_taps(of, d)) {
        more.push_back(cut);
        more.back().push_back(taps);
      }
    cuts = std::move(more);
  }
  std::vector<std::vector<int64_t>> sums;
  for (const std::vector<Taps>& cut : cuts) sums.push_back(sums_of(of, cut));
  return sums;
}

}  // namespace hlocc::transforms
