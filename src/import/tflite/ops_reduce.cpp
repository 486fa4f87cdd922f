// Reductions along axes that are known.
#include <algorithm>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

struct Reduction {
  Dimensions axes;  // ascending, each once
  Dimensions kept;  // the result's sizes, with ones where the option says so
  int64_t count = 1;
};

Result<Reduction> reduction_of(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  const Dimensions sizes = op.sizes(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(1, "the axes"));
  Reduction out;
  for (const int64_t one : given) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(one, static_cast<int64_t>(sizes.size())));
    out.axes.push_back(axis);
  }
  std::sort(out.axes.begin(), out.axes.end());
  out.axes.erase(std::unique(out.axes.begin(), out.axes.end()), out.axes.end());
  const bool keeps = op.options.flag(schema::ReducerOptions::keep_dims);
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    const bool is_reduced = std::binary_search(out.axes.begin(), out.axes.end(), d);
    if (is_reduced) out.count *= sizes[d];
    if (!is_reduced || keeps) out.kept.push_back(is_reduced ? 1 : sizes[d]);
  }
  return out;
}

// The multiplier of a mean, which has 1 / count in it.
Multiplier divided(Multiplier by, int64_t count) {
  int shift = 63;
  while (shift > 0 && (count >> shift) == 0) --shift;
  shift = std::min({shift, 32, 31 + by.shift});
  return {static_cast<int32_t>((static_cast<int64_t>(by.factor) << shift) / count),
          by.shift - shift};
}

Status sum_or_mean(const Op& op, bool is_mean) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Reduction r, reduction_of(op));
  const InstructionId x = op.value(0);
  const PrimitiveType type = op.type(0);
  if (element_type(op.out().type) != type) return op.unsupported_types();
  if (r.count < 1) return op.unsupported("an empty array");
  if (is_quantized_type(type)) {
    const Tensor &in = op.in(0), &out = op.out();
    HLOCC_TRY(op.require_quantized(in));
    HLOCC_TRY(op.require_quantized(out));
    Multiplier by = quantize_multiplier(static_cast<double>(in.scale()) / out.scale());
    if (is_mean) by = divided(by, r.count);
    InstructionId sum = b.reduce(Opcode::kAdd, b.convert(x, kS32), r.axes);
    const int64_t zero = in.zero_point() * r.count;
    if (zero != 0) sum = b.with(Opcode::kSubtract, sum, static_cast<double>(zero));
    sum = requantized(b, multiplied(b, sum, {by}), out.zero_point(), limits_of(type), type);
    return op.set(b.reshape(sum, r.kept));
  }
  if (type != kF32 && (is_mean || type != kS32)) return op.unsupported_types();
  const InstructionId sum = b.reshape(b.reduce(Opcode::kAdd, x, r.axes), r.kept);
  return op.set(is_mean ? b.with(Opcode::kDivide, sum, static_cast<double>(r.count)) : sum);
}

Status reduced(const Op& op, Opcode opcode, bool booleans = false) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Reduction r, reduction_of(op));
  const PrimitiveType type = op.type(0);
  const bool is_extreme = opcode == Opcode::kMaximum || opcode == Opcode::kMinimum;
  if (booleans ? type != kPred
               : type != kF32 && type != kS32 && type != kS64 &&
                     !(is_extreme && is_quantized_type(type)))
    return op.unsupported_types();
  const Tensor &in = op.in(0), &out = op.out();
  if (is_quantized_type(type) && (in.scale() != out.scale() || in.zero_point() != out.zero_point()))
    return op.unsupported("a result of another scale than the operand");
  return op.set(b.reshape(b.reduce(opcode, op.value(0), r.axes), r.kept));
}

// The first place of the greatest, or the least, along an axis.
Status first_extreme(const Op& op, Opcode opcode) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(1, "the axis"));
  if (given.size() != 1) return op.wrong("has no one axis");
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(given[0], b.rank(x)));
  const PrimitiveType to = element_type(op.out().type).value_or(kTuple);
  if (to != kS32 && to != kS64) return op.unsupported_types();
  const Dimensions sizes = b.sizes(x);
  Dimensions others = counting(b.rank(x));
  others.erase(others.begin() + axis);
  const InstructionId extreme = b.broadcast(b.reduce(opcode, x, {axis}), sizes, others);
  const InstructionId places = b.iota(to, sizes, axis);
  const InstructionId none = b.like(places, static_cast<double>(sizes[axis]) - 1);
  const InstructionId found = b.select(b.compare(x, extreme, hlo::Direction::kEq), places, none);
  return op.set(b.reduce(Opcode::kMinimum, found, {axis}));
}

}  // namespace

Status mean(const Op& op) { return sum_or_mean(op, true); }
Status sum(const Op& op) { return sum_or_mean(op, false); }
Status reduce_max(const Op& op) { return reduced(op, Opcode::kMaximum); }
Status reduce_min(const Op& op) { return reduced(op, Opcode::kMinimum); }
Status reduce_prod(const Op& op) { return reduced(op, Opcode::kMultiply); }
Status reduce_any(const Op& op) { return reduced(op, Opcode::kOr, true); }
Status reduce_all(const Op& op) { return reduced(op, Opcode::kAnd, true); }
Status arg_max(const Op& op) { return first_extreme(op, Opcode::kMaximum); }
Status arg_min(const Op& op) { return first_extreme(op, Opcode::kMinimum); }

// Rows of length 1, of reals.
Status l2_normalization(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const InstructionId x = op.value(0);
  if (b.rank(x) < 1) return op.wrong("the operand has no dimension");
  if (op.options.number<int8_t>(schema::L2NormOptions::activation) != 0)
    return op.unsupported("a fused activation");
  if (op.type(0) != kF32) return op.unsupported_types();
  const int64_t last = b.rank(x) - 1;
  const InstructionId squares = b.reduce(Opcode::kAdd, b.binary(Opcode::kMultiply, x, x), {last});
  const InstructionId length = b.with(Opcode::kMaximum, b.math(Opcode::kSqrt, squares), 1e-6f);
  return op.set(b.binary(Opcode::kDivide, x, b.broadcast(length, b.sizes(x), counting(last))));
}

Status cumsum(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(1, "the axis"));
  InstructionId x = op.value(0);
  if (given.size() != 1) return op.wrong("has no one axis");
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(given[0], b.rank(x)));
  if (op.type(0) != kF32 && op.type(0) != kS32 && op.type(0) != kS64) return op.unsupported_types();
  if (b.size(x, axis) < 1) return op.set(x);
  return op.set(b.cumulative_sum(x, axis, op.options.flag(schema::CumsumOptions::exclusive),
                                 op.options.flag(schema::CumsumOptions::reverse)));
}

}  // namespace hlocc::import::tflite::ops
