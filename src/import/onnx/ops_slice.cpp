// Operators that take parts of arrays and put arrays into others: slices, splits, pads, masks.
#include <algorithm>

#include "import/build/numbers.h"
#include "import/onnx/indices.h"
#include "import/onnx/ops.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

struct Steps {
  int64_t start, end, step;
};

// Elements start, start + step, .. before end, as NumPy counts them.
Result<InstructionId> stepped(const Op& op, InstructionId x, int64_t axis, Steps by) {
  Builder& b = op.b;
  const int64_t size = b.size(x, axis), lowest = by.step < 0 ? -1 : 0,
                highest = by.step < 0 ? size - 1 : size;
  if (by.step == 0 || by.step == INT64_MIN) return op.wrong(cat("a step of ", by.step));
  const auto bound = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + size : at, lowest, highest);
  };
  const int64_t start = bound(by.start), end = bound(by.end);
  const int64_t width = std::min(std::abs(by.step), std::max<int64_t>(size, 1));
  const int64_t count =
      std::max<int64_t>(ceil_div(by.step < 0 ? start - end : end - start, width), 0);
  Dimensions starts(static_cast<size_t>(b.rank(x)), 0), limits = b.sizes(x),
                                                        strides(starts.size(), 1);
  if (count == 0) {
    limits[axis] = 0;
    return b.slice(x, starts, limits, strides);
  }
  const int64_t last = start + (by.step < 0 ? -width : width) * (count - 1);
  starts[axis] = std::min(start, last);
  limits[axis] = std::max(start, last) + 1;
  strides[axis] = width;
  const InstructionId part = b.slice(x, starts, limits, strides);
  return by.step < 0 ? b.reverse(part, {axis}) : part;
}

// A list that is an attribute in old versions and an operand in new ones; `missing` where there is
// neither.
Result<std::vector<int64_t>> list_of(const Op& op, int operand, const char* name,
                                     const std::vector<int64_t>& missing) {
  if (op.has(operand)) return op.integers(operand, name);
  return op.has_attribute(name) ? op.integers(name) : missing;
}

// Elements of x at these places along an axis, run by run: neighbours are slices, turned ones
// reversed, equal ones repeated.
InstructionId picked(Builder& b, InstructionId x, int64_t axis,
                     const std::vector<int64_t>& places) {
  constexpr size_t kMostRuns = 16;
  std::vector<InstructionId> parts;
  for (size_t at = 0; at < places.size() && parts.size() <= kMostRuns;) {
    size_t end = at + 1;
    const int64_t step = end < places.size() ? places[end] - places[at] : 1;
    const int64_t by = step == 0 || step == -1 ? step : 1;
    while (end < places.size() && places[end] - places[end - 1] == by) ++end;
    const auto count = static_cast<int64_t>(end - at);
    const int64_t low = std::min(places[at], places[end - 1]);
    InstructionId part = b.slice(x, axis, low, low + (by == 0 ? 1 : count));
    if (by == -1) part = b.reverse(part, {axis});
    if (by == 0) {
      Dimensions sizes = b.sizes(part);
      sizes[axis] = count;
      part = b.broadcast_to(part, sizes);
    }
    parts.push_back(part);
    at = end;
  }
  if (parts.size() <= kMostRuns) return b.concatenate(std::move(parts), axis);
  const auto count = static_cast<int64_t>(places.size());
  return b.take(x, b.constant(literal_of(kS32, places, {count})), axis);
}

int64_t wrapped(int64_t at, int64_t size) { return (at % size + size) % size; }

// Where an element of the border comes from.
Result<int64_t> place_of_border(const Op& op, const std::string& mode, int64_t at, int64_t size) {
  if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
  if (mode == "wrap") return wrapped(at, size);
  if (mode != "reflect") return op.wrong(cat("mode is \"", mode, "\""));
  if (size == 1) return 0;
  const int64_t turn = wrapped(at, 2 * size - 2);
  return turn < size ? turn : 2 * size - 2 - turn;
}

Status mirrored_pad(const Op& op, const std::string& mode,
                    const std::vector<hlo::PaddingDimension>& pads) {
  constexpr int64_t kMostPlaces = 1 << 24;
  InstructionId x = op.value(0);
  for (size_t d = 0; d < pads.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    const int64_t size = op.b.size(x, axis), low = pads[d].low, high = pads[d].high;
    if (low == 0 && high == 0) continue;
    if (size < 1 || low > kMostPlaces || high > kMostPlaces || size + low + high < 1)
      return op.wrong("a padding of what has no elements, or beyond any array");
    std::vector<int64_t> places;
    for (int64_t at = -low; at < size + high; ++at) {
      HLOCC_TRY_ASSIGN(const int64_t place, place_of_border(op, mode, at, size));
      places.push_back(place);
    }
    x = picked(op.b, x, axis, places);
  }
  return op.set(x);
}

}  // namespace

