// The levels of a contraction's tiles, outermost first: what of it stays in which memory while the
// levels inside walk over it. The last level is the register tile.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/type.h"
#include "target/target.h"

namespace hlocc::costs {

// A block of so many rows, columns and steps of the reduction; 0: all that the level around it has.
struct TileLevel {
  int64_t rows = 0, columns = 0, depth = 0;

  friend bool operator==(const TileLevel&, const TileLevel&) = default;
};
using TileLevels = std::vector<TileLevel>;

// A contraction whose register tile is known.
struct LevelForm {
  int64_t rows = 1, columns = 1, depth = 1;
  kernel::Scalar element = kernel::Scalar::kF32;
  TileLevel tile;
  bool across = true;  // some columns lie across vectors
};
// Rows outermost where the weights stay in the nearest cache, columns elsewhere: the weights of a
// tile stay there while the rows go by. Rows that exceed the last cache go by in blocks that do
// not, where weights that are read again for each block are less than rows that are read again for
// each tile of columns.
TileLevels levels_of(const LevelForm& form, const Target& target);

}  // namespace hlocc::costs
