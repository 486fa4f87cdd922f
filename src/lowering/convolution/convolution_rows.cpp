// Register tiles over the pixels of a row and output features. Tiles at the border of a row stand
// at known places, so that they take only the taps that fall on input: nothing is padded and
// nothing multiplied by zero. Columns of the image are the rows of a tile; taps of the outer
// dimensions are a loop with run-time bounds.
#include <algorithm>

#include "costs/row_blocks.h"
#include "kernel/share/share_kernels.h"
#include "lowering/convolution/stacked_taps.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// Whether a tap of the outermost dimension falls on input; kNone if it does for every row.
ValueId tap_exists(const Row& row, int64_t tap) {
  const Convolution& c = row.c;
  kernel::Builder& b = c.e.b;
  const auto& w = c.window(0);
  const int64_t first = tap * w.window_dilation - w.padding_low,
                last = first + (c.output_extent(0) - 1) * w.stride;
  const Affine at = row.outer[0].times(w.stride).plus(first);
  ValueId exists = kernel::kNone;
  if (first < 0) exists = b.compare(kernel::Predicate::kGe, b.value_of(at), b.index(0));
  if (last < c.input_extent(0)) return exists;
  const ValueId below =
      b.compare(kernel::Predicate::kLt, b.value_of(at), b.index(c.input_extent(0)));
  return exists == kernel::kNone ? below : b.logical_and(exists, below);
}

std::vector<ValueId> filter_of(const Convolution& c, const Affine& column, int lanes) {
  std::vector<ValueId> filter;
  for (int64_t y = 0; y < c.window(0).size; ++y)
    for (int64_t x = 0; x < c.window(1).size; ++x)
      filter.push_back(
          c.load_filter({Affine::constant(y), Affine::constant(x)}, Affine{}, column, lanes).re);
  return filter;
}

Affine feature_of(const Convolution& c, const Row& row, const Affine& column) {
  return c.depthwise() ? column : row.group.times(c.group_outputs()).plus(column);
}

// Where something else than zero stands beside the input, sums begin with it times the filter:
// taps that fall on input add what it is more.
void add_outside(const Row& row, const Tile& tile, Values& sums) {
  const Convolution& c = row.c;
  kernel::Builder& b = c.e.b;
  for (int v = 0; v < tile.vectors; ++v) {
    const Affine feature = tile.column.plus(int64_t{v} * tile.lanes);
    ValueId filter = kernel::kNone;
    for (const ValueId tap : filter_of(c, feature, tile.lanes))
      filter = filter == kernel::kNone ? tap : b.add(filter, tap);
    const ValueId outside = b.mul(filter, b.constant_int(b.type(filter), c.outside));
    for (int r = 0; r < tile.rows; ++r) {
      ValueId& sum = sums[r * tile.vectors + v];
      sum = b.add(sum, outside);
    }
  }
}

Contraction contraction_of(const Convolution& c, const Row& row, const RowKind& kind) {
  Contraction k;
  k.accumulator = c.sum;
  k.is_complex = c.is_complex();
  k.accumulate = [&](const Tile& tile, Accumulators acc) {
    if (row.inside && c.stacked) return stacked_taps(row, tile, std::move(acc));
    if (c.outside != 0) add_outside(row, tile, acc);
    std::vector<Affine> taps, positions;
    return over_outer_taps(row, taps, positions, std::move(acc),
                           [&](const auto& t, const auto& p, Values v) {
                             return kind.accumulate(row, tile, t, p, std::move(v));
                           });
  };
  if (c.bias != hlo::kNone)
    k.start = [&](const Affine& column, int lanes) {
      return c.load_bias(feature_of(c, row, column), lanes);
    };
  k.store = [&](Affine x, Affine column, int lanes, Element value) {
    c.finish(row.batch, with(row.outer, x), feature_of(c, row, column), lanes, value);
  };
  return k;
}

}  // namespace

Affine input_row(const Row& row, int d, const Affine& tap) {
  const auto& w = row.c.window(d);
  const Affine at =
      row.outer[d].times(w.stride).plus(tap.times(w.window_dilation)).plus(-w.padding_low);
  return row.c.input_row ? row.c.input_row(at) : at;
}

