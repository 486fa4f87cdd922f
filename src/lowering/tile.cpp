// Choosing register tiles.
#include "lowering/tile.h"

#include <algorithm>

namespace hlocc::lowering {

using kernel::Scalar;

TileSize choose_tile(const Target& target, Scalar element, int64_t rows, int64_t columns) {
  TileSize tile;
  const int bits = std::max(kernel::scalar_bits(element), 32);
  const bool vectors = target.vector_bits > 0 && (!kernel::is_float(element) || target.float_vectors || bits == 64);
  if (vectors) {
    tile.lanes = std::max(1, target.lanes(bits));
    while (tile.lanes > columns) tile.lanes /= 2;
  }
  if (target.options.for_size()) return tile;
  // Without vectors the float registers hold the accumulators; soft-float targets have few to spare and calls to make.
  const bool in_float_unit = kernel::is_float(element) && (bits == 64 ? target.f64_unit : target.f32_unit);
  int registers = vectors || in_float_unit ? target.vector_registers : target.scalar_registers;
  if (kernel::is_float(element) && !in_float_unit && !vectors) return tile;
  if (!vectors && in_float_unit && bits == 64) registers /= 2;
  registers = std::max(registers, 4);
  static constexpr int shapes[][2] = {{6, 4}, {4, 4}, {8, 2}, {6, 2}, {4, 2}, {2, 2}, {4, 1}, {2, 1}, {1, 1}};
  for (const auto& [mr, nv] : shapes) {
    if (mr * nv + nv + 1 > registers) continue;
    if (mr > rows && mr > 1) continue;
    if (int64_t{nv} * tile.lanes > columns && nv > 1) continue;
    tile.rows = mr;
    tile.vectors = nv;
    break;
  }
  // One row: no reuse of the columns' vectors, so width hides the latency of the sums.
  if (rows == 1)
    while (tile.vectors < 8 && int64_t{tile.vectors} * 2 * tile.lanes <= columns && tile.vectors * 4 + 2 <= registers) tile.vectors *= 2;
  return tile;
}

std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile) {
  std::vector<ColumnRun> runs;
  int64_t begin = 0;
  int vectors = tile.vectors, lanes = tile.lanes;
  while (begin < count) {
    const int64_t step = int64_t{vectors} * lanes;
    const int64_t end = begin + (count - begin) / step * step;
    if (end > begin) runs.push_back({begin, end, vectors, lanes});
    begin = end;
    if (vectors > 1) {
      vectors /= 2;
    } else {
      lanes = std::max(1, lanes / 2);
    }
  }
  return runs;
}

kernel::ValueId multiply_accumulate(Emitter& e, kernel::ValueId acc, kernel::ValueId a, kernel::ValueId b) {
  const Scalar type = e.b.type(acc).scalar;
  if (type == Scalar::kPred) return e.b.logical_or(acc, e.b.logical_and(a, b));
  return e.b.mul_add(a, b, acc);
}

}  // namespace hlocc::lowering
