// Parts of arrays and arrays from parts: slices, splits, joins.
#include <algorithm>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using SliceFields = schema::StridedSliceOptions;

// One dimension of a strided slice, or of its result.
struct Range {
  int64_t begin = 0, count = 0, stride = 1;
};

// Masks have a bit a dimension.
struct Masks {
  int64_t begin, end, shrink;
  bool is_offset;
};

Result<Range> range_along(const Op& op, int64_t size, size_t d, const Masks& masks, int64_t begin,
                          int64_t end, int64_t stride) {
  if (stride == 0) return op.wrong("a stride of 0");
  for (const int64_t one : {begin, end, stride})
    if (one < INT32_MIN || one > INT32_MAX) return op.wrong(cat("a bound of ", one));
  const auto bit = [&](int64_t mask) { return (mask >> d & 1) != 0; };
  const auto from_end = [&](int64_t at) { return at < 0 ? at + size : at; };
  if (bit(masks.shrink)) {
    const int64_t at = from_end(begin);
    if (at < 0 || at >= size) return op.wrong(cat("element ", begin, " of ", size));
    return Range{at, 1, 1};
  }
  if (masks.is_offset) end += begin;
  const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
  const int64_t first =
      bit(masks.begin) ? (stride > 0 ? 0 : size - 1) : std::clamp(from_end(begin), low, high);
  const int64_t last =
      bit(masks.end) ? (stride > 0 ? size : -1) : std::clamp(from_end(end), low, high);
  const int64_t reach = stride > 0 ? last - first : first - last, step = std::abs(stride);
  return Range{first, std::max<int64_t>((reach + step - 1) / step, 0), stride};
}

// x at the ranges, negative strides reversed.
InstructionId sliced(Builder& b, InstructionId x, const std::vector<Range>& ranges) {
  Dimensions starts, limits, strides, reversed;
  for (size_t d = 0; d < ranges.size(); ++d) {
    const Range& r = ranges[d];
    const int64_t last = r.begin + (r.count - 1) * r.stride;
    const bool is_empty = r.count == 0;
    starts.push_back(is_empty ? 0 : std::min(r.begin, last));
    limits.push_back(is_empty ? 0 : std::max(r.begin, last) + 1);
    strides.push_back(std::abs(r.stride));
    if (r.stride < 0) reversed.push_back(static_cast<int64_t>(d));
  }
  return b.reverse(b.slice(x, starts, limits, strides), reversed);
}

Status split_into(const Op& op, InstructionId x, int64_t axis, const std::vector<int64_t>& sizes) {
  Builder& b = op.b;
  int64_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > b.size(x, axis) - at)
      return op.wrong("parts that reach beyond the operand");
    HLOCC_TRY(op.set(b.slice(x, axis, at, at + sizes[i]), static_cast<int>(i)));
    at += sizes[i];
  }
  return at == b.size(x, axis) || b.failure() ? Status() : op.wrong("parts that leave a rest");
}

Result<int64_t> one_axis(const Op& op, int operand, InstructionId x) {
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, op.integers(operand, "the axis"));
  if (given.size() != 1) return op.wrong("has no one axis");
  return op.axis(given[0], op.b.rank(x));
}

}  // namespace

Status strided_slice(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(4, 4));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> begin, op.integers(1, "the begin"));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> end, op.integers(2, "the end"));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> stride, op.integers(3, "the strides"));
  const auto option = [&](Field field) { return op.options.number<int32_t>(field); };
  if (option(SliceFields::ellipsis_mask) != 0 || option(SliceFields::new_axis_mask) != 0)
    return op.unsupported("an ellipsis or a new axis in a strided slice");
  const Dimensions sizes = op.sizes(0);
  if (begin.size() > sizes.size() || end.size() != begin.size() || stride.size() != begin.size())
    return op.wrong("another number of begins, ends or strides than dimensions");
  const Masks masks{option(SliceFields::begin_mask), option(SliceFields::end_mask),
                    option(SliceFields::shrink_axis_mask), op.options.flag(SliceFields::offset)};
  std::vector<Range> ranges;
  Dimensions kept;
  for (size_t d = 0; d < sizes.size() && !b.failure(); ++d) {
    Range range{0, sizes[d], 1};
    if (d < begin.size()) {
      HLOCC_TRY_ASSIGN(range, range_along(op, sizes[d], d, masks, begin[d], end[d], stride[d]));
    }
    ranges.push_back(range);
    if (d >= begin.size() || (masks.shrink >> d & 1) == 0) kept.push_back(range.count);
  }
  return op.set(b.reshape(sliced(b, op.value(0), ranges), kept));
}

