// Emitters of the rows that are made of dot_accumulate. They differ in the form of their weights
// and in what a lane of the sums is: a column, or nothing where sums are scalars.
#include "lowering/contraction/micro_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "costs/weights.h"
#include "support/check.h"

namespace hlocc::lowering {

using costs::RightForm;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

namespace {

int64_t weight_at(const hlo::Literal& weights, int64_t at) {
  const auto bits = std::to_integer<uint8_t>(weights.bytes()[at]);
  return weights.type() == hlo::PrimitiveType::kS8 ? int64_t{static_cast<int8_t>(bits)}
                                                   : int64_t{bits};
}

template <typename Number>
void put(std::vector<std::byte>& out, int64_t at, int64_t value) {
  const auto number = static_cast<Number>(value);
  std::memcpy(out.data() + at * static_cast<int64_t>(sizeof(Number)), &number, sizeof(Number));
}

Scalar element_of_stream(RightForm form, Scalar bytes) {
  if (form == RightForm::kHalves) return Scalar::kS16;
  return form == RightForm::kBiased ? Scalar::kU8 : bytes;
}

// Where step k of column c lies in a k step of a tile of so many columns: steps of a column side by
// side; or, of a pair of columns, what two words spread to: the first and third step of both, then
// the second and fourth.
int64_t place_in_k_step(const costs::MicroKernel& row, int64_t width, int64_t c, int64_t k) {
  const bool pairs = row.left == costs::LeftForm::kInterleaved && width % 2 == 0;
  return pairs ? c / 2 * 8 + k % 2 * 4 + k / 2 * 2 + c % 2 : c * row.k_step + k;
}

std::vector<std::byte> packed_weights(const hlo::Literal& weights, const WeightOrder& order,
                                      const costs::MicroKernel& row) {
  const RightForm form = row.right;
  const int k_step = row.k_step;
  const int64_t depth = order.depth();
  const int64_t offset = form == RightForm::kBiased ? 128 : 0;
  std::vector<std::byte> out(depth * order.columns * (form == RightForm::kHalves ? 2 : 1),
                             static_cast<std::byte>(offset));
  for (const ColumnRun& run : order.runs)
    for (int64_t first = run.begin; first < run.end; first += run.step())
      for (int64_t k = 0; k < depth; ++k) {
        if (order.steps[k] < 0) continue;
        const int64_t begin = first * depth + k / k_step * k_step * run.step();
        for (int64_t c = 0; c < run.step(); ++c) {
          const int64_t at = begin + place_in_k_step(row, run.step(), c, k % k_step);
          const int64_t value = weight_at(weights, order.steps[k] * order.columns + first + c);
          form == RightForm::kHalves ? put<int16_t>(out, at, value)
                                     : put<int8_t>(out, at, value + offset);
        }
      }
  return out;
}

// What is too much in the sums of a left side that is 128 too great, taken off beforehand, from
// what they begin with.
std::vector<std::byte> offset_corrections(const hlo::Literal& weights, const WeightOrder& order,
                                          const hlo::Literal* bias) {
  std::vector<std::byte> out(order.columns * 4);
  for (int64_t c = 0; c < order.columns; ++c) {
    int64_t sum = 0;
    for (const int64_t k : order.steps)
      if (k >= 0) sum += weight_at(weights, k * order.columns + c);
    put<int32_t>(out, c, (bias == nullptr ? 0 : bias->data<int32_t>()[c]) - 128 * sum);
  }
  return out;
}

Accumulators start_k_steps(Emitter& e, const Tile& tile, const Beginning& beginning) {
  const Type type{Scalar::kS32, static_cast<uint16_t>(tile.lanes)};
  const WeightStream& stream = *beginning.stream;
  Accumulators sums;
  for (int r = 0; r < tile.rows; ++r)
    for (int v = 0; v < tile.vectors; ++v)
      sums.push_back(stream.corrections == kernel::kNone
                         ? e.b.zero(type)
                         : e.b.load(stream.corrections, tile.column.plus(int64_t{v} * tile.lanes),
                                    tile.lanes));
  return sums;
}

// The weights of a step, a k step of each vector; on a core of words those of two columns come in
// one load.
kernel::Values load_weights(Emitter& e, const Tile& tile, const WeightStream& stream,
                            const Affine& k) {
  const int of_vector = tile.lanes * tile.k_step, width = tile.vectors * of_vector;
  const Affine at = tile.column.times(stream.depth).plus(k.times(width / tile.k_step));
  kernel::Values right;
  if (tile.lanes == 1 && tile.k_step == 4 && tile.vectors % 2 == 0) {
    for (int v = 0; v < tile.vectors; v += 2) {
      const ValueId two = e.b.load(stream.weights, at.plus(v * of_vector), 2 * of_vector);
      right.push_back(e.b.shuffle(two, two, {0, 1, 2, 3}));
      right.push_back(e.b.shuffle(two, two, {4, 5, 6, 7}));
    }
    return right;
  }
  for (int v = 0; v < tile.vectors; ++v)
    right.push_back(e.b.load(stream.weights, at.plus(v * of_vector), of_vector));
  return right;
}

// A k step in every lane.
ValueId in_all_lanes(Emitter& e, ValueId k_step, int lanes) {
  if (lanes == 1) return k_step;
  const int steps = e.b.type(k_step).lanes;
  std::vector<int> from;
  for (int lane = 0; lane < lanes; ++lane)
    for (int step = 0; step < steps; ++step) from.push_back(step);
  return e.b.shuffle(k_step, k_step, from);
}

// Sums of a left side that is 128 too great, or of weights that are.
Accumulators start_offset(Emitter& e, const Tile& tile, const Beginning& beginning) {
  const WeightStream& stream = *beginning.stream;
  Accumulators sums = start_k_steps(e, tile, beginning);
  for (int r = 0; r < tile.rows; ++r) {
    const ValueId term = e.b.load(stream.row_terms, Affine::constant(r));
    for (int v = 0; v < tile.vectors; ++v)
      sums[r * tile.vectors + v] =
          stream.corrections == kernel::kNone ? term : e.b.add(sums[r * tile.vectors + v], term);
  }
  return sums;
}

// Step after step, each load in front of its product: no more than one number of each side waits.
Accumulators step_offset(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                         const Affine& k) {
  const WeightStream& stream = *operands.stream;
  const Affine at = tile.column.times(stream.depth).plus(k.times(tile.vectors));
  for (int step = 0; step < tile.k_step; ++step)
    for (int r = 0; r < tile.rows; ++r) {
      const ValueId x = e.b.convert(operands.a(r, k.plus(step), 1).re, Scalar::kS32);
      for (int v = 0; v < tile.vectors; ++v) {
        const ValueId byte = e.b.load(stream.weights, at.plus(int64_t{v} * tile.k_step + step));
        ValueId& sum = sums[r * tile.vectors + v];
        sum = e.b.add(sum, e.b.mul(x, e.b.convert(byte, Scalar::kS32)));
        e.product_emitted();
      }
    }
  return sums;
}

Accumulators accumulate(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                        const Affine& k, const kernel::Values& right) {
  for (int r = 0; r < tile.rows; ++r) {
    const ValueId k_step = in_all_lanes(e, operands.a(r, k, tile.k_step).re, tile.lanes);
    for (int v = 0; v < tile.vectors; ++v) {
      ValueId& sum = sums[r * tile.vectors + v];
      sum = dot_accumulate(e, sum, k_step, right[v]);
    }
  }
  return sums;
}

Accumulators step_plain(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                        const Affine& k) {
  return accumulate(e, tile, std::move(sums), operands, k,
                    load_weights(e, tile, *operands.stream, k));
}

// Bytes that meet numbers of 16 bits.
Accumulators step_widened(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                          const Affine& k) {
  kernel::Values right = load_weights(e, tile, *operands.stream, k);
  for (ValueId& bytes : right) bytes = e.b.convert(bytes, Scalar::kS16);
  return accumulate(e, tile, std::move(sums), operands, k, right);
}

ValueId half_of(Emitter& e, ValueId k_step, int half) {
  return e.b.shuffle(k_step, k_step, {2 * half, 2 * half + 1});
}

// Sums of two columns, or one, take half a k step of all rows before the next half is loaded: two
// numbers of the right side wait, and two of the left one.
struct HalfStep {
  int half, column;
  ValueId right;  // of column `column`; of the next one behind it
};
void multiply_half(Emitter& e, const Tile& tile, Accumulators& sums, const Operands& operands,
                   const Affine& k, const HalfStep& k_step) {
  const int columns = std::min(2, tile.vectors - k_step.column);
  const bool pair = tile.vectors % 2 == 0;
  for (int first = 0; first < tile.rows; first += 2) {
    const int rows = std::min(2, tile.rows - first);
    const kernel::Values left = operands.halves(first, k, k_step.half, rows);
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < (pair ? columns : 1); ++v) {
        ValueId& sum = sums[(first + r) * tile.vectors + k_step.column + v];
        sum = dot_accumulate(e, sum, operands.rows_apart ? left[r] : half_of(e, left[0], r),
                             half_of(e, k_step.right, pair ? v : k_step.half));
      }
  }
}

// One row alone, or two that lie apart: their k steps are loaded once, two words of columns
// together.
Accumulators few_rows_interleaved(Emitter& e, const Tile& tile, Accumulators sums,
                                  const Operands& operands, const Affine& k) {
  std::vector<std::array<ValueId, 2>> left;
  for (int r = 0; r < tile.rows; ++r) left.push_back(operands.k_step(r, k));
  const WeightStream& stream = *operands.stream;
  const Affine at = tile.column.times(stream.depth).plus(k.times(tile.vectors));
  const int columns = tile.vectors % 2 == 0 ? 2 : 1;
  for (int column = 0; column < tile.vectors; column += columns) {
    const ValueId loaded = e.b.load(stream.weights, at.plus(column * 4), 4 * columns);
    for (int word = 0; word < columns; ++word) {
      const int first = word * 4;
      const ValueId right = e.b.convert(
          e.b.shuffle(loaded, loaded, {first, first + 2, first + 1, first + 3}), Scalar::kS16);
      // A word is a half of two columns, or both halves of one.
      for (const int part : {0, 1})
        for (int r = 0; r < tile.rows; ++r) {
          ValueId& sum = sums[r * tile.vectors + column + (columns == 2 ? part : 0)];
          sum =
              dot_accumulate(e, sum, left[r][columns == 2 ? word : part], half_of(e, right, part));
        }
    }
  }
  return sums;
}

// The even and the odd bytes of a word, as they spread to numbers of 16 bits: two columns' where
// there are pairs, else those of one column.
Accumulators step_interleaved(Emitter& e, const Tile& tile, Accumulators sums,
                              const Operands& operands, const Affine& k) {
  const WeightStream& stream = *operands.stream;
  const Affine at = tile.column.times(stream.depth).plus(k.times(tile.vectors));
  const auto spread = [&](int64_t word) {
    const ValueId bytes = e.b.load(stream.weights, at.plus(word * 4), 4);
    return e.b.convert(e.b.shuffle(bytes, bytes, {0, 2, 1, 3}), Scalar::kS16);
  };
  if (tile.rows == 1 || (tile.rows == 2 && operands.rows_apart))
    return few_rows_interleaved(e, tile, std::move(sums), operands, k);
  const bool pairs = tile.vectors % 2 == 0;
  for (int column = 0; column < tile.vectors; column += pairs ? 2 : 1) {
    ValueId right = kernel::kNone;
    for (const int half : {0, 1}) {
      if (pairs || half == 0) right = spread(pairs ? column + half : column);
      multiply_half(e, tile, sums, operands, k, {half, column, right});
    }
  }
  return sums;
}

Element finish_across(Emitter&, const Tile& tile, const Accumulators& sums, int row, int column) {
  return {sums[row * tile.vectors + column / tile.lanes]};
}

// Sums in scalars: as many side by side as a vector has lanes.
int lanes_of_scalars(const Emitter& e, const Tile& tile) {
  return std::min(e.target().lanes(32),
                  static_cast<int>(std::bit_floor(static_cast<unsigned>(tile.vectors))));
}
Element finish_scalars(Emitter& e, const Tile& tile, const Accumulators& sums, int row,
                       int column) {
  const int lanes = lanes_of_scalars(e, tile);
  const auto first = sums.begin() + row * tile.vectors + column;
  ValueId out = e.b.splat(*first, lanes);
  for (int lane = 1; lane < lanes; ++lane) out = e.b.insert(out, first[lane], lane);
  return {out};
}

}  // namespace

