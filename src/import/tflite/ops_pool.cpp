// Pools over rows and columns.
#include <algorithm>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "import/tflite/windows.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using PoolFields = schema::Pool2DOptions;

Result<hlo::Window> pool_window(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(op.require_rank(0, 4));
  if (op.b.failure()) return *op.b.failure();
  const Dimensions x = op.sizes(0);
  const auto option = [&](Field field) { return op.options.number<int32_t>(field); };
  const int padding = op.options.number<int8_t>(PoolFields::padding);
  HLOCC_TRY_ASSIGN(
      const auto rows,
      window_side(op, {x[1], option(PoolFields::filter_h), option(PoolFields::stride_h)}, padding));
  HLOCC_TRY_ASSIGN(
      const auto columns,
      window_side(op, {x[2], option(PoolFields::filter_w), option(PoolFields::stride_w)}, padding));
  return hlo::Window{{{}, rows, columns, {}}};
}

// How many elements of the map each window along one side covers.
std::vector<int64_t> covered(int64_t in, const hlo::WindowDimension& side) {
  std::vector<int64_t> out;
  const int64_t padded = in + side.padding_low + side.padding_high;
  for (int64_t at = 0; at + side.size <= padded; at += side.stride) {
    const int64_t begin = std::max<int64_t>(at - side.padding_low, 0);
    out.push_back(std::min(at - side.padding_low + side.size, in) - begin);
  }
  return out;
}

// The elements of each window, in every place of y.
InstructionId counts(const Op& op, const hlo::Window& window, InstructionId y, PrimitiveType type) {
  Builder& b = op.b;
  const Dimensions x = op.sizes(0), sizes = b.sizes(y);
  const auto rows = covered(x[1], window.dimensions[1]);
  const auto columns = covered(x[2], window.dimensions[2]);
  std::vector<int64_t> all;
  for (const int64_t row : rows)
    for (const int64_t column : columns) all.push_back(row * column);
  if (std::all_of(all.begin(), all.end(), [&](int64_t n) { return n == all[0]; }))
    return b.number(type, static_cast<double>(all[0]), sizes);
  const Literal literal = literal_of(kS32, all, {sizes[1], sizes[2]});
  return b.convert(b.broadcast(b.constant(literal), sizes, {1, 2}), type);
}

Status finish_float(const Op& op, InstructionId y) {
  HLOCC_TRY_ASSIGN(const InstructionId out,
                   activated(op, y, op.options.number<int8_t>(PoolFields::activation)));
  return op.set(out);
}

// Input and output have one scale: kernels compare and average integers as they are.
Status check_integers(const Op& op) {
  const PrimitiveType x = op.type(0);
  if ((x != kS8 && x != kS16) || element_type(op.out().type) != x) return op.unsupported_types();
  return {};
}

}  // namespace

Status average_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const hlo::Window window, pool_window(op));
  const InstructionId x = op.value(0);
  if (op.type(0) == kF32) {
    const InstructionId sums = b.reduce_window(Opcode::kAdd, x, window);
    if (b.failure()) return {};
    return finish_float(op, b.binary(Opcode::kDivide, sums, counts(op, window, sums, kF32)));
  }
  HLOCC_TRY(check_integers(op));
  const PrimitiveType type = op.type(0);
  const InstructionId sums = b.reduce_window(Opcode::kAdd, b.convert(x, kS32), window);
  if (b.failure()) return {};
  // To nearest, halves away from zero; away from what is zero in UINT8.
  const InstructionId n = counts(op, window, sums, kS32);
  const InstructionId half = b.with(Opcode::kDivide, n, 2);
  const InstructionId base = b.with(Opcode::kMultiply, n, 128);
  const InstructionId above = op.out().was_unsigned ? b.binary(Opcode::kAdd, sums, base) : sums;
  const InstructionId nudged =
      b.select(b.compare(above, b.like(above, 0), hlo::Direction::kGt),
               b.binary(Opcode::kAdd, above, half), b.binary(Opcode::kSubtract, above, half));
  HLOCC_TRY_ASSIGN(
      const Limits limits,
      activation_limits(op, op.options.number<int8_t>(PoolFields::activation), op.out()));
  return op.set(requantized(b, b.binary(Opcode::kDivide, nudged, n),
                            op.out().was_unsigned ? -128 : 0, limits, type));
}

Status max_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const hlo::Window window, pool_window(op));
  const InstructionId y = b.reduce_window(Opcode::kMaximum, op.value(0), window);
  if (op.type(0) == kF32) return finish_float(op, y);
  HLOCC_TRY(check_integers(op));
  const int activation = op.options.number<int8_t>(PoolFields::activation);
  if (activation == kNoActivation) return op.set(y);
  HLOCC_TRY_ASSIGN(const Limits limits, activation_limits(op, activation, op.out()));
  return op.set(b.clamp(y, limits.low, limits.high));
}

// The root of the mean of squares.
Status l2_pool(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const hlo::Window window, pool_window(op));
  if (op.type(0) != kF32) return op.unsupported_types();
  const InstructionId x = op.value(0);
  const InstructionId sums =
      b.reduce_window(Opcode::kAdd, b.binary(Opcode::kMultiply, x, x), window);
  if (b.failure()) return {};
  const InstructionId mean = b.binary(Opcode::kDivide, sums, counts(op, window, sums, kF32));
  return finish_float(op, b.math(Opcode::kSqrt, mean));
}

}  // namespace hlocc::import::tflite::ops
