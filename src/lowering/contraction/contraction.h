// The loops around register tiles: one contraction of rows, columns and any reduction loop, by any
// micro-kernels, with operands and results given as functions. dot, convolution and whatever
// becomes one of them call it.
#pragma once
#include "costs/levels.h"
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

// The type of the sums: f16, bf16 and smaller are summed in f32 and rounded once at the end.
kernel::Scalar accumulator_of(kernel::Scalar result);

struct Contraction {
  std::vector<RowRun> rows;
  std::vector<ColumnRun> columns;
  kernel::Scalar accumulator = kernel::Scalar::kF32;
  bool is_complex = false;
  // The last so many columns are inner products.
  ReductionLanes reduction_lanes;
  // In which order tiles come, outermost level first; empty: column by column of tiles, all rows of
  // it.
  costs::TileLevels levels;
  // Results are stored column by column: what belongs to one serves all rows of a tile.
  bool columns_first_out = false;
  // Where set and true, the tiles of a run of columns come from last to first.
  kernel::ValueId backwards = kernel::kNone;
  MicroKernelSet kernels;
  const WeightStream* stream = nullptr;  // of micro-kernels that take k steps
  // What the sums of a vector of columns begin with; empty: zero.
  std::function<kernel::ValueId(const Affine& column, int lanes)> start;
  // Where set, called for the columns of a tile before any of their rows; columns are outermost
  // then.
  std::function<void(const Affine& column, const ColumnRun& run)> prepare;
  // Where set, called for the rows of a tile before any of their columns, with scratch of each
  // iteration's own; `levels` has rows outermost then.
  std::function<void(const Affine& row, int height)> prepare_rows;
  // Runs the reduction for one tile: threads the accumulators through its loops and calls `reduce`
  // there.
  using Accumulate = std::function<Accumulators(const Tile&, Accumulators)>;
  Accumulate accumulate;
  // Takes the finished values of one row and vector of a tile; lanes along the columns.
  std::function<void(Affine row, Affine column, int lanes, Element value)> store;
};

// Runs of tiles for so many rows and columns: what choose_tile says, single cells for complex
// numbers; `along` as it is set.
void choose_runs(Emitter& emitter, Contraction& contraction, int64_t rows, int64_t columns,
                 int64_t depth);

// Appends the runs of the last columns, those of inner products, in tiles of that height.
void append_along(const Emitter& emitter, Contraction& contraction, int64_t columns, int height);

// Calls body for the first column of each tile, run by run; a run backwards where the contraction
// says so.
void for_each_column(Emitter& emitter, const Contraction& contraction,
                     const std::function<void(const Affine& column, const ColumnRun& run)>& body);
// In a group whose last input is the counter of the loop around it: whether the iteration is an odd
// one. Weights that exceed the nearest cache are walked to and fro, so that what was read last is
// there still.
kernel::ValueId is_odd_iteration(Emitter& emitter);
// Runs the contraction over its rows and columns; columns outermost, if not said otherwise: the
// weights of a column run stay close.
void contract(Emitter& emitter, const Contraction& contraction);
// All rows of the columns from `column`; row 0 of the contraction is `first`.
void contract_rows(Emitter& emitter, const Contraction& contraction, const Affine& column,
                   const ColumnRun& run, const Affine& first = {});
// The same for one tile of rows: all its columns.
void contract_columns(Emitter& emitter, const Contraction& contraction, const Affine& row,
                      const RowRun& run);

// sums[r][v] += sum over k in [0, count) of a(r, k) * b(v, k), by the tile's micro-kernel, several
// steps an iteration where that saves instructions.
Accumulators reduce(Emitter& emitter, const Tile& tile, int64_t count, Accumulators sums,
                    const Operands& operands);
// The same over [low, high) known at run time, step by step: for outer products.
Accumulators reduce(Emitter& emitter, const Tile& tile, const Affine& low, const Affine& high,
                    Accumulators sums, const Operands& operands);

}  // namespace hlocc::lowering
