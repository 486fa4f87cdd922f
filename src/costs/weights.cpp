// See weights.h.
#include "costs/weights.h"

#include "costs/tiles.h"

namespace hlocc::costs {

bool panels_pay(const Target& target, int64_t depth, int64_t columns, hlo::PrimitiveType type) {
  // Without a cache fewer weights may well be read elsewhere too, and sums of integers take the
  // registers that addresses want where there are few.
  constexpr int64_t kFewestWeights = 64;
  if (!target.has_cache())
    return depth * columns >= kFewestWeights && (hlo::is_float(type) || has_many_registers(target));
  // A quarter of the nearest cache is near enough as it lies.
  return depth * columns * hlo::storage_bytes(type) >= target.cache(0) / 4;
}

bool prefetch_pays(const Target& target, int64_t weight_bytes, int64_t rows, int64_t tile_rows) {
  // Fewer bytes than two nearest caches come too fast to wait for, and where more tiles walk down a
  // panel, what the first of them waits for doesn't count.
  constexpr int64_t kMostTiles = 64;
  return target.out_of_order && weight_bytes >= 2 * target.cache(0) && rows >= 2 * tile_rows &&
         rows <= kMostTiles * tile_rows;
}

bool packs_nibbles(const Target& target) { return target.flash_constrained; }

bool products_read_nibbles(const Target& target) {
  return packs_nibbles(target) && target.lanes(8) == 1;
}

bool looks_nibbles_up(const Target& target) {
  return target.lanes(32) == 1 || !target.float_vectors;
}

bool makes_filters(const Target& target) { return target.flash_constrained; }

// One row reads each of them once.
bool makes_panels(const Target&, int64_t rows) { return rows > 1; }

int64_t channels_at_once(const Target& target) {
  const int64_t lanes = target.lanes(8);
  return lanes > 16 ? 16 : lanes > 1 ? 8 : 4;
}

bool columns_begin_lines(const Target& target) {
  return target.out_of_order && !target.options.for_size();
}

}  // namespace hlocc::costs
