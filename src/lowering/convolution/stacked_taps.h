// Depthwise convolutions of bytes where one instruction multiplies several taps: those that stand
// one above the other are put together once for all pixels that see them. Pairs of 16 bits of one
// feature (Armv7E-M's SMLAD), fours of bytes of a vector of features (Hexagon's VRMPY).
#pragma once
#include "lowering/convolution/convolution_row.h"

namespace hlocc::lowering {

// Known weights in the order in which they are read, `taps` of a column of the window together.
StackedWeights stack_weights(const Convolution& c, int taps);
// All taps of a tile. Pairs: of windows that lie inside of the image, as far as its rows go.
kernel::Values stacked_taps(const Row& row, const Tile& tile, kernel::Values sums);

}  // namespace hlocc::lowering