std::optional<WeightStream> pack_k_steps(Emitter& e, const WeightOrder& order) {
  const costs::MicroChoice& choice = *order.choice;
  const hlo::Literal* weights = e.constant_of(order.right);
  HLOCC_CHECK(weights != nullptr, "weights that are not known");
  const hlo::Literal* bias = order.bias == hlo::kNone ? nullptr : e.constant_of(order.bias);
  const costs::MicroKernel& row = *choice.kernel;
  WeightStream stream;
  stream.depth = order.depth();
  stream.of_group = order.columns;
  const bool halves = row.right == RightForm::kHalves;
  const int64_t bytes = int64_t{row.k_step} * order.runs[0].step() * (halves ? 2 : 1);
  // Of a line, or a register that is longer.
  const int64_t most = std::max<int64_t>(costs::kLineBytes, e.target().vector_bits / 8);
  stream.weights = e.derived_constant(
      "units", element_of_stream(row.right, e.scalar(weights->shape())),
      packed_weights(*weights, order, row),
      static_cast<int>(std::min<int64_t>(most, std::bit_floor(static_cast<uint64_t>(bytes)))));
  if (choice.left == costs::LeftForm::kBiased)
    stream.corrections = e.derived_constant("corrections", Scalar::kS32,
                                            offset_corrections(*weights, order, bias), 4);
  else if (bias != nullptr)
    stream.corrections = e.input_buffer(order.bias);
  return stream;
}

