// A 1x1 convolution has no rows to respect: all its pixels are one long row, counted through.
#include <algorithm>

#include "lowering/convolution/convolution_row.h"
#include "lowering/program/in_place.h"

namespace hlocc::lowering {

namespace {

// One tile's code for all pixels, some of which are made twice, where that pays and nothing is
// overwritten that is still read.
void share_tile(const Convolution& c, Contraction& k, int64_t pixels) {
  const int64_t columns = c.group_outputs();
  if (k.is_complex || !in_place_pairs(c.e.group()).empty()) return;
  const std::optional<TileSize> tile = costs::choose_overlapping_tile(
      c.e.target(), c.sum, pixels, columns, k.rows[0].height * k.columns[0].step());
  if (!tile) return;
  k.rows = costs::cut_rows_overlapping(pixels, tile->rows);
  k.columns = costs::cut_columns(columns, *tile);
}

}  // namespace

void emit(Convolution& c, const costs::PointwisePlan&) {
  // Arrays are row-major: pixel m of all batches and rows lies at m * features, which is position m
  // of the innermost dimension before the features that has more than one position, counted past
  // its end.
  const int64_t columns = c.group_outputs(), pixels = c.form.output.element_count() / columns;
  int counted = c.spatial() - 1;
  while (counted >= 0 && c.output_extent(counted) == 1) --counted;
  const auto at = [&](const Affine& pixel) {
    std::vector<Affine> position(c.spatial());
    if (counted >= 0) position[counted] = pixel;
    return position;
  };
  const auto batch = [&](const Affine& pixel) { return counted < 0 ? pixel : Affine{}; };
  Contraction k;
  k.accumulator = c.sum;
  k.is_complex = c.is_complex();
  k.reduction_lanes = c.reduction_lanes();
  choose_runs(c.e, k, pixels, columns, c.group_inputs());
  share_tile(c, k, pixels);
  c.pack_filter(k.columns);
  c.reserve_panel(k.columns);
  if (c.made)
    k.prepare = [&](const Affine& column, const ColumnRun& run) { c.made->make(column, run); };
  k.accumulate = [&](const Tile& tile, Accumulators acc) {
    Operands operands;
    operands.a = [&](int r, const Affine& step, int lanes) {
      const Affine pixel = tile.row.plus(r);
      return c.load_input(batch(pixel), at(pixel), step, lanes);
    };
    operands.b = [&](int v, const Affine& step) {
      return c.load_filter(std::vector<Affine>(c.spatial()), step, Affine{}, tile, v);
    };
    operands.a_contiguous = true;
    operands.ahead = [&](const Affine& step, int64_t steps) {
      if (c.weights) c.weights->prefetch(c.e, tile, Affine{}, tile.row, pixels, step, steps);
    };
    return reduce(c.e, tile, c.group_inputs(), std::move(acc), operands);
  };
  k.store = [&](Affine pixel, Affine column, int lanes, Element value) {
    c.finish(batch(pixel), at(pixel), column, lanes, value);
  };
  contract(c.e, k);
}

}  // namespace hlocc::lowering
