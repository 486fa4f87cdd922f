// Fixed-point numbers for stairs drawn from seeds: what is found climbs the stairs at both sides of
// every threshold, in words that do not overflow, and is found again (golden/fits.txt). Ranges end
// beside powers of two, lines are exact or not, thresholds are moved as floats move them.
#include <catch2/catch.hpp>
#include <cmath>

#include "support/digests.h"
#include "support/drawing.h"
#include "support/text.h"
#include "transforms/integers/fixed_point.h"

namespace hlocc::tests {
namespace {

using namespace transforms;

enum class Rounding : uint8_t { kDown, kToEven, kAway };

// What a model computes of an accumulator: a line, rounded and clamped.
struct Scaling {
  Line line;  // without the half that rounding adds
  Rounding rounding = Rounding::kDown;
  bool in_floats = false;  // the product is rounded to f32
  int64_t low = 0, high = 0;

  int64_t at(int64_t x) const {
    const auto number = static_cast<double>(x);
    double sum = number * line.slope;
    if (in_floats) sum = static_cast<float>(static_cast<float>(x) * static_cast<float>(line.slope));
    sum += line.intercept + (x < 0 ? line.bend : 0);
    const double whole = rounding == Rounding::kDown     ? std::floor(sum)
                         : rounding == Rounding::kToEven ? std::nearbyint(sum)
                                                         : std::round(sum);
    return static_cast<int64_t>(
        std::clamp(whole, static_cast<double>(low), static_cast<double>(high)));
  }
};

// Its thresholds, each found by halving.
StepFunction stairs_of(const Scaling& scaling, int64_t low, int64_t high) {
  StepFunction function{low, high, scaling.at(low), scaling.at(high), {}};
  for (int64_t value = function.first, x = low; value < function.last;) {
    int64_t above = high;
    while (above - x > 1) {
      const int64_t middle = x + (above - x) / 2;
      (scaling.at(middle) > value ? above : x) = middle;
    }
    function.steps.push_back({above, value, scaling.at(above)});
    x = above;
    value = scaling.at(above);
  }
  return function;
}

int64_t beside_power(Drawing& draw, int least, int most) {
  const int64_t power = int64_t{1} << (least + draw.below(most - least + 1));
  return power + draw.below(5) - 2;
}

struct Limits {
  int64_t low, high;
};
Limits drawn_limits(Drawing& draw) {
  const int least = draw.one_in(4) ? 2 : 8;
  const int64_t first = beside_power(draw, least, 31), second = beside_power(draw, least, 31);
  const int64_t most = (int64_t{1} << 31) - 1;
  switch (draw.below(4)) {
    case 0: return {0, std::min(first, most)};
    case 1: return {-std::min(first, most + 1), std::min(second, most)};
    case 2: return {-std::min(first, most + 1), std::min(first, most)};
    case 3:
      if (draw.one_in(8)) return {0, (int64_t{1} << 31) + draw.below(3) - 2};
      [[fallthrough]];
    default: return {draw.below(4) - 2, std::max<int64_t>(3, std::min(first, most))};
  }
}

// The line climbs so many steps over the range; exact ones are a few bits.
Scaling drawn_scaling(Drawing& draw, const Limits& limits, bool exact) {
  Scaling scaling;
  const int64_t width = limits.high - limits.low, steps = 1 + draw.below(draw.one_in(3) ? 255 : 20);
  scaling.line.slope = static_cast<double>(steps) / static_cast<double>(width) *
                       (1 + static_cast<double>(draw.below(1 << 20)) / (1 << 20));
  scaling.line.intercept = static_cast<double>(draw.below(256) - 128);
  if (exact) {
    const int bits = static_cast<int>(draw.below(23));
    scaling.line.slope = static_cast<double>(1 + draw.below(draw.yes() ? 4 : 3000)) / (1 << bits);
    if (draw.one_in(3))
      scaling.line.intercept +=
          static_cast<double>(draw.below(1 << 12)) / static_cast<double>(1 << draw.below(14));
  } else if (draw.yes()) {
    scaling.line.intercept += static_cast<double>(draw.below(1000)) / 1000;
  }
  scaling.in_floats = draw.yes();
  scaling.rounding =
      draw.of({Rounding::kDown, Rounding::kToEven, Rounding::kToEven, Rounding::kAway});
  if (draw.one_in(4))
    scaling.line.bend = -scaling.line.slope * static_cast<double>(draw.below(5) - 1) / 2;
  const bool is_byte = draw.yes();
  scaling.low = is_byte ? -128 : draw.below(256) - 128;
  scaling.high = is_byte ? 127 : std::min<int64_t>(127, scaling.low + draw.below(200));
  return scaling;
}

ChannelFit drawn_climb(Drawing& draw, const Limits& limits, bool exact) {
  const Scaling scaling = drawn_scaling(draw, limits, exact);
  ChannelFit climb{stairs_of(scaling, limits.low, limits.high), scaling.line};
  if (scaling.rounding != Rounding::kDown) climb.line.intercept += 0.5;
  // Products of scales that no double holds.
  if (draw.one_in(150)) climb.line.slope = draw.of({0.0, HUGE_VAL, 1e-300, 1e300});
  // Floats move a threshold by one.
  auto& steps = climb.function.steps;
  for (size_t n = 0; n < steps.size(); ++n)
    if (draw.one_in(60) && steps[n].at > limits.low + 1 &&
        (n == 0 || steps[n - 1].at < steps[n].at - 1))
      --steps[n].at;
  return climb;
}

std::vector<ChannelFit> drawn_climbs(Drawing& draw, bool exact) {
  const Limits limits = drawn_limits(draw);
  std::vector<ChannelFit> climbs;
  for (int64_t n = draw.one_in(50) ? 0 : 1 + draw.below(3); n > 0; --n)
    climbs.push_back(drawn_climb(draw, limits, exact));
  return climbs;
}

// Climbs over few numbers on both sides of zero, where one number more or less tells.
std::vector<ChannelFit> few_climbs(Drawing& draw) {
  const bool exact = draw.yes();
  const Limits limits{-1 - draw.below(9), 1 + draw.below(9)};
  std::vector<ChannelFit> climbs;
  for (int64_t n = 1 + draw.below(2); n > 0; --n)
    climbs.push_back(drawn_climb(draw, limits, exact));
  return climbs;
}

// A sum of 32 bits, as a core computes it; fails the test where it overflows.
int64_t word(int64_t value) {
  if (value != static_cast<int32_t>(value)) FAIL("overflows: " << value);
  return value;
}

// What the form computes, by the words of fixed_point.h.
int64_t computed(const Requantization& fixed, size_t channel, int64_t given) {
  const FixedForm& form = fixed.form;
  int64_t x = given;
  if (form.inside) {
    const int64_t sum = word(word(x << form.before) + word(fixed.offsets[channel]));
    int64_t high = (sum * word(fixed.factors[0][channel])) >> 32;
    if (form.bent && high < word(fixed.turn)) high = word(high + word(fixed.bends[channel]));
    return std::clamp(high >> (fixed.shift - 32), fixed.low, fixed.high);
  }
  for (const std::vector<int64_t>& late : fixed.corrections) x += late[channel] == given;
  const int64_t factor = fixed.factors[0][channel];
  int64_t sum = 0;
  if (form.pieces == 0) sum = (word(word(x) << form.before) * word(factor)) >> 32;
  for (int piece = 0; piece < form.pieces; ++piece) {
    int64_t part = factor >> (form.bits * piece);
    if (piece + 1 < form.pieces) part &= (int64_t{1} << form.bits) - 1;
    sum = word(word(x * word(part)) + (piece == 0 ? 0 : sum >> form.bits));
  }
  sum = word(sum + word(fixed.offsets[channel]));
  if (form.bent && x < 0) sum = word(sum + word(fixed.bends[channel]));
  const int shift = fixed.shift - form.part();
  const int64_t half = fixed.rounding == costs::Rounding::kDown ? 0 : int64_t{1} << (shift - 1);
  word(sum + half + 1);
  int64_t whole = sum >> shift;
  if (fixed.rounding != costs::Rounding::kDown) {
    const int64_t rest = sum - (whole << shift);
    const bool up_at_half =
        (whole & 1) == (fixed.rounding == costs::Rounding::kHalvesToEven ? 1 : 0);
    whole += rest > half || (rest == half && up_at_half) ? 1 : 0;
  }
  return std::clamp(whole, fixed.low, fixed.high);
}

template <typename Value>
void check_climbs(const std::vector<ChannelFit>& climbs, const Value& value) {
  for (size_t channel = 0; channel < climbs.size(); ++channel) {
    const StepFunction& function = climbs[channel].function;
    bool climbs_them = value(channel, function.low) == function.first &&
                       value(channel, function.high) == function.last;
    for (const StepFunction::Step& step : function.steps)
      climbs_them = climbs_them && value(channel, step.at - 1) == step.before &&
                    value(channel, step.at) == step.after;
    CHECK(climbs_them);
  }
}

std::string listed(const std::vector<int64_t>& numbers) {
  std::string text = ":";
  for (const int64_t number : numbers) text += cat(" ", number);
  return text;
}

std::string text_of(const std::vector<ChannelFit>& climbs,
                    const std::optional<Requantization>& fixed) {
  if (!fixed) return "none\n";
  check_climbs(climbs, [&](size_t channel, int64_t x) { return computed(*fixed, channel, x); });
  const FixedForm& form = fixed->form;
  std::string text =
      cat(form.pieces, " ", form.before, " ", form.bits, " ", form.corrections,
          form.inside ? " inside" : "", form.bent ? " bent " : " ", fixed->shift, " ",
          static_cast<int>(fixed->rounding), " ", fixed->low, "..", fixed->high);
  text += listed(fixed->factors[0]) + listed(fixed->offsets) + listed(fixed->bends);
  for (const std::vector<int64_t>& late : fixed->corrections) text += listed(late);
  return text + "\n";
}

}  // namespace

TEST_CASE("fixed-point numbers of drawn stairs", "[transforms]") {
  Drawing draw(1);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 6000; ++n) {
    INFO("question " << n);
    const bool exact = draw.one_in(4);
    const std::vector<ChannelFit> climbs = drawn_climbs(draw, exact);
    const int corrections = draw.of({0, 0, 1, 2});
    const bool long_multiply = draw.yes();
    const std::optional<Requantization> fixed = fit(climbs, long_multiply, corrections);
    found += fixed.has_value();
    texts += text_of(climbs, fixed);
  }
  add_digest("fits", found, texts);
}

