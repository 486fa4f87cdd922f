// What dense and depthwise convolutions share: an output row with its borders, the taps of the
// outer dimensions as loops with run-time bounds, and the loops over blocks of rows and runs of
// tiles around them.
#pragma once
#include "costs/code.h"
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

using costs::kWidestUnrolled;

// One output row (or all pixels of a 1x1) of one batch and group.
struct Row {
  const Convolution& c;
  Affine batch, group;
  std::vector<Affine> outer;  // positions of the outer spatial dimensions
  bool inside = false;        // all taps of the outermost dimension fall on input
  bool spelled = false;  // taps of the outermost dimension are spelled out, and asked whether they
                         // fall on input
  std::vector<kernel::ValueId> filter;  // spelled: the filter of the tile's features, tap by tap
  // Pixels that walk down a run of columns: those before this row, and all.
  Affine before = {};
  int64_t pixels = 0;

  int last() const { return c.spatial() - 1; }
  const hlo::WindowDimension& w() const { return c.window(last()); }
  // Where tap 0 of output pixel x falls.
  Affine start(const Affine& x) const { return x.times(w().stride).plus(-w().padding_low); }
};

// Where the input row of a tap of dimension d lies.
Affine input_row(const Row& row, int d, const Affine& tap);
// Calls body with the taps of the outer dimensions and the input positions that they fall on.
using AtTaps = std::function<kernel::Values(const std::vector<Affine>& taps,
                                            const std::vector<Affine>& positions, kernel::Values)>;
kernel::Values over_outer_taps(const Row& row, std::vector<Affine>& taps,
                               std::vector<Affine>& positions, kernel::Values carried,
                               const AtTaps& body);
std::vector<Affine> with(std::vector<Affine> list, const Affine& last);

// The rows of a tile for which tap `tap` falls on input; a tile that is neither alone nor bordered
// lies inside.
std::pair<int, int> rows_with_tap(const Row& row, const Tile& tile, int64_t tap);

// Positions of the outermost spatial dimension that one loop takes.
struct OuterRows {
  int64_t count = 0;
  std::function<Affine(const Affine&)> at;
  bool inside = false;
  bool spelled = false;
  // Called with each row before its tiles.
  std::function<void(const Affine&)> enter = nullptr;
  // Where set: the rows are [low, high), known at run time, of images of two dimensions; `count`
  // and `at` don't matter.
  std::optional<Taps> between = std::nullopt;
};

// Rows [begin, end) of the image in blocks: the input of a block is read once a column run.
void loop_over_blocks(const Convolution& c, int64_t begin, int64_t end, bool inside,
                      const std::function<void(const OuterRows&)>& body);

// What differs between the kinds: how a row is cut, and what a tile adds up for given taps of the
// outer dimensions.
struct RowKind {
  void (*choose_runs)(Convolution&, Contraction&);
  kernel::Values (*accumulate)(const Row&, const Tile&, const std::vector<Affine>& taps,
                               const std::vector<Affine>& positions, kernel::Values);
};
// Runs of tiles for a row of pixels: those inside in a loop, those at its ends alone, up to
// `most_alone` on a side.
void cut_row(const Convolution& c, Contraction& contraction, int64_t columns, TileSize tile,
             int most_alone);
bool shares_tiles(const Convolution& c);
// Pixels of the highest tile that has no border.
int tile_height(const Contraction& contraction);
void convolve_group(Convolution& c, const RowKind& kind, const Affine& batch, const Affine& group,
                    const OuterRows& rows);
// The same for images without groups to loop over, tile by tile of a row's pixels: all rows and
// columns of one, then the next. What the rows have in common stays in the nearest cache.
void convolve_tiles_of_rows(Convolution& c, const RowKind& kind, const Affine& batch,
                            const OuterRows& rows);

// Pixels [low, high) of a convolution over one dimension, known at run time: in tiles where no
// window has a border, the others one by one.
void convolve_pixels(Convolution& c, const RowKind& kind, const Affine& batch, const Taps& pixels);

// Emitters of the algorithms that have no header of their own.
void emit(Convolution& c, const costs::SharedTilesPlan& plan);
void emit(Convolution& c, const costs::DensePlan& plan);
void emit(Convolution& c, const costs::DepthwisePlan& plan);
void emit(Convolution& c, const costs::FlatPlan& plan);
void emit(Convolution& c, const costs::ChannelsFirstPlan& plan);
void emit(Convolution& c, const costs::PointwisePlan& plan);
void emit(Convolution& c, const costs::PackedPlan& plan);
void emit(Convolution& c, const costs::WindowsPlan& plan);
// Rows of a dense convolution (1x1 ones among them) without groups, whose weights `pack_dense` has
// put in order. Says how many pixels of a row its tiles have.
int pack_dense(Convolution& c);
void convolve_dense_rows(Convolution& c, const Affine& batch, const OuterRows& rows);
void convolve_dense_pixels(Convolution& c, const Affine& batch, const Taps& pixels);
// Rows [first, first + count) of a depthwise one alone.
void convolve_depthwise_rows(Convolution& c, const Affine& batch, const Affine& first,
                             int64_t count);

}  // namespace hlocc::lowering
