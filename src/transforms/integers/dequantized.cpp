// Read from the outside in: elements that move and scales in any order, one zero point, the
// integers.
#include "transforms/integers/dequantized.h"

#include <algorithm>
#include <cmath>

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

constexpr int64_t kMostWhole = 1 << 15;

// The number that all elements of an f32 value are.
std::optional<double> f32_splat(const Rewriter& r, InstructionId id) {
  const std::optional<Literal> value = splat_value(r, id);
  if (!value) return std::nullopt;
  return static_cast<double>(value->data<float>()[0]);
}

// A whole number that floats and 32-bit integers hold alike.
std::optional<int64_t> whole_splat(const Rewriter& r, InstructionId id) {
  const std::optional<double> value = f32_splat(r, id);
  if (!value || !(std::fabs(*value) <= kMostWhole) || std::trunc(*value) != *value)
    return std::nullopt;
  return static_cast<int64_t>(*value);
}

// Moves elements, and makes no numbers but zeros.
bool is_view(const Rewriter& r, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kReverse:
    case Opcode::kSlice: return true;
    case Opcode::kPad: return f32_splat(r, i.operands[1]) == 0.0;
    default: return false;
  }
}

// Whether an f32 value holds whole numbers (or is not finite).
bool is_rounded(const Rewriter& r, InstructionId id) {
  while (r[id].opcode == Opcode::kAdd || r[id].opcode == Opcode::kSubtract) {
    const std::vector<InstructionId>& sides = r[id].operands;
    if (whole_splat(r, sides[1]))
      id = sides[0];
    else if (whole_splat(r, sides[0]))
      id = sides[1];
    else
      return false;
  }
  switch (r[id].opcode) {
    case Opcode::kRoundNearestEven:
    case Opcode::kRoundNearestAfz:
    case Opcode::kFloor:
    case Opcode::kCeil: return true;
    default: return false;
  }
}

// The bounds of what clamps, or of a minimum and a maximum around one another, whose inside is
// rounded.
std::optional<Range> rounded_range(const Rewriter& r, InstructionId id) {
  const Instruction& i = r[id];
  if (i.opcode == Opcode::kClamp) {
    const auto low = whole_splat(r, i.operands[0]), high = whole_splat(r, i.operands[2]);
    if (!low || !high || *low > *high || !is_rounded(r, i.operands[1])) return std::nullopt;
    return Range{*low, *high};
  }
  std::optional<int64_t> low, high;
  InstructionId at = id;
  for (int bound = 0; bound < 2; ++bound) {
    const Instruction& step = r[at];
    if (step.opcode != Opcode::kMaximum && step.opcode != Opcode::kMinimum) return std::nullopt;
    std::optional<int64_t>& limit = step.opcode == Opcode::kMaximum ? low : high;
    if (limit) return std::nullopt;
    const bool first = whole_splat(r, step.operands[0]).has_value();
    limit = whole_splat(r, step.operands[first ? 0 : 1]);
    if (!limit) return std::nullopt;
    at = step.operands[first ? 1 : 0];
  }
  if (*low > *high || !is_rounded(r, at)) return std::nullopt;
  return Range{*low, *high};
}

// What an instruction scales its operand by, and that operand.
struct Scaling {
  InstructionId of;
  double factor;
};
std::optional<Scaling> scaling(const Rewriter& r, const Instruction& i) {
  std::optional<Scaling> found;
  if (i.opcode == Opcode::kMultiply || i.opcode == Opcode::kDivide) {
    if (const auto by = f32_splat(r, i.operands[1]))
      found = {i.operands[0], i.opcode == Opcode::kMultiply ? *by : 1 / *by};
    else if (const auto times = f32_splat(r, i.operands[0]); times && i.opcode == Opcode::kMultiply)
      found = {i.operands[1], *times};
  }
  // Products that are no normal numbers are no scales.
  if (found && std::signbit(found->factor)) return std::nullopt;
  return found;
}

// What an instruction takes off its operand, and that operand.
struct Offset {
  InstructionId of;
  int64_t zero;
};
std::optional<Offset> offset(const Rewriter& r, const Instruction& i) {
  if (i.opcode == Opcode::kSubtract || i.opcode == Opcode::kAdd)
    if (const auto by = whole_splat(r, i.operands[1]))
      return Offset{i.operands[0], i.opcode == Opcode::kAdd ? -*by : *by};
  if (i.opcode == Opcode::kAdd)
    if (const auto by = whole_splat(r, i.operands[0])) return Offset{i.operands[1], -*by};
  return std::nullopt;
}

// Which operand of a sum, difference, product or quotient is the array where the other is one
// number.
std::optional<size_t> scaled_side(const Rewriter& r, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide: break;
    default: return std::nullopt;
  }
  if (f32_splat(r, i.operands[1])) return 0;
  return f32_splat(r, i.operands[0]) ? std::optional<size_t>(1) : std::nullopt;
}

// Follows the steps from `id` down to what they begin with.
class StepReader {
 public:
  StepReader(const Rewriter& r, Dequantized& out) : r_(r), out_(out) {}

