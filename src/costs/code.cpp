// See code.h.
#include "costs/code.h"

#include <algorithm>

#include "kernel/legalize/packed_words.h"

namespace hlocc::costs {

int64_t most_pixels_alone(const Target& target) { return target.options.for_size() ? 0 : 3; }

int most_tiles_alone(const Target& target) { return target.flash_constrained ? 0 : 3; }

int64_t most_taps(const Target& target) {
  constexpr int64_t kMost = 48, kMostInFlash = 20;
  if (target.options.for_size()) return 0;
  return target.flash_constrained ? kMostInFlash : kMost;
}

int64_t elements_an_iteration(const Target& target, int64_t elements) {
  constexpr int64_t kSeveral = 4;
  return several_pay(target, elements) ? kSeveral : 1;
}

bool several_pay(const Target& target, int64_t elements) {
  constexpr int64_t kFewElements = 256;
  return !target.options.for_size() && (!target.flash_constrained || elements >= kFewElements);
}

int copied_lanes(const Target& target, int element_bits) {
  constexpr int kRegister = 32;
  if (!kernel::has_packed_words(target) || target.options.for_size() || element_bits > kRegister)
    return 0;
  return kRegister / element_bits;
}

int64_t pixels_for_shared_tile(int64_t inside) {
  constexpr int64_t kShortRow = 36, kLowTile = 3;
  return inside < kShortRow ? std::min(inside, kLowTile) : inside;
}

int64_t cached_row_bytes(const Target& target) { return target.cache(1) / 4; }

GatesTile choose_gates_tile(const Target& target, int gates, int64_t rows, int64_t width, int lanes,
                            bool wide) {
  constexpr int kBusy = 6, kBeside = 3, kMostVectors = 4;
  int registers =
      lanes > 1 || (wide ? target.f64_unit : target.f32_unit) ? target.vector_registers : 0;
  if (lanes == 1 && wide && target.pointer_bits == 32) registers /= 2;
  if (target.options.for_size()) registers = 0;
  const auto fits = [&](int height, int count) {
    return gates * height * count + kBeside <= registers && int64_t{count} * lanes <= width;
  };
  GatesTile tile;
  while (tile.rows < rows && fits(tile.rows + 1, 1)) ++tile.rows;
  while (tile.vectors < kMostVectors && fits(tile.rows, 2 * tile.vectors) &&
         (lanes == 1 || gates * tile.rows * tile.vectors < kBusy))
    tile.vectors *= 2;
  return tile;
}

}  // namespace hlocc::costs
