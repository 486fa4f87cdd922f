// The loops around register tiles: one contraction of rows, columns and any reduction loop, with
// operands and results given as functions. dot, convolution and whatever becomes one of them call
// it.
#pragma once
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

// The type of the sums: f16, bf16 and smaller are summed in f32 and rounded once at the end.
kernel::Scalar accumulator_of(kernel::Scalar result);

struct Contraction {
  std::vector<RowRun> rows;
  std::vector<ColumnRun> columns;
  kernel::Scalar accumulator = kernel::Scalar::kF32;
  bool is_complex = false;
  // The last so many columns have lanes along the reduction (inner_tiles.h).
  Along along;
  // All columns of one tile's rows, then the next rows: the left side is read from afar once.
  bool rows_first = false;
  // Where set and true, the tiles of a run of columns come from last to first.
  kernel::ValueId backwards = kernel::kNone;
  // Runs the reduction for one tile: for every step it calls `step` with functions that give a(row)
  // as a scalar and b(vector) as a vector of lanes, and threads the accumulators through its loops.
  struct Tile {
    Affine row, column;  // the tile's first
    int rows, vectors, lanes;
    bool bordered = false;  // of a bordered run
    int k_lanes = 1;        // as the column run's
    int active = 0;         // columns in the last vector, if fewer than lanes
    int active_of(int vector) const { return vector == vectors - 1 ? active : 0; }
  };
  // What the sums of a vector of columns begin with; empty: zero.
  std::function<kernel::ValueId(const Affine& column, int lanes)> start;
  // Where set, called for the columns of a tile before any of their rows; columns are outermost
  // then.
  std::function<void(const Affine& column, const ColumnRun& run)> prepare;
  using Accumulate = std::function<Accumulators(const Tile&, Accumulators)>;
  Accumulate accumulate;
  // Takes the finished values of one row and vector of a tile; lanes along the columns.
  std::function<void(Affine row, Affine column, int lanes, Element value)> store;
};

// Runs of tiles for so many rows and columns: what choose_tile says, single cells for complex
// numbers; `along` as it is set.
void choose_runs(Emitter& emitter, Contraction& contraction, int64_t rows, int64_t columns,
                 int64_t depth);

// Appends the runs of the last columns, those with lanes along the reduction, in tiles of that
// height.
void append_along(const Emitter& emitter, Contraction& contraction, int64_t columns, int height);

// Calls body for the first column of each tile, run by run; a run backwards where the contraction
// says so.
void for_each_column(Emitter& emitter, const Contraction& contraction,
                     const std::function<void(const Affine& column, const ColumnRun& run)>& body);
// In a group whose last input is the counter of the loop around it: whether the turn is an odd one.
// Weights that exceed the nearest cache are walked to and fro, so that what was read last is there
// still.
kernel::ValueId is_odd_turn(Emitter& emitter);
// Runs the contraction over its rows and columns; columns outermost, if not said otherwise: the
// weights of a column run stay close.
void contract(Emitter& emitter, const Contraction& contraction);
// All rows of the columns from `column`; row 0 of the contraction is `first`.
void contract_rows(Emitter& emitter, const Contraction& contraction, const Affine& column,
                   const ColumnRun& run, const Affine& first = {});
// The same for one tile of rows: all its columns.
void contract_columns(Emitter& emitter, const Contraction& contraction, const Affine& row,
                      const RowRun& run);

// How a tile gets its operands at step k of the reduction: a(row, k, lanes) with lanes along k, as
// elements or as vectors that lanes are taken from; b(vector, k).
struct Operands {
  std::function<Element(int row, const Affine& k, int lanes)> a;
  std::function<Element(int vector, const Affine& k)> b;
  bool a_contiguous = false;  // neighbouring k of a row lie side by side in memory
  int64_t steps =
      0;  // steps that a turn should take, where it divides their number; 0: what is fastest
  // Called for every turn of the reduction, which takes steps [k, k + steps): hints at what is read
  // later. May be empty.
  std::function<void(const Affine& k, int64_t steps)> ahead;
};
// acc[r][v] += sum over k in [0, count) of a(r, k) * b(v, k), several steps a turn where that saves
// instructions.
Accumulators reduce_steps(Emitter& emitter, const Contraction::Tile& tile, bool is_complex,
                          int64_t count, Accumulators acc, const Operands& operands);
// The same over [low, high) known at run time, step by step.
Accumulators reduce_steps(Emitter& emitter, const Contraction::Tile& tile, bool is_complex,
                          const Affine& low, const Affine& high, Accumulators acc,
                          const Operands& operands);

// One step of a tile: acc[r][v] += a(r) * b(v). a gives elements (scalars, or vectors when
// a_has_lanes), b vectors.
Accumulators tile_step(Emitter& emitter, const Contraction::Tile& tile, bool is_complex,
                       Accumulators acc, const std::function<Element(int row)>& a,
                       const std::function<Element(int vector)>& b);

}  // namespace hlocc::lowering
