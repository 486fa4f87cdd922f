// Depthwise convolutions: one input feature a group, so that both operands have lanes along the
// features, one vector of the input for each vector of the filter.
#include <algorithm>
#include <bit>

#include "lowering/convolution/stacked_taps.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// The inputs of vector `v` of a tile's features: each input feature makes `multiplier` of them, and
// the tile begins with the first of one.
ValueId depthwise_input(const Row& row, const Tile& tile, const std::vector<Affine>& at, int v) {
  const Convolution& c = row.c;
  const int64_t multiplier = c.group_outputs();
  ValueId inputs = kernel::kNone;
  if (multiplier == 1 || tile.lanes == 1) {
    const Affine feature = tile.column.plus(int64_t{v} * tile.lanes);
    c.e.with_active_lanes(tile.active_of(v), tile.lanes, [&] {
      inputs = c.load_input(row.batch, at,
                            multiplier == 1 ? feature : c.e.divmod(feature, multiplier).first,
                            tile.lanes)
                   .re;
    });
    return inputs;
  }
  const int64_t features =
      int64_t{tile.vectors} * tile.lanes - (tile.active > 0 ? tile.lanes - tile.active : 0);
  const int several = static_cast<int>(features / multiplier),
            width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(several)));
  c.e.with_active_lanes(several < width ? several : 0, width, [&] {
    inputs = c.load_input(row.batch, at, c.e.divmod(tile.column, multiplier).first, width).re;
  });
  if (width == 1) return c.e.b.splat(inputs, tile.lanes);
  std::vector<int> from(tile.lanes);
  for (int lane = 0; lane < tile.lanes; ++lane)
    from[lane] =
        std::min(static_cast<int>((int64_t{v} * tile.lanes + lane) / multiplier), width - 1);
  return c.e.b.shuffle(inputs, inputs, from);
}

// What stands beside the image is zero once it is taken from each input; contraction_of adds it,
// times the whole filter, again.
ValueId without_outside(const Convolution& c, ValueId inputs) {
  if (c.outside == 0) return inputs;
  return c.e.b.sub(inputs, c.e.b.constant_int(c.e.b.type(inputs), c.outside));
}

Values depthwise_taps(const Row& row, const Tile& tile, const std::vector<Affine>& taps,
                      const std::vector<Affine>& positions, Values acc) {
  const Convolution& c = row.c;
  const auto filter_at = [&](const Affine& tap, int v) {
    if (row.spelled) return row.filter[taps[0].offset * row.w().size + tap.offset];
    if (c.made) return c.made->load(tile, c.step_of(with(taps, tap), Affine{}), v);
    ValueId filter = kernel::kNone;
    c.e.with_active_lanes(tile.active_of(v), tile.lanes, [&] {
      filter = c.load_filter(with(taps, tap), Affine{}, tile.column.plus(int64_t{v} * tile.lanes),
                             tile.lanes)
                   .re;
    });
    return filter;
  };
  const auto step = [&](const Affine& tap, int v, int first, int end, Values& sums) {
    const ValueId filter = filter_at(tap, v);
    for (int r = first; r < end; ++r) {
      const Affine x = row.start(tile.row.plus(r)).plus(tap.times(row.w().window_dilation));
      ValueId& cell = sums[r * tile.vectors + v];
      const ValueId input = depthwise_input(row, tile, with(positions, x), v);
      cell = multiply_accumulate(c.e, cell, without_outside(c, input), filter);
    }
  };
  const int64_t width = row.w().size;
  if (tile.bordered || width > kWidestUnrolled) {
    const Taps range = tile.bordered ? c.taps(row.last(), tile.row)
                                     : Taps{Affine::constant(0), Affine::constant(width)};
    return c.e.loop(range.low, range.high, std::move(acc),
                    [&](Affine tap, std::span<const ValueId> sums) {
                      Values out(sums.begin(), sums.end());
                      for (int v = 0; v < tile.vectors; ++v) step(tap, v, 0, tile.rows, out);
                      return out;
                    });
  }
  // One vector of features after the other: taps share the inputs that they have in common, and no
  // more of them wait.
  for (int v = 0; v < tile.vectors; ++v)
    for (int64_t tap = 0; tap < width; ++tap) {
      const auto [first, end] = rows_with_tap(row, tile, tap);
      step(Affine::constant(tap), v, first, end, acc);
    }
  return acc;
}

