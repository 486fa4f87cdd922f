// Operators that make shapes and change them, and those whose results are known when the model is
// read.
#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

Literal numbers(const Dimensions& values) {
  return literal_of(kS64, values, {static_cast<int64_t>(values.size())});
}

int64_t product(const Dimensions& sizes, size_t first, size_t last) {
  return Shape::array(kS64, Dimensions(sizes.begin() + static_cast<std::ptrdiff_t>(first),
                                       sizes.begin() + static_cast<std::ptrdiff_t>(last)))
      .element_count();
}

// Axes are an attribute before opset 13 and an operand from then on.
Result<std::vector<int64_t>> given_axes(const Op& op) {
  if (op.has(1)) return op.integers(1, "the axes");
  return op.integers("axes");
}

Literal literal_of_floats(const std::vector<float>& values) {
  return Literal::array<float>(kF32, {static_cast<int64_t>(values.size())}, values);
}

}  // namespace

Status constant(const Op& op) {
  Builder& b = op.b;
  if (op.node().attributes.size() != 1) return op.wrong("has not one value");
  const Attribute* value = op.attribute(op.node().attributes[0].name.c_str());
  if (value == nullptr) return op.wrong("has a value that the function was not given");
  switch (value->type) {
    case Attribute::kTensor: {
      HLOCC_TRY_ASSIGN(Literal literal, literal_of_tensor(*value->tensor, op.session().external));
      return op.set(b.constant(std::move(literal)));
    }
    case Attribute::kSparseTensor: {
      HLOCC_TRY_ASSIGN(Literal literal, literal_of_sparse(*value->sparse, op.session().external));
      return op.set(b.constant(std::move(literal)));
    }
    case Attribute::kFloat: return op.set(b.constant(Literal::scalar(kF32, value->f)));
    case Attribute::kInteger: return op.set(b.constant(Literal::scalar(kS64, value->i)));
    case Attribute::kFloats: return op.set(b.constant(literal_of_floats(value->floats)));
    case Attribute::kIntegers: return op.set(b.constant(numbers(value->ints)));
    default: return op.unsupported(cat("a value in attribute \"", value->name, "\": HLO lacks it"));
  }
}

Status shape(const Op& op) {
  const Dimensions sizes = op.sizes(0);
  const auto rank = static_cast<int64_t>(sizes.size());
  const auto bound = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = bound(op.integer("start"));
  const int64_t end = std::max(start, bound(op.integer("end", rank)));
  return op.set(op.b.constant(numbers({sizes.begin() + start, sizes.begin() + end})));
}

Status size(const Op& op) {
  return op.set(op.b.constant(Literal::scalar(kS64, op.b.shape(op.value(0)).element_count())));
}

Status reshape(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(Dimensions sizes, op.integers(1, "the shape"));
  const bool zeros_stay = op.flag("allowzero");
  const Dimensions from = op.sizes(0);
  int64_t rest = 1, open = -1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0 && !zeros_stay) {
      if (d >= from.size()) return op.wrong(cat("size ", d, " is 0, and the operand has none"));
      sizes[d] = from[d];
    }
    if (sizes[d] < -1 || sizes[d] > INT32_MAX || (sizes[d] == -1 && open >= 0))
      return op.wrong(cat("shape [", join(sizes, ","), "]"));
    if (sizes[d] == -1)
      open = static_cast<int64_t>(d);
    else if (__builtin_mul_overflow(rest, sizes[d], &rest))
      return op.wrong(cat("shape [", join(sizes, ","), "]"));
  }
  const int64_t count = b.shape(op.value(0)).element_count();
  if (open >= 0) {
    if (rest == 0 || count % rest != 0)
      return op.wrong(cat("shape [", join(sizes, ","), "] for ", count, " elements"));
    sizes[open] = count / rest;
  }
  return op.set(b.reshape(op.value(0), sizes));
}

Status flatten(const Op& op) {
  const Dimensions sizes = op.sizes(0);
  const auto rank = static_cast<int64_t>(sizes.size());
  int64_t axis = op.integer("axis", 1);
  if (axis < -rank || axis > rank) return op.wrong(cat("axis ", axis, " of ", rank, " dimensions"));
  if (axis < 0) axis += rank;
  const auto at = static_cast<size_t>(axis);
  return op.set(
      op.b.reshape(op.value(0), {product(sizes, 0, at), product(sizes, at, sizes.size())}));
}

Status squeeze(const Op& op) {
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, given_axes(op));
  const Dimensions sizes = op.sizes(0);
  const bool all = !op.has(1) && !op.has_attribute("axes");
  HLOCC_TRY_ASSIGN(const Dimensions axes, op.axes(given, static_cast<int64_t>(sizes.size())));
  Dimensions kept;
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    const bool vanishes = all ? sizes[d] == 1 : std::binary_search(axes.begin(), axes.end(), d);
    if (vanishes && sizes[d] != 1)
      return op.wrong(cat("dimension ", d, " is ", sizes[d], ", not 1"));
    if (!vanishes) kept.push_back(sizes[d]);
  }
  return op.set(op.b.reshape(op.value(0), kept));
}

Status unsqueeze(const Op& op) {
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, given_axes(op));
  Dimensions sizes = op.sizes(0);
  HLOCC_TRY_ASSIGN(const Dimensions axes,
                   op.axes(given, static_cast<int64_t>(sizes.size() + given.size())));
  if (axes.size() != given.size()) return op.wrong("has an axis twice");
  for (const int64_t axis : axes) sizes.insert(sizes.begin() + axis, 1);
  return op.set(op.b.reshape(op.value(0), sizes));
}

