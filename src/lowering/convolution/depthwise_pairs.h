// Depthwise convolutions of bytes on cores that multiply two pairs of 16 bits at once: taps one
// above the other are a pair, put together once for all pixels that see them.
#pragma once
#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

// Known weights in pairs of rows, s16[pairs, columns of the window, features, 2].
kernel::BufferId weights_in_pairs(const Convolution& c);
// All taps of a tile whose windows lie inside of the picture, as far as its rows go.
kernel::Values paired_taps(const Row& row, const Tile& tile, kernel::Values sums);

}  // namespace hlocc::lowering
