// Ops that move elements: shapes, pads, slices, joins.
#include <algorithm>

#include "hlo/dimensions.h"
#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

// The sizes with the one that is -1 put in.
Result<Dimensions> completed(const Op& op, Dimensions sizes, int64_t count) {
  const auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open == sizes.end()) return sizes;
  int64_t rest = 1;
  for (const int64_t size : sizes)
    if (size != -1) rest = size < 0 || rest > INT32_MAX ? 0 : rest * size;
  if (rest == 0 || count % rest != 0)
    return op.wrong(cat("shape [", join(sizes, ","), "] for ", count, " elements"));
  *open = count / rest;
  return sizes;
}

}  // namespace

Status reshape(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 2));
  const InstructionId x = op.value(0);
  const int64_t count = b.shape(x).element_count();
  Dimensions wanted = op.out().shape;
  if (op.has(1)) {
    HLOCC_TRY_ASSIGN(wanted, op.integers(1, "the shape"));
  } else if (op.options.has(schema::ReshapeOptions::new_shape)) {
    const auto given = op.options.numbers<int32_t>(schema::ReshapeOptions::new_shape);
    wanted.assign(given.begin(), given.end());
  }
  // A vector of one zero is how early converters wrote a scalar.
  if (wanted == Dimensions{0} && op.out().shape.empty()) wanted = {};
  HLOCC_TRY_ASSIGN(const Dimensions sizes, completed(op, std::move(wanted), count));
  return op.set(b.reshape(x, sizes));
}

Status pad(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 3));
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> paddings, op.integers(1, "the padding"));
  if (b.failure()) return {};
  if (paddings.size() != 2 * sizes.size()) return op.wrong("paddings for another number of sides");
  std::vector<hlo::PaddingDimension> dimensions;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (paddings[2 * d] < 0 || paddings[2 * d + 1] < 0) return op.wrong("a negative padding");
    dimensions.push_back({paddings[2 * d], paddings[2 * d + 1], 0});
  }
  InstructionId value = b.number(op.type(0), 0);
  if (op.has(2)) {
    if (op.type(2) != op.type(0)) return op.unsupported_types();
    value = b.reshape(op.value(2), {});
  } else if (op.in(0).quantization.is_there()) {
    HLOCC_TRY(op.require_quantized(op.out()));
    value = b.number(op.type(0), op.out().zero_point());
  }
  return op.set(b.pad(x, value, std::move(dimensions)));
}

Status squeeze(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const Dimensions sizes = op.sizes(0);
  const auto rank = static_cast<int64_t>(sizes.size());
  std::vector<bool> vanishes(sizes.size(), false);
  const auto given = op.options.numbers<int32_t>(schema::SqueezeOptions::squeeze_dims);
  for (const int32_t one : given) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(one, rank));
    if (sizes[axis] != 1) return op.wrong(cat("dimension ", one, " is not 1"));
    vanishes[axis] = true;
  }
  Dimensions kept;
  for (int64_t d = 0; d < rank; ++d)
    if (given.empty() ? sizes[d] != 1 : !vanishes[d]) kept.push_back(sizes[d]);
  return op.set(b.reshape(op.value(0), kept));
}

Status expand_dims(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  Dimensions sizes = op.sizes(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(1, "the axis"));
  if (given.size() != 1) return op.wrong("has no one axis");
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(given[0], static_cast<int64_t>(sizes.size()) + 1));
  sizes.insert(sizes.begin() + axis, 1);
  return op.set(op.b.reshape(op.value(0), sizes));
}

Status transpose(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(std::vector<int64_t> permutation, op.integers(1, "the permutation"));
  const int64_t rank = op.b.rank(op.value(0));
  for (int64_t& d : permutation) {
    HLOCC_TRY_ASSIGN(d, op.axis(d, rank));
  }
  Dimensions sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != counting(rank) && !op.b.failure()) return op.wrong("has no permutation");
  return op.set(op.b.transpose(op.value(0), permutation));
}

