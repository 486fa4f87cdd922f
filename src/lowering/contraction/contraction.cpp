// Tiles over rows and columns; the accumulators of a complex contraction are pairs, real parts
// first.
#include "lowering/contraction/contraction.h"

#include <algorithm>
#include <bit>

#include "lowering/contraction/inner_tiles.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;

namespace {

void run_inner_tile(Emitter& e, const Contraction& c, const Contraction::Tile& tile) {
  const Accumulators zero(tile.rows * tile.vectors,
                          e.b.zero({c.accumulator, static_cast<uint16_t>(tile.k_lanes)}));
  const Accumulators sums = c.accumulate(tile, zero);
  for (int r = 0; r < tile.rows; ++r) {
    const auto first = sums.begin() + r * tile.vectors;
    Accumulators of_row(first, first + tile.vectors);
    const int lanes = static_cast<int>(std::bit_ceil(of_row.size()));
    of_row.resize(lanes, zero[0]);
    const Element value{add_up(e, std::move(of_row))};
    e.with_active_lanes(lanes > tile.vectors ? tile.vectors : 0, lanes,
                        [&] { c.store(tile.row.plus(r), tile.column, lanes, value); });
  }
}

void run_tile(Emitter& e, const Contraction& c, const Contraction::Tile& tile) {
  e.tile_emitted(tile.rows, tile.vectors, tile.lanes, tile.k_lanes);
  if (tile.k_lanes > 1) return run_inner_tile(e, c, tile);
  const Type type{c.accumulator, static_cast<uint16_t>(tile.lanes)};
  const int cells = tile.rows * tile.vectors;
  Accumulators start(cells * (c.is_complex ? 2 : 1), e.b.zero(type));
  for (int cell = 0; c.start && cell < cells; ++cell)
    start[cell] = c.start(tile.column.plus(int64_t{cell % tile.vectors} * tile.lanes), tile.lanes);
  const Accumulators sums = c.accumulate(tile, std::move(start));
  for (int r = 0; r < tile.rows; ++r)
    for (int v = 0; v < tile.vectors; ++v) {
      const int cell = r * tile.vectors + v;
      Element value{sums[cell]};
      if (c.is_complex) value.im = sums[cells + cell];
      e.with_active_lanes(tile.active_of(v), tile.lanes, [&] {
        c.store(tile.row.plus(r), tile.column.plus(int64_t{v} * tile.lanes), tile.lanes, value);
      });
    }
}

}  // namespace

kernel::Scalar accumulator_of(kernel::Scalar result) {
  return kernel::is_float(result) && kernel::scalar_bits(result) < 32 ? kernel::Scalar::kF32
                                                                      : result;
}

void append_along(const Emitter& e, Contraction& c, int64_t columns, int height) {
  const std::vector<ColumnRun> last =
      costs::cut_along(e.target(), c.along, columns, height, e.masks_pass());
  c.columns.insert(c.columns.end(), last.begin(), last.end());
}

void choose_runs(Emitter& e, Contraction& c, int64_t rows, int64_t columns, int64_t depth) {
  TileSize size;
  const int64_t across = columns - c.along.columns;
  if (across == 0) {
    size.rows =
        costs::choose_inner_tile(e.target(), rows, columns, c.along.lanes, e.masks_pass()).rows;
  } else if (!c.is_complex) {
    size = costs::choose_tile(e.target(), c.accumulator, rows, across, depth, e.masks_pass());
  }
  c.rows = costs::cut_rows(rows, size.rows, size.even);
  c.columns = costs::cut_columns(across, size);
  append_along(e, c, columns, size.rows);
  // Weights that stay in the nearest cache are better read again and again than the other side.
  const int64_t bytes = depth * columns * kernel::scalar_bits(c.accumulator) / 8;
  c.rows_first = e.target().out_of_order && !e.target().options.for_size() &&
                 (across == 0 || bytes <= e.target().cache(0) / 2);
}

Affine behind_gap(Emitter& e, const RowRun& run, const Affine& row) {
  const ValueId at = e.b.value_of(row);
  const ValueId before = e.b.compare(kernel::Predicate::kLt, at, e.b.index(run.gap_at));
  return Affine::of(e.b.select(before, at, e.b.add(at, e.b.index(run.gap))));
}

void contract_rows(Emitter& e, const Contraction& c, const Affine& column, const ColumnRun& run,
                   const Affine& first) {
  for (const RowRun& rows : c.rows)
    e.loop(
        rows.begin, rows.end, rows.height, {},
        [&](Affine row, std::span<const ValueId>) {
          if (rows.overlapping)
            row = Affine::of(e.b.min(e.b.value_of(row), e.b.index(rows.end - rows.height)));
          if (rows.gap > 0) row = behind_gap(e, rows, row);
          run_tile(e, c,
                   {first.plus(row), column, rows.height, run.vectors, run.lanes, rows.bordered,
                    run.k_lanes, run.active});
          return kernel::Values{};
        },
        rows.kept);
}

