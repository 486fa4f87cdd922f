// Reductions along axes, and what finds places along one: ArgMax, TopK, running sums.
#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/onnx/indices.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

struct Reduction {
  InstructionId x = 0;
  Dimensions axes;  // ascending, each once
  Dimensions kept;  // the result's sizes, with ones where the attribute says so
  Dimensions others;
  int64_t count = 1;
  bool is_identity = false;
};

// Axes are an attribute in old versions and an operand in new ones.
Result<Reduction> reduction_of(const Op& op) {
  Reduction out{.x = op.value(0)};
  const Dimensions sizes = op.sizes(0);
  const auto rank = static_cast<int64_t>(sizes.size());
  const bool keeps = op.flag("keepdims", true), empty_is_none = op.flag("noop_with_empty_axes");
  std::vector<int64_t> given = op.integers("axes");
  if (op.has(1)) {
    HLOCC_TRY_ASSIGN(given, op.integers(1, "the axes"));
  }
  HLOCC_TRY_ASSIGN(out.axes, op.axes(given, rank));
  out.is_identity = given.empty() && empty_is_none;
  if (given.empty() && !empty_is_none) out.axes = counting(rank);
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_reduced = std::binary_search(out.axes.begin(), out.axes.end(), d);
    if (is_reduced) out.count *= sizes[d];
    if (!is_reduced) out.others.push_back(d);
    if (!is_reduced || keeps) out.kept.push_back(is_reduced ? 1 : sizes[d]);
  }
  return out;
}

InstructionId reduced(Builder& b, const Reduction& r, Opcode opcode, InstructionId x) {
  return r.axes.empty() ? x : b.reduce(opcode, x, r.axes);
}

InstructionId squared(Builder& b, InstructionId x) { return b.binary(Opcode::kMultiply, x, x); }

using Change = InstructionId (*)(Builder&, InstructionId);

// after(reduce(before(x))); either change may be null.
Status reduce_of(const Op& op, Opcode opcode, Change before = nullptr, Change after = nullptr) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Reduction r, reduction_of(op));
  InstructionId y = before != nullptr ? before(b, r.x) : r.x;
  y = reduced(b, r, opcode, y);
  if (after != nullptr) y = after(b, y);
  return op.set(b.reshape(y, r.kept));
}

// The extreme of truth values is whether all of them hold, or any.
Status extreme_of(const Op& op, Opcode opcode) {
  const bool is_truth = hlo::is_pred(op.type(0));
  return reduce_of(op, !is_truth                    ? opcode
                       : opcode == Opcode::kMaximum ? Opcode::kOr
                                                    : Opcode::kAnd);
}

InstructionId absolute(Builder& b, InstructionId x) { return b.unary(Opcode::kAbs, x); }
InstructionId root(Builder& b, InstructionId x) {
  if (hlo::is_float(b.type(x))) return b.math(Opcode::kSqrt, x);
  return b.convert(b.math(Opcode::kSqrt, b.convert(x, kF32)), b.type(x));
}
InstructionId logarithm(Builder& b, InstructionId x) {
  if (hlo::is_float(b.type(x))) return b.math(Opcode::kLog, x);
  return b.convert(b.math(Opcode::kLog, b.convert(x, kF32)), b.type(x));
}

// The first place, or the last, of the greatest or the least along an axis.
Status arg_extreme(const Op& op, Opcode opcode) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), b.rank(x)));
  const bool keeps = op.flag("keepdims", true), takes_last = op.flag("select_last_index");
  Dimensions sizes = b.sizes(x), others = counting(b.rank(x));
  others.erase(others.begin() + axis);
  const InstructionId extreme = b.broadcast(b.reduce(opcode, x, {axis}), sizes, others);
  const InstructionId places = b.iota(kS32, sizes, axis);
  const InstructionId none =
      b.like(places, takes_last ? 0 : static_cast<double>(std::max<int64_t>(sizes[axis] - 1, 0)));
  const InstructionId found = b.select(b.compare(x, extreme, Direction::kEq), places, none);
  const InstructionId y = b.reduce(takes_last ? Opcode::kMaximum : Opcode::kMinimum, found, {axis});
  sizes[axis] = 1;
  if (!keeps) sizes.erase(sizes.begin() + axis);
  return op.set(b.convert(b.reshape(y, sizes), kS64));
}

}  // namespace