// Features that share inputs go together: those of as many inputs as fill a tile's vectors, then of
// half as many.
std::vector<ColumnRun> multiplied_columns(int64_t inputs, int64_t multiplier, TileSize tile) {
  std::vector<ColumnRun> runs;
  int64_t begin = 0;
  for (auto several = static_cast<int>(tile.vectors * tile.lanes / multiplier); begin < inputs;
       several /= 2) {
    const int64_t end = begin + (inputs - begin) / several * several,
                  left = (inputs - end) * multiplier;
    const int lanes =
        static_cast<int>(std::min<int64_t>(tile.lanes, several * (multiplier & -multiplier)));
    if (end > begin)
      runs.push_back({begin * multiplier, end * multiplier,
                      static_cast<int>(several * multiplier / lanes), lanes});
    begin = end;
    if (!tile.masked || left == 0) continue;
    const int64_t vectors = (left + lanes - 1) / lanes;
    runs.push_back({begin * multiplier, begin * multiplier + vectors * lanes,
                    static_cast<int>(vectors), lanes, static_cast<int>(left % lanes)});
    break;
  }
  return runs;
}

void choose_depthwise_runs(Convolution& c, Contraction& k) {
  const int64_t multiplier = c.group_outputs(), columns = c.groups() * multiplier;
  const TileSize tile =
      costs::choose_depthwise_tile(c.e.target(), c.sum, c.output_extent(c.spatial() - 1),
                                   c.groups(), multiplier, c.e.masks_pass());
  cut_row(c, k, columns, tile, 3);
  if (tile.lanes >= multiplier) k.columns = multiplied_columns(c.groups(), multiplier, tile);
  if (!shares_tiles(c)) return;
  const int last = c.spatial() - 1;
  const auto [first, end] = c.inside(last);
  // Strided rows are shorter by what they skip, and so are the tiles that they share.
  const int longest = static_cast<int>(6 / std::min<int64_t>(c.window(last).stride, 2));
  if (auto runs = costs::cut_rows_alike(c.output_extent(last), first, end, longest))
    k.rows = std::move(*runs);
}

// Where rows share tiles, a small filter stays in registers for all of them.
bool spells_taps(const Convolution& c, const Contraction& runs) {
  return std::ranges::any_of(runs.rows, &RowRun::kept) && c.spatial() == 2 &&
         c.window(0).size * c.window(1).size <= 9 && c.e.target().vector_registers >= 24;
}

constexpr RowKind kDepthwise = {choose_depthwise_runs, depthwise_taps};

// Depthwise sums are so short that a loop over the taps costs as much: rows that see all taps have
// them spelled out, where that is one tile's code. The rows above and below share one loop.
void convolve_feature_maps(Convolution& c, const Affine& batch, int stacked) {
  const auto group = [&](const OuterRows& rows) {
    convolve_group(c, kDepthwise, batch, Affine{}, rows);
  };
  if (c.spatial() == 1) return group({});
  const int64_t count = c.output_extent(0);
  const auto [first, last] = c.inside(0);
  Contraction runs;
  choose_depthwise_runs(c, runs);
  if (stacked > 1)
    c.stacked = stack_weights(c, stacked);
  else if (spells_taps(c, runs))
    return group({count, [](const Affine& row) { return row; }, false, true});
  const bool alike = (last - first) * 2 >= count && c.window(0).size <= kWidestUnrolled &&
                     runs.rows.size() == 1 && !runs.rows[0].bordered &&
                     !c.e.target().options.for_size();
  if (stacked == 4) {
    c.e.choice.micro_kernel = kernel::MicroKernel::kDotAccumulate4Across;
    return loop_over_blocks(c, 0, count, true, group);
  }
  const bool split = c.stacked ? last > first : alike;
  if (c.stacked && split) c.e.choice.micro_kernel = kernel::MicroKernel::kDotAccumulate2;
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

}  // namespace

void emit(Convolution& c, const costs::DepthwisePlan& plan) {
  c.begin_with_bias();
  c.e.loop(c.form.output.dimensions[c.form.attributes.output_batch],
           [&](Affine batch) { convolve_feature_maps(c, batch, plan.stacked); });
}

void convolve_depthwise_rows(Convolution& c, const Affine& batch, const Affine& first,
                             int64_t count) {
  convolve_tiles_of_rows(c, kDepthwise, batch,
                         {count, [first](const Affine& row) { return first.plus(row); }});
}

}  // namespace hlocc::lowering
