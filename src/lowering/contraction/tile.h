// What lowering takes of costs/ in all its schedules: tiles and runs of them; and the accumulators
// of a tile.
#pragma once
#include "costs/along.h"
#include "costs/tiles.h"
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

using costs::Along;
using costs::ColumnRun;
using costs::RowRun;
using costs::TileSize;

// The accumulators of a tile, row by row.
using Accumulators = kernel::Values;

// acc + a * b in the accumulator's type; fused or not, as the target likes.
kernel::ValueId multiply_accumulate(Emitter& emitter, kernel::ValueId acc, kernel::ValueId a,
                                    kernel::ValueId b);

}  // namespace hlocc::lowering
