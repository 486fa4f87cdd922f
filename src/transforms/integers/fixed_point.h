// Fixed-point numbers that equal the same step function: (x * factor + offset) >> shift, in the few
// operations that a 32-bit core has for it.
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

}  // namespace hlocc::transforms