Status slice(const Op& op) {
  InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> starts, list_of(op, 1, "starts", {}));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> ends, list_of(op, 2, "ends", {}));
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> axes,
                   list_of(op, 3, "axes", counting(static_cast<int64_t>(starts.size()))));
  std::vector<int64_t> steps(starts.size(), 1);
  if (op.has(4)) {
    HLOCC_TRY_ASSIGN(steps, op.integers(4, "the steps"));
  }
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    return op.wrong("has another number of starts than of ends, axes or steps");
  for (size_t i = 0; i < starts.size(); ++i) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(axes[i], op.b.rank(x)));
    HLOCC_TRY_ASSIGN(x, stepped(op, x, axis, {starts[i], ends[i], steps[i]}));
  }
  return op.set(x);
}

Status split(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), op.rank(0)));
  HLOCC_TRY_ASSIGN(std::vector<int64_t> parts, list_of(op, 1, "split", {}));
  const int64_t given = op.integer("num_outputs", op.outputs());
  const int64_t size = b.size(op.value(0), axis);
  if (parts.empty()) {
    if (given != op.outputs()) return op.wrong(cat("num_outputs is ", given));
    const int64_t part = ceil_div(size, std::max<int64_t>(given, 1));
    for (int64_t at = 0; at < given; ++at)
      parts.push_back(std::clamp<int64_t>(size - at * part, 0, part));
  }
  if (static_cast<int>(parts.size()) != op.outputs())
    return op.wrong(cat("has ", op.outputs(), " results for ", parts.size(), " parts"));
  int64_t at = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < 0 || parts[i] > size - at)
      return op.wrong(cat("parts [", join(parts, ","), "] of a dimension of ", size));
    op.set(static_cast<int>(i), b.slice(op.value(0), axis, at, at + parts[i]));
    at += parts[i];
  }
  return at == size ? Status() : Status(op.wrong(cat("parts [", join(parts, ","), "] of ", size)));
}

Status pad(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> given, list_of(op, 1, "pads", {}));
  const int64_t rank = op.rank(0);
  Dimensions axes = counting(rank);
  if (op.has(3)) {
    HLOCC_TRY_ASSIGN(axes, op.integers(3, "the axes"));
  }
  const std::string mode = op.text("mode", "constant");
  const float number = op.real("value");
  if (given.size() != 2 * axes.size()) return op.wrong(cat("pads [", join(given, ","), "]"));
  std::vector<hlo::PaddingDimension> pads(static_cast<size_t>(rank));
  for (size_t i = 0; i < axes.size(); ++i) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(axes[i], rank));
    pads[axis] = {given[i], given[axes.size() + i], 0};
    for (const int64_t side : {pads[axis].low, pads[axis].high})
      if (side > INT32_MAX || side < -INT32_MAX)
        return op.wrong(cat("pads [", join(given, ","), "]"));
  }
  if (mode != "constant") return mirrored_pad(op, mode, pads);
  const InstructionId value = op.has(2) ? b.reshape(op.value(2), {}) : b.number(op.type(0), number);
  return op.set(b.pad(op.value(0), value, std::move(pads)));
}

Status depth_to_space(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require_rank(0, 4));
  const int64_t block = op.integer("blocksize");
  const std::string mode = op.text("mode", "DCR");
  const Dimensions s = op.sizes(0);
  if (block < 1 || block > INT16_MAX || s[1] % (block * block) != 0 ||
      (mode != "DCR" && mode != "CRD"))
    return op.wrong(cat("mode ", mode, ", blocks of ", block, " of ", s[1], " channels"));
  const int64_t depth = s[1] / (block * block);
  const bool depth_last = mode == "DCR";
  const InstructionId parts =
      b.reshape(op.value(0), depth_last ? Dimensions{s[0], block, block, depth, s[2], s[3]}
                                        : Dimensions{s[0], depth, block, block, s[2], s[3]});
  const InstructionId turned =
      b.transpose(parts, depth_last ? Dimensions{0, 3, 4, 1, 5, 2} : Dimensions{0, 1, 4, 2, 5, 3});
  return op.set(b.reshape(turned, {s[0], depth, s[2] * block, s[3] * block}));
}

Status space_to_depth(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require_rank(0, 4));
  const int64_t block = op.integer("blocksize");
  const Dimensions s = op.sizes(0);
  if (block < 1 || block > INT16_MAX || s[2] % block != 0 || s[3] % block != 0)
    return op.wrong(cat("blocks of ", block, " of ", s[2], " x ", s[3]));
  const InstructionId parts =
      b.reshape(op.value(0), {s[0], s[1], s[2] / block, block, s[3] / block, block});
  const InstructionId turned = b.transpose(parts, {0, 3, 5, 1, 2, 4});
  return op.set(b.reshape(turned, {s[0], s[1] * block * block, s[2] / block, s[3] / block}));
}

