// How many rows of a feature map are taken together, so that what one loop leaves in a cache the
// next one finds there.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// Bytes that a block of so many rows takes.
struct BlockBytes {
  int64_t a_row = 0, beside = 0;
  int64_t of(int64_t rows) const { return a_row * rows + beside; }
};

// Output rows of a convolution that all runs of its features walk over before the next rows come,
// of `rows` whose input takes so many bytes each.
int64_t rows_of_convolution(const Target& target, int64_t rows, int64_t row_bytes);
// Output rows of a block of row tiles, which divides `rows`: with a cache as many as it holds,
// without one as few as fill a tile of `tile` pixels, of `pixels` each.
int64_t rows_of_row_tiles(const Target& target, int64_t rows, int64_t pixels, int64_t tile,
                          BlockBytes bytes);
// Results of a pool in a block, `least` of `rows` or more: as many as the cache holds.
int64_t rows_of_pool(const Target& target, int64_t rows, int64_t least, BlockBytes bytes);

}  // namespace hlocc::costs
