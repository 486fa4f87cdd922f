// See levels.h.
#include "costs/levels.h"

#include <algorithm>

#include "support/rounding.h"

namespace hlocc::costs {
namespace {

int64_t bytes_of(int64_t elements, kernel::Scalar element) {
  return elements * kernel::scalar_bits(element) / 8;
}

// Rows of a block that stays in the last cache; 0: no blocks. (Rows that stay in any cache are not
// worth it: what a core reads ahead hides the way from there.)
int64_t block_of(const LevelForm& form, const Target& target) {
  const int64_t row = bytes_of(form.depth, form.element),
                cache = target.cache_bytes.empty() ? 0 : target.cache_bytes.back();
  if (target.options.for_size() || row * form.rows <= cache) return 0;
  const int64_t block = cache / 2 / std::max<int64_t>(row, 1) / form.tile.rows * form.tile.rows;
  if (block < form.tile.rows) return 0;
  // Bytes from afar: the rows once for each tile of columns, or the weights once for each block.
  const double all_rows = static_cast<double>(row) * static_cast<double>(form.rows),
               weights = static_cast<double>(row) * static_cast<double>(form.columns),
               tiles = static_cast<double>(ceil_div(form.columns, form.tile.columns)),
               blocks = static_cast<double>(ceil_div(form.rows, block));
  return blocks * weights + all_rows < tiles * all_rows + weights ? block : 0;
}

}  // namespace

TileLevels levels_of(const LevelForm& form, const Target& target) {
  const TileLevel by_rows{.rows = form.tile.rows}, by_columns{.columns = form.tile.columns};
  // Weights that stay in the nearest cache are better read again and again than the other side.
  const bool rows_first =
      target.out_of_order && !target.options.for_size() &&
      (!form.across || bytes_of(form.depth * form.columns, form.element) <= target.cache(0) / 2);
  if (rows_first) return {by_rows, form.tile};
  if (const int64_t block = block_of(form, target)) return {{.rows = block}, by_columns, form.tile};
  return {by_columns, form.tile};
}

}  // namespace hlocc::costs
