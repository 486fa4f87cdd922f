// Step functions in floats: an accumulator times a scale, to the nearest even integer, plus a
// number. That needs no corrections where the model computed in floats: vector units that convert
// so in one instruction take no more for it than for a fixed-point number, others no more than for
// one with two corrections.
#pragma once
#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {

// clamp(to s32 of round to even(f32(x) * scale) + offset).
struct RoundedFloats {
  std::vector<float> scales;  // of each channel
  int64_t offset = 0, low = 0, high = 0;
};

// The scales of the lines, if they equal the same step function in every channel and what is
// rounded stays nearer to zero than `most`.
std::optional<RoundedFloats> fit_rounded_floats(const std::vector<ChannelFit>& channels,
                                                float most);

// Far from the ends of s32.
constexpr float kMostConverted = 0x1p30f;
// A float that much greater has the integer in its last bits, rounded to even.
constexpr float kRounder = 0x1.8p23f, kMostRounded = 0x1p22f;

}  // namespace hlocc::transforms
