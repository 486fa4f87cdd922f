// See rounded_floats.h. Both sides only rise, so that they are equal everywhere if they are on both
// sides of every threshold and at the ends.
#include "transforms/integers/rounded_floats.h"

#include <algorithm>
#include <cmath>

namespace hlocc::transforms {
namespace {

std::optional<int64_t> rounded(int64_t x, float scale, float most) {
  const float product = std::nearbyint(static_cast<float>(x) * scale);
  if (!(std::abs(product) < most)) return std::nullopt;
  return static_cast<int64_t>(product);
}

bool agrees(const StepFunction& function, float scale, const RoundedFloats& floats, float most) {
  const auto gives = [&](int64_t x, int64_t value) {
    const std::optional<int64_t> whole = rounded(x, scale, most);
    return whole && std::clamp(*whole + floats.offset, floats.low, floats.high) == value;
  };
  return scale >= 0 && gives(function.low, function.first) && gives(function.high, function.last) &&
         std::ranges::all_of(function.steps, [&](const StepFunction::Step& step) {
           return gives(step.at - 1, step.before) && gives(step.at, step.after);
         });
}

}  // namespace

std::optional<RoundedFloats> fit_rounded_floats(const std::vector<ChannelFit>& channels,
                                                float most) {
  if (channels.empty()) return std::nullopt;
  RoundedFloats floats;
  // Rounding counts as half a step of the line.
  floats.offset = static_cast<int64_t>(std::floor(channels[0].line.intercept));
  floats.low = channels[0].function.first;
  floats.high = channels[0].function.last;
  for (const ChannelFit& c : channels) {
    floats.low = std::min(floats.low, c.function.first);
    floats.high = std::max(floats.high, c.function.last);
  }
  for (const ChannelFit& c : channels) {
    floats.scales.push_back(static_cast<float>(c.line.slope));
    if (!agrees(c.function, floats.scales.back(), floats, most)) return std::nullopt;
  }
  return floats;
}

}  // namespace hlocc::transforms
