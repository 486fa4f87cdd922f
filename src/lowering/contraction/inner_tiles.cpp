// See inner_tiles.h.
#include "lowering/contraction/inner_tiles.h"

#include <algorithm>
#include <cstring>

#include "costs/weights.h"

namespace hlocc::lowering {

using kernel::Type;
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

// `value` in the first lanes' stead zero.
ValueId without_first(Emitter& e, ValueId value, int64_t lanes) {
  const Type type = e.b.type(value);
  std::vector<uint64_t> keep(type.lanes);
  for (int lane = 0; lane < type.lanes; ++lane) keep[lane] = lane >= lanes;
  return e.b.select(e.b.constant_lanes({kernel::Scalar::kPred, type.lanes}, keep), value,
                    e.b.zero(type));
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

Accumulators inner_steps(Emitter& e, const Contraction::Tile& tile, int64_t count, Accumulators acc,
                         const Operands& operands) {
  const int lanes = tile.k_lanes;
  // `repeated` lanes of the step were added before.
  const auto step = [&](const Affine& k, int64_t repeated, Accumulators sums) {
    const auto fresh = [&](ValueId value) {
      return repeated > 0 ? without_first(e, value, repeated) : value;
    };
    Values right;
    for (int v = 0; v < tile.vectors; ++v) right.push_back(fresh(operands.b(v, k).re));
    for (int r = 0; r < tile.rows; ++r) {
      const ValueId left = fresh(operands.a(r, k, lanes).re);
      for (int v = 0; v < tile.vectors; ++v) {
        ValueId& sum = sums[r * tile.vectors + v];
        sum = multiply_accumulate(e, sum, left, right[v]);
      }
    }
    return sums;
  };
  const int64_t whole = count / lanes * lanes,
                pairs = e.target().options.for_size() ? 0 : count / (2 * lanes) * (2 * lanes);
  acc = e.loop(0, pairs, int64_t{2} * lanes, std::move(acc),
               [&](Affine k, std::span<const ValueId> in) {
                 return step(k.plus(lanes), 0, step(k, 0, {in.begin(), in.end()}));
               });
  acc = e.loop(pairs, whole, lanes, std::move(acc), [&](Affine k, std::span<const ValueId> in) {
    return step(k, 0, {in.begin(), in.end()});
  });
  // The last steps once more, with zeros where they were added before: an infinite weight must not
  // meet them.
  if (whole < count)
    acc = step(Affine::constant(count - lanes), lanes - (count - whole), std::move(acc));
  return acc;
}

std::optional<WeightRows> WeightRows::transpose(Emitter& e, hlo::InstructionId right, int64_t depth,
                                                int64_t last) {
  const hlo::Literal* weights = e.group().is_external(right) ? e.constant_of(right) : nullptr;
  if (weights == nullptr || hlo::is_complex(weights->type()) || hlo::type_bits(weights->type()) < 8)
    return std::nullopt;
  const int64_t element = hlo::storage_bytes(weights->type()),
                columns = weights->element_count() / depth, first = columns - last;
  const bool lines = costs::columns_begin_lines(e.target());
  const int64_t stride = lines ? (depth * element + costs::kLineBytes - 1) / costs::kLineBytes *
                                     costs::kLineBytes / element
                               : depth;
  std::vector<std::byte> out(last * stride * element);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t c = first; c < columns; ++c)
      std::memcpy(out.data() + ((c - first) * stride + k) * element,
                  weights->bytes().data() + (k * columns + c) * element, element);
  WeightRows rows;
  rows.stride_ = stride;
  rows.first_ = first;
  rows.buffer_ = e.derived_constant("weight_rows", e.scalar(weights->shape()), std::move(out),
                                    lines ? costs::kLineBytes : 0);
  return rows;
}

}  // namespace hlocc::lowering
