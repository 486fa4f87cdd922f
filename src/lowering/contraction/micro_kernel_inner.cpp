// Inner products: lanes along the reduction, for rows with rows, and for contractions with fewer
// columns than half a vector, or with so many that no vector ends with them, which would leave
// lanes idle. A vector of partial sums for each result; at the end those of a row are added up
// together, in as many steps as one of them would take, into a vector of neighbouring results.
// Known weights lie as [columns, depth].
#include <bit>
#include <cstring>

#include "costs/weights.h"
#include "lowering/contraction/micro_kernel.h"
#include "support/rounding.h"

namespace hlocc::lowering {

using kernel::ValueId;
using kernel::Values;

namespace {

// Lanes [part * lanes / blocks / 2, ...) of each block of two vectors laid side by side: the first
// or second halves.
std::vector<int> halves(int lanes, int blocks, int part, bool of_two) {
  const int block = lanes / blocks, half = block / 2;
  std::vector<int> out;
  for (int vector = 0; vector < (of_two ? 2 : 1); ++vector)
    for (int b = 0; b < blocks; ++b)
      for (int l = 0; l < half; ++l) out.push_back(vector * lanes + b * block + part * half + l);
  return out;
}

std::optional<WeightStream> pack_rows(Emitter& e, const WeightOrder& order) {
  const hlo::Literal* weights = e.constant_of(order.right);
  HLOCC_CHECK(weights != nullptr && !order.runs.empty(), "rows of weights that are not known");
  const int64_t element = hlo::storage_bytes(weights->type()), depth = order.depth(),
                columns = order.columns, first = order.groups > 1 ? 0 : order.runs[0].begin;
  const bool lines = costs::columns_begin_lines(e.target());
  WeightStream stream;
  stream.depth = lines ? round_up(depth * element, costs::kLineBytes) / element : depth;
  stream.first = first;
  stream.of_group = columns / order.groups;
  std::vector<std::byte> out((columns - first) * stream.depth * element);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t c = first; c < columns; ++c)
      std::memcpy(out.data() + ((c - first) * stream.depth + k) * element,
                  weights->bytes().data() + (k * columns + c) * element, element);
  stream.weights = e.derived_constant("weight_rows", e.scalar(weights->shape()), std::move(out),
                                      lines ? costs::kLineBytes : 0);
  return stream;
}

Accumulators start_inner(Emitter& e, const Tile& tile, const Beginning& beginning) {
  Accumulators sums(tile.cells(), e.b.zero({beginning.sum, static_cast<uint16_t>(tile.k_step)}));
  for (int cell = 0; beginning.columns && cell < tile.cells(); ++cell)
    sums[cell] =
        e.b.insert(sums[cell], beginning.columns(tile.column.plus(cell % tile.vectors), 1), 0);
  return sums;
}

Accumulators step_inner(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                        const Affine& k) {
  Values right;
  for (int v = 0; v < tile.vectors; ++v) right.push_back(operands.b(v, k).re);
  for (int r = 0; r < tile.rows; ++r) {
    const ValueId left = operands.a(r, k, tile.k_step).re;
    for (int v = 0; v < tile.vectors; ++v) {
      ValueId& sum = sums[r * tile.vectors + v];
      sum = multiply_accumulate(e, sum, left, right[v]);
    }
  }
  return sums;
}

int lanes_inner(const Emitter&, const Tile& tile) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(tile.vectors)));
}

Element finish_inner(Emitter& e, const Tile& tile, const Accumulators& sums, int row, int) {
  const auto first = sums.begin() + row * tile.vectors;
  Accumulators of_row(first, first + tile.vectors);
  of_row.resize(lanes_inner(e, tile), e.b.zero(e.b.type(sums[0])));
  return {add_up(e, std::move(of_row))};
}

ValueId load_inner(Emitter& e, const Tile& tile, const WeightStream& stream, const Affine& place,
                   const Affine& k, int v) {
  return e.b.load(stream.weights, place.plus(v - stream.first).times(stream.depth).plus(k),
                  tile.k_step);
}

}  // namespace

ValueId add_up(Emitter& e, Values vectors) {
  const int count = static_cast<int>(vectors.size());
  int lanes = e.b.type(vectors[0]).lanes;
  if (count == 1) return e.b.reduce(kernel::OpKind::kReduceAdd, vectors[0]);
  int blocks = 1;
  for (; vectors.size() > 1; blocks *= 2) {
    Values pairs;
    for (size_t n = 0; n < vectors.size(); n += 2)
      pairs.push_back(
          e.b.add(e.b.shuffle(vectors[n], vectors[n + 1], halves(lanes, blocks, 0, true)),
                  e.b.shuffle(vectors[n], vectors[n + 1], halves(lanes, blocks, 1, true))));
    vectors = std::move(pairs);
  }
  for (; lanes > count; lanes /= 2)
    vectors[0] = e.b.add(e.b.shuffle(vectors[0], vectors[0], halves(lanes, blocks, 0, false)),
                         e.b.shuffle(vectors[0], vectors[0], halves(lanes, blocks, 1, false)));
  return vectors[0];
}

constinit const MicroKernelEmitter kInnerProduct = {pack_rows,   start_inner,  step_inner,
                                                    lanes_inner, finish_inner, load_inner};

}  // namespace hlocc::lowering
