// Tiles with lanes along the reduction: rows with rows, and contractions with fewer columns than
// half a vector, or with so many that no vector ends with them, which would leave lanes idle. A
// vector of partial sums for each result; at the end those of a row are added up together, in as
// many steps as one of them would take, into a vector of neighbouring results.
#pragma once
#include "lowering/contraction/contraction.h"

namespace hlocc::lowering {

// The sums of all lanes of each vector, side by side in one. Their number is a power of two, at
// most the lanes.
kernel::ValueId add_up(Emitter& emitter, kernel::Values vectors);

// acc[r][v] += a(r, k) * b(v, k) over k in [0, count), vectors of tile.k_lanes steps at a time; a
// and b give such vectors. count is at least k_lanes.
Accumulators inner_steps(Emitter& emitter, const Contraction::Tile& tile, int64_t count,
                         Accumulators acc, const Operands& operands);

// Known weights with the reduction as the last dimension, [columns, depth].
class WeightRows {
 public:
  // The last columns of `right`, row-major [depth, columns]; nothing if its numbers are not known.
  static std::optional<WeightRows> transpose(Emitter& emitter, hlo::InstructionId right,
                                             int64_t depth, int64_t last);
  kernel::ValueId load(Emitter& emitter, const Affine& column, const Affine& k, int lanes) const {
    return emitter.b.load(buffer_, column.plus(-first_).times(stride_).plus(k), lanes);
  }

 private:
  kernel::BufferId buffer_ = kernel::kNone;
  int64_t stride_ = 0, first_ = 0;  // from column to column; the first column
};

}  // namespace hlocc::lowering
