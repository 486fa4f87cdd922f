// How the rows and columns of a contraction are cut into runs that one shape of register tile
// serves.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace hlocc::costs {

struct MicroKernel;  // micro_kernels.h
const MicroKernel& outer_product();

struct TileSize {
  int rows = 1, vectors = 1, lanes = 1;
  // Tiles of nearly one size instead of full ones and a small one at the end; columns that fill no
  // vector are the first lanes of one, behind a mask.
  bool even = false, masked = false;
};

// A run of tiles of one shape along the rows: [begin, end) is a multiple of the height. Of a
// bordered run it is known only at run time which taps its rows see.
struct RowRun {
  int64_t begin = 0, end = 0;
  int height = 1;
  bool bordered = false;
  bool kept = false;            // a loop even if it has no tile or one
  int64_t gap_at = 0, gap = 0;  // rows from gap_at on stand so much further on: both ends of a
                                // longer row as one run
  bool overlapping =
      false;  // the last tile ends with the run, and makes rows of the one before it again
};
// The rows 0 .. count in tiles of that height, and one lower tile for what is left; or in as many
// tiles of nearly that height.
std::vector<RowRun> cut_rows(int64_t count, int height, bool even = false);
// The same where flash is constrained: no tile of another height if few rows are made twice
// instead.
std::vector<RowRun> cut_rows_overlapping(int64_t count, int height);
// The same as cut_rows where only rows [first, last) are alike: tiles in a run of more than one lie
// inside; those that touch the rows before and after stand alone in their run, so that their row is
// a number, or are bordered where that would be more than `most` on a side.
std::vector<RowRun> cut_rows_with_border(int64_t count, int64_t first, int64_t last, int height,
                                         int most);
// The same for code that feature maps of several sizes share: one tile at each end that has a
// border, a run of tiles between them, though it be empty. Images are halved from layer to layer,
// so that tiles are as high as what stays odd, or a few times that. Nothing where one tile is
// enough, or no height of at most `longest` fits.
std::optional<std::vector<RowRun>> cut_rows_alike(int64_t count, int64_t first, int64_t last,
                                                  int longest);

// The columns 0 .. count, cut into runs that one tile shape serves: full tiles first, then narrower
// ones.
struct ColumnRun {
  int64_t begin = 0, end = 0;
  int vectors = 1, lanes = 1;
  // Columns in the last vector of its tile, where they are fewer than lanes: then the run, one
  // tile, ends behind the columns.
  int active = 0;
  // The micro-kernel that makes its tiles, and how many steps of the reduction a step of it takes.
  const MicroKernel* kernel = &outer_product();
  int k_step = 1;
  int64_t step() const { return int64_t{vectors} * lanes; }
};
std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile);

}  // namespace hlocc::costs
