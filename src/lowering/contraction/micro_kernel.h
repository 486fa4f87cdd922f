// What the rows of costs/micro_kernels.h emit: how known weights are packed for a micro-kernel, how
// a tile of sums begins, takes a step and ends. The loops around it are packed_product.h's.
#pragma once
#include <span>

#include "costs/micro_kernels.h"
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

// A tile of sums: rows [0, rows) of those brought to scratch, columns of `vectors` vectors.
struct MicroTile {
  int rows = 1, vectors = 1, lanes = 1;
  Affine row, column;  // the first of each
};

// Known weights [depth, columns] as tiles read them: of each tile's columns, unit after unit of the
// reduction, vector after vector, lane after lane, the steps of a unit.
struct WeightStream {
  kernel::BufferId weights = kernel::kNone;
  kernel::BufferId corrections = kernel::kNone;  // s32[columns]: what sums begin with; none: zero
  kernel::BufferId row_terms = kernel::kNone;    // s32[rows of a tile]: the same by row
  int64_t depth = 0;                             // steps, filled up to whole units
  int unit = 1;
};

// `steps`: for each step of the stream its row in the weights; -1 where it only fills up.
struct WeightOrder {
  hlo::InstructionId right;
  hlo::InstructionId bias = hlo::kNone;  // known s32[columns] that sums begin with; kNone: zero
  std::vector<int64_t> steps;
  int64_t columns = 0;
  std::vector<ColumnRun> runs;  // tiles of columns
};

// Steps [k, k + lanes) of row r of the left side: a unit, or some of one.
using LeftUnit = std::function<kernel::ValueId(int r, const Affine& k, int lanes)>;

struct MicroKernelEmitter {
  std::string_view name;
  WeightStream (*pack)(Emitter& e, const costs::MicroChoice& choice, const WeightOrder& order);
  Accumulators (*start)(Emitter& e, const MicroTile& tile, const WeightStream& stream);
  // One unit of the reduction, which begins at step k.
  Accumulators (*step)(Emitter& e, const MicroTile& tile, const WeightStream& stream,
                       Accumulators sums, const LeftUnit& left, const Affine& k);
  // The sums of one row, in vectors of `lanes` columns from `column` of the tile.
  kernel::ValueId (*finish)(Emitter& e, const MicroTile& tile, const Accumulators& sums, int row,
                            int column, int lanes);
};

std::span<const MicroKernelEmitter> micro_kernel_emitters();

// Known weights in the order in which tiles read them: what emitters that take units share.
WeightStream pack_units(Emitter& e, const costs::MicroChoice& choice, const WeightOrder& order);
// Two rows by two columns, by matrix_accumulate (micro_kernel_tiles.cpp).
Accumulators start_tiles(Emitter& e, const MicroTile& tile, const WeightStream& stream);
Accumulators step_tiles(Emitter& e, const MicroTile& tile, const WeightStream& stream,
                        Accumulators sums, const LeftUnit& left, const Affine& k);
kernel::ValueId finish_tiles(Emitter& e, const MicroTile& tile, const Accumulators& sums, int row,
                             int column, int lanes);

// Rows and their emitters, by the same names; outer products have none: they are contraction.h's. A
// test or a plug-in may bring its own.
struct MicroKernelSet {
  std::span<const costs::MicroKernel> rows = costs::micro_kernels();
  std::span<const MicroKernelEmitter> emitters = micro_kernel_emitters();

  const MicroKernelEmitter* emitter(std::string_view name) const;
};

}  // namespace hlocc::lowering
