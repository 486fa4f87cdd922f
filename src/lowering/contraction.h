// The loops around register tiles: one contraction of M rows, N columns and any reduction loop, with operands and results
// given as functions. dot, convolution and whatever becomes one of them call it.
#pragma once
#include "lowering/tile.h"

namespace hlocc::lowering {

struct Contraction {
  int64_t rows = 0, columns = 0;
  kernel::Scalar accumulator = kernel::Scalar::kF32;
  bool is_complex = false;
  // Runs the reduction for one tile: for every step it calls `step` with functions that give a(row) as a scalar and
  // b(vector) as a vector of lanes, and threads the accumulators through its loops.
  struct Tile {
    Affine row, column;  // the tile's first
    int rows, vectors, lanes;
  };
  using Accumulate = std::function<Accumulators(const Tile&, Accumulators)>;
  Accumulate accumulate;
  // Takes the finished values of one row and vector of a tile; lanes along the columns.
  std::function<void(Affine row, Affine column, int lanes, Element value)> store;
};

// Runs the contraction over rows [0, rows) and all columns.
void contract(Emitter& emitter, const Contraction& contraction);

// One step of a tile: acc[r][v] += a(r) * b(v). a gives elements (scalars, or vectors when a_has_lanes), b vectors.
Accumulators tile_step(Emitter& emitter, const Contraction::Tile& tile, bool is_complex, Accumulators acc,
                       const std::function<Element(int row)>& a, const std::function<Element(int vector)>& b);

}  // namespace hlocc::lowering