constinit const MicroKernelEmitter kDotAccumulate2 = {pack_k_steps, start_k_steps, step_interleaved,
                                                      lanes_across, finish_across};
constinit const MicroKernelEmitter kDotAccumulate2InPlace = {
    pack_k_steps, start_k_steps, step_plain, lanes_across, finish_across};
constinit const MicroKernelEmitter kDotAccumulate2Across = {pack_k_steps, start_k_steps, step_plain,
                                                            lanes_across, finish_across};
constinit const MicroKernelEmitter kDotAccumulate4Across = {pack_k_steps, start_k_steps, step_plain,
                                                            lanes_across, finish_across};
constinit const MicroKernelEmitter kDotAccumulate4Offset = {pack_k_steps, start_k_steps, step_plain,
                                                            lanes_across, finish_across};
constinit const MicroKernelEmitter kDotAccumulate16 = {pack_k_steps, start_k_steps, step_plain,
                                                       lanes_of_scalars, finish_scalars};
constinit const MicroKernelEmitter kDotAccumulate8 = {pack_k_steps, start_k_steps, step_widened,
                                                      lanes_of_scalars, finish_scalars};
constinit const MicroKernelEmitter kMultiplyAccumulateOffset = {
    pack_k_steps, start_offset, step_offset, lanes_across, finish_across};

}  // namespace hlocc::lowering
