// See sampling.h.
#include "import/onnx/sampling.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"

namespace hlocc::import::onnx {
namespace {

using enum PrimitiveType;

// Where an element of the result lies in the operand. ONNX Runtime computes in floats.
double place_of(const Resample& how, const Side& s, int64_t at) {
  const auto x = static_cast<double>(at), in = static_cast<double>(s.in),
             out = static_cast<double>(s.out);
  if (how.coordinates == "asymmetric") return x / s.scale;
  if (how.coordinates == "align_corners") return s.out == 1 ? 0 : x * (in - 1) / (out - 1);
  if (how.coordinates == "tf_half_pixel_for_nn") return (x + 0.5) / s.scale;
  if (how.coordinates == "tf_crop_and_resize")
    return s.out == 1 ? 0.5 * (s.low + s.high) * (in - 1)
                      : s.low * (in - 1) + x * (s.high - s.low) * (in - 1) / (out - 1);
  if (how.coordinates == "pytorch_half_pixel" && s.out == 1) return 0;
  const double centre = (x + 0.5) / s.scale - 0.5;
  if (how.coordinates != "half_pixel_symmetric") return centre;
  const double shown = s.scale * in, rest = out / shown;
  return in / 2 * (1 - rest) + centre;
}

int64_t nearest(const Resample& how, double place) {
  const double low = std::floor(place), part = place - low;
  if (how.nearest == "floor") return static_cast<int64_t>(low);
  if (how.nearest == "ceil") return static_cast<int64_t>(std::ceil(place));
  const bool up = how.nearest == "round_prefer_ceil" ? part >= 0.5 : part > 0.5;
  return static_cast<int64_t>(low) + (up ? 1 : 0);
}

double cubic_weight(double a, double distance) {
  const double d = std::abs(distance);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  if (d < 2) return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a;
  return 0;
}

// The weight of an element that lies so far from the place.
double weight(const Resample& how, double distance) {
  if (how.mode == Resample::Mode::kCubic) return cubic_weight(how.cubic, distance);
  return std::max(0.0, 1 - std::abs(distance));
}

}  // namespace

Taps taps_of(const Resample& how, const Side& side) {
  Taps out;
  const bool is_nearest = how.mode == Resample::Mode::kNearest;
  // Antialiasing widens the window where the result is smaller.
  const double shrink = how.antialiases ? std::min(side.scale, 1.0) : 1;
  const double reach = (how.mode == Resample::Mode::kCubic ? 2 : 1) / shrink;
  const auto count = is_nearest ? 1 : static_cast<int64_t>(std::ceil(2 * reach));
  out.places.assign(static_cast<size_t>(count), {});
  out.weights.assign(static_cast<size_t>(count), {});
  for (int64_t at = 0; at < side.out; ++at) {
    const double place = place_of(how, side, at);
    const bool crops = how.coordinates == "tf_crop_and_resize";
    out.is_outside.push_back(crops && (place < 0 || place > static_cast<double>(side.in - 1)));
    const auto clamped = [&](int64_t i) { return std::clamp<int64_t>(i, 0, side.in - 1); };
    if (is_nearest) {
      out.places[0].push_back(clamped(nearest(how, place)));
      out.weights[0].push_back(1);
      continue;
    }
    const auto first = static_cast<int64_t>(std::floor(place - reach)) + 1;
    double sum = 0;
    for (int64_t tap = 0; tap < count; ++tap) {
      const int64_t i = first + tap;
      double w = weight(how, (static_cast<double>(i) - place) * shrink);
      if (how.excludes_outside && i != clamped(i)) w = 0;
      out.places[static_cast<size_t>(tap)].push_back(clamped(i));
      out.weights[static_cast<size_t>(tap)].push_back(w);
      sum += w;
    }
    for (auto& weights : out.weights) weights.back() /= sum;
  }
  return out;
}

InstructionId resampled(Builder& b, InstructionId x, int64_t axis, const Resample& how,
                        const Taps& taps) {
  const auto count = static_cast<int64_t>(taps.is_outside.size());
  const auto taken = [&](size_t tap) {
    return b.take(x, b.constant(literal_of(kS32, taps.places[tap], {count})), axis);
  };
  InstructionId y = hlo::kNone;
  if (how.mode == Resample::Mode::kNearest) {
    y = taken(0);
  } else {
    for (size_t tap = 0; tap < taps.places.size(); ++tap) {
      const InstructionId part = taken(tap);
      const InstructionId weights =
          b.convert(b.constant(literal_of_reals(kF32, taps.weights[tap], {count})), b.type(x));
      const InstructionId weighed =
          b.binary(Opcode::kMultiply, part, b.broadcast(weights, b.sizes(part), {axis}));
      y = y == hlo::kNone ? weighed : b.binary(Opcode::kAdd, y, weighed);
    }
  }
  if (std::none_of(taps.is_outside.begin(), taps.is_outside.end(), [](bool one) { return one; }))
    return y;
  const std::vector<int64_t> outside(taps.is_outside.begin(), taps.is_outside.end());
  const InstructionId is_outside =
      b.broadcast(b.constant(literal_of(kPred, outside, {count})), b.sizes(y), {axis});
  return b.select(is_outside, b.like(y, how.outside_value), y);
}

}  // namespace hlocc::import::onnx
