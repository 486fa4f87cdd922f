// See inner_tiles.h.
#include "lowering/inner_tiles.h"

#include <algorithm>
#include <cstring>

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;
using kernel::Values;

namespace {

// Lanes [part * lanes / blocks / 2, ...) of each block of two vectors laid side by side: the first or second halves.
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
  return e.b.select(e.b.constant_lanes({kernel::Scalar::kPred, type.lanes}, keep), value, e.b.zero(type));
}

}  // namespace

InnerTile choose_inner_tile(const Target& target, int64_t rows, int64_t columns, int lanes) {
  if (target.options.for_size()) return {};
  static constexpr InnerTile shapes[] = {{6, 4}, {4, 4}, {2, 4}, {6, 2}, {4, 2}, {2, 2}, {1, 8},
                                         {1, 4}, {1, 2}, {8, 1}, {4, 1}, {2, 1}, {1, 1}};
  const int registers = std::max(target.vector_registers, 8);
  // What only one row reads is read as it is used.
  const auto wanted = [](const InnerTile& t) { return t.rows * t.columns + (t.rows == 1 ? 1 : t.columns) + 1; };
  for (const InnerTile& shape : shapes)
    if (wanted(shape) <= registers && shape.rows <= std::max<int64_t>(rows, 1) &&
        shape.columns <= columns && shape.columns <= lanes)
      return shape;
  return {};
}

int inner_lanes(const Emitter& e, kernel::Scalar accumulator, int64_t depth, int64_t contiguous, int64_t columns) {
  const Target& target = e.target();
  const int bits = std::max(kernel::scalar_bits(accumulator), 32);
  if (target.vector_bits == 0 || accumulator == kernel::Scalar::kPred || bits > 64 ||
      (kernel::is_float(accumulator) && !target.float_vectors && bits != 64))
    return 1;
  int lanes = target.lanes(bits);
  // Adding up the lanes of several columns must pay.
  // Columns that neither a vector nor a mask holds would take several narrow vectors.
  const bool ragged = columns < lanes && (columns & (columns - 1)) != 0 && !target.masked_vectors;
  if ((columns * 2 > lanes && !ragged) || (columns > 1 && depth < int64_t{8} * lanes)) return 1;
  while (lanes > contiguous) lanes /= 2;
  return columns <= lanes ? lanes : 1;
}

ValueId add_up(Emitter& e, Values vectors) {
  const int count = static_cast<int>(vectors.size());
  int lanes = e.b.type(vectors[0]).lanes;
  if (count == 1) return e.b.reduce(kernel::OpKind::kReduceAdd, vectors[0]);
  int blocks = 1;
  for (; vectors.size() > 1; blocks *= 2) {
    Values pairs;
    for (size_t n = 0; n < vectors.size(); n += 2)
      pairs.push_back(e.b.add(e.b.shuffle(vectors[n], vectors[n + 1], halves(lanes, blocks, 0, true)),
                              e.b.shuffle(vectors[n], vectors[n + 1], halves(lanes, blocks, 1, true))));
    vectors = std::move(pairs);
  }
  for (; lanes > count; lanes /= 2)
    vectors[0] = e.b.add(e.b.shuffle(vectors[0], vectors[0], halves(lanes, blocks, 0, false)),
                         e.b.shuffle(vectors[0], vectors[0], halves(lanes, blocks, 1, false)));
  return vectors[0];
}

Accumulators inner_steps(Emitter& e, const Contraction::Tile& tile, int64_t count, Accumulators acc, const Operands& operands) {
  const int lanes = tile.k_lanes;
  // `repeated` lanes of the step were added before.
  const auto step = [&](const Affine& k, int64_t repeated, Accumulators sums) {
    const auto fresh = [&](ValueId value) { return repeated > 0 ? without_first(e, value, repeated) : value; };
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
  const int64_t whole = count / lanes * lanes, pairs = e.target().options.for_size() ? 0 : count / (2 * lanes) * (2 * lanes);
  acc = e.loop(0, pairs, int64_t{2} * lanes, std::move(acc), [&](Affine k, std::span<const ValueId> in) {
    return step(k.plus(lanes), 0, step(k, 0, {in.begin(), in.end()}));
  });
  acc = e.loop(pairs, whole, lanes, std::move(acc),
               [&](Affine k, std::span<const ValueId> in) { return step(k, 0, {in.begin(), in.end()}); });
  // The last steps once more, with zeros where they were added before: an infinite weight must not meet them.
  if (whole < count) acc = step(Affine::constant(count - lanes), lanes - (count - whole), std::move(acc));
  return acc;
}

std::optional<WeightRows> WeightRows::transpose(Emitter& e, hlo::InstructionId right, int64_t depth) {
  const hlo::Literal* weights = e.group().is_external(right) ? e.constant_of(right) : nullptr;
  if (weights == nullptr || hlo::is_complex(weights->type()) || hlo::type_bits(weights->type()) < 8) return std::nullopt;
  const int64_t element = hlo::storage_bytes(weights->type()), columns = weights->element_count() / depth;
  std::vector<std::byte> out(weights->bytes().size());
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t c = 0; c < columns; ++c)
      std::memcpy(out.data() + (c * depth + k) * element, weights->bytes().data() + (k * columns + c) * element, element);
  WeightRows rows;
  rows.depth_ = depth;
  rows.buffer_ = e.derived_constant("weight_rows", e.scalar(weights->shape()), std::move(out));
  return rows;
}

}  // namespace hlocc::lowering
