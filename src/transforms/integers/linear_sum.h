// Sums of several accumulators with a scale each, to 8 or 16 bits: what enters the gates of a
// recurrent cell, (x * sx + h * sh + bias) / s, rounded, clamped. No table tells such a function,
// and floats round on the way: one sum in 64 bits is nearer to the real number than they are
// (docs/numerics.md).
#pragma once
#include <map>

#include "costs/requantization.h"
#include "transforms/integers/integer_ranges.h"
#include "transforms/integers/step_function.h"

namespace hlocc::transforms {

// A number for each channel, or one for all.
using ChannelNumbers = std::vector<double>;

// clamp(round(sum of integer arrays * numbers + numbers), low, high) + zero.
struct LinearSum {
  std::map<InstructionId, ChannelNumbers> terms;
  ChannelNumbers constant{0};
  double low = 0, high = 0, zero = 0;
  Dimensions mapping, sizes;  // of what differs from channel to channel
};

// What a conversion from floats to integers, which is not built yet, is a sum of; none where it is
// no such sum, or one accumulator that is known by its steps.
std::optional<LinearSum> linear_sum(const Rewriter& r, const Instruction& last);

// The same in 64 bits, as near as floats are. None where bits are missing.
std::optional<costs::Requantization> fit_linear_sum(const LinearSum& sum, IntegerRanges& ranges);

}  // namespace hlocc::transforms
