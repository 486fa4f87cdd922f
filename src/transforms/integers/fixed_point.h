// Numbers that equal the same step function: fixed-point ones, (x * factor + offset) >> shift, in
// the few operations that a 32-bit core has for it; scales of few bits; floats.
#pragma once
#include <optional>

#include "costs/requantization.h"
#include "transforms/integers/step_function.h"

namespace hlocc::transforms {

using costs::FixedForm, costs::Requantization, costs::Rounding;

// One shift for all channels and for each a factor and an offset with which the form, clamped,
// equals the step function at every x of their range, and with which nothing overflows. None if
// there are none near the lines. The forms in the order of their cost, with a long multiplication
// or without and with up to so many corrections.
std::optional<Requantization> fit(const std::vector<ChannelFit>& channels, bool long_multiply,
                                  int most_corrections);
// The same with the offset inside. None where sums leave it no room.
std::optional<Requantization> fit_inside(const std::vector<ChannelFit>& channels);

// Factors of few bits, offsets and one shift with which x * factor + offset, rounded with its ties
// to even or to odd and clamped, equals the step function of each channel at every x of their
// range. None if the lines have no such slopes, or if something overflows.
std::optional<Requantization> fit_ties(const std::vector<ChannelFit>& channels);

// clamp(round to even(f32(x) * scale) + offset): the scales of the lines, if they equal the same
// step function in every channel and what is rounded stays nearer to zero than `most`.
std::optional<Requantization> fit_rounded_floats(const std::vector<ChannelFit>& channels,
                                                 float most);

}  // namespace hlocc::transforms
