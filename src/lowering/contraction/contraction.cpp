// Tiles over rows and columns. reduce_tile.cpp has the loops over the reduction of one.
#include "lowering/contraction/contraction.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;

namespace {

Tile tile_of(const Contraction& c, const Affine& row, const Affine& column, const RowRun& rows,
             const ColumnRun& columns) {
  return {row,
          column,
          rows.height,
          columns.vectors,
          columns.lanes,
          rows.bordered,
          columns.active,
          c.is_complex,
          columns.k_step,
          columns.kernel,
          &c.kernels.emitter(*columns.kernel)};
}

void run_tile(Emitter& e, const Contraction& c, const Tile& tile) {
  e.tile_emitted(
      {tile.rows, tile.vectors, tile.lanes, tile.kernel->takes_k_steps() ? 1 : tile.k_step});
  const Accumulators sums =
      c.accumulate(tile, tile.emitter->start(e, tile, {c.accumulator, c.start, c.stream}));
  const int lanes = tile.emitter->lanes(e, tile), width = tile.width();
  const auto store = [&](int row, int column) {
    const Element value = tile.emitter->finish(e, tile, sums, row, column);
    const int active = std::min(lanes, width - column);
    e.with_active_lanes(active < lanes ? active : 0, lanes, [&] {
      c.store(tile.row.plus(row), tile.column.plus(column), lanes, value);
    });
  };
  if (c.columns_first_out)
    for (int column = 0; column < width; column += lanes)
      for (int row = 0; row < tile.rows; ++row) store(row, column);
  else
    for (int row = 0; row < tile.rows; ++row)
      for (int column = 0; column < width; column += lanes) store(row, column);
}

}  // namespace

kernel::Scalar accumulator_of(kernel::Scalar result) {
  return kernel::is_float(result) && kernel::scalar_bits(result) <= 16 ? kernel::Scalar::kF32
                                                                       : result;
}

void append_along(const Emitter& e, Contraction& c, int64_t columns, int height) {
  const std::vector<ColumnRun> last =
      costs::cut_reduction_lanes(e.target(), c.reduction_lanes, columns, height, e.masks_pass());
  c.columns.insert(c.columns.end(), last.begin(), last.end());
}

void choose_runs(Emitter& e, Contraction& c, int64_t rows, int64_t columns, int64_t depth) {
  TileSize size;
  const int64_t across = columns - c.reduction_lanes.columns;
  if (across == 0) {
    size.rows =
        costs::choose_inner_tile(e.target(), rows, columns, c.reduction_lanes.lanes, e.masks_pass())
            .rows;
  } else if (!c.is_complex) {
    size = costs::choose_tile(e.target(), c.accumulator, rows, across, depth, e.masks_pass());
  }
  c.rows = costs::cut_rows(rows, size.rows, size.even);
  c.columns = costs::cut_columns(across, size);
  append_along(e, c, columns, size.rows);
  c.levels = costs::levels_of({.rows = rows,
                               .columns = columns,
                               .depth = depth,
                               .element = c.accumulator,
                               .tile = {size.rows, int64_t{size.vectors} * size.lanes, 1},
                               .across = across > 0},
                              e.target());
}

namespace {

Affine behind_gap(Emitter& e, const RowRun& run, const Affine& row) {
  const ValueId at = e.b.value_of(row);
  const ValueId before = e.b.compare(kernel::Predicate::kLt, at, e.b.index(run.gap_at));
  return Affine::of(e.b.select(before, at, e.b.add(at, e.b.index(run.gap))));
}

// The first row of the tile that a loop over the run's rows has come to.
Affine within(Emitter& e, const RowRun& run, Affine row) {
  if (run.overlapping)
    row = Affine::of(e.b.min(e.b.value_of(row), e.b.index(run.end - run.height)));
  return run.gap > 0 ? behind_gap(e, run, row) : row;
}

void contract_runs(Emitter& e, const Contraction& c, std::span<const RowRun> runs,
                   const Affine& column, const ColumnRun& columns, const Affine& first) {
  for (const RowRun& rows : runs)
    e.loop(
        rows.begin, rows.end, rows.height, {},
        [&](Affine row, std::span<const ValueId>) {
          row = within(e, rows, row);
          run_tile(e, c, tile_of(c, first.plus(row), column, rows, columns));
          return kernel::Values{};
        },
        rows.kept);
}

}  // namespace

