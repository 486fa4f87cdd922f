// Every pair bounds the fit from below, from above or, where it is clamped, on one side. Slopes are
// judged by the room that they leave for the offset: first in real numbers, over a growing set of
// the bounds that matter (affine_bounds.h), and then slope by slope of the shift's precision.
// Floats that were rounded on the way may leave no room. Then the row or the column of a pair that
// stands in the way gets an offset of its own.
#include "transforms/integers/affine_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/budget.h"
#include "transforms/integers/affine_bounds.h"

namespace hlocc::transforms {
namespace {

using costs::Requantization;

constexpr int64_t kMaxSum = (int64_t{1} << 31) - 1;
constexpr int kMaxRounds = 40, kMaxFactors = 100, kMaxDyadic = 12;
// Of a pair of bytes that is compared with a fit.
constexpr int64_t kPairWork = 8;
constexpr double kMostError = 1.5;  // of the nearest fit, at the middle of a step

class AffineFitter {
 public:
  AffineFitter(const ByteTable& table, size_t most_exceptions, int64_t most_compared)
      : table_(table), most_exceptions_(most_exceptions), most_compared_(most_compared) {
    const auto [low, high] = std::minmax_element(table.values.begin(), table.values.end());
    low_ = *low;
    high_ = *high;
  }

  std::optional<Requantization> fit() {
    if (!start()) return std::nullopt;
    for (bool is_first = true;; is_first = false) {
      const Slopes best = widest();
      if (best.room > 0)
        if (std::optional<Requantization> fit = in_integers(best)) return fit;
      if (is_first)
        if (std::optional<Requantization> fit = with_ties()) return fit;
      if (exceptions_.size() >= most_exceptions_ || !except(best)) return std::nullopt;
    }
  }

 private:
  bool takes_long() const { return compared_ + set_.compared() > most_compared_ || over_budget_; }

  // --- the pairs ---
  template <typename Visit>
  void each_pair(const Visit& visit) const {
    compared_ += static_cast<int64_t>(table_.values.size());
    size_t at = 0;
    for (int64_t x = static_cast<int64_t>(table_.firsts.low); x <= table_.firsts.high; ++x)
      for (int64_t y = static_cast<int64_t>(table_.seconds.low); y <= table_.seconds.high; ++y)
        visit(x, y, int64_t{table_.values[at++]});
  }
  static bool holds(const Requantization::Exception& e, int64_t x, int64_t y) {
    return (e.of_first ? x : y) == e.number;
  }
  // The exception that a pair falls under; the count of all: none.
  size_t owner(int64_t x, int64_t y) const {
    for (size_t n = exceptions_.size(); n-- > 0;)
      if (holds(exceptions_[n], x, y)) return n;
    return exceptions_.size();
  }
  bool is_plain(int64_t x, int64_t y) const { return owner(x, y) == exceptions_.size(); }

  // Least squares over the pairs that are not clamped; false if they lie on a line, or if they are
  // not near a fit.
  bool start() {
    double n = 0, sx = 0, sy = 0, sv = 0, sxx = 0, sxy = 0, syy = 0, sxv = 0, syv = 0;
    each_pair([&](int64_t px, int64_t py, int64_t pv) {
      if (pv == low_ || pv == high_) return;
      const auto x = static_cast<double>(px), y = static_cast<double>(py);
      const double v = static_cast<double>(pv) + 0.5;
      n += 1, sx += x, sy += y, sv += v;
      sxx += x * x, sxy += x * y, syy += y * y, sxv += x * v, syv += y * v;
    });
    const double xx = sxx - sx * sx / n, xy = sxy - sx * sy / n, yy = syy - sy * sy / n,
                 xv = sxv - sx * sv / n, yv = syv - sy * sv / n, area = xx * yy - xy * xy;
    if (!(area > 1e-6 * xx * yy)) return false;
    set_.a = (xv * yy - yv * xy) / area;
    set_.b = (yv * xx - xv * xy) / area;
    const double c = (sv - set_.a * sx - set_.b * sy) / n;
    bool is_near = true;
    each_pair([&](int64_t x, int64_t y, int64_t v) {
      const double error = set_.a * static_cast<double>(x) + set_.b * static_cast<double>(y) + c -
                           static_cast<double>(v);
      if (v != low_ && v != high_ && std::fabs(error - 0.5) > kMostError) is_near = false;
    });
    return is_near;
  }