  // kNone where a number that the value is taken off is no multiple of the scale.
  InstructionId read(InstructionId id) {
    for (;;) {
      const Instruction& i = r_[id];
      if (is_view(r_, i)) {
        out_.steps.push_back({id, 0});
        id = i.operands[0];
      } else if (const auto scale = has_zero_ ? std::nullopt : scaling(r_, i)) {
        out_.scale *= scale->factor;
        inner_scale_ *= scale->factor;
        id = scale->of;
      } else if (const auto minuend = may_negate(i)) {
        negated_ = out_.steps.size();
        minuend_ = *minuend;
        inner_scale_ = 1;
        out_.steps.push_back({.negates = true});
        id = i.operands[1];
      } else if (const auto moved = has_zero_ ? std::nullopt : offset(r_, i)) {
        has_zero_ = true;
        out_.steps.push_back({kNone, moved->zero});
        id = moved->of;
      } else {
        return settle() ? id : kNone;
      }
    }
  }

 private:
  // Of a number less an array, once, outside of the zero point.
  std::optional<double> may_negate(const Instruction& i) const {
    if (i.opcode != Opcode::kSubtract || has_zero_ || negated_) return std::nullopt;
    return f32_splat(r_, i.operands[0]);
  }
  // The number that the integers are taken off, when the scale within is known.
  bool settle() {
    if (!negated_) return true;
    const double whole = minuend_ / inner_scale_;
    if (!(std::fabs(whole) <= kMostWhole) || std::trunc(whole) != whole) return false;
    out_.steps[*negated_].zero = static_cast<int64_t>(whole);
    return true;
  }

  const Rewriter& r_;
  Dequantized& out_;
  bool has_zero_ = false;
  std::optional<size_t> negated_;
  double minuend_ = 0, inner_scale_ = 1;
};

}  // namespace

std::optional<Dequantized> dequantized(const Rewriter& r, InstructionId id, IntegerRanges& ranges) {
  if (r.type(id) != kF32) return std::nullopt;
  Dequantized out;
  const InstructionId start = StepReader(r, out).read(id);
  if (start == kNone) return std::nullopt;
  const Instruction& i = r[start];
  if (i.opcode == Opcode::kConvert && is_integer(r.type(i.operands[0]))) {
    out.whole = i.operands[0];
    out.stored = r.type(out.whole);
    if (hlo::type_bits(out.stored) < 8 || hlo::type_bits(out.stored) > 32) return std::nullopt;
    out.range = ranges.of(out.whole);
  } else if (const std::optional<Range> range = rounded_range(r, start)) {
    out.whole = start;
    out.stored = range->low < 0 ? kS8 : kU8;
    if (!range->within(range_of_type(out.stored))) return std::nullopt;
    out.range = *range;
  } else {
    return std::nullopt;
  }
  for (size_t n = out.steps.size(); n-- > 0;) {
    const Dequantized::Step& step = out.steps[n];
    out.range = step.negates ? Range{step.zero - out.range.high, step.zero - out.range.low}
                             : Range{out.range.low - step.zero, out.range.high - step.zero};
    if (step.view == kNone || r[step.view].opcode != Opcode::kPad) continue;
    out.range = {std::min<__int128>(out.range.low, 0), std::max<__int128>(out.range.high, 0)};
  }
  if (!out.range.within({-kMostWhole, kMostWhole})) return std::nullopt;
  return out;
}

InstructionId integers_of(Rewriter& r, const Dequantized& value) {
  InstructionId x = value.whole;
  x = convert(r, x, value.stored);
  for (size_t n = value.steps.size(); n-- > 0;) {
    const Dequantized::Step& step = value.steps[n];
    if (step.view == kNone) {
      if (step.zero == 0 && !step.negates) continue;
      x = convert(r, x, kS32);
      const Literal zero = Literal::scalar(kS32, static_cast<int32_t>(step.zero));
      const Dimensions dimensions = r.shape(x).dimensions;
      const InstructionId number = splat(r, zero, dimensions);
      x = step.negates ? binary(r, Opcode::kSubtract, number, x)
                       : binary(r, Opcode::kSubtract, x, number);
      continue;
    }
    Instruction moved = r[step.view];
    moved.shape.element_type = r.type(x);
    if (moved.opcode == Opcode::kPad)
      moved.operands[1] = constant(r, Literal::zeros(Shape::scalar(r.type(x))));
    moved.operands[0] = x;
    x = r.add(std::move(moved));
  }
  return x;
}

InstructionId dequantized_slice(Rewriter& r, const Instruction& slice) {
  constexpr size_t kMostSteps = 8;
  std::vector<InstructionId> steps;  // the outermost first
  InstructionId id = slice.operands[0];
  while (r[id].opcode != Opcode::kConvert) {
    const std::optional<size_t> array = scaled_side(r, r[id]);
    if (!array || steps.size() == kMostSteps) return kNone;
    steps.push_back(id);
    id = r[id].operands[*array];
  }
  const InstructionId whole = r[id].operands[0];
  if (!is_integer(r.type(whole)) || hlo::type_bits(r.type(whole)) > 16) return kNone;
  const Dimensions dimensions = slice.shape.dimensions;
  Instruction moved = slice;
  moved.shape.element_type = r.type(whole);
  moved.operands[0] = whole;
  InstructionId x = convert(r, r.add(std::move(moved)), kF32);
  for (size_t n = steps.size(); n-- > 0;) {
    Instruction step = r[steps[n]];
    const size_t array = *scaled_side(r, step);
    step.operands[1 - array] = splat(r, *splat_value(r, step.operands[1 - array]), dimensions);
    step.operands[array] = x;
    step.shape.dimensions = dimensions;
    x = r.add(std::move(step));
  }
  return x;
}

}  // namespace hlocc::transforms
