// Stairs climbed in floats: an accumulator times a scale, to the nearest even integer, plus a
// number. Vector units that convert so in one instruction need no more for it than for a
// fixed-point number, and no corrections where the model computed in floats.
#pragma once
#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {

// clamp(to s32 of round to even(f32(x) * scale) + offset).
struct RoundedFloats {
  std::vector<float> scales;  // of each channel
  int64_t offset = 0, low = 0, high = 0;
};

// The scales of the lines, if they climb the same stairs in every channel and what is rounded stays
// far from the ends of s32.
std::optional<RoundedFloats> fit_rounded_floats(const std::vector<Climb>& channels);

}  // namespace hlocc::transforms
