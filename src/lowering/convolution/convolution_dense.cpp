// Dense convolutions: every output feature sees every input feature of its group. Taps along a row
// and input features lie side by side in memory on both sides, and are one reduction.
#include "lowering/convolution/convolution_row.h"
#include "lowering/program/in_place.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// The accumulators of rows [first, end) of a tile, and back.
Values part_of(const Values& all, const Tile& tile, int first, int end, bool complex) {
  Values part;
  const int cells = tile.rows * tile.vectors;
  for (int half = 0; half < (complex ? 2 : 1); ++half)
    part.insert(part.end(), all.begin() + half * cells + first * tile.vectors,
                all.begin() + half * cells + end * tile.vectors);
  return part;
}
void put_back(Values& all, const Values& part, const Tile& tile, int first, int end, bool complex) {
  const int cells = tile.rows * tile.vectors, share = (end - first) * tile.vectors;
  for (int half = 0; half < (complex ? 2 : 1); ++half)
    std::copy_n(part.begin() + half * share, share,
                all.begin() + half * cells + first * tile.vectors);
}

Operands operands_at(const Row& row, const Tile& tile, const std::vector<Affine>& taps,
                     const std::vector<Affine>& positions, const Affine& tap) {
  const Convolution& c = row.c;
  const Affine first_input = row.group.times(c.group_inputs());
  Operands operands;
  // With one input feature, step k can only be a tap.
  const bool is_tap = c.group_inputs() == 1;
  operands.a = [=, &c, &row](int r, const Affine& k, int lanes) {
    const Affine at = is_tap ? tap.plus(k) : tap;
    const Affine x = row.start(tile.row.plus(r)).plus(at.times(row.w().window_dilation));
    return c.load_input(row.batch, with(positions, x), is_tap ? first_input : first_input.plus(k),
                        lanes);
  };
  operands.b = [=, &c](int v, const Affine& k) {
    return c.load_filter(with(taps, is_tap ? tap.plus(k) : tap), is_tap ? Affine{} : k, row.group,
                         tile, v);
  };
  if (shares_tiles(c)) operands.steps = row.w().size;
  operands.ahead = [=, &c, &row](const Affine& k, int64_t steps) {
    if (!c.weights) return;
    const Affine step = c.step_of(with(taps, is_tap ? tap.plus(k) : tap), is_tap ? Affine{} : k);
    c.weights->prefetch(c.e, tile, row.group, row.before.plus(tile.row), row.pixels, step, steps);
  };
  operands.a_contiguous = !is_tap && c.form.attributes.input_feature == c.form.input.rank() - 1;
  return operands;
}

// Taps along the row and input features as one reduction: element k of it lies k after the first on
// both sides, of what is read where it lies. (Positions along dimensions of size 1 don't count, so
// a row of one pixel has no neighbours to run into.)
bool taps_are_contiguous(const Row& row) {
  const hlo::ConvolutionAttributes& a = row.c.form.attributes;
  const int rank = row.c.form.input.rank();
  return row.c.input_counts() && row.c.input_extent(row.last()) > 1 &&
         row.w().window_dilation == 1 && !row.w().window_reversal && row.c.groups() == 1 &&
         a.input_feature == rank - 1 && a.input_spatial.back() == rank - 2 &&
         a.kernel_input_feature == rank - 2 && a.kernel_spatial.back() == rank - 3;
}

Values dense_taps(const Row& row, const Tile& tile, const std::vector<Affine>& taps,
                  const std::vector<Affine>& positions, Values acc) {
  const Convolution& c = row.c;
  const int64_t inputs = c.group_inputs(), width = row.w().size;
  const auto at = [&](const Tile& part, const Affine& tap) {
    return operands_at(row, part, taps, positions, tap);
  };
  if (tile.bordered) {
    const Taps range = c.taps(row.last(), tile.row);
    if (taps_are_contiguous(row) && tile.k_step == 1)
      return reduce(c.e, tile, range.low.times(inputs), range.high.times(inputs), std::move(acc),
                    at(tile, Affine{}));
    return c.e.loop(range.low, range.high, std::move(acc),
                    [&](Affine tap, std::span<const ValueId> v) {
                      return reduce(c.e, tile, inputs, {v.begin(), v.end()}, at(tile, tap));
                    });
  }
  bool whole = true;
  for (int64_t tap = 0; tap < width; ++tap)
    whole = whole && rows_with_tap(row, tile, tap) == std::pair(0, tile.rows);
  if (whole && taps_are_contiguous(row))
    return reduce(c.e, tile, width * inputs, std::move(acc), at(tile, Affine{}));
  if (whole && width > kWidestUnrolled)
    return c.e.loop(0, width, 1, std::move(acc), [&](Affine tap, std::span<const ValueId> v) {
      return reduce(c.e, tile, inputs, {v.begin(), v.end()}, at(tile, tap));
    });
  for (int64_t tap = 0; tap < width; ++tap) {
    const auto [first, end] = rows_with_tap(row, tile, tap);
    if (first == end) continue;
    Tile part = tile;
    part.row = tile.row.plus(first);
    part.rows = end - first;
    const Values sums = reduce(c.e, part, inputs, part_of(acc, tile, first, end, c.is_complex()),
                               at(part, Affine::constant(tap)));
    put_back(acc, sums, tile, first, end, c.is_complex());
  }
  return acc;
}

