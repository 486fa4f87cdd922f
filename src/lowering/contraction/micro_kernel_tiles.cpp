// The emitter of the row that multiplies tiles of two rows and two columns: a register of sums has
// four cells, one of the left side two rows of a k step, one of the weights two columns. A last row
// alone is multiplied twice.
#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

using kernel::BufferId;
using kernel::Scalar;
using kernel::ValueId;

namespace {

// Two vectors one behind the other.
ValueId side_by_side(Emitter& e, ValueId first, ValueId second) {
  std::vector<int> lanes;
  for (int lane = 0; lane < 2 * e.b.type(first).lanes; ++lane) lanes.push_back(lane);
  return e.b.shuffle(first, second, std::move(lanes));
}

Accumulators start_tiles(Emitter& e, const Tile& tile, const Beginning& beginning) {
  const BufferId bias = beginning.stream->corrections;
  Accumulators sums((tile.rows + 1) / 2 * tile.vectors, e.b.zero({Scalar::kS32, 4}));
  for (size_t n = 0; bias != kernel::kNone && n < sums.size(); ++n) {
    const auto v = static_cast<int64_t>(n) % tile.vectors;
    const ValueId columns = e.b.load(bias, tile.column.plus(2 * v), 2);
    sums[n] = side_by_side(e, columns, columns);
  }
  return sums;
}

Accumulators step_tiles(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                        const Affine& k) {
  const WeightStream& stream = *operands.stream;
  const int of_vector = 2 * tile.k_step, width = tile.vectors * of_vector;
  const Affine at = tile.column.times(stream.depth).plus(k.times(width / tile.k_step));
  kernel::Values right;
  for (int v = 0; v < tile.vectors; ++v)
    right.push_back(e.b.load(stream.weights, at.plus(v * of_vector), of_vector));
  for (int pair = 0; 2 * pair < tile.rows; ++pair) {
    const ValueId first = operands.a(2 * pair, k, tile.k_step).re;
    const ValueId rows = side_by_side(
        e, first, 2 * pair + 1 < tile.rows ? operands.a(2 * pair + 1, k, tile.k_step).re : first);
    for (int v = 0; v < tile.vectors; ++v) {
      ValueId& sum = sums[pair * tile.vectors + v];
      sum = e.b.matrix_accumulate(sum, rows, right[v]);
    }
  }
  return sums;
}

Element finish_tiles(Emitter& e, const Tile& tile, const Accumulators& sums, int row, int column) {
  const ValueId cells = sums[row / 2 * tile.vectors + column / 2];
  const int first = row % 2 * 2;
  return {e.b.shuffle(cells, cells, {first, first + 1})};
}

}  // namespace

constinit const MicroKernelEmitter kMatrixAccumulate8 = {pack_k_steps, start_tiles, step_tiles,
                                                         lanes_across, finish_tiles};

}  // namespace hlocc::lowering
