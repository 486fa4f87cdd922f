// What a requantisation makes of one integer, whatever it is spelled as: a step function, known by
// the numbers at which it rises, near a line.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace hlocc::transforms {

// The channel's of numbers that may be one for all.
template <typename T>
const T& of_channel(const std::vector<T>& numbers, size_t channel) {
  return numbers[numbers.size() == 1 ? 0 : channel];
}

// f(x) over [low, high].
struct StepFunction {
  int64_t low = 0, high = 0;    // the numbers that enter
  int64_t first = 0, last = 0;  // f(low), f(high)
  struct Step {
    int64_t at, before, after;  // f(at - 1), f(at)
  };
  std::vector<Step> steps;
};

// floor(x * slope + intercept), nearly, between the clamps; where x is negative, `bend` comes on
// top (halves away from zero).
struct Line {
  double slope = 1, intercept = 0, bend = 0;
};

// A line and the step function that it must equal, of one channel.
struct ChannelFit {
  StepFunction function;
  Line line;
};

// Whether what only rises too equals the function: on both sides of every threshold and at the
// ends.
template <typename Value>
bool equals(const StepFunction& function, const Value& value) {
  return value(function.low) == function.first && value(function.high) == function.last &&
         std::ranges::all_of(function.steps, [&](const StepFunction::Step& step) {
           return value(step.at - 1) == step.before && value(step.at) == step.after;
         });
}

// The least and the most that come out of any channel, of which there is one at least.
struct Outputs {
  int64_t low, high;
};
inline Outputs outputs_of(const std::vector<ChannelFit>& channels) {
  Outputs all{channels[0].function.first, channels[0].function.last};
  for (const ChannelFit& c : channels) {
    all.low = std::min(all.low, c.function.first);
    all.high = std::max(all.high, c.function.last);
  }
  return all;
}

}  // namespace hlocc::transforms