TEST_CASE("fixed-point numbers of drawn stairs with the offset inside", "[transforms]") {
  Drawing draw(4);
  std::string texts;
  size_t found = 0, bent = 0;
  for (int n = 0; n < 6000; ++n) {
    INFO("question " << n);
    const std::vector<ChannelFit> climbs = drawn_climbs(draw, draw.one_in(4));
    const std::optional<Requantization> fixed = fit_inside(climbs);
    found += fixed.has_value();
    bent += fixed && fixed->form.bent;
    texts += text_of(climbs, fixed);
  }
  CHECK(found > 800);
  CHECK(bent > 10);
  add_digest("fits", found, texts);
}

// tflite-micro's: SaturatingRoundingDoublingHighMul and RoundingDivideByPOT, a zero point, a clamp.
int64_t rounded_twice(int64_t x, int64_t multiplier, int right, int64_t zero, int64_t low) {
  const int64_t product = x * multiplier, nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  const int64_t high = (product + nudge) / (int64_t{1} << 31), mask = (int64_t{1} << right) - 1,
                rest = high & mask, threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return std::clamp((high >> right) + (rest > threshold ? 1 : 0) + zero, low, int64_t{127});
}

// Every sum, on both sides of zero and where the line bends: not at thresholds alone.
TEST_CASE("both roundings of tflite-micro with the offset inside, at every sum", "[transforms]") {
  constexpr int64_t kMost = 1 << 16;
  Drawing draw(5);
  int bent = 0, found = 0;
  for (int n = 0; n < 60; ++n) {
    const int64_t zero = draw.below(256) - 128, low = draw.yes() ? zero : -128;
    std::vector<ChannelFit> channels;
    std::vector<std::pair<int64_t, int>> scales;
    for (int channel = 0; channel < 2; ++channel) {
      const auto& [multiplier, right] = scales.emplace_back(
          (int64_t{1} << 30) + draw.below(1 << 30), static_cast<int>(5 + draw.below(5)));
      const auto at = [&](int64_t x) { return rounded_twice(x, multiplier, right, zero, low); };
      ChannelFit fit;
      fit.function = {-kMost, kMost, at(-kMost), at(kMost), {}};
      for (int64_t x = -kMost + 1; x <= kMost; ++x)
        if (at(x) != at(x - 1)) fit.function.steps.push_back({x, at(x - 1), at(x)});
      const double unit = std::ldexp(1, -right);
      fit.line = {std::ldexp(static_cast<double>(multiplier), -31 - right),
                  static_cast<double>(zero) + 0.5 + unit / 2, -unit};
      channels.push_back(std::move(fit));
    }
    const std::optional<Requantization> fixed = fit_inside(channels);
    if (!fixed) continue;
    ++found;
    bent += fixed->form.bent;
    for (size_t channel = 0; channel < channels.size(); ++channel)
      for (int64_t x = -kMost; x <= kMost; ++x)
        if (computed(*fixed, channel, x) !=
            rounded_twice(x, scales[channel].first, scales[channel].second, zero, low))
          FAIL("layer " << n << ", channel " << channel << ", " << x);
  }
  CHECK(found >= 55);
  CHECK(bent >= 20);
}