void contract_rows(Emitter& e, const Contraction& c, const Affine& column, const ColumnRun& run,
                   const Affine& first) {
  contract_runs(e, c, c.rows, column, run, first);
}

void contract_columns(Emitter& e, const Contraction& c, const Affine& row, const RowRun& run) {
  for (const ColumnRun& columns : c.columns)
    e.loop(columns.begin, columns.end, columns.step(), {},
           [&](Affine column, std::span<const ValueId>) {
             run_tile(e, c, tile_of(c, row, column, run, columns));
             return kernel::Values{};
           });
}

void for_each_column(Emitter& e, const Contraction& c,
                     const std::function<void(const Affine&, const ColumnRun&)>& body) {
  for (const ColumnRun& run : c.columns)
    e.loop(run.begin, run.end, run.step(), {}, [&](Affine column, std::span<const ValueId>) {
      if (c.backwards != kernel::kNone && !column.is_constant()) {
        const Affine mirrored = column.times(-1).plus(run.begin + run.end - run.step());
        column = Affine::of(e.b.select(c.backwards, e.b.value_of(mirrored), e.b.value_of(column)));
      }
      body(column, run);
      return kernel::Values{};
    });
}

ValueId is_odd_iteration(Emitter& e) {
  const hlo::InstructionId counter = e.group().body->parameters.back();
  const ValueId iteration = e.load(e.input_buffer(counter), e.shape(counter), Index::scalar()).re;
  const Type type = e.b.type(iteration);
  return e.b.compare(kernel::Predicate::kNe,
                     e.b.binary(kernel::OpKind::kAnd, iteration, e.b.constant_int(type, 1)),
                     e.b.zero(type));
}

namespace {

// One tile of rows after the other, all columns of each.
void contract_by_rows(Emitter& e, const Contraction& c, std::span<const RowRun> runs,
                      const Affine& first) {
  constexpr bool kKept = false;
  for (const RowRun& run : runs)
    e.loop(
        run.begin, run.end, run.height, {},
        [&](Affine row, std::span<const ValueId>) {
          row = first.plus(within(e, run, row));
          if (c.prepare_rows) c.prepare_rows(row, run.height);
          contract_columns(e, c, row, run);
          return kernel::Values{};
        },
        kKept, c.prepare_rows != nullptr);
}

// The levels from `levels` on, for the rows of `runs`, of which row 0 is `first`.
void contract_levels(Emitter& e, const Contraction& c, std::span<const costs::TileLevel> levels,
                     std::span<const RowRun> runs, const Affine& first) {
  if (levels[0].rows == 0 || c.prepare) {
    HLOCC_CHECK(!c.prepare_rows, "columns outermost, of rows that are prepared");
    return for_each_column(e, c, [&](const Affine& column, const ColumnRun& run) {
      if (c.prepare) c.prepare(column, run);
      contract_runs(e, c, runs, column, run, first);
    });
  }
  if (levels[0].rows <= runs[0].height) return contract_by_rows(e, c, runs, first);
  for (const RowRun& run : runs) {
    const auto block = [&](const Affine& begin, int64_t rows) {
      RowRun within_block = run;
      within_block.begin = 0, within_block.end = rows;
      contract_levels(e, c, levels.subspan(1), {&within_block, 1}, first.plus(begin));
    };
    const int64_t step = levels[0].rows / run.height * run.height,
                  whole = run.begin + (run.end - run.begin) / step * step;
    e.loop(run.begin, whole, step, {}, [&](Affine begin, std::span<const ValueId>) {
      block(begin, step);
      return kernel::Values{};
    });
    if (whole < run.end) block(Affine::constant(whole), run.end - whole);
  }
}

}  // namespace

void contract(Emitter& e, const Contraction& c) {
  if (!c.rows.empty()) contract_levels(e, c, c.levels, c.rows, {});
}

}  // namespace hlocc::lowering