Status reduce_sum(const Op& op) { return reduce_of(op, Opcode::kAdd); }
Status reduce_prod(const Op& op) { return reduce_of(op, Opcode::kMultiply); }
Status reduce_max(const Op& op) { return extreme_of(op, Opcode::kMaximum); }
Status reduce_min(const Op& op) { return extreme_of(op, Opcode::kMinimum); }
Status reduce_l1(const Op& op) { return reduce_of(op, Opcode::kAdd, absolute); }
Status reduce_l2(const Op& op) { return reduce_of(op, Opcode::kAdd, squared, root); }
Status reduce_sum_square(const Op& op) { return reduce_of(op, Opcode::kAdd, squared); }
Status reduce_log_sum(const Op& op) { return reduce_of(op, Opcode::kAdd, nullptr, logarithm); }
Status arg_max(const Op& op) { return arg_extreme(op, Opcode::kMaximum); }
Status arg_min(const Op& op) { return arg_extreme(op, Opcode::kMinimum); }

Status reduce_mean(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Reduction r, reduction_of(op));
  const InstructionId sum = b.reshape(reduced(b, r, Opcode::kAdd, r.x), r.kept);
  if (r.axes.empty()) return op.set(sum);
  return op.set(b.with(Opcode::kDivide, sum, static_cast<double>(r.count)));
}

// Exponents are taken of differences to the greatest, so that none overflows.
Status reduce_log_sum_exp(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Reduction r, reduction_of(op));
  if (!hlo::is_float(op.type(0))) return op.unsupported_types();
  if (r.is_identity) return op.set(r.x);
  const InstructionId greatest = reduced(b, r, Opcode::kMaximum, r.x);
  const InstructionId is_finite =
      b.compare(b.unary(Opcode::kAbs, greatest), b.like(greatest, INFINITY), Direction::kLt);
  const InstructionId base = b.select(is_finite, greatest, b.like(greatest, 0));
  const InstructionId less =
      b.binary(Opcode::kSubtract, r.x, b.broadcast(base, b.sizes(r.x), r.others));
  const InstructionId sum = reduced(b, r, Opcode::kAdd, b.math(Opcode::kExp, less));
  const InstructionId y = b.binary(Opcode::kAdd, b.math(Opcode::kLog, sum), base);
  return op.set(b.reshape(y, r.kept));
}

Status cumsum(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t given, op.one_integer(1, "the axis"));
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(given, b.rank(x)));
  if (b.size(x, axis) < 1) return op.set(x);
  return op.set(b.cumulative_sum(x, axis, op.flag("exclusive"), op.flag("reverse")));
}

// How many is an attribute before opset 10.
Status top_k(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis", -1), b.rank(x)));
  int64_t k = op.integer("k");
  if (op.has(1)) {
    HLOCC_TRY_ASSIGN(k, op.one_integer(1, "how many"));
  }
  const bool largest = op.flag("largest", true);
  op.flag("sorted");  // sorted in any case
  if (k < 0 || k > b.size(x, axis)) return op.wrong(cat("the first ", k, " of ", b.size(x, axis)));
  const InstructionId both =
      b.add(Opcode::kTopK, {with_last(b, x, axis)}, hlo::TopKAttributes{k, largest});
  const Dimensions back = from_last(b.rank(x), axis);
  op.set(0, b.transpose(b.element(both, 0), back));
  op.set(1, b.convert(b.transpose(b.element(both, 1), back), kS64));
  return {};
}

}  // namespace hlocc::import::onnx::ops
