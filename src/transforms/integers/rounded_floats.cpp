// See rounded_floats.h.
#include "transforms/integers/rounded_floats.h"

#include <cmath>

namespace hlocc::transforms {
namespace {

bool agrees(const StepFunction& function, float scale, const Requantization& floats, float most) {
  return scale >= 0 && equals(function, [&](int64_t x) -> std::optional<int64_t> {
           const float whole = std::nearbyint(static_cast<float>(x) * scale);
           if (!(std::abs(whole) < most)) return std::nullopt;
           return std::clamp(static_cast<int64_t>(whole) + floats.offsets[0], floats.low,
                             floats.high);
         });
}

}  // namespace

std::optional<Requantization> fit_rounded_floats(const std::vector<ChannelFit>& channels,
                                                 float most) {
  if (channels.empty()) return std::nullopt;
  const auto [low, high] = outputs_of(channels);
  Requantization floats{.low = low, .high = high};
  // Rounding counts as half a step of the line.
  floats.offsets = {static_cast<int64_t>(std::floor(channels[0].line.intercept))};
  for (const ChannelFit& c : channels) {
    floats.scales.push_back(static_cast<float>(c.line.slope));
    if (!agrees(c.function, floats.scales.back(), floats, most)) return std::nullopt;
  }
  return floats;
}

}  // namespace hlocc::transforms