Status trilu(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const int64_t rank = b.rank(x);
  const bool upper = op.flag("upper", true);
  if (rank < 2) return op.wrong("the operand is no matrix");
  InstructionId rows = b.iota(kS64, b.sizes(x), rank - 2);
  const InstructionId columns = b.iota(kS64, b.sizes(x), rank - 1);
  if (op.has(1))
    rows = b.binary(Opcode::kAdd, rows,
                    b.broadcast(b.reshape(b.convert(op.value(1), kS64), {}), b.sizes(x), {}));
  const InstructionId stays = b.compare(columns, rows, upper ? Direction::kGe : Direction::kLe);
  return op.set(b.select(stays, x, b.like(x, 0)));
}

// The first elements of each sequence backwards; how many they are is known when the model runs.
Status reverse_sequence(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const int64_t rank = b.rank(x);
  HLOCC_TRY_ASSIGN(const int64_t time, op.axis(op.integer("time_axis"), rank));
  HLOCC_TRY_ASSIGN(const int64_t batch, op.axis(op.integer("batch_axis", 1), rank));
  HLOCC_TRY(op.require_rank(1, 1));
  if (time == batch) return op.wrong("time_axis is batch_axis");
  const InstructionId at = b.iota(kS32, b.sizes(x), time);
  const InstructionId count = b.broadcast(b.convert(op.value(1), kS32), b.sizes(x), {batch});
  const InstructionId turned = b.with(Opcode::kSubtract, b.binary(Opcode::kSubtract, count, at), 1);
  return op.set(
      elements_along(b, x, b.select(b.compare(at, count, Direction::kLt), turned, at), time));
}

// Cut, or padded with zeros, so that the middle stays.
Status center_crop_pad(const Op& op) {
  Builder& b = op.b;
  InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> wanted, op.integers(1, "the shape"));
  Dimensions axes = op.has_attribute("axes") ? op.integers("axes") : counting(b.rank(x));
  if (axes.size() != wanted.size()) return op.wrong("a shape for another number of axes");
  std::vector<hlo::PaddingDimension> pads(static_cast<size_t>(b.rank(x)));
  for (size_t i = 0; i < axes.size(); ++i) {
    HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(axes[i], b.rank(x)));
    if (wanted[i] < 0 || wanted[i] > INT32_MAX) return op.wrong(cat("a size of ", wanted[i]));
    const int64_t more = wanted[i] - b.size(x, axis);
    const int64_t low = more / 2;
    pads[axis] = {low, more - low, 0};
  }
  return op.set(b.pad(x, b.number(b.type(x), 0), std::move(pads)));
}

// Which elements stay must be known: how many there are decides the shape.
Status compress(const Op& op) {
  Builder& b = op.b;
  InstructionId x = op.value(0);
  if (!hlo::is_pred(op.type(1))) return op.unsupported_types();
  const std::optional<Literal> which = op.known(1);
  if (!which) return op.not_known(1, "the condition");
  int64_t axis = 0;
  if (op.has_attribute("axis")) {
    HLOCC_TRY_ASSIGN(axis, op.axis(op.integer("axis"), b.rank(x)));
  } else {
    x = b.reshape(x, {b.shape(x).element_count()});
  }
  const std::vector<int64_t> stays = integers_of(*which);
  std::vector<int64_t> places;
  for (size_t i = 0; i < stays.size(); ++i)
    if (stays[i] != 0) places.push_back(static_cast<int64_t>(i));
  if (!places.empty() && places.back() >= b.size(x, axis))
    return op.wrong("the condition is longer than the operand");
  const auto count = static_cast<int64_t>(places.size());
  return op.set(b.take(x, b.constant(literal_of(kS32, places, {count})), axis));
}

Status non_zero(const Op& op) {
  const std::optional<Literal> known = op.known(0);
  if (!known) return op.not_known(0, "what decides how many elements there are");
  const Dimensions sizes = known->shape().dimensions, strides = hlo::row_major_strides(sizes);
  const std::optional<std::vector<double>> reals = reals_of(*known);
  if (!reals && !hlo::is_pred(known->type()) && !hlo::is_integer(known->type()))
    return op.unsupported_types();
  const std::vector<int64_t> integers = reals ? std::vector<int64_t>() : integers_of(*known);
  std::vector<int64_t> found;
  for (int64_t i = 0; i < known->element_count(); ++i)
    if (reals ? (*reals)[i] != 0 : integers[i] != 0) found.push_back(i);
  std::vector<int64_t> out;
  for (size_t d = 0; d < sizes.size(); ++d)
    for (const int64_t i : found) out.push_back(i / strides[d] % sizes[d]);
  const auto rank = static_cast<int64_t>(sizes.size()), count = static_cast<int64_t>(found.size());
  return op.set(op.b.constant(literal_of(kS64, out, {rank, count})));
}

}  // namespace hlocc::import::onnx::ops
