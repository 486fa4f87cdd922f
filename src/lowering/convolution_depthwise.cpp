// Depthwise convolutions: one input feature a group, so that both operands have lanes along the features, one vector of the
// input for each vector of the filter.
#include <algorithm>

#include "lowering/convolution_row.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// The inputs that output features [feature, feature + lanes) see: each input feature makes `multiplier` of them.
ValueId depthwise_input(const Row& row, const std::vector<Affine>& at, const Affine& feature, int lanes) {
  const Convolution& c = row.c;
  const int64_t multiplier = c.group_outputs();
  if (multiplier == 1) return c.load_input(row.batch, at, feature, lanes).re;
  if (lanes % multiplier == 0) {
    const int several = static_cast<int>(lanes / multiplier);
    const ValueId inputs = c.load_input(row.batch, at, c.e.divmod(feature, multiplier).first, several).re;
    if (several == 1) return c.e.b.splat(inputs, lanes);
    std::vector<int> from(lanes);
    for (int lane = 0; lane < lanes; ++lane) from[lane] = static_cast<int>(lane / multiplier);
    return c.e.b.shuffle(inputs, inputs, from);
  }
  ValueId all = kernel::kNone;
  for (int lane = 0; lane < lanes; ++lane) {
    const ValueId one = c.load_input(row.batch, at, c.e.divmod(feature.plus(lane), multiplier).first, 1).re;
    all = lane == 0 ? c.e.b.splat(one, lanes) : c.e.b.insert(all, one, lane);
  }
  return all;
}

Values depthwise_taps(const Row& row, const Contraction::Tile& tile, const std::vector<Affine>& taps,
                      const std::vector<Affine>& positions, Values acc) {
  const Convolution& c = row.c;
  const auto step = [&](const Affine& tap, int v, int first, int end, Values& sums) {
    const Affine feature = tile.column.plus(int64_t{v} * tile.lanes);
    const ValueId filter = row.spelled ? row.filter[taps[0].offset * row.w().size + tap.offset]
                                       : c.load_filter(with(taps, tap), Affine{}, feature, tile.lanes).re;
    for (int r = first; r < end; ++r) {
      const Affine x = row.start(tile.row.plus(r)).plus(tap.times(row.w().window_dilation));
      ValueId& cell = sums[r * tile.vectors + v];
      cell = multiply_accumulate(c.e, cell, depthwise_input(row, with(positions, x), feature, tile.lanes), filter);
    }
  };
  const int64_t width = row.w().size;
  if (tile.bordered || width > kWidestUnrolled) {
    const Taps range = tile.bordered ? c.taps(row.last(), tile.row) : Taps{Affine::constant(0), Affine::constant(width)};
    return c.e.loop(range.low, range.high, std::move(acc), [&](Affine tap, std::span<const ValueId> sums) {
      Values out(sums.begin(), sums.end());
      for (int v = 0; v < tile.vectors; ++v) step(tap, v, 0, tile.rows, out);
      return out;
    });
  }
  // One vector of features after the other: taps share the inputs that they have in common, and no more of them wait.
  for (int v = 0; v < tile.vectors; ++v)
    for (int64_t tap = 0; tap < width; ++tap) {
      const auto [first, end] = rows_with_tap(row, tile, tap);
      step(Affine::constant(tap), v, first, end, acc);
    }
  return acc;
}

void choose_depthwise_runs(const Convolution& c, Contraction& k) {
  const int64_t columns = c.groups() * c.group_outputs();
  TileSize tile;
  if (!c.complex) tile = choose_depthwise_tile(c.e.target(), c.sum, c.output_extent(c.spatial() - 1), columns);
  cut_row(c, k, columns, tile, 3);
  if (!shares_tiles(c) || c.complex) return;
  const int last = c.spatial() - 1;
  const auto [first, end] = c.inside(last);
  // Strided rows are shorter by what they skip, and so are the tiles that they share.
  const int longest = static_cast<int>(6 / std::min<int64_t>(c.window(last).stride, 2));
  if (auto runs = cut_rows_alike(c.output_extent(last), first, end, longest)) k.rows = std::move(*runs);
}

// Where rows share tiles, a small filter stays in registers for all of them.
bool spells_taps(const Convolution& c, const Contraction& runs) {
  return std::ranges::any_of(runs.rows, &RowRun::kept) && c.spatial() == 2 && c.window(0).size * c.window(1).size <= 9 &&
         c.e.target().vector_registers >= 24;
}

constexpr RowKind kDepthwise = {choose_depthwise_runs, depthwise_taps};

}  // namespace

// Depthwise sums are so short that a loop over the taps costs as much: rows that see all taps have them spelled out, where
// that is one tile's code. The rows above and below share one loop.
void convolve_depthwise(const Convolution& c, const Affine& batch) {
  const auto group = [&](const OuterRows& rows) { convolve_group(c, kDepthwise, batch, Affine{}, rows); };
  if (c.spatial() == 1) return group({});
  const int64_t count = c.output_extent(0);
  const auto [first, last] = c.inside(0);
  Contraction runs;
  choose_depthwise_runs(c, runs);
  if (spells_taps(c, runs)) return group({count, [](const Affine& row) { return row; }, false, true});
  const bool split = (last - first) * 2 >= count && c.window(0).size <= kWidestUnrolled && runs.rows.size() == 1 &&
                     !runs.rows[0].bordered && !c.e.target().options.for_size();
  if (!split) return loop_over_blocks(c, 0, count, false, group);
  loop_over_blocks(c, first, last, true, group);
  if (first == 0) return loop_over_blocks(c, last, count, false, group);
  const auto above_or_below = [&, first = first, last = last](const Affine& row) {
    if (last == count) return row;
    kernel::Builder& b = c.e.b;
    const ValueId at = b.value_of(row);
    const ValueId above = b.compare(kernel::Predicate::kLt, at, b.index(first));
    return Affine::of(b.select(above, at, b.add(at, b.index(last - first))));
  };
  group({count - (last - first), above_or_below, false});
}

void convolve_depthwise_rows(const Convolution& c, const Affine& batch, const Affine& first, int64_t count) {
  convolve_tiles_of_rows(c, kDepthwise, batch, {count, [first](const Affine& row) { return first.plus(row); }});
}

}  // namespace hlocc::lowering
