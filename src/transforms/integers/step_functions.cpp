// Thresholds of a chain. All of them are looked for at once, each by galloping from where the line
// crosses: a round asks the interpreter for one number a threshold.
#include <cmath>

#include "transforms/integers/monotone_chain.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// Elements that are computed at once take some MB.
constexpr size_t kChannelsAtOnce = 256;

// Numbers that enter the chain, and the channel of each.
struct Questions {
  std::vector<int64_t> numbers, channels;

  void ask(int64_t number, int64_t channel) {
    numbers.push_back(number);
    channels.push_back(channel);
  }
};

class ChainEvaluator {
 public:
  ChainEvaluator(const Rewriter& r, const MonotoneChain& chain) : r_(r), chain_(chain) {}

  std::vector<int64_t> at(const Questions& questions) const {
    return as<int64_t>(values_at(questions).at(kNone));
  }

  // The same; none where a step wraps or is not finite. Since all steps rise, what holds at both
  // ends of a range holds between them.
  std::optional<std::vector<int64_t>> exactly_at(const Questions& questions) const {
    const ElementValues values = values_at(questions);
    InstructionId from = chain_.base;
    for (const ChainStep& step : chain_.steps) {
      if (!is_exact(step, values.at(from), values.at(step.result), questions.channels))
        return std::nullopt;
      from = step.result;
    }
    return as<int64_t>(values.at(kNone));
  }

 private:
  template <typename T>
  std::vector<T> as(const Literal& values) const {
    const Literal made = converted_elements(values, std::is_integral_v<T> ? kS64 : kF64);
    const std::span<const T> numbers = made.data<T>();
    return {numbers.begin(), numbers.end()};
  }

  ElementValues values_at(const Questions& questions) const {
    const Literal numbers =
        Literal::array<int64_t>(kS64, {std::ssize(questions.numbers)}, questions.numbers);
    return evaluate_elements(r_, chain_.elements, chain_.last,
                             {converted_elements(numbers, r_.type(chain_.base))},
                             questions.channels);
  }

  bool is_exact(const ChainStep& step, const Literal& from, const Literal& to,
                std::span<const int64_t> channels) const {
    if (!is_integer(to.type()))
      return std::ranges::all_of(as<double>(to), [](double x) { return std::isfinite(x); });
    if (step.kind == StepKind::kBits)
      return std::ranges::none_of(as<double>(from), [](double x) { return std::signbit(x); });
    if (!is_integer(from.type())) return true;  // saturates
    const std::vector<int64_t> x = as<int64_t>(from), y = as<int64_t>(to);
    for (size_t at = 0; at < x.size(); ++at)
      if (exact(step, x[at], y[at], static_cast<size_t>(channels[at])) != y[at]) return false;
    return true;
  }

  // The result, in as many bits as it takes; `y` where none are missing.
  static __int128 exact(const ChainStep& step, int64_t x, int64_t y, size_t channel) {
    switch (step.kind) {
      case StepKind::kConvert: return x;
      case StepKind::kAdd: return __int128{x} + of_channel(step.whole, channel);
      case StepKind::kMultiply: return __int128{x} * of_channel(step.whole, channel);
      case StepKind::kNudge:
        return __int128{x} + of_channel(x < 0 ? step.if_negative : step.whole, channel);
      default: return y;
    }
  }

  const Rewriter& r_;
  const MonotoneChain& chain_;
};

// The first x with f(x) >= value lies in (below, above].
struct Threshold {
  int64_t channel, value;
  int64_t below, above, before, after;  // f(below), f(above)
  int64_t guess, stride = 1;

  bool is_found() const { return above - below <= 1; }
  int64_t probe() const { return std::clamp(guess, below + 1, above - 1); }
  // Gallops from the guess, then halves.
  void take(int64_t found) {
    const int64_t at = probe();
    if (found >= value) {
      above = at;
      after = found;
      guess = at - stride;
    } else {
      below = at;
      before = found;
      guess = at + stride;
    }
    stride *= 2;
    if (guess <= below || guess >= above) guess = below + (above - below) / 2;
  }
};

// All that the function rises over.
void add_thresholds(const StepFunction& f, const Line& line, int64_t channel,
                    std::vector<Threshold>& thresholds) {
  for (int64_t value = f.first + 1; value <= f.last; ++value) {
    // Doubles may lose the slope on the way: then this is no number, and any guess will do.
    const double crossing = std::ceil((static_cast<double>(value) - line.intercept) / line.slope);
    const double guess =
        std::fmax(std::fmin(crossing, static_cast<double>(f.high)), static_cast<double>(f.low));
    thresholds.push_back(
        {channel, value, f.low, f.high, f.first, f.last, static_cast<int64_t>(guess)});
  }
}

void search(const ChainEvaluator& chain, std::vector<Threshold>& thresholds) {
  for (;;) {
    Questions questions;
    for (const Threshold& t : thresholds)
      if (!t.is_found()) questions.ask(t.probe(), t.channel);
    if (questions.numbers.empty()) return;
    const std::vector<int64_t> answers = chain.at(questions);
    auto answer = answers.begin();
    for (Threshold& t : thresholds)
      if (!t.is_found()) t.take(*answer++);
  }
}

}  // namespace

std::optional<std::vector<StepFunction>> step_functions(const Rewriter& r,
                                                        const MonotoneChain& chain,
                                                        std::span<const Range> ranges,
                                                        int64_t most) {
  const ChainEvaluator evaluator(r, chain);
  std::vector<StepFunction> functions;
  for (size_t first = 0; first < ranges.size(); first += kChannelsAtOnce) {
    const size_t end = std::min(first + kChannelsAtOnce, ranges.size());
    Questions ends;
    for (size_t channel = first; channel < end; ++channel)
      for (const __int128 number : {ranges[channel].low, ranges[channel].high})
        ends.ask(static_cast<int64_t>(number), static_cast<int64_t>(channel));
    const auto values = evaluator.exactly_at(ends);
    if (!values) return std::nullopt;
    std::vector<Threshold> thresholds;
    for (size_t at = 0; at < values->size(); at += 2) {
      functions.push_back(
          {ends.numbers[at], ends.numbers[at + 1], (*values)[at], (*values)[at + 1], {}});
      add_thresholds(functions.back(), chain.line(functions.size() - 1), ends.channels[at],
                     thresholds);
    }
    search(evaluator, thresholds);
    // Where it rises by more than one, several are the same.
    for (const Threshold& t : thresholds) {
      std::vector<StepFunction::Step>& steps = functions[static_cast<size_t>(t.channel)].steps;
      if (steps.empty() || steps.back().at != t.above)
        steps.push_back({t.above, t.before, t.after});
    }
    for (size_t channel = first; channel < end; ++channel)
      most -= 8 * static_cast<int64_t>(functions[channel].steps.size() + 1);
    if (most < 0) return std::nullopt;
  }
  return functions;
}

}  // namespace hlocc::transforms
