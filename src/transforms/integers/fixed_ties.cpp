// Scales that are a few bits, as of average pools over 4 or 64 numbers: the product is exact, and
// so are its ties.
#include "transforms/integers/fixed_ties.h"

#include <algorithm>
#include <cmath>

namespace hlocc::transforms {
namespace {

constexpr int kMostBits = 20;
constexpr double kLargest = 1 << 30;

// All numbers of the step function on both sides of their thresholds, which is enough: rounding
// rises too.
bool agrees(const StepFunction& function, int64_t factor, int64_t offset, const FixedPoint& fixed) {
  const auto is = [&](int64_t x, int64_t value) {
    const int64_t number = rounded_shift(x * factor + offset, fixed.shift, fixed.ties);
    return std::clamp(number, fixed.low, fixed.high) == value;
  };
  return is(function.low, function.first) && is(function.high, function.last) &&
         std::all_of(function.steps.begin(), function.steps.end(),
                     [&](const StepFunction::Step& step) {
                       return is(step.at - 1, step.before) && is(step.at, step.after);
                     });
}

// The number in units of 2^-shift; none if it is no integer, or a large one.
std::optional<int64_t> whole(double number, int shift) {
  const double scaled = std::ldexp(number, shift);
  if (scaled != std::floor(scaled) || std::abs(scaled) > kLargest) return std::nullopt;
  return static_cast<int64_t>(scaled);
}

// Factors and offsets of all channels.
bool fill(const std::vector<ChannelFit>& channels, FixedPoint& fixed) {
  for (const ChannelFit& c : channels) {
    const std::optional<int64_t> factor = whole(c.line.slope, fixed.shift),
                                 offset = whole(c.line.intercept - 0.5, fixed.shift);
    if (!factor || !offset) return false;
    const double most = static_cast<double>(std::max(std::abs(c.function.low), c.function.high));
    if (most * static_cast<double>(*factor) + static_cast<double>(std::abs(*offset)) > kLargest)
      return false;
    fixed.factors.push_back(*factor);
    fixed.offsets.push_back(*offset);
    fixed.low = std::min(fixed.low, c.function.first);
    fixed.high = std::max(fixed.high, c.function.last);
  }
  return true;
}

}  // namespace

std::optional<FixedPoint> fit_ties(const std::vector<ChannelFit>& channels) {
  if (channels.empty()) return std::nullopt;
  for (int shift = 1; shift <= kMostBits; ++shift) {
    const StepFunction& first = channels[0].function;
    FixedPoint fixed;
    fixed.form.pieces = 1;
    fixed.shift = shift;
    fixed.low = first.first;
    fixed.high = first.last;
    if (!fill(channels, fixed)) continue;
    for (const Ties ties : {Ties::kToEven, Ties::kToOdd}) {
      fixed.ties = ties;
      bool all = true;
      for (size_t n = 0; n < channels.size() && all; ++n)
        all = agrees(channels[n].function, fixed.factors[n], fixed.offsets[n], fixed);
      if (all) return fixed;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hlocc::transforms