Status transpose(const Op& op) {
  Dimensions permutation = op.integers("perm");
  const int64_t rank = op.rank(0);
  if (!op.has_attribute("perm")) {
    permutation = counting(rank);
    std::reverse(permutation.begin(), permutation.end());
  }
  Dimensions sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != counting(rank))
    return op.wrong(cat("perm [", join(permutation, ","), "] of ", rank, " dimensions"));
  return op.set(op.b.transpose(op.value(0), permutation));
}

Status expand(const Op& op) {
  HLOCC_TRY_ASSIGN(const Dimensions wanted, op.integers(1, "the shape"));
  const auto sizes = broadcast_sizes(op.sizes(0), wanted);
  if (!sizes) return op.wrong(cat("the operand does not broadcast to [", join(wanted, ","), "]"));
  return op.set(op.b.broadcast_to(op.value(0), *sizes));
}

Status tile(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Dimensions times, op.integers(1, "the repeats"));
  const Dimensions sizes = op.sizes(0);
  if (times.size() != sizes.size()) return op.wrong("repeats for another number of dimensions");
  Dimensions spread, mapping, result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (times[d] < 0 || times[d] > INT32_MAX)
      return op.wrong(cat("repeats [", join(times, ","), "]"));
    mapping.push_back(static_cast<int64_t>(2 * d + 1));
    spread.insert(spread.end(), {times[d], sizes[d]});
    result.push_back(times[d] * sizes[d]);
  }
  return op.set(b.reshape(b.broadcast(op.value(0), spread, mapping), result));
}

Status concat(const Op& op) {
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), op.rank(0)));
  std::vector<InstructionId> parts;
  for (int i = 0; i < op.inputs(); ++i) parts.push_back(op.value(i));
  return op.set(op.b.concatenate(std::move(parts), axis));
}

Status constant_of_shape(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Dimensions sizes, op.integers(0, "the shape"));
  Literal value = Literal::scalar(kF32, 0.0f);
  if (const Attribute* given = op.attribute("value"); given != nullptr) {
    if (given->type != Attribute::kTensor) return op.wrong("value is no tensor");
    HLOCC_TRY_ASSIGN(value, literal_of_tensor(*given->tensor, op.session().external));
    if (value.element_count() != 1) return op.wrong("value is not one number");
  }
  return op.set(b.broadcast(b.reshape(b.constant(std::move(value)), {}), sizes, {}));
}

// Numbers from a start to a limit, all three known.
Status range(const Op& op) {
  Builder& b = op.b;
  const PrimitiveType type = op.type(0);
  if (op.type(1) != type || op.type(2) != type) return op.unsupported_types();
  constexpr double kMost = 1 << 26;
  if (hlo::is_integer(type)) {
    HLOCC_TRY_ASSIGN(const int64_t start, op.one_integer(0, "the start"));
    HLOCC_TRY_ASSIGN(const int64_t limit, op.one_integer(1, "the limit"));
    HLOCC_TRY_ASSIGN(const int64_t delta, op.one_integer(2, "the delta"));
    const double count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) /
                                   static_cast<double>(delta));
    if (delta == 0 || count > kMost) return op.wrong(cat("a delta of ", delta));
    const InstructionId steps = b.iota(type, {static_cast<int64_t>(std::max(count, 0.0))}, 0);
    const auto every = [&](int64_t value) {
      return b.broadcast(b.constant(literal_of(type, {value}, {})), b.sizes(steps), {});
    };
    return op.set(
        b.binary(Opcode::kAdd, b.binary(Opcode::kMultiply, steps, every(delta)), every(start)));
  }
  if (!hlo::is_float(type)) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const std::vector<double> start, op.reals(0, "the start"));
  HLOCC_TRY_ASSIGN(const std::vector<double> limit, op.reals(1, "the limit"));
  HLOCC_TRY_ASSIGN(const std::vector<double> delta, op.reals(2, "the delta"));
  if (start.size() != 1 || limit.size() != 1 || delta.size() != 1)
    return op.wrong("has bounds that are no single numbers");
  const double count = std::ceil((limit[0] - start[0]) / delta[0]);
  if (!(std::abs(count) < kMost)) return op.wrong(cat("bounds that no array has"));
  const InstructionId steps = b.iota(type, {static_cast<int64_t>(std::max(count, 0.0))}, 0);
  return op.set(b.with(Opcode::kAdd, b.with(Opcode::kMultiply, steps, delta[0]), start[0]));
}

Status eye_like(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require_rank(0, 2));
  const std::optional<PrimitiveType> type =
      op.has_attribute("dtype") ? element_type(op.integer("dtype")) : op.type(0);
  const int64_t k = op.integer("k");
  const Dimensions sizes = op.sizes(0);
  if (!type) return op.unsupported_types();
  const InstructionId rows = b.iota(kS32, sizes, 0), columns = b.iota(kS32, sizes, 1);
  constexpr int64_t kMost = INT32_MAX / 2;
  if (k > kMost || k < -kMost) return op.wrong(cat("k is ", k));
  const InstructionId diagonal = b.with(Opcode::kAdd, rows, static_cast<double>(k));
  return op.set(b.convert(b.compare(diagonal, columns, hlo::Direction::kEq), *type));
}

}  // namespace hlocc::import::onnx::ops
