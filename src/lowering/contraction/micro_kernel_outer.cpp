// Outer products: elements of the left side are spread over vectors that lie along the columns, one
// step of the reduction after the other. Serves every type, complex numbers and truth values among
// them. Weights that pay for it are packed in panels: each tile that walks down its columns reads
// the cache lines behind the last one's. As a matrix lies, every step would be a row further, in
// another page and often in the same set of the cache. Without a cache it is the addresses that
// count: those within a step are numbers for every layer, so that layers can share a kernel.
#include <algorithm>
#include <cstring>

#include "costs/weights.h"
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;

namespace {

// Column c of a panel that begins at column `begin` and is `width` wide goes to begin * depth + k *
// width + c - begin; groups lie behind each other, each as long as its runs.
std::vector<std::byte> panels_of(std::span<const std::byte> rows, const WeightOrder& order,
                                 int64_t element, const std::vector<ColumnRun>& runs) {
  const int64_t of_group = runs.back().end, depth = order.depth(), columns = order.columns;
  std::vector<std::byte> out(order.groups * of_group * depth * element);
  for (int64_t group = 0; group < order.groups; ++group)
    for (const ColumnRun& run : runs)
      for (int64_t c = run.begin; c < run.end; c += run.step()) {
        const int64_t begin = group * of_group + c, from = group * (columns / order.groups) + c,
                      bytes = run.step() * element;
        const int64_t known = run.active > 0 ? bytes - (run.lanes - run.active) * element : bytes;
        for (int64_t k = 0; k < depth; ++k)
          std::memcpy(out.data() + begin * depth * element + k * bytes,
                      rows.data() + (k * columns + from) * element, known);
      }
  return out;
}

std::optional<WeightStream> pack_panels(Emitter& e, const WeightOrder& order) {
  if (e.target().options.for_size()) return std::nullopt;
  const hlo::Literal* weights = e.constant_of(order.right);
  const std::vector<ColumnRun>& runs = order.runs;
  const int64_t element = hlo::storage_bytes(weights->type()), depth = order.depth(),
                columns = order.columns;
  const bool one_panel = runs[0].step() == columns;
  const int missing = runs.back().active > 0 ? runs.back().lanes - runs.back().active : 0;
  if (one_panel ||
      (missing == 0 && !costs::panels_pay(e.target(), depth, columns, weights->type())))
    return std::nullopt;
  HLOCC_CHECK(depth * columns == weights->element_count() &&
                  (runs.back().end - missing) * order.groups <= columns,
              "panels of other weights");
  WeightStream stream;
  stream.of_group = runs.back().end;
  stream.depth = depth;
  stream.bytes = depth * columns * element;
  stream.weights = e.derived_constant("panels", e.scalar(weights->shape()),
                                      panels_of(weights->bytes(), order, element, runs),
                                      runs[0].lanes * static_cast<int>(element));
  return stream;
}

Accumulators start_outer(Emitter& e, const Tile& tile, const Beginning& beginning) {
  const Type type{beginning.sum, static_cast<uint16_t>(tile.lanes)};
  const int cells = tile.cells();
  Accumulators sums(cells * (tile.is_complex ? 2 : 1), e.b.zero(type));
  for (int cell = 0; beginning.columns && cell < cells; ++cell)
    sums[cell] =
        beginning.columns(tile.column.plus(int64_t{cell % tile.vectors} * tile.lanes), tile.lanes);
  return sums;
}

Accumulators step_outer(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                        const Affine& k) {
  std::vector<Element> right;
  const auto load_right = [&](int v) {
    e.with_active_lanes(tile.active_of(v), tile.lanes, [&] { right.push_back(operands.b(v, k)); });
  };
  // What one row of scalars is multiplied by is read when it is wanted.
  const bool when_wanted = tile.rows == 1 && tile.lanes == 1;
  for (int v = 0; v < tile.vectors && !when_wanted; ++v) load_right(v);
  const int cells = tile.cells();
  for (int r = 0; r < tile.rows; ++r) {
    const Element left = e.splat(operands.a(r, k, 1), tile.lanes);
    for (int v = 0; v < tile.vectors; ++v) {
      if (when_wanted) load_right(v);
      ValueId& re = sums[r * tile.vectors + v];
      re = multiply_accumulate(e, re, left.re, right[v].re);
      if (!tile.is_complex) continue;
      ValueId& im = sums[cells + r * tile.vectors + v];
      re = e.b.sub(re, e.b.mul(left.im, right[v].im));
      im = multiply_accumulate(e, im, left.re, right[v].im);
      im = multiply_accumulate(e, im, left.im, right[v].re);
    }
  }
  return sums;
}

Element finish_outer(Emitter&, const Tile& tile, const Accumulators& sums, int row, int column) {
  const int cell = row * tile.vectors + column / tile.lanes;
  Element value{sums[cell]};
  if (tile.is_complex) value.im = sums[tile.cells() + cell];
  return value;
}

ValueId load_outer(Emitter& e, const Tile& tile, const WeightStream& stream, const Affine& place,
                   const Affine& k, int v) {
  const Affine at = place.times(stream.depth).plus(k.times(int64_t{tile.vectors} * tile.lanes));
  return e.b.load(stream.weights, at.plus(int64_t{v} * tile.lanes), tile.lanes);
}

}  // namespace

int lanes_across(const Emitter&, const Tile& tile) { return tile.lanes; }

constinit const MicroKernelEmitter kOuterProduct = {pack_panels,  start_outer,  step_outer,
                                                    lanes_across, finish_outer, load_outer};

}  // namespace hlocc::lowering