Status slice(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 3));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> size, op.integers(2, "the sizes"));
  const Dimensions sizes = op.sizes(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> begin, op.integers(1, "the begin"));
  if (begin.size() != sizes.size() || size.size() != sizes.size())
    return op.wrong("another number of begins or sizes than dimensions");
  Dimensions limits;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (begin[d] < 0 || begin[d] > sizes[d] || size[d] < -1 || size[d] > sizes[d] - begin[d])
      return op.wrong("a slice beyond the operand");
    limits.push_back(size[d] == -1 ? sizes[d] : begin[d] + size[d]);
  }
  return op.set(b.slice(op.value(0), begin, limits, Dimensions(sizes.size(), 1)));
}

Status split(const Op& op) {
  HLOCC_TRY(op.require(2, 2, op.outputs()));
  const InstructionId x = op.value(1);
  HLOCC_TRY_ASSIGN(const int64_t axis, one_axis(op, 0, x));
  const int64_t parts = op.outputs(), size = op.b.size(x, axis);
  if (parts < 1 || size % parts != 0) return op.wrong(cat(size, " elements in ", parts, " parts"));
  return split_into(op, x, axis, std::vector<int64_t>(static_cast<size_t>(parts), size / parts));
}

Status split_v(const Op& op) {
  HLOCC_TRY(op.require(3, 3, op.outputs()));
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, one_axis(op, 2, x));
  HLOCC_TRY_ASSIGN(std::vector<int64_t> sizes, op.integers(1, "the sizes"));
  if (static_cast<int>(sizes.size()) != op.outputs()) return op.wrong("other sizes than results");
  int64_t rest = op.b.size(x, axis);
  for (const int64_t size : sizes) {
    if (size < -1 || size > INT32_MAX) return op.wrong(cat("a part of ", size));
    rest -= size == -1 ? 0 : size;
  }
  std::replace(sizes.begin(), sizes.end(), int64_t{-1}, rest);
  return split_into(op, x, axis, sizes);
}

Status concatenation(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, INT16_MAX));
  if (op.options.number<int8_t>(schema::ConcatenationOptions::activation) != 0)
    return op.unsupported("a fused activation");
  std::vector<InstructionId> parts;
  for (int i = 0; i < op.inputs(); ++i) {
    if (!op.has(i)) return op.wrong("lacks an operand");
    HLOCC_TRY(require_same_scale(op, op.in(i), op.out()));
    parts.push_back(op.value(i));
  }
  HLOCC_TRY_ASSIGN(
      const int64_t axis,
      op.axis(op.options.number<int32_t>(schema::ConcatenationOptions::axis), b.rank(parts[0])));
  return op.set(b.concatenate(std::move(parts), axis));
}

Status pack(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, INT16_MAX));
  HLOCC_TRY_ASSIGN(
      const int64_t axis,
      op.axis(op.options.number<int32_t>(schema::PackOptions::axis), b.rank(op.value(0)) + 1));
  std::vector<InstructionId> parts;
  for (int i = 0; i < op.inputs(); ++i) {
    if (!op.has(i)) return op.wrong("lacks an operand");
    if (b.rank(op.value(i)) != b.rank(op.value(0))) return op.wrong("operands of different ranks");
    HLOCC_TRY(require_same_scale(op, op.in(i), op.out()));
    Dimensions sizes = op.sizes(i);
    sizes.insert(sizes.begin() + axis, 1);
    parts.push_back(b.reshape(op.value(i), sizes));
  }
  return op.set(b.concatenate(std::move(parts), axis));
}

Status unpack(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1, op.outputs()));
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis,
                   op.axis(op.options.number<int32_t>(schema::UnpackOptions::axis), b.rank(x)));
  if (b.size(x, axis) != op.outputs() && !b.failure()) return op.wrong("other results than parts");
  Dimensions sizes = b.sizes(x);
  sizes.erase(sizes.begin() + axis);
  for (int i = 0; i < op.outputs(); ++i)
    HLOCC_TRY(op.set(b.reshape(b.slice(x, axis, i, i + 1), sizes), i));
  return {};
}

}  // namespace hlocc::import::tflite::ops