// Where flash is constrained: one tile's code for the pixels inside, one for those at both ends of
// a row.
void choose_shared_runs(const Convolution& c, Contraction& k) {
  const auto [first, end] = c.inside(c.spatial() - 1);
  const int64_t inside = end - first;
  const TileSize tile = costs::choose_tile(
      c.e.target(), c.sum, costs::pixels_for_shared_tile(inside), c.group_outputs());
  const int height = tile.rows;
  k.columns = costs::cut_columns(c.group_outputs(), tile);
  const bool again = in_place_pairs(c.e.group()).empty();
  k.rows = costs::cut_rows_overlapping(inside, height);
  if (!k.rows[0].overlapping || !again)
    k.rows = {{.begin = 0, .end = inside / height * height, .height = height}};
  k.rows[0].begin += first;
  k.rows[0].end += first;
  k.rows[0].kept = true;
  const int64_t done = k.rows[0].end, pixels = c.output_extent(c.spatial() - 1);
  k.rows.push_back({.begin = 0,
                    .end = first + pixels - done,
                    .height = 1,
                    .bordered = true,
                    .kept = true,
                    .gap_at = first,
                    .gap = done - first});
}

void choose_dense_runs(Convolution& c, Contraction& k) {
  const int64_t columns = c.group_outputs();
  const int64_t pixels = c.output_extent(c.spatial() - 1);
  TileSize tile;
  k.reduction_lanes = c.reduction_lanes();
  const int64_t across = columns - k.reduction_lanes.columns;
  if (across == 0) {
    tile.rows = costs::choose_inner_tile(c.e.target(), pixels, columns, k.reduction_lanes.lanes,
                                         c.e.masks_pass())
                    .rows;
  } else if (!c.is_complex()) {
    const int64_t depth = c.form.filter.element_count() / c.form.filter.dimensions.back();
    tile = costs::choose_tile(c.e.target(), c.sum, pixels, across, depth, c.e.masks_pass());
    // A row that is one tile is one tile's code anyway.
    if (shares_tiles(c) && tile.rows < pixels) return choose_shared_runs(c, k);
  }
  // Tiles that stand alone are code of their own, tap by tap: where flash is constrained, they are
  // done without.
  cut_row(c, k, across, tile, costs::most_tiles_alone(c.e.target()));
  append_along(c.e, k, columns, tile.rows);
}

constexpr RowKind kDense = {choose_dense_runs, dense_taps};

void convolve_batch(Convolution& c, const Affine& batch) {
  const auto groups = [&](const OuterRows& rows) {
    c.e.loop(c.groups(), [&](Affine group) { convolve_group(c, kDense, batch, group, rows); });
  };
  if (c.spatial() == 1) return groups({});
  loop_over_blocks(c, 0, c.output_extent(0), false, groups);
}

}  // namespace

void emit(Convolution& c, const costs::DensePlan&) {
  c.e.loop(c.form.output.dimensions[c.form.attributes.output_batch],
           [&](Affine batch) { convolve_batch(c, batch); });
}

int pack_dense(Convolution& c) {
  Contraction k;
  choose_dense_runs(c, k);
  c.pack_filter(k.columns);
  return tile_height(k);
}

void convolve_dense_rows(Convolution& c, const Affine& batch, const OuterRows& rows) {
  convolve_group(c, kDense, batch, Affine{}, rows);
}

void convolve_dense_pixels(Convolution& c, const Affine& batch, const Taps& pixels) {
  convolve_pixels(c, kDense, batch, pixels);
}

}  // namespace hlocc::lowering
