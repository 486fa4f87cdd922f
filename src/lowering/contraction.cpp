// Tiles over rows and columns; the accumulators of a complex contraction are pairs, real parts first.
#include "lowering/contraction.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;

namespace {

void run_tile(Emitter& e, const Contraction& c, const Contraction::Tile& tile) {
  const Type type{c.accumulator, static_cast<uint16_t>(tile.lanes)};
  const int cells = tile.rows * tile.vectors;
  Accumulators zero(cells * (c.is_complex ? 2 : 1), e.b.zero(type));
  const Accumulators sums = c.accumulate(tile, zero);
  for (int r = 0; r < tile.rows; ++r)
    for (int v = 0; v < tile.vectors; ++v) {
      const int cell = r * tile.vectors + v;
      Element value{sums[cell]};
      if (c.is_complex) value.im = sums[cells + cell];
      c.store(tile.row.plus(r), tile.column.plus(int64_t{v} * tile.lanes), tile.lanes, value);
    }
}

}  // namespace

void contract(Emitter& e, const Contraction& c) {
  if (c.rows == 0 || c.columns == 0) return;
  const TileSize size = choose_tile(e.target(), c.accumulator, c.rows, c.columns);
  TileSize shape = size;
  if (c.is_complex) shape = {1, 1, 1};
  for (const ColumnRun& run : cut_columns(c.columns, shape)) {
    e.loop(run.begin, run.end, run.step(), {}, [&](Affine column, std::span<const ValueId>) {
      const int64_t whole = c.rows / shape.rows * shape.rows;
      const auto rows_from = [&](int64_t begin, int64_t end, int height) {
        e.loop(begin, end, height, {}, [&](Affine row, std::span<const ValueId>) {
          run_tile(e, c, {row, column, height, run.vectors, run.lanes});
          return kernel::Values{};
        });
      };
      rows_from(0, whole, shape.rows);
      if (whole < c.rows) rows_from(whole, c.rows, static_cast<int>(c.rows - whole));
      return kernel::Values{};
    });
  }
}

Accumulators tile_step(Emitter& e, const Contraction::Tile& tile, bool is_complex, Accumulators acc,
                       const std::function<Element(int)>& a, const std::function<Element(int)>& b) {
  std::vector<Element> right;
  for (int v = 0; v < tile.vectors; ++v) right.push_back(b(v));
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