void contract_columns(Emitter& e, const Contraction& c, const Affine& row, const RowRun& run) {
  for (const ColumnRun& columns : c.columns)
    e.loop(columns.begin, columns.end, columns.step(), {},
           [&](Affine column, std::span<const ValueId>) {
             run_tile(e, c,
                      {row, column, run.height, columns.vectors, columns.lanes, run.bordered,
                       columns.k_lanes, columns.active});
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

ValueId is_odd_turn(Emitter& e) {
  const hlo::InstructionId counter = e.group().body->parameters.back();
  const ValueId turn = e.load(e.input_buffer(counter), e.shape(counter), Index::scalar()).re;
  const Type type = e.b.type(turn);
  return e.b.compare(kernel::Predicate::kNe,
                     e.b.binary(kernel::OpKind::kAnd, turn, e.b.constant_int(type, 1)),
                     e.b.zero(type));
}

void contract(Emitter& e, const Contraction& c) {
  if (c.rows.empty()) return;
  if (c.rows_first && !c.prepare) {
    for (const RowRun& run : c.rows)
      e.loop(run.begin, run.end, run.height, {}, [&](Affine row, std::span<const ValueId>) {
        contract_columns(e, c, row, run);
        return kernel::Values{};
      });
    return;
  }
  for_each_column(e, c, [&](const Affine& column, const ColumnRun& run) {
    if (c.prepare) c.prepare(column, run);
    contract_rows(e, c, column, run);
  });
}

Accumulators reduce_steps(Emitter& e, const Contraction::Tile& tile, bool is_complex, int64_t count,
                          Accumulators acc, const Operands& operands) {
  if (count == 0) return acc;
  if (tile.k_lanes > 1) return inner_steps(e, tile, count, std::move(acc), operands);
  // Where an instruction multiplies by one lane of a register, a row's next elements are loaded
  // together.
  const int lanes = e.target().lanes(32);
  const bool whole_vectors = e.target().multiply_by_lane && operands.a_contiguous && !is_complex &&
                             tile.lanes == lanes && count >= lanes &&
                             e.b.type(acc[0]).scalar == kernel::Scalar::kF32;
  const int cells = static_cast<int>(acc.size());
  const bool given = operands.steps > 0 && count % operands.steps == 0 && !whole_vectors &&
                     !e.target().options.for_size();
  // Few sums in flight would wait for one another: steps go to several in turn, which are added up
  // at the end.
  int several = costs::sums_a_cell(e.target(), cells);
  if (whole_vectors || given || is_complex || count < 2 * several ||
      !kernel::is_float(e.b.type(acc[0]).scalar))
    several = 1;
  int64_t steps = given ? operands.steps
                        : costs::steps_an_iteration(e.target(), count, tile.rows * tile.vectors,
                                                    whole_vectors, lanes);
  if (steps < count && steps % several != 0) steps = several;
  const Accumulators nothing(cells, e.b.zero(e.b.type(acc[0])));
  for (int n = 1; n < several; ++n) acc.insert(acc.end(), nothing.begin(), nothing.end());
  const int64_t whole = count / steps * steps;
  const auto turn = [&](const Affine& k, int64_t n, Accumulators sums) {
    if (operands.ahead) operands.ahead(k, n);
    std::vector<Element> rows;
    if (whole_vectors && n == lanes)
      for (int r = 0; r < tile.rows; ++r) rows.push_back(operands.a(r, k, lanes));
    for (int u = 0; u < n; ++u) {
      const auto a = [&](int r) {
        return rows.empty() ? operands.a(r, k.plus(u), 1) : e.extract(rows[r], u);
      };
      const auto b = [&](int v) { return operands.b(v, k.plus(u)); };
      const auto first = sums.begin() + u % several * cells;
      const Accumulators next = tile_step(e, tile, is_complex, {first, first + cells}, a, b);
      std::copy(next.begin(), next.end(), first);
    }
    return sums;
  };
  acc = e.loop(0, whole, steps, std::move(acc), [&](Affine k, std::span<const ValueId> sums) {
    return turn(k, steps, {sums.begin(), sums.end()});
  });
  if (whole < count) acc = turn(Affine::constant(whole), count - whole, std::move(acc));
  for (; several > 1; several /= 2) {
    const int half = several / 2 * cells;
    for (int n = 0; n < half; ++n) acc[n] = e.b.add(acc[n], acc[half + n]);
    acc.resize(half);
  }
  return acc;
}

Accumulators reduce_steps(Emitter& e, const Contraction::Tile& tile, bool is_complex,
                          const Affine& low, const Affine& high, Accumulators acc,
                          const Operands& operands) {
  return e.loop(low, high, std::move(acc), [&](Affine k, std::span<const ValueId> sums) {
    return tile_step(
        e, tile, is_complex, {sums.begin(), sums.end()}, [&](int r) { return operands.a(r, k, 1); },
        [&](int v) { return operands.b(v, k); });
  });
}

Accumulators tile_step(Emitter& e, const Contraction::Tile& tile, bool is_complex, Accumulators acc,
                       const std::function<Element(int)>& a, const std::function<Element(int)>& b) {
  std::vector<Element> right;
  for (int v = 0; v < tile.vectors; ++v)
    e.with_active_lanes(tile.active_of(v), tile.lanes, [&] { right.push_back(b(v)); });
  const int cells = tile.rows * tile.vectors;
  for (int r = 0; r < tile.rows; ++r) {
    const Element left = e.splat(a(r), tile.lanes);
    for (int v = 0; v < tile.vectors; ++v) {
      ValueId& re = acc[r * tile.vectors + v];
      re = multiply_accumulate(e, re, left.re, right[v].re);
      if (!is_complex) continue;
      ValueId& im = acc[cells + r * tile.vectors + v];
      re = e.b.sub(re, e.b.mul(left.im, right[v].im));
      im = multiply_accumulate(e, im, left.re, right[v].im);
      im = multiply_accumulate(e, im, left.im, right[v].re);
    }
  }
  return acc;
}

}  // namespace hlocc::lowering
