// Register tiles over the pixels of a row and output features. Tiles at the border of a row stand at known places, so that
// they take only the taps that fall on input: nothing is padded and nothing multiplied by zero. Columns of the picture are
// the rows of a tile; taps of the outer dimensions are a loop with run-time bounds. Taps along a row and input features lie
// side by side in memory on both sides, and are one reduction. With one input feature a group (depthwise) both operands
// have lanes along the features. A 1x1 convolution has no rows to respect: all its pixels are one long row.
#include <algorithm>

#include "lowering/convolution.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// Input that the kernel walks over once for every run of output features should stay in a cache of about this size.
constexpr int64_t kCacheBytes = 256 * 1024;
// Windows wider than this are not spelled out tap by tap.
constexpr int64_t kWidestUnrolled = 8;

// One output row (or all pixels of a 1x1) of one batch and group.
struct Row {
  const Convolution& c;
  Affine batch, group;
  std::vector<Affine> outer;  // positions of the outer spatial dimensions
  bool inside = false;        // all taps of the outermost dimension fall on input

  int last() const { return c.spatial() - 1; }
  const hlo::WindowDimension& w() const { return c.window(last()); }
  // Where tap 0 of output pixel x falls.
  Affine start(const Affine& x) const { return x.times(w().stride).plus(-w().padding_low); }
};

// Calls body with the taps of the outer dimensions and the input positions that they fall on.
using AtTaps = std::function<Values(const std::vector<Affine>& taps, const std::vector<Affine>& positions, Values)>;
Values over_outer_taps(const Row& row, std::vector<Affine>& taps, std::vector<Affine>& positions, Values carried, const AtTaps& body) {
  const int d = static_cast<int>(taps.size());
  if (d == row.last()) return body(taps, positions, std::move(carried));
  const auto& w = row.c.window(d);
  const auto at_tap = [&](const Affine& tap, Values sums) {
    taps.push_back(tap);
    positions.push_back(row.outer[d].times(w.stride).plus(tap.times(w.window_dilation)).plus(-w.padding_low));
    Values out = over_outer_taps(row, taps, positions, std::move(sums), body);
    taps.pop_back();
    positions.pop_back();
    return out;
  };
  if (d == 0 && row.inside) {
    for (int64_t tap = 0; tap < w.size; ++tap) carried = at_tap(Affine::constant(tap), std::move(carried));
    return carried;
  }
  const Taps range = row.c.taps(d, row.outer[d]);
  return row.c.e.loop(range.low, range.high, std::move(carried),
                      [&](Affine tap, std::span<const ValueId> v) { return at_tap(tap, {v.begin(), v.end()}); });
}

std::vector<Affine> with(std::vector<Affine> list, const Affine& last) {
  list.push_back(last);
  return list;
}

