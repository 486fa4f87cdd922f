// See shared_tiles.h. What a tile saves is loads: each element of a side is brought once a group
// rather than once a thread, so that a larger tile loads less; what it costs is groups, of which a
// device wants some for each of its cores, and results that lie outside of the array.
#include "costs/shared_tiles.h"

#include <algorithm>

#include "kernel/ranges/prove_ranges.h"
#include "support/rounding.h"

namespace hlocc::costs {
namespace {

// From the largest down. All have 64 threads or more, of which neighbours take neighbouring
// columns, and as many steps as make a line of memory of each row.
constexpr SharedTile kTiles[] = {
    {64, 64, 16, 4, 4}, {32, 64, 16, 4, 4}, {64, 32, 16, 4, 4}, {32, 32, 16, 4, 4},
    {16, 64, 16, 4, 4}, {16, 32, 16, 2, 4}, {32, 16, 16, 4, 2}, {16, 16, 16, 2, 2},
    {8, 32, 16, 2, 2},  {8, 16, 16, 1, 2},  {8, 8, 16, 1, 1},
};
// Fewer results or steps than that are as well read by each thread for itself.
constexpr int64_t kFewest = 8, kFewestProducts = 16;
// An invocation's loops end somewhere (drivers stop what seems to hang): a step costs a third of
// one.
constexpr int64_t kMostSteps = 65536;
// Beside its sums and a row and a column of what it multiplies.
constexpr int64_t kOtherRegisters = 8;
// With fewer groups than that most of a device has nothing to do.
constexpr int64_t kEnoughGroups = 16;

int64_t groups_of(const SharedTile& tile, const SharedProduct& p) {
  return p.batches * ceil_div(p.rows, tile.rows) * ceil_div(p.columns, tile.columns);
}

bool fits(const SharedTile& tile, const SharedProduct& p, const Target& target) {
  const int64_t registers = tile.thread_rows * tile.thread_columns + tile.thread_rows +
                            tile.thread_columns + kOtherRegisters;
  return tile.threads() <= target.simt.threads && groups_of(tile, p) <= target.simt.groups &&
         tile.shared() * std::max(4, kernel::scalar_bytes(p.sum)) <= target.simt.shared_bytes &&
         registers <= target.scalar_registers;
}

// Elements that all groups bring to shared memory, for each step.
int64_t loads_of(const SharedTile& tile, const SharedProduct& p) {
  return groups_of(tile, p) * (tile.rows + tile.columns);
}

}  // namespace

std::optional<SharedTile> choose_shared_tile(const Target& target, const SharedProduct& p) {
  const bool serves = p.sum == kernel::Scalar::kF32 || p.sum == kernel::Scalar::kS32;
  if (target.style != KernelStyle::kSimt || !serves || p.rows < kFewest || p.columns < kFewest ||
      p.depth < kFewestProducts || p.depth > kMostSteps ||
      p.batches * p.rows * p.columns > kernel::kMostAccesses)
    return std::nullopt;
  const SharedTile* best = nullptr;
  for (const SharedTile& tile : kTiles) {
    if (!fits(tile, p, target)) continue;
    const auto is_better = [&] {
      const int64_t groups = groups_of(tile, p), before = groups_of(*best, p);
      if (before < kEnoughGroups && groups != before) return groups > before;
      return groups >= std::min(before, kEnoughGroups) && loads_of(tile, p) < loads_of(*best, p);
    };
    if (best == nullptr || is_better()) best = &tile;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace hlocc::costs