  // --- real slopes ---
  // Adds the bounds of each row that leave less room at these slopes than the working set does;
  // gives the room over all.
  double grow(const Slopes& at) {
    const auto pairs = static_cast<int64_t>(table_.values.size());
    compared_ += pairs;
    over_budget_ |= !may_search(kPairWork * pairs);
    const Room known = set_.room(at.a, at.b);
    double highest = set_.least.empty() ? -std::numeric_limits<double>::infinity()
                                        : known.least.at(at.a, at.b),
           lowest = set_.most.empty() ? std::numeric_limits<double>::infinity()
                                      : known.most.at(at.a, at.b);
    const double from_highest = highest, from_lowest = lowest;
    for (int64_t x = static_cast<int64_t>(table_.firsts.low); x <= table_.firsts.high; ++x) {
      std::optional<Bound2> least, most;
      for (int64_t y = static_cast<int64_t>(table_.seconds.low); y <= table_.seconds.high; ++y) {
        if (!is_plain(x, y)) continue;
        const int64_t value = table_.at(x, y);
        const Bound2 from{x, y, value}, to{x, y, value + 1};
        if (value > low_ && (!least || from.at(at.a, at.b) > least->at(at.a, at.b))) least = from;
        if (value < high_ && (!most || to.at(at.a, at.b) < most->at(at.a, at.b))) most = to;
      }
      if (least && least->at(at.a, at.b) > from_highest) {
        highest = std::max(highest, least->at(at.a, at.b));
        set_.least.push_back(*least);
      }
      if (most && most->at(at.a, at.b) < from_lowest) {
        lowest = std::min(lowest, most->at(at.a, at.b));
        set_.most.push_back(*most);
      }
    }
    return lowest - highest;
  }

  // The slopes with most room, of all bounds.
  Slopes widest() {
    if (set_.least.empty()) grow({set_.a, set_.b, 0, {}});
    Slopes best;
    for (int round = 0; round < kMaxRounds; ++round) {
      best = set_.best();
      if (best.room <= 0 || takes_long()) return best;
      const double all = grow(best);
      best.room = all;
      if (all > 0 && round > 0) return best;
    }
    return best;
  }

  // --- integers ---
  // The largest shift with which no sum overflows; 1 if there is none.
  int shift_of(const Slopes& s) const {
    double most = 1;
    const Room here = set_.room(s.a, s.b);
    const double c = (here.least.at(s.a, s.b) + here.most.at(s.a, s.b)) / 2;
    for (const auto x : {table_.firsts.low, table_.firsts.high})
      for (const auto y : {table_.seconds.low, table_.seconds.high})
        most = std::max(most,
                        std::abs(s.a * static_cast<double>(x) + s.b * static_cast<double>(y) + c));
    return std::clamp(
        static_cast<int>(std::floor(std::log2(static_cast<double>(kMaxSum) / (most + 1)))), 1, 30);
  }

  Requantization with_shift(int shift) const {
    return {.form{.pieces = 1},
            .factors{{0}, {0}},
            .offsets{0},
            .shift = shift,
            .low = low_,
            .high = high_};
  }

  std::optional<Requantization> in_integers(const Slopes& best) {
    Requantization fit = with_shift(shift_of(best));
    int64_t &first = fit.factors[0][0], &second = fit.factors[1][0];
    const int64_t wanted = std::llround(std::ldexp(best.a, fit.shift));
    bool is_open[2] = {true, true};
    for (int64_t away = 0; away < kMaxFactors && !takes_long(); ++away)
      for (const int side : {0, 1}) {
        if (!is_open[side] || (away == 0 && side == 1)) continue;
        first = side == 0 ? wanted + away : wanted - away;
        double growth = 0;
        const Slopes here =
            set_.best_second(std::ldexp(static_cast<double>(first), -fit.shift), growth);
        if (here.room <= 0) {
          is_open[side] = away == 0;
          continue;
        }
        const auto near = static_cast<int64_t>(std::floor(std::ldexp(here.b, fit.shift)));
        for (const int64_t step : {0, 1, -1, 2}) {
          second = near + step;
          if (complete(fit)) return fit;
          grow({here.a, std::ldexp(static_cast<double>(second), -fit.shift), 0, {}});
        }
      }
    return std::nullopt;
  }

  // Finds the offsets for these factors; false if there are none.
  bool complete(Requantization& fit) const {
    std::vector<Range> offsets(exceptions_.size() + 1, {-kMaxSum, kMaxSum});
    const auto bound = [&](const Bound2& b, bool is_least) {
      Range& range = offsets[owner(b.x, b.y)];
      const int64_t at = (b.value << fit.shift) - sum_of(fit, b.x, b.y);
      if (is_least)
        range.low = std::max<__int128>(range.low, at);
      else
        range.high = std::min<__int128>(range.high, at - 1);
    };
    for (const Bound2& b : set_.least) bound(b, true);
    for (const Bound2& b : set_.most) bound(b, false);
    if (offsets.back().low > offsets.back().high) return false;
    each_pair([&](int64_t x, int64_t y, int64_t value) {
      if (value > low_) bound({x, y, value}, true);
      if (value < high_) bound({x, y, value + 1}, false);
    });
    const auto middle = [](const Range& r) { return static_cast<int64_t>((r.low + r.high) >> 1); };
    fit.offsets[0] = middle(offsets.back());
    fit.exceptions = exceptions_;
    for (size_t n = 0; n < exceptions_.size(); ++n) fit.exceptions[n].offset = middle(offsets[n]);
    return agrees(fit);
  }

