// See row_blocks.h.
#include "costs/row_blocks.h"

#include <algorithm>

#include "costs/code.h"

namespace hlocc::costs {

int64_t rows_of_convolution(const Target& target, int64_t rows, int64_t row_bytes) {
  const int64_t cache = cached_row_bytes(target);
  if (!target.has_cache() || row_bytes * rows <= cache) return rows;
  return std::clamp<int64_t>(cache / 2 / std::max<int64_t>(row_bytes, 1), 1, rows);
}

int64_t rows_of_row_tiles(const Target& target, int64_t rows, int64_t pixels, int64_t tile,
                          BlockBytes bytes) {
  int64_t best = 1;
  for (int64_t block = 1; block <= rows; ++block) {
    const bool fits =
        target.has_cache() ? bytes.of(block) <= cached_row_bytes(target) : best * pixels < tile;
    if (rows % block == 0 && fits) best = block;
  }
  return best;
}

int64_t rows_of_pool(const Target& target, int64_t rows, int64_t least, BlockBytes bytes) {
  int64_t block = least;
  if (!target.has_cache()) return block;
  while (block < rows && bytes.of(block + 1) <= cached_row_bytes(target)) ++block;
  return block;
}

}  // namespace hlocc::costs
