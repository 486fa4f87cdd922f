// Register tiles of an outer product: MR rows by NV vectors of accumulators that stay in registers, for dot and
// convolution alike. result[m, n] = sum over k of a(m, k) * b(k, n); lanes run along n.
#pragma once
#include "lowering/emitter.h"

namespace hlocc::lowering {

struct TileSize {
  int rows = 1, vectors = 1, lanes = 1;
  // Tiles of nearly one size instead of full ones and a small one at the end; columns that fill no vector are the first
  // lanes of one, behind a mask.
  bool even = false, masked = false;
};

// The tile that takes the fewest instructions for a contraction of so many rows and columns, among those that fit the
// target's registers (MR * NV + NV and what the a side takes).
TileSize choose_tile(const Target& target, kernel::Scalar element, int64_t rows, int64_t columns);
// The same for a reduction of `depth` steps; where the core runs ahead, what counts is which of its units are busy, not
// instructions. `masks`: all that the group reads and writes may be masked.
TileSize choose_tile(const Target& target, kernel::Scalar element, int64_t rows, int64_t columns, int64_t depth, bool masks);
// Sums that a tile of so many cells keeps of each, step by step in turn, so that multiply-adds don't wait for one another.
int sums_a_cell(const Target& target, int cells);
// The same where both operands have lanes (depthwise): a row of so many pixels by channels, each of which has `multiplier`
// results.
TileSize choose_depthwise_tile(const Target& target, kernel::Scalar element, int64_t pixels, int64_t channels, int64_t multiplier, bool masks);

// A run of tiles of one shape along the rows: [begin, end) is a multiple of the height. Of a bordered run it is known only
// at run time which taps its rows see.
struct RowRun {
  int64_t begin = 0, end = 0;
  int height = 1;
  bool bordered = false;
  bool kept = false;  // a loop even if it has no tile or one
  int64_t gap_at = 0, gap = 0;  // rows from gap_at on stand so much further on: both ends of a longer row as one run
  bool overlapping = false;  // the last tile ends with the run, and makes rows of the one before it again
};
// The rows 0 .. count in tiles of that height, and one lower tile for what is left; or in as many tiles of nearly that height.
std::vector<RowRun> cut_rows(int64_t count, int height, bool even = false);
// The same where code is dear: no tile of another height if few rows are made twice instead.
std::vector<RowRun> cut_rows_overlapping(int64_t count, int height);
// The same as cut_rows where only rows [first, last) are alike: tiles in a run of more than one lie inside; those that touch the rows
// before and after stand alone in their run, so that their row is a number, or are bordered where that would be more than
// `most` on a side.
std::vector<RowRun> cut_rows_with_border(int64_t count, int64_t first, int64_t last, int height, int most);
// The same for code that pictures of several sizes share: one tile at each end that has a border, a run of tiles between
// them, though it be empty. Pictures are halved from layer to layer, so that tiles are as high as what stays odd, or a few
// times that. Nothing where one tile is enough, or no height of at most `longest` fits.
std::optional<std::vector<RowRun>> cut_rows_alike(int64_t count, int64_t first, int64_t last, int longest);

// The columns 0 .. count, cut into runs that one tile shape serves: full tiles first, then narrower ones.
struct ColumnRun {
  int64_t begin = 0, end = 0;
  int vectors = 1, lanes = 1;
  // Columns in the last vector of its tile, where they are fewer than lanes: then the run, one tile, ends behind the columns.
  int active = 0;
  // More than 1: lanes run along the reduction, the tile's vectors are single columns (inner_tiles.h).
  int k_lanes = 1;
  int64_t step() const { return int64_t{vectors} * lanes; }
};
std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile);

// The accumulators of a tile, row by row.
using Accumulators = kernel::Values;

// acc + a * b in the accumulator's type; fused or not, as the target likes.
kernel::ValueId multiply_accumulate(Emitter& emitter, kernel::ValueId acc, kernel::ValueId a, kernel::ValueId b);

}  // namespace hlocc::lowering