  // Without its offset.
  static int64_t sum_of(const Requantization& fit, int64_t x, int64_t y) {
    return x * fit.factors[0][0] + y * fit.factors[1][0];
  }

  bool agrees(const Requantization& fit) const {
    bool agrees = true;
    each_pair([&](int64_t x, int64_t y, int64_t value) {
      int64_t offset = fit.offsets[0];
      for (const Requantization::Exception& e : fit.exceptions)
        if (holds(e, x, y)) offset = e.offset;
      const int64_t whole =
          costs::rounded_shift(sum_of(fit, x, y) + offset, fit.shift, fit.rounding);
      agrees &= std::clamp(whole, fit.low, fit.high) == value;
    });
    const auto end = [](__int128 number) { return static_cast<int64_t>(number); };
    for (const int64_t x : {end(table_.firsts.low), end(table_.firsts.high)})
      for (const int64_t y : {end(table_.seconds.low), end(table_.seconds.high)}) {
        const int64_t sum = sum_of(fit, x, y);
        int64_t most = std::abs(sum + fit.offsets[0]);
        for (const Requantization::Exception& e : fit.exceptions)
          most = std::max(most, std::abs(sum + e.offset));
        agrees &= most + (int64_t{1} << fit.shift) <= kMaxSum;
      }
    return agrees;
  }

  // Scales like 1/4 have numbers halfway at many pairs; their bits are few.
  std::optional<Requantization> with_ties() {
    for (int shift = 1; shift <= kMaxDyadic; ++shift) {
      const auto scaled = [&](double x) { return std::llround(std::ldexp(x, shift)); };
      Requantization fit = with_shift(shift);
      fit.factors = {{scaled(set_.a)}, {scaled(set_.b)}};
      const double a = std::ldexp(static_cast<double>(fit.factors[0][0]), -shift),
                   b = std::ldexp(static_cast<double>(fit.factors[1][0]), -shift);
      grow({a, b, 0, {}});
      const Room here = set_.room(a, b);
      fit.offsets = {scaled((here.least.at(a, b) + here.most.at(a, b)) / 2 - 0.5)};
      for (const costs::Rounding rounding : costs::kTieRoundings) {
        fit.rounding = rounding;
        if (agrees(fit)) return fit;
      }
    }
    return std::nullopt;
  }

  // --- exceptions ---
  // Gives that row or column of what stands in the way an offset of its own which makes most room.
  bool except(const Slopes& best) {
    std::optional<Requantization::Exception> chosen;
    double most = best.room;
    const std::vector<Bound2> least = set_.least, all_most = set_.most;
    std::vector<Requantization::Exception> tried;
    for (const Bound2& b : best.in_the_way)
      for (const bool of_first : {true, false}) {
        const Requantization::Exception e{of_first, of_first ? b.x : b.y, 0};
        const auto same = [&](const Requantization::Exception& other) {
          return other.of_first == e.of_first && other.number == e.number;
        };
        if (std::any_of(tried.begin(), tried.end(), same) || takes_long()) continue;
        tried.push_back(e);
        drop(e);
        if (!set_.least.empty() && !set_.most.empty()) {
          const double left = set_.best().room;
          if (!chosen || left > most) chosen = e, most = left;
        }
        set_.least = least;
        set_.most = all_most;
      }
    if (!chosen) return false;
    exceptions_.push_back(*chosen);
    drop(*chosen);
    return true;
  }
  void drop(const Requantization::Exception& e) {
    set_.erase_if([&](const Bound2& b) { return holds(e, b.x, b.y); });
  }

  const ByteTable& table_;
  size_t most_exceptions_;
  int64_t most_compared_;
  int64_t low_ = 0, high_ = 0;
  AffineBounds set_;
  std::vector<Requantization::Exception> exceptions_;
  mutable int64_t compared_ = 0;
  bool over_budget_ = false;
};

}  // namespace

std::optional<Requantization> fit_affine(const ByteTable& table, size_t most_exceptions,
                                         int64_t most_compared) {
  // Where the budget for searches is spent, sums of bytes stay as they are written.
  if (table.values.empty() || !may_search(0)) return std::nullopt;
  return AffineFitter(table, most_exceptions, most_compared).fit();
}

}  // namespace hlocc::transforms
