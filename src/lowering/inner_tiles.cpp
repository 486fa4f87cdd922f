// See inner_tiles.h.
#include "lowering/inner_tiles.h"

#include <algorithm>
#include <bit>
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

// Whether `last` columns are faster so than as the lanes of one more vector: half a cycle a vector of steps and column, and
// some for adding up its lanes, against half a cycle a step.
bool pays_along(const Target& target, int64_t depth, int64_t contiguous, int64_t last, bool alone, int lanes) {
  const double adding_up = last == 1 ? 6 : 4;
  const int64_t vectors = depth / contiguous * ((contiguous + lanes - 1) / lanes);
  // Without masks those columns take a vector for each bit of their number.
  int across = 0;
  for (int64_t left = last; left > 0; left &= left - 1) ++across;
  if (target.masked_vectors) across = 1;
  // Beside others they want the left side once more.
  const double must_save = alone ? 0.85 : 0.7;
  return static_cast<double>(last) * (0.5 * static_cast<double>(vectors) + adding_up) < must_save * 0.5 * static_cast<double>(across * depth);
}

// Columns whose sums fit the registers where tiles are so high as others want them.
int widest_beside(const Target& target, int height, int lanes) {
  return std::clamp((target.vector_registers - 1) / (height + 1), 1, std::min(lanes, 8));
}

// Whether tiles may have columns of any number.
bool any_width(const Emitter& e) { return e.target().out_of_order && e.masks_pass() && e.target().vector_registers >= 16; }

}  // namespace

InnerTile choose_inner_tile(const Emitter& e, int64_t rows, int64_t columns, int lanes) {
  const Target& target = e.target();
  if (target.options.for_size()) return {};
  constexpr int64_t kFewColumns = 16;
  if (any_width(e) && columns <= kFewColumns) {
    // Nearly square, so that loads hide behind multiply-adds; tiles of nearly one width.
    constexpr int64_t kWidest = 6;
    const int64_t most = std::min<int64_t>({kWidest, lanes, target.vector_registers / 2 - 1}), tiles = (columns + most - 1) / most;
    const int64_t width = (columns + tiles - 1) / tiles;
    const int64_t height = std::max<int64_t>(1, target.vector_registers * 3 / 4 / width);
    return {static_cast<int>(std::min<int64_t>({rows, height, 8})), static_cast<int>(width)};
  }
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

Along columns_along(const Emitter& e, kernel::Scalar accumulator, int64_t depth, int64_t contiguous, int64_t columns) {
  const Target& target = e.target();
  const int bits = std::max(kernel::scalar_bits(accumulator), 32);
  if (target.vector_bits == 0 || accumulator == kernel::Scalar::kPred || bits > 64 ||
      (kernel::is_float(accumulator) && !target.float_vectors && bits != 64))
    return {};
  int lanes = target.lanes(bits);
  // Columns that neither a vector nor a mask holds would take several narrow vectors.
  const bool ragged = columns < lanes && (columns & (columns - 1)) != 0 && !target.masked_vectors;
  // Adding up the lanes of several columns must pay.
  if ((columns * 2 <= lanes || ragged) && (columns == 1 || depth >= int64_t{8} * lanes)) {
    while (lanes > contiguous) lanes /= 2;
    return columns <= lanes ? Along{lanes, columns} : Along{};
  }
  // Beside others only a few: the left side is read once more, from rows that may begin anywhere.
  const int64_t last = columns % lanes;
  const bool alone = columns < lanes, few = alone || last * 4 <= lanes;
  if (last == 0 || !few || contiguous < lanes || !target.out_of_order || target.options.for_size()) return {};
  return pays_along(target, depth, contiguous, last, alone, lanes) ? Along{lanes, last} : Along{};
}

void cut_along(const Emitter& e, Contraction& c, int64_t columns, int height) {
  if (c.along.columns == 0) return;
  int64_t begin = columns - c.along.columns;
  const auto add = [&](int64_t tiles, int64_t width) {
    const int64_t end = begin + tiles * width;
    if (end > begin) c.columns.push_back({.begin = begin, .end = end, .vectors = static_cast<int>(width), .k_lanes = c.along.lanes});
    begin = end;
  };
  int64_t width = begin == 0 ? choose_inner_tile(e, height, columns, c.along.lanes).columns : widest_beside(e.target(), height, c.along.lanes);
  if (any_width(e)) {
    const int64_t tiles = (c.along.columns + width - 1) / width;
    width = (c.along.columns + tiles - 1) / tiles;
    add(c.along.columns - tiles * (width - 1), width);
    if (width > 1) add((columns - begin) / (width - 1), width - 1);
    return;
  }
  for (width = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(width))); begin < columns; width /= 2) add((columns - begin) / width, width);
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

std::optional<WeightRows> WeightRows::transpose(Emitter& e, hlo::InstructionId right, int64_t depth, int64_t last) {
  const hlo::Literal* weights = e.group().is_external(right) ? e.constant_of(right) : nullptr;
  if (weights == nullptr || hlo::is_complex(weights->type()) || hlo::type_bits(weights->type()) < 8) return std::nullopt;
  const int64_t element = hlo::storage_bytes(weights->type()), columns = weights->element_count() / depth, first = columns - last;
  // Where there are caches, every column begins a line.
  constexpr int64_t kLine = 64;
  const bool lines = e.target().out_of_order && !e.target().options.for_size();
  const int64_t stride = lines ? (depth * element + kLine - 1) / kLine * kLine / element : depth;
  std::vector<std::byte> out(last * stride * element);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t c = first; c < columns; ++c)
      std::memcpy(out.data() + ((c - first) * stride + k) * element, weights->bytes().data() + (k * columns + c) * element, element);
  WeightRows rows;
  rows.stride_ = stride;
  rows.first_ = first;
  rows.buffer_ = e.derived_constant("weight_rows", e.scalar(weights->shape()), std::move(out), lines ? kLine : 0);
  return rows;
}

}  // namespace hlocc::lowering