Values over_outer_taps(const Row& row, std::vector<Affine>& taps, std::vector<Affine>& positions,
                       Values carried, const AtTaps& body) {
  const int d = static_cast<int>(taps.size());
  if (d == row.last()) return body(taps, positions, std::move(carried));
  const auto& w = row.c.window(d);
  const auto at_tap = [&](const Affine& tap, Values sums) {
    taps.push_back(tap);
    positions.push_back(input_row(row, d, tap));
    Values out = over_outer_taps(row, taps, positions, std::move(sums), body);
    taps.pop_back();
    positions.pop_back();
    return out;
  };
  if (d == 0 && row.inside) {
    for (int64_t tap = 0; tap < w.size; ++tap)
      carried = at_tap(Affine::constant(tap), std::move(carried));
    return carried;
  }
  if (row.spelled) {  // of images of two dimensions, whose rows are the first
    for (int64_t tap = 0; tap < w.size; ++tap) {
      const ValueId exists = tap_exists(row, tap);
      const auto sums = [&] { return at_tap(Affine::constant(tap), carried); };
      carried =
          exists == kernel::kNone ? sums() : row.c.e.if_else(exists, sums, [&] { return carried; });
    }
    return carried;
  }
  const Taps range = row.c.taps(d, row.outer[d]);
  return row.c.e.loop(range.low, range.high, std::move(carried),
                      [&](Affine tap, std::span<const ValueId> v) {
                        return at_tap(tap, {v.begin(), v.end()});
                      });
}

std::vector<Affine> with(std::vector<Affine> list, const Affine& last) {
  list.push_back(last);
  return list;
}

std::pair<int, int> rows_with_tap(const Row& row, const Tile& tile, int64_t tap) {
  if (!tile.row.is_constant()) return {0, tile.rows};
  int first = tile.rows, end = 0;
  for (int r = 0; r < tile.rows; ++r) {
    const Taps taps = row.c.taps(row.last(), tile.row.plus(r));
    if (tap < taps.low.offset || tap >= taps.high.offset) continue;
    first = std::min(first, r);
    end = r + 1;
  }
  return {first, std::max(first, end)};
}

void cut_row(const Convolution& c, Contraction& k, int64_t columns, TileSize tile, int most_alone) {
  const int last = c.spatial() - 1;
  const int64_t count = c.output_extent(last);
  k.columns = costs::cut_columns(columns, tile);
  const auto [first, end] = c.inside(last);
  const bool border = first > 0 || end < count;
  if (!border) {
    k.rows = costs::cut_rows(count, tile.rows, tile.even);
  } else if (c.e.target().options.for_size()) {
    k.rows = {{0, count, 1, true}};
  } else if (c.window(last).size > kWidestUnrolled) {
    k.rows = {{0, first, 1, true}, {end, count, 1, true}};
    for (const RowRun& run : costs::cut_rows(end - first, tile.rows, tile.even))
      k.rows.push_back({first + run.begin, first + run.end, run.height});
  } else {
    k.rows = costs::cut_rows_with_border(count, first, end, tile.rows, most_alone);
  }
}

// Where flash is constrained, rows of several lengths are cut so that one kernel can serve them.
bool shares_tiles(const Convolution& c) {
  const Target& target = c.e.target();
  const auto [first, end] = c.inside(c.spatial() - 1);
  const bool border = first > 0 || end < c.output_extent(c.spatial() - 1);
  return end > first && border && target.vector_bits == 0 && kernel::shares_kernels(target) &&
         !target.options.for_size() && target.f32_unit &&
         c.window(c.spatial() - 1).size <= kWidestUnrolled;
}

// Input that the kernel walks over once for every run of output features should stay in a cache.
void loop_over_blocks(const Convolution& c, int64_t begin, int64_t end, bool inside,
                      const std::function<void(const OuterRows&)>& body) {
  const int64_t rows = end - begin;
  const int64_t bytes = c.form.input.element_count() /
                        c.form.input.dimensions[c.form.attributes.input_batch] / c.input_extent(0) *
                        c.window(0).stride * kernel::scalar_bits(c.e.scalar(c.form.input)) / 8;
  const int64_t block = costs::rows_of_convolution(c.e.target(), rows, bytes);
  const int64_t whole = rows / std::max<int64_t>(block, 1) * block;
  const auto from = [](const Affine& first) {
    return [first](const Affine& row) { return first.plus(row); };
  };
  c.e.loop(
      whole,
      [&](Affine first) {
        body({block, from(first.plus(begin)), inside});
      },
      block);
  if (whole < rows) body({rows - whole, from(Affine::constant(begin + whole)), inside});
}