// Found by a search: they tell what becomes of numbers beside zero.
TEST_CASE("fixed-point numbers of picked stairs", "[transforms]") {
  std::string texts;
  for (const uint64_t seed : {58, 2788}) {
    Drawing draw(seed);
    const std::vector<ChannelFit> climbs = few_climbs(draw);
    const int corrections = draw.of({0, 0, 1, 2});
    const bool long_multiply = draw.yes();
    texts += text_of(climbs, fit(climbs, long_multiply, corrections));
  }
  add_digest("fits", 1, texts);
}

TEST_CASE("exact ties of drawn stairs", "[transforms]") {
  Drawing draw(2);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 3000; ++n) {
    INFO("question " << n);
    const std::vector<ChannelFit> climbs = drawn_climbs(draw, true);
    const std::optional<Requantization> fixed = fit_ties(climbs);
    found += fixed.has_value();
    texts += text_of(climbs, fixed);
  }
  add_digest("fits", found, texts);
}

TEST_CASE("rounded floats of drawn stairs", "[transforms]") {
  Drawing draw(3);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 3000; ++n) {
    INFO("question " << n);
    const bool exact = draw.one_in(3);
    const std::vector<ChannelFit> climbs = drawn_climbs(draw, exact);
    const float most = draw.of({costs::most_rounded(costs::Rounding::kConverted),
                                costs::most_rounded(costs::Rounding::kLastBits), 16.0f});
    const std::optional<Requantization> floats = fit_rounded_floats(climbs, most);
    found += floats.has_value();
    texts +=
        floats ? cat(floats->offsets[0], " ", floats->low, "..", floats->high, "\n") : "none\n";
    if (floats)
      check_climbs(climbs, [&](size_t channel, int64_t x) {
        const float whole = std::nearbyint(static_cast<float>(x) * floats->scales[channel]);
        CHECK(std::fabs(whole) < most);
        return std::clamp(static_cast<int64_t>(whole) + floats->offsets[0], floats->low,
                          floats->high);
      });
  }
  add_digest("fits", found, texts);
}

}  // namespace hlocc::tests
