// Chains of windows, whose rows loops take one after the other: convolutions, pools and pads, with
// shortcuts, branches that are put side by side, pictures of one column, and channels in front.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

// Small networks of bytes with 32-bit sums, or of floats that stay exact, so that every way to
// compute them has the same bits.
Program random_windows(uint64_t seed);

}  // namespace hlocc::fuzz
