// Step functions in floats: an accumulator times a scale, to the nearest even integer, plus a
// number. That needs no corrections where the model computed in floats: vector units that convert
// so in one instruction take no more for it than for a fixed-point number, others no more than for
// one with two corrections.
#pragma once
#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {

// clamp(round to even(f32(x) * scale) + offset): the scales of the lines, if they equal the same
// step function in every channel and what is rounded stays nearer to zero than `most`.
std::optional<Requantization> fit_rounded_floats(const std::vector<ChannelFit>& channels,
                                                 float most);

}  // namespace hlocc::transforms