Status reverse_v2(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(1, "the axes"));
  Dimensions axes;
  for (const int64_t one : given) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(one, op.b.rank(op.value(0))));
    if (!hlo::contains(axes, axis)) axes.push_back(axis);
  }
  return op.set(op.b.reverse(op.value(0), axes));
}

Status tile(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  const Dimensions sizes = op.sizes(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> times, op.integers(1, "the multiples"));
  if (times.size() != sizes.size()) return op.wrong("multiples for another number of dimensions");
  Dimensions spread, mapping, result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (times[d] < 0 || times[d] > INT32_MAX) return op.wrong("a multiple out of range");
    mapping.push_back(static_cast<int64_t>(2 * d + 1));
    spread.insert(spread.end(), {times[d], sizes[d]});
    result.push_back(times[d] * sizes[d]);
  }
  return op.set(b.reshape(b.broadcast(op.value(0), spread, mapping), result));
}

Status broadcast_to(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> sizes, op.integers(1, "the shape"));
  const auto whole = broadcast_sizes(op.sizes(0), sizes);
  if (op.b.failure()) return {};
  if (whole != sizes) return op.wrong("an operand that does not broadcast to the shape");
  return op.set(op.b.broadcast_to(op.value(0), sizes));
}

Status broadcast_args(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> first, op.integers(0, "the shape"));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> second, op.integers(1, "the shape"));
  const auto whole = broadcast_sizes(first, second);
  if (!whole) return op.wrong("shapes that do not broadcast");
  return op.set(
      op.b.constant(literal_of(op.type(0), *whole, {static_cast<int64_t>(whole->size())})));
}

Status fill(const Op& op) {
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> sizes, op.integers(0, "the shape"));
  return op.set(op.b.broadcast(op.b.reshape(op.value(1), {}), sizes, {}));
}

Status zeros_like(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  return op.set(op.b.like(op.value(0), 0));
}

Status shape(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  const PrimitiveType type = element_type(op.out().type).value_or(kTuple);
  if (type != kS32 && type != kS64) return op.unsupported_types();
  const Dimensions sizes = op.sizes(0);
  return op.set(op.b.constant(literal_of(type, sizes, {static_cast<int64_t>(sizes.size())})));
}

Status rank(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  return op.set(op.b.number(kS32, op.b.rank(op.value(0))));
}

Status select(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 3));
  if (op.type(0) != kPred || op.type(1) != op.type(2)) return op.unsupported_types();
  InstructionId which = op.value(0);
  const auto both = broadcast_sizes(op.sizes(1), op.sizes(2));
  const auto all = both ? broadcast_sizes(*both, op.sizes(0)) : std::nullopt;
  if (b.failure()) return {};
  if (!all) return op.wrong("operands that do not broadcast");
  return op.set(b.select(b.broadcast_to(which, *all), b.broadcast_to(op.value(1), *all),
                         b.broadcast_to(op.value(2), *all)));
}

// Padded with what lies inside the border: without the border's own elements (REFLECT), or with.
Status mirror_pad(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> by, op.integers(1, "the padding"));
  if (b.failure()) return {};
  if (by.size() != 2 * sizes.size()) return op.wrong("paddings for another number of sides");
  const int64_t own = op.options.number<int8_t>(schema::MirrorPadOptions::mode) == 0 ? 1 : 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    const int64_t low = by[2 * d], high = by[2 * d + 1], size = sizes[d];
    if (low < 0 || high < 0 || std::max(low, high) > size - own)
      return op.wrong("a padding beyond the operand");
    std::vector<InstructionId> parts;
    if (low > 0) parts.push_back(b.reverse(b.slice(x, axis, own, own + low), {axis}));
    parts.push_back(x);
    if (high > 0)
      parts.push_back(b.reverse(b.slice(x, axis, size - own - high, size - own), {axis}));
    x = b.concatenate(std::move(parts), axis);
  }
  return op.set(x);
}

}  // namespace hlocc::import::tflite::ops
