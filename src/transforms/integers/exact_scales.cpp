// Scales that need no corrections (fixed_point.h): those that are a few bits, as of average pools
// over 4 or 64 numbers, whose product is exact, and so are its ties; and floats where the model
// computed in floats, an accumulator times a scale, to the nearest even integer, plus a number.
// Vector units that convert so in one instruction take no more for it than for a fixed-point
// number, others no more than for one with two corrections.
#include <algorithm>
#include <cmath>

#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {
namespace {

constexpr int kMostBits = 20;
constexpr double kLargest = 1 << 30;

bool agrees(const StepFunction& function, int64_t factor, int64_t offset,
            const Requantization& fixed) {
  return equals(function, [&](int64_t x) {
    const int64_t number = rounded_shift(x * factor + offset, fixed.shift, fixed.rounding);
    return std::clamp(number, fixed.low, fixed.high);
  });
}

// The number in units of 2^-shift; none if it is no integer, or a large one.
std::optional<int64_t> whole(double number, int shift) {
  const double scaled = std::ldexp(number, shift);
  if (scaled != std::floor(scaled) || std::abs(scaled) > kLargest) return std::nullopt;
  return static_cast<int64_t>(scaled);
}

// Factors and offsets of all channels.
bool fill(const std::vector<ChannelFit>& channels, Requantization& fixed) {
  for (const ChannelFit& c : channels) {
    const std::optional<int64_t> factor = whole(c.line.slope, fixed.shift),
                                 offset = whole(c.line.intercept - 0.5, fixed.shift);
    if (!factor || !offset) return false;
    const double most = static_cast<double>(std::max(std::abs(c.function.low), c.function.high));
    if (most * static_cast<double>(*factor) + static_cast<double>(std::abs(*offset)) > kLargest)
      return false;
    fixed.factors[0].push_back(*factor);
    fixed.offsets.push_back(*offset);
  }
  return true;
}

bool agrees(const StepFunction& function, float scale, const Requantization& floats, float most) {
  return equals(function, [&](int64_t x) -> std::optional<int64_t> {
    const float whole = std::nearbyint(static_cast<float>(x) * scale);
    if (!(std::abs(whole) < most)) return std::nullopt;
    return std::clamp(static_cast<int64_t>(whole) + floats.offsets[0], floats.low, floats.high);
  });
}

}  // namespace

std::optional<Requantization> fit_ties(const std::vector<ChannelFit>& channels) {
  if (channels.empty()) return std::nullopt;
  for (int shift = 1; shift <= kMostBits; ++shift) {
    const auto [low, high] = outputs_of(channels);
    Requantization fixed{
        .form{.pieces = 1}, .factors{{}}, .shift = shift, .low = low, .high = high};
    if (!fill(channels, fixed)) continue;
    for (const Rounding rounding : costs::kTieRoundings) {
      fixed.rounding = rounding;
      bool all = true;
      for (size_t n = 0; n < channels.size() && all; ++n)
        all = agrees(channels[n].function, fixed.factors[0][n], fixed.offsets[n], fixed);
      if (all) return fixed;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

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