// The rows of a tile for which tap `tap` falls on input; a tile that is neither alone nor bordered lies inside.
std::pair<int, int> rows_with_tap(const Row& row, const Contraction::Tile& tile, int64_t tap) {
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

// The accumulators of rows [first, end) of a tile, and back.
Values part_of(const Values& all, const Contraction::Tile& tile, int first, int end, bool complex) {
  Values part;
  const int cells = tile.rows * tile.vectors;
  for (int half = 0; half < (complex ? 2 : 1); ++half)
    part.insert(part.end(), all.begin() + half * cells + first * tile.vectors, all.begin() + half * cells + end * tile.vectors);
  return part;
}
void put_back(Values& all, const Values& part, const Contraction::Tile& tile, int first, int end, bool complex) {
  const int cells = tile.rows * tile.vectors, share = (end - first) * tile.vectors;
  for (int half = 0; half < (complex ? 2 : 1); ++half)
    std::copy_n(part.begin() + half * share, share, all.begin() + half * cells + first * tile.vectors);
}

// --- dense convolutions: every output feature sees every input feature of its group ---

Operands operands_at(const Row& row, const Contraction::Tile& tile, const std::vector<Affine>& taps,
                     const std::vector<Affine>& positions, const Affine& tap) {
  const Convolution& c = row.c;
  const Affine first_input = row.group.times(c.group_inputs()), first_output = row.group.times(c.group_outputs());
  Operands operands;
  // With one input feature, step k can only be a tap.
  const bool is_tap = c.group_inputs() == 1;
  operands.a = [=, &c, &row](int r, const Affine& k, int lanes) {
    const Affine at = is_tap ? tap.plus(k) : tap;
    const Affine x = row.start(tile.row.plus(r)).plus(at.times(row.w().window_dilation));
    return c.load_input(row.batch, with(positions, x), is_tap ? first_input : first_input.plus(k), lanes);
  };
  operands.b = [=, &c](int v, const Affine& k) {
    return c.load_filter(with(taps, is_tap ? tap.plus(k) : tap), is_tap ? Affine{} : k, first_output.plus(tile.column), v,
                         tile.vectors, tile.lanes);
  };
  operands.a_contiguous = !is_tap && c.attributes.input_feature == c.input.rank() - 1;
  return operands;
}

// Taps along the row and input features as one reduction: element k of it lies k after the first on both sides. (Positions
// along dimensions of size 1 don't count, so a row of one pixel has no neighbours to run into.)
bool taps_are_contiguous(const Row& row) {
  const hlo::ConvolutionAttributes& a = row.c.attributes;
  const int rank = row.c.input.rank();
  return row.c.input_extent(row.last()) > 1 && row.w().window_dilation == 1 && !row.w().window_reversal &&
         row.c.groups() == 1 && a.input_feature == rank - 1 && a.input_spatial.back() == rank - 2 &&
         a.kernel_input_feature == rank - 2 && a.kernel_spatial.back() == rank - 3;
}

Values dense_taps(const Row& row, const Contraction::Tile& tile, const std::vector<Affine>& taps,
                  const std::vector<Affine>& positions, Values acc) {
  const Convolution& c = row.c;
  const int64_t inputs = c.group_inputs(), width = row.w().size;
  const auto at = [&](const Contraction::Tile& part, const Affine& tap) { return operands_at(row, part, taps, positions, tap); };
  if (tile.bordered) {
    const Taps range = c.taps(row.last(), tile.row);
    if (taps_are_contiguous(row))
      return reduce_steps(c.e, tile, c.complex, range.low.times(inputs), range.high.times(inputs), std::move(acc), at(tile, Affine{}));
    return c.e.loop(range.low, range.high, std::move(acc), [&](Affine tap, std::span<const ValueId> v) {
      return reduce_steps(c.e, tile, c.complex, inputs, {v.begin(), v.end()}, at(tile, tap));
    });
  }
  bool whole = true;
  for (int64_t tap = 0; tap < width; ++tap) whole = whole && rows_with_tap(row, tile, tap) == std::pair(0, tile.rows);
  if (whole && taps_are_contiguous(row)) return reduce_steps(c.e, tile, c.complex, width * inputs, std::move(acc), at(tile, Affine{}));
  if (whole && width > kWidestUnrolled)
    return c.e.loop(0, width, 1, std::move(acc), [&](Affine tap, std::span<const ValueId> v) {
      return reduce_steps(c.e, tile, c.complex, inputs, {v.begin(), v.end()}, at(tile, tap));
    });
  for (int64_t tap = 0; tap < width; ++tap) {
    const auto [first, end] = rows_with_tap(row, tile, tap);
    if (first == end) continue;
    Contraction::Tile part = tile;
    part.row = tile.row.plus(first);
    part.rows = end - first;
    const Values sums = reduce_steps(c.e, part, c.complex, inputs, part_of(acc, tile, first, end, c.complex), at(part, Affine::constant(tap)));
    put_back(acc, sums, tile, first, end, c.complex);
  }
  return acc;
}

// --- depthwise: one vector of the input for each vector of the filter ---

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
    const Element filter = c.load_filter(with(taps, tap), Affine{}, feature, tile.lanes);
    for (int r = first; r < end; ++r) {
      const Affine x = row.start(tile.row.plus(r)).plus(tap.times(row.w().window_dilation));
      ValueId& cell = sums[r * tile.vectors + v];
      cell = multiply_accumulate(c.e, cell, depthwise_input(row, with(positions, x), feature, tile.lanes), filter.re);
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

// --- loops ---

Contraction contraction_of(const Convolution& c, const Row& row) {
  Contraction k;
  k.accumulator = c.sum;
  k.is_complex = c.complex;
  k.accumulate = [&](const Contraction::Tile& tile, Accumulators acc) {
    std::vector<Affine> taps, positions;
    return over_outer_taps(row, taps, positions, std::move(acc), [&](const auto& t, const auto& p, Values v) {
      return c.depthwise() ? depthwise_taps(row, tile, t, p, std::move(v)) : dense_taps(row, tile, t, p, std::move(v));
    });
  };
  k.store = [&](Affine x, Affine column, int lanes, Element value) {
    const Affine feature = c.depthwise() ? column : row.group.times(c.group_outputs()).plus(column);
    c.finish(row.batch, with(row.outer, x), feature, lanes, value);
  };
  return k;
}

// Tiles of a row of pixels: those inside in a loop, those at its ends alone.
void choose_row_runs(const Convolution& c, Contraction& k) {
  const int last = c.spatial() - 1;
  const int64_t count = c.output_extent(last), columns = c.depthwise() ? c.groups() * c.group_outputs() : c.group_outputs();
  TileSize tile;
  if (!c.complex)
    tile = c.depthwise() ? choose_depthwise_tile(c.e.target(), c.sum, count, columns) : choose_tile(c.e.target(), c.sum, count, columns);
  k.columns = cut_columns(columns, tile);
  const auto [first, end] = c.inside(last);
  const bool border = first > 0 || end < count;
  if (!border) {
    k.rows = cut_rows(count, tile.rows);
  } else if (c.e.target().options.for_size()) {
    k.rows = {{0, count, 1, true}};
  } else if (c.window(last).size > kWidestUnrolled) {
    k.rows = {{0, first, 1, true}, {end, count, 1, true}};
    for (const RowRun& run : cut_rows(end - first, tile.rows)) k.rows.push_back({first + run.begin, first + run.end, run.height});
  } else {
    // Tiles that stand alone are code of their own, tap by tap: where flash is dear, dense ones are done without.
    const int most = c.e.target().cache || c.depthwise() ? 3 : 0;
    k.rows = cut_rows_with_border(count, first, end, tile.rows, most);
  }
}

// Positions of the outermost spatial dimension that one loop takes.
struct OuterRows {
  int64_t count = 0;
  std::function<Affine(const Affine&)> at;
  bool inside = false;
};

// Rows [begin, end) of the picture in blocks: the input of a block is read once a column run.
void loop_over_blocks(const Convolution& c, int64_t begin, int64_t end, bool inside, const std::function<void(const OuterRows&)>& body) {
  const int64_t rows = end - begin;
  const int64_t bytes = c.input.element_count() / c.input.dimensions[c.attributes.input_batch] / c.input_extent(0) *
                        c.window(0).stride * kernel::scalar_bits(c.e.scalar(c.input)) / 8;
  int64_t block = rows;
  if (c.e.target().cache && bytes * rows > kCacheBytes) block = std::clamp<int64_t>(kCacheBytes / 2 / std::max<int64_t>(bytes, 1), 1, rows);
  const int64_t whole = rows / std::max<int64_t>(block, 1) * block;
  const auto from = [](const Affine& first) { return [first](const Affine& row) { return first.plus(row); }; };
  c.e.loop(whole, [&](Affine first) { body({block, from(first.plus(begin)), inside}); }, block);
  if (whole < rows) body({rows - whole, from(Affine::constant(begin + whole)), inside});
}

void convolve_group(const Convolution& c, const Affine& batch, const Affine& group, const OuterRows& rows) {
  Row row{c, batch, group, {}, rows.inside};
  Contraction k = contraction_of(c, row);
  choose_row_runs(c, k);
  if (!c.depthwise()) c.pack_filter(k.columns);
  hlo::Dimensions outer;
  for (int d = 0; d < row.last(); ++d) outer.push_back(d == 0 ? rows.count : c.output_extent(d));
  for (const ColumnRun& run : k.columns)
    c.e.loop(run.begin, run.end, run.step(), {}, [&](Affine column, std::span<const ValueId>) {
      c.e.loop_over(outer, [&](const std::vector<Affine>& at) {
        row.outer = at;
        if (!at.empty()) row.outer[0] = rows.at(at[0]);
        contract_rows(c.e, k, column, run);
      });
      return Values{};
    });
}

// Depthwise sums are so short that a loop over the taps costs as much: rows that see all taps have them spelled out, where
// that is one tile's code. The rows above and below share one loop.
void convolve_depthwise(const Convolution& c, const Affine& batch) {
  const auto group = [&](const OuterRows& rows) { convolve_group(c, batch, Affine{}, rows); };
  if (c.spatial() == 1) return group({});
  const int64_t count = c.output_extent(0);
  const auto [first, last] = c.inside(0);
  Contraction runs;
  choose_row_runs(c, runs);
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

// A convolution of 1x1 windows whose epilogue asks for nothing but features by index: its pixels may be counted through.
bool is_pointwise(const Convolution& c) {
  for (int d = 0; d < c.spatial(); ++d) {
    const auto& w = c.window(d);
    if (w.size != 1 || w.stride != 1 || w.padding_low != 0 || w.padding_high != 0) return false;
  }
  const hlo::ConvolutionAttributes& a = c.attributes;
  if (c.groups() != 1 || a.input_batch != 0 || a.output_batch != 0 || a.input_feature != c.input.rank() - 1 ||
      a.input_spatial != a.output_spatial || !std::is_sorted(a.input_spatial.begin(), a.input_spatial.end()))
    return false;
  const Group& group = c.e.group();
  for (hlo::InstructionId id : inner_instructions(group)) {
    if (id == c.id) continue;
    const hlo::Instruction& i = group[id];
    if (i.shape.element_count() == 1 && c.output.element_count() != 1) continue;
    if (i.opcode == hlo::Opcode::kBroadcast) {
      const auto& dimensions = i.get<hlo::DimensionsAttributes>().dimensions;
      if (dimensions.empty() || dimensions == hlo::Dimensions{c.output.rank() - 1}) continue;
      return false;
    }
    const bool per_feature = i.shape.rank() == 1 && hlo::info(i.opcode).family == hlo::Family::kElementwise;
    const bool per_element = i.shape.dimensions == c.output.dimensions && hlo::info(i.opcode).family == hlo::Family::kElementwise;
    if (!per_feature && !per_element) return false;
  }
  return true;
}

void convolve_pointwise(const Convolution& c) {
  // Arrays are row-major: pixel m of all batches and rows lies at m * features, which is position m of the innermost
  // dimension before the features that has more than one position, counted past its end.
  const int64_t columns = c.group_outputs(), pixels = c.output.element_count() / columns;
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
  k.is_complex = c.complex;
  choose_runs(c.e.target(), k, pixels, columns);
  c.pack_filter(k.columns);
  k.accumulate = [&](const Contraction::Tile& tile, Accumulators acc) {
    Operands operands;
    operands.a = [&](int r, const Affine& step, int lanes) {
      const Affine pixel = tile.row.plus(r);
      return c.load_input(batch(pixel), at(pixel), step, lanes);
    };
    operands.b = [&](int v, const Affine& step) {
      return c.load_filter(std::vector<Affine>(c.spatial()), step, tile.column, v, tile.vectors, tile.lanes);
    };
    operands.a_contiguous = true;
    return reduce_steps(c.e, tile, c.complex, c.group_inputs(), std::move(acc), operands);
  };
  k.store = [&](Affine pixel, Affine column, int lanes, Element value) { c.finish(batch(pixel), at(pixel), column, lanes, value); };
  contract(c.e, k);
}

}  // namespace

void convolve_rows(const Convolution& c) {
  if (is_pointwise(c)) return convolve_pointwise(c);
  c.e.loop(c.output.dimensions[c.attributes.output_batch], [&](Affine batch) {
    if (c.depthwise()) return convolve_depthwise(c, batch);
    const auto groups = [&](const OuterRows& rows) {
      c.e.loop(c.groups(), [&](Affine group) { convolve_group(c, batch, group, rows); });
    };
    if (c.spatial() == 1) return groups({});
    loop_over_blocks(c, 0, c.output_extent(0), false, groups);
  });
}

}  // namespace hlocc::lowering
