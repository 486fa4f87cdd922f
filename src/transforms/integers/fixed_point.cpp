// The clamped form is a step function too, so that it equals the given one everywhere if it does on
// both sides of each threshold: each side is a bound of factor and offset together. The pair is
// found by giving way: at the factor of the line, two thresholds that leave no offset between them
// bound the factor, until an offset is left or no factor.
#include "transforms/integers/fixed_point.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace hlocc::transforms {
namespace {

using Wide = __int128;

constexpr int64_t kMaxWord = (int64_t{1} << 31) - 1;
constexpr int kMaxShift = 60, kMaxIterations = 64;

Wide floor_divide(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
Wide ceil_divide(Wide a, Wide b) { return -floor_divide(-a, b); }

// offset >= value - x * factor, or <=.
struct Bound {
  Wide x, value;
  int threshold = -1;  // that it comes from; -1: an end
  Wide at(Wide factor) const { return value - x * factor; }
};
struct Bounds {
  std::vector<Bound> least, most;
};

// Where (x * factor + offset) >> shift equals the step function between the clamps; `bend` is added
// to the offset where x is negative.
Bounds bounds_of(const StepFunction& function, int before, int shift, Wide bend, int64_t low,
                 int64_t high) {
  Bounds bounds;
  bounds.least.reserve(function.steps.size() + 1);
  bounds.most.reserve(function.steps.size() + 1);
  const auto reaches = [&](int64_t x, int64_t value, int threshold) {  // is `value` or more at x
    if (value > low)
      bounds.least.push_back(
          {Wide{x} << before, (Wide{value} << shift) - (x < 0 ? bend : 0), threshold});
  };
  const auto stays = [&](int64_t x, int64_t value) {  // is `value` or less at x
    if (value < high)
      bounds.most.push_back(
          {Wide{x} << before, (Wide{value + 1} << shift) - 1 - (x < 0 ? bend : 0)});
  };
  reaches(function.low, function.first, -1);
  stays(function.high, function.last);
  for (size_t at = 0; at < function.steps.size(); ++at) {
    const StepFunction::Step& step = function.steps[at];
    stays(step.at - 1, step.before);
    const bool is_alone =
        at + 1 == function.steps.size() || function.steps[at + 1].at > step.at + 1;
    reaches(step.at, step.after, is_alone ? static_cast<int>(at) : -1);
  }
  return bounds;
}

struct Pair {
  Wide factor = 0, offset = 0;  // the offset in units of 2^part, or of the factor if inside
};

// A pair near `wanted` within all bounds; its factor from 1 to `limit`. `tight` gets the thresholds
// that stood against others, if it is not null.
std::optional<Pair> solve(const Bounds& bounds, Pair wanted, Wide limit, const FixedForm& form,
                          std::set<int>* tight) {
  Wide low = 1, high = limit;
  for (int iteration = 0; iteration < kMaxIterations && low <= high; ++iteration) {
    const Wide factor = std::clamp(wanted.factor, low, high);
    const Wide unit = form.inside ? factor : Wide{1} << form.part();
    const Bound *least = nullptr, *most = nullptr;
    Wide bottom = 0, top = 0;  // what they ask for at this factor
    for (const Bound& b : bounds.least)
      if (const Wide at = b.at(factor); least == nullptr || at > bottom) least = &b, bottom = at;
    for (const Bound& b : bounds.most)
      if (const Wide at = b.at(factor); most == nullptr || at < top) most = &b, top = at;
    Wide offset = wanted.offset;
    if (most != nullptr) offset = std::min(offset, floor_divide(top, unit));
    if (least != nullptr) offset = std::max(offset, ceil_divide(bottom, unit));
    if (most == nullptr || offset <= floor_divide(top, unit)) return Pair{factor, offset};
    if (tight != nullptr && least->threshold >= 0) tight->insert(least->threshold);
    // value - x * factor of the one is at most that of the other only beyond some factor.
    const Wide x = least->x - most->x, value = least->value - most->value;
    // They are of two numbers: what one asks for leaves a whole unit.
    if (x > 0)
      low = std::max(factor + 1, ceil_divide(value, x));
    else
      high = std::min(factor - 1, floor_divide(-value, -x));
  }
  return std::nullopt;
}

// The largest factor with which a form does not overflow; |x| is `most` at most.
int64_t largest_factor(const FixedForm& form, int64_t most, int64_t offset) {
  if (form.pieces == 0) return kMaxWord;
  const int64_t room = kMaxWord - std::abs(offset);
  if (form.pieces == 1) return room / most;
  // The sums of the pieces below are at most 2 * most once shifted; forms_of leaves room for them,
  // and `fits` a quarter of a word or less for the offset.
  const int64_t upper = (room - 2 * most) / most;
  return ((upper + 1) << form.part()) - 1;
}

// The forms that a range allows, cheapest first.
std::vector<FixedForm> forms_of(int64_t most, bool long_multiply, int most_corrections, bool bent) {
  const int spare = 31 - static_cast<int>(std::bit_width(static_cast<uint64_t>(most)));
  std::vector<FixedForm> forms;
  if (long_multiply) {
    forms.push_back({.pieces = 0});
    for (int corrections = 0; corrections <= most_corrections && spare > 1; ++corrections) {
      forms.push_back({.pieces = 0, .before = spare - 1, .corrections = corrections});
      if (bent && corrections == 0)
        forms.push_back({.pieces = 0, .before = spare - 1, .bent = true});
    }
    return forms;
  }
  forms.push_back({.pieces = 1});
  const int bits = std::min(spare - 1, 16);
  for (int corrections = 0; corrections <= most_corrections && spare > 1; ++corrections) {
    for (const int pieces : {2, 3})
      forms.push_back({.pieces = pieces, .bits = bits, .corrections = corrections});
    if (bent && corrections == 0)
      for (const int pieces : {2, 3})
        forms.push_back({.pieces = pieces, .bits = bits, .bent = true});
  }
  return forms;
}

// How far a factor may be from its line: floats were rounded on the way.
double give(double factor) { return 4 + std::ldexp(factor, -12); }

class Fitter {
 public:
  Fitter(const FixedForm& form, const std::vector<ChannelFit>& channels, int64_t most)
      : channels_(channels), form_(form), most_(most) {
    const auto [low, high] = outputs_of(channels);
    low_ = low;
    high_ = high;
    for (const ChannelFit& c : channels) {
      slope_ = std::max(slope_, c.line.slope);
      intercept_ = std::max(intercept_, std::abs(c.line.intercept) + std::abs(c.line.bend));
    }
  }

  std::optional<Requantization> fit() const {
    if (!(slope_ > 0)) return std::nullopt;
    // The largest shift whose factors and offsets fit.
    for (int shift = kMaxShift; shift >= std::max(form_.part(), 1); --shift) {
      if (!fits(shift)) continue;
      Requantization result{
          .form = form_, .factors{{}}, .shift = shift, .low = low_, .high = high_};
      result.turn = turn(shift);
      result.corrections.resize(form_.corrections);
      for (const ChannelFit& c : channels_)
        if (!fit(c, shift, result)) return std::nullopt;
      return result;
    }
    return std::nullopt;
  }

 private:
  double largest_offset(int shift) const {
    return std::ldexp(intercept_ + 1, shift - form_.part()) + 4;
  }
  double factor_of(double slope, int shift) const {
    return std::ldexp(slope, shift - form_.before);
  }

  bool fits(int shift) const {
    const double offset = form_.inside ? 0 : largest_offset(shift),
                 factor = factor_of(slope_, shift);
    if (offset > static_cast<double>(kMaxWord / 4)) return false;
    return factor + give(factor) <=
           static_cast<double>(largest_factor(form_, most_, static_cast<int64_t>(offset)));
  }

  bool fit(const ChannelFit& c, int shift, Requantization& result) const {
    const double factor = factor_of(c.line.slope, shift);
    // The offset of the line is tried first, so that all channels have the same one.
    const double offset = std::ldexp(c.line.intercept, shift - form_.part());
    const Pair wanted{std::llround(factor),
                      std::llround(form_.inside ? std::ldexp(offset, 32) / factor : offset)};
    const int64_t bend =
        form_.bent ? std::llround(std::ldexp(c.line.bend, shift - form_.part())) : 0;
    Bounds bounds =
        bounds_of(c.function, form_.before, shift, Wide{bend} << form_.part(), low_, high_);
    std::vector<int> late;
    const std::optional<Pair> pair =
        search(bounds, wanted, static_cast<Wide>(factor + give(factor)), late);
    if (!pair || !has_room(c, *pair, shift)) return false;
    result.factors[0].push_back(static_cast<int64_t>(pair->factor));
    result.offsets.push_back(static_cast<int64_t>(pair->offset));
    if (form_.bent) result.bends.push_back(bend);
    for (size_t n = 0; n < result.corrections.size(); ++n)
      result.corrections[n].push_back(n < late.size() ? c.function.steps[late[n]].at
                                                      : c.function.low - 1);
    return true;
  }

  bool has_room(const ChannelFit& c, const Pair& pair, int shift) const {
    if (!form_.inside) return std::abs(static_cast<double>(pair.offset)) <= largest_offset(shift);
    const Wide low = (Wide{c.function.low} << form_.before) + pair.offset,
               high = (Wide{c.function.high} << form_.before) + pair.offset;
    return low >= -kMaxWord && high <= kMaxWord;
  }

  // The middle of the step that the lines bend in, as a high word.
  int64_t turn(int shift) const {
    if (!form_.inside || !form_.bent) return 0;
    return std::llround(
        std::ldexp(std::floor(channels_[0].line.intercept) + 0.5, shift - form_.part()));
  }

  // Lets the thresholds that stand against others come one number later, as many as the form
  // corrects.
  std::optional<Pair> search(Bounds& bounds, Pair wanted, Wide limit,
                             std::vector<int>& late) const {
    const bool may_relax = late.size() < static_cast<size_t>(form_.corrections);
    std::set<int> tight;
    if (auto pair = solve(bounds, wanted, limit, form_, may_relax ? &tight : nullptr)) return pair;
    for (const int threshold : tight) {
      const auto bound = std::find_if(bounds.least.begin(), bounds.least.end(),
                                      [&](const Bound& b) { return b.threshold == threshold; });
      const Bound before = *bound;
      const auto place = bound - bounds.least.begin();
      *bound = {before.x + (Wide{1} << form_.before), before.value, -1};
      late.push_back(threshold);
      if (auto pair = search(bounds, wanted, limit, late)) return pair;
      late.pop_back();
      bounds.least[place] = before;
    }
    return std::nullopt;
  }

  const std::vector<ChannelFit>& channels_;
  FixedForm form_;
  int64_t most_;
  int64_t low_ = 0, high_ = 0;
  double slope_ = 0, intercept_ = 0;
};

// What all channels together ask for.
struct Reach {
  int64_t most = 1;   // |x|
  bool bent = false;  // a line bends where it is read
};
std::optional<Reach> reach_of(const std::vector<ChannelFit>& channels) {
  if (channels.empty()) return std::nullopt;
  Reach reach;
  bool rises = true;  // a bend may not make the line fall at zero
  for (const ChannelFit& c : channels) {
    reach.most = std::max({reach.most, std::abs(c.function.low), std::abs(c.function.high) + 1});
    reach.bent |= c.line.bend < 0 && c.function.low < 0;
    rises &= c.line.bend <= 0;
  }
  reach.bent &= rises;
  if (reach.most > kMaxWord + 1) return std::nullopt;  // the numbers are words
  return reach;
}

// Whether the form equals the step function on both sides of each threshold. Lines bend at `turn`
// and not at zero, which is the same only where one step holds both.
bool agrees(const StepFunction& function, size_t channel, const Requantization& fixed) {
  return equals(function, [&](int64_t x) {
    const Wide sum = (Wide{x} << fixed.form.before) + fixed.offsets[channel];
    auto high = static_cast<int64_t>((sum * fixed.factors[0][channel]) >> 32);
    if (fixed.form.bent && high < fixed.turn) high += fixed.bends[channel];
    return std::clamp(high >> (fixed.shift - 32), fixed.low, fixed.high);
  });
}

bool agree(const std::vector<ChannelFit>& channels, const Requantization& fixed) {
  for (size_t n = 0; n < channels.size(); ++n)
    if (!agrees(channels[n].function, n, fixed)) return false;
  return true;
}

}  // namespace

std::optional<Requantization> fit(const std::vector<ChannelFit>& channels, bool long_multiply,
                                  int most_corrections) {
  const std::optional<Reach> reach = reach_of(channels);
  if (!reach) return std::nullopt;
  for (const FixedForm& form : forms_of(reach->most, long_multiply, most_corrections, reach->bent))
    if (std::optional<Requantization> result = Fitter(form, channels, reach->most).fit())
      return result;
  return std::nullopt;
}

std::optional<Requantization> fit_inside(const std::vector<ChannelFit>& channels) {
  const std::optional<Reach> reach = reach_of(channels);
  if (!reach) return std::nullopt;
  const int spare = 31 - static_cast<int>(std::bit_width(static_cast<uint64_t>(reach->most)));
  for (const bool bent : {false, true})
    for (int before = spare; before >= std::max(spare - 2, 1) && bent <= reach->bent; --before) {
      const FixedForm form{.before = before, .bent = bent, .inside = true};
      const std::optional<Requantization> result = Fitter(form, channels, reach->most).fit();
      if (result && agree(channels, *result)) return result;
    }
  return std::nullopt;
}

}  // namespace hlocc::transforms