void convolve_group(Convolution& c, const RowKind& kind, const Affine& batch, const Affine& group,
                    const OuterRows& rows) {
  Row row{c, batch, group, {}, rows.inside, rows.spelled, {}};
  Contraction k = contraction_of(c, row, kind);
  kind.choose_runs(c, k);
  if (!c.depthwise()) c.pack_filter(k.columns);
  if (!rows.spelled) c.reserve_panel(k.columns);
  hlo::Dimensions outer;
  for (int d = 0; d < row.last(); ++d) outer.push_back(d == 0 ? rows.count : c.output_extent(d));
  row.pixels = rows.between ? 0 : c.output_extent(row.last());
  for (int64_t extent : outer) row.pixels *= extent;
  for (const ColumnRun& run : k.columns)
    c.e.loop(run.begin, run.end, run.step(), {}, [&](Affine column, std::span<const ValueId>) {
      if (rows.spelled) row.filter = filter_of(c, column, run.lanes);
      if (c.made) c.made->make(feature_of(c, row, column), run);
      const auto tiles_at = [&](const std::vector<Affine>& at) {
        row.outer = at;
        if (rows.enter) rows.enter(at[0]);
        contract_rows(c.e, k, column, run);
      };
      if (rows.between) {
        c.e.loop(rows.between->low, rows.between->high, {},
                 [&](Affine at, std::span<const ValueId>) {
                   tiles_at({at});
                   return Values{};
                 });
        return Values{};
      }
      c.e.loop_over(outer, [&](std::vector<Affine> at) {
        row.before = Affine{};
        for (size_t d = 0; d < at.size(); ++d) row.before = row.before.times(outer[d]).plus(at[d]);
        row.before = row.before.times(c.output_extent(row.last()));
        if (!at.empty()) at[0] = rows.at(at[0]);
        tiles_at(at);
      });
      return Values{};
    });
}

void convolve_tiles_of_rows(Convolution& c, const RowKind& kind, const Affine& batch,
                            const OuterRows& rows) {
  Row row{c, batch, Affine{}, {Affine{}}, rows.inside};
  Contraction k = contraction_of(c, row, kind);
  kind.choose_runs(c, k);
  for (const RowRun& run : k.rows)
    c.e.loop(run.begin, run.end, run.height, {}, [&](Affine x, std::span<const ValueId>) {
      c.e.loop(rows.count, [&](Affine at) {
        row.outer[0] = rows.at(at);
        contract_columns(c.e, k, x, run);
      });
      return Values{};
    });
}

int tile_height(const Contraction& k) {
  int height = 1;
  for (const RowRun& run : k.rows)
    if (!run.bordered) height = std::max(height, run.height);
  return height;
}

void convolve_pixels(Convolution& c, const RowKind& kind, const Affine& batch, const Taps& pixels) {
  Emitter& e = c.e;
  kernel::Builder& b = e.b;
  Row row{c, batch, Affine{}, {}};
  Contraction tile = contraction_of(c, row, kind);
  kind.choose_runs(c, tile);
  Contraction single = tile;
  const int height = tile_height(tile);
  tile.rows = {{.begin = 0, .end = height, .height = height}};
  single.rows = {{.begin = 0, .end = 1, .height = 1, .bordered = true}};
  // Tiles from the first pixel whose window lies inside, as many as there is room for; the others
  // before and behind.
  const auto [first, end] = c.inside(0);
  const ValueId low = b.value_of(pixels.low), high = b.value_of(pixels.high);
  const ValueId begin = b.min(b.max(low, b.index(first)), high);
  const ValueId room = b.sub(b.max(b.min(high, b.index(end)), begin), begin);
  const Affine tiles = e.divmod(Affine::of(room), height).first;
  const Affine in_tiles = tiles.times(height), before = Affine::of(b.sub(begin, low));
  const Affine others = pixels.high.plus(pixels.low.times(-1)).plus(in_tiles.times(-1));
  for_each_column(e, tile, [&](const Affine& column, const ColumnRun& run) {
    e.loop(Affine::constant(0), tiles, {}, [&](Affine n, std::span<const ValueId>) {
      return contract_rows(e, tile, column, run, Affine::of(begin).plus(n.times(height))), Values{};
    });
    e.loop(Affine::constant(0), others, {}, [&](Affine n, std::span<const ValueId>) {
      const ValueId is_before =
          b.compare(kernel::Predicate::kLt, b.value_of(n), b.value_of(before));
      const Affine skipped = Affine::of(b.select(is_before, b.index(0), b.value_of(in_tiles)));
      return contract_rows(e, single, column, run, pixels.low.plus(n).plus(skipped)), Values{};
    });
  });
}

}  // namespace hlocc::lowering
