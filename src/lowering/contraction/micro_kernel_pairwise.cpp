// The emitter of the row that adds up products of bytes along the reduction on NEON: eight products
// of 16 bits, eight more added to them, and neighbours added to four sums of 32 bits (SMULL,
// SMLAL2, SADALP). Two products of bytes fit 16 bits unless all four are -128: where two weights
// that meet are, each eight products are added up by themselves.
#include <algorithm>
#include <bit>

#include "lowering/contraction/micro_kernel.h"

namespace hlocc::lowering {

using kernel::Scalar;
using kernel::ValueId;

namespace {

constexpr int kSums = 4, kHalf = 8;

// Whether two weights of a column that lie half a k step apart are both -128.
bool may_overflow(const hlo::Literal& weights, const WeightOrder& order) {
  const std::span<const int8_t> bytes = weights.data<int8_t>();
  const auto least = [&](int64_t k, int64_t column) {
    return order.steps[k] >= 0 && bytes[order.steps[k] * order.columns + column] == INT8_MIN;
  };
  for (int64_t k = 0; k + kHalf < order.depth(); ++k)
    for (int64_t column = 0; k % (2 * kHalf) < kHalf && column < order.columns; ++column)
      if (least(k, column) && least(k + kHalf, column)) return true;
  return false;
}

std::optional<WeightStream> pack_pairwise(Emitter& e, const WeightOrder& order) {
  std::optional<WeightStream> stream = pack_k_steps(e, order);
  if (stream) stream->pairs_fit = !may_overflow(*e.constant_of(order.right), order);
  return stream;
}

Accumulators start_pairwise(Emitter& e, const Tile& tile, const Beginning& beginning) {
  Accumulators sums(tile.cells(), e.b.zero({Scalar::kS32, kSums}));
  const kernel::BufferId bias = beginning.stream->corrections;
  for (int cell = 0; bias != kernel::kNone && cell < tile.cells(); ++cell)
    sums[cell] = e.b.insert(sums[cell], e.b.load(bias, tile.column.plus(cell % tile.vectors)), 0);
  return sums;
}

// Eight bytes as numbers of 16 bits.
ValueId half_of_k_step(Emitter& e, ValueId k_step, int first) {
  std::vector<int> lanes;
  for (int lane = 0; lane < kHalf; ++lane) lanes.push_back(first + lane);
  return e.b.convert(e.b.shuffle(k_step, k_step, std::move(lanes)), Scalar::kS16);
}

ValueId add_products(Emitter& e, ValueId sum, ValueId left, ValueId right, bool pairs_fit) {
  const auto product = [&](int first) {
    return e.b.mul(half_of_k_step(e, left, first), half_of_k_step(e, right, first));
  };
  const auto add_neighbours = [&](ValueId numbers) {
    sum = e.b.dot_accumulate(sum, numbers, e.b.constant_int(e.b.type(numbers), 1));
  };
  e.product_emitted();
  const ValueId low = product(0), high = product(kHalf);
  if (pairs_fit) {
    add_neighbours(e.b.add(low, high));
  } else {
    add_neighbours(low);
    add_neighbours(high);
  }
  return sum;
}

Accumulators step_pairwise(Emitter& e, const Tile& tile, Accumulators sums,
                           const Operands& operands, const Affine& k) {
  const WeightStream& stream = *operands.stream;
  const Affine at = tile.column.times(stream.depth).plus(k.times(tile.vectors));
  kernel::Values left;
  for (int r = 0; r < tile.rows; ++r) left.push_back(operands.a(r, k, tile.k_step).re);
  for (int v = 0; v < tile.vectors; ++v) {
    const ValueId right = e.b.load(stream.weights, at.plus(int64_t{v} * tile.k_step), tile.k_step);
    for (int r = 0; r < tile.rows; ++r) {
      ValueId& sum = sums[r * tile.vectors + v];
      sum = add_products(e, sum, left[r], right, stream.pairs_fit);
    }
  }
  return sums;
}

int lanes_pairwise(const Emitter&, const Tile& tile) {
  return std::min(kSums, static_cast<int>(std::bit_floor(static_cast<unsigned>(tile.vectors))));
}

Element finish_pairwise(Emitter& e, const Tile& tile, const Accumulators& sums, int row,
                        int column) {
  const auto first = sums.begin() + row * tile.vectors + column;
  return {add_up(e, Accumulators(first, first + lanes_pairwise(e, tile)))};
}

}  // namespace

constinit const MicroKernelEmitter kPairwiseAccumulate16 = {
    pack_pairwise, start_pairwise, step_pairwise, lanes_pairwise, finish_pairwise};

}  // namespace hlocc::lowering
