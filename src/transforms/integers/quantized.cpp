// Read from the outside in: elements that move and scales in any order, one zero point, the
// integers.
#include "transforms/integers/quantized.h"

#include <algorithm>
#include <cmath>

#include "transforms/build.h"
#include "transforms/integers/recovered_weights.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;
constexpr int64_t kMostWhole = 1 << 15;

// A whole number that floats and 32-bit integers hold alike.
std::optional<int64_t> whole(std::optional<double> number) {
  if (!number || !(std::fabs(*number) <= kMostWhole) || std::trunc(*number) != *number)
    return std::nullopt;
  return static_cast<int64_t>(*number);
}
std::optional<int64_t> whole_one(const ChannelConstant& by) {
  return by.is_one() ? whole(by.real()) : std::nullopt;
}

// Whether an f32 value holds whole numbers (or is not finite).
bool is_rounded(const Rewriter& r, InstructionId id) {
  std::optional<QuantizedStep> step = quantized_step(r, r[id]);
  while (step && (step->kind == StepKind::kAdd || step->kind == StepKind::kSubtract ||
                  step->kind == StepKind::kTakenFrom)) {
    if (!whole_one(step->by)) return false;
    step = quantized_step(r, r[step->of]);
  }
  return step && (step->kind == StepKind::kRoundEven || step->kind == StepKind::kRoundAway ||
                  step->kind == StepKind::kFloor || step->kind == StepKind::kCeil);
}

// The bounds of what clamps, or of a minimum and a maximum around one another, whose inside is
// rounded.
std::optional<Range> rounded_range(const Rewriter& r, InstructionId id) {
  std::optional<int64_t> low, high;
  while (!low || !high) {
    const std::optional<QuantizedStep> step = quantized_step(r, r[id]);
    const ChannelConstant* const from = step ? step->floor() : nullptr;
    const ChannelConstant* const to = step ? step->ceiling() : nullptr;
    if ((!from && !to) || (from && low) || (to && high)) return std::nullopt;
    if (from) low = whole_one(*from);
    if (to) high = whole_one(*to);
    if ((from && !low) || (to && !high)) return std::nullopt;
    id = step->of;
  }
  if (*low > *high || !is_rounded(r, id)) return std::nullopt;
  return Range{*low, *high};
}

// Follows the steps from a value down to what they begin with.
class QuantizedReader {
 public:
  QuantizedReader(const Rewriter& r, bool in_floats) : r_(r), in_floats_(in_floats) {}

  Quantized out;

  // kNone where a number that the value is taken off is no multiple of the scale.
  InstructionId read(InstructionId id) {
    for (;;) {
      const std::optional<QuantizedStep> step = quantized_step(r_, r_[id]);
      if (!step || !take(id, *step)) return settle() ? id : kNone;
      id = step->of;
    }
  }

 private:
  bool take(InstructionId id, const QuantizedStep& step) {
    if (step.kind == StepKind::kView) return moves(id, step);
    if (has_zero_) return false;
    if (in_floats_ && (scales(step) || negates(step))) return true;
    const std::optional<int64_t> added = in_floats_ ? whole(step.real_added()) : step.whole_added();
    if (!added) return false;
    has_zero_ = true;
    out.steps.push_back({.zero = -*added});
    return true;
  }
  // Floats are padded with zeros.
  bool moves(InstructionId id, const QuantizedStep& step) {
    const bool pads = r_[id].opcode == Opcode::kPad;
    if (pads && in_floats_ && step.by.real() != 0) return false;
    out.steps.push_back({.view = id, .added = pads && !in_floats_ ? step.by.whole() : 0});
    return true;
  }
  // Products that are no normal numbers are no scales.
  bool scales(const QuantizedStep& step) {
    const std::optional<double> scale = step.scale();
    if (!scale || std::signbit(*scale)) return false;
    out.scales[0] *= *scale;
    inner_scale_ *= *scale;
    return true;
  }
  // Of a number less an array, once, outside of the zero point.
  bool negates(const QuantizedStep& step) {
    if (step.kind != StepKind::kTakenFrom || negated_ || !step.by.is_one()) return false;
    negated_ = out.steps.size();
    minuend_ = step.by.real();
    inner_scale_ = 1;
    out.steps.push_back({.negates = true});
    return true;
  }
  // The number that the integers are taken off, when the scale within is known.
  bool settle() {
    if (!negated_) return true;
    const std::optional<int64_t> number = whole(minuend_ / inner_scale_);
    if (number) out.steps[*negated_].zero = *number;
    return number.has_value();
  }

  const Rewriter& r_;
  const bool in_floats_;
  bool has_zero_ = false;
  std::optional<size_t> negated_;
  double minuend_ = 0, inner_scale_ = 1;
};

bool is_pad(const Rewriter& r, const Quantized::Step& step) {
  return step.view != kNone && r[step.view].opcode == Opcode::kPad;
}

// The instruction that moves elements, of another array.
InstructionId moved(Rewriter& r, InstructionId view, InstructionId x, int64_t added) {
  Instruction instruction = r[view];
  instruction.shape.element_type = r.type(x);
  if (instruction.opcode == Opcode::kPad)
    instruction.operands[1] = constant(r, integer(r.type(x), static_cast<uint64_t>(added)));
  instruction.operands[0] = x;
  return r.add(std::move(instruction));
}

// A constant whose numbers are all bytes with sign, as such.
std::optional<Literal> as_bytes(const Literal& literal) {
  if (literal.element_count() == 0) return std::nullopt;
  Literal bytes = converted_elements(literal, kS8);
  return whole_numbers(bytes) == whole_numbers(literal) ? std::optional(std::move(bytes))
                                                        : std::nullopt;
}

// A sum, difference, product or quotient of an array and one number.
bool is_scaling(const QuantizedStep& step) {
  return (step.kind == StepKind::kAdd || step.kind == StepKind::kSubtract ||
          step.kind == StepKind::kTakenFrom || step.kind == StepKind::kMultiply ||
          step.kind == StepKind::kDivide || step.kind == StepKind::kDividing) &&
         step.by.is_one();
}

// What a pad adds in the value's type is less the zero point where that was taken off already.
__int128 stored_by(const Quantized& value, size_t step) {
  __int128 added = value.steps[step].added;
  for (size_t n = step + 1; n < value.steps.size(); ++n) added += value.steps[n].zero;
  return added;
}

}  // namespace

int64_t Quantized::zero() const {
  int64_t zero = 0;
  for (const Step& step : steps) zero += step.zero;
  return zero;
}

__int128 Quantized::most() const { return std::max(-range.low, range.high); }

std::optional<Quantized> QuantizedValues::read_floats(InstructionId id) {
  QuantizedReader reader(r_, true);
  const InstructionId start = reader.read(id);
  if (start == kNone) return std::nullopt;
  Quantized& out = reader.out;
  const Instruction& i = r_[start];
  if (i.opcode == Opcode::kConvert && is_integer(r_.type(i.operands[0]))) {
    out.whole = i.operands[0];
    out.stored = r_.type(out.whole);
    if (hlo::type_bits(out.stored) < 8 || hlo::type_bits(out.stored) > 32) return std::nullopt;
    out.range = ranges_.of(out.whole);
  } else if (const std::optional<Range> range = rounded_range(r_, start)) {
    out.whole = start;
    out.stored = range->low < 0 ? kS8 : kU8;
    if (!range->within(range_of_type(out.stored))) return std::nullopt;
    out.range = *range;
  } else {
    return std::nullopt;
  }
  for (size_t n = out.steps.size(); n-- > 0;) {
    const Quantized::Step& step = out.steps[n];
    out.range = step.negates ? Range{step.zero - out.range.high, step.zero - out.range.low}
                             : Range{out.range.low - step.zero, out.range.high - step.zero};
    if (is_pad(r_, step))
      out.range = {std::min<__int128>(out.range.low, 0), std::max<__int128>(out.range.high, 0)};
  }
  if (!out.range.within({-kMostWhole, kMostWhole})) return std::nullopt;
  return std::move(out);
}

std::optional<Quantized> QuantizedValues::read_integers(InstructionId id) const {
  const PrimitiveType type = r_.type(id);
  if (!is_integer(type)) return std::nullopt;
  if (const Literal* literal = constant_value(r_, id)) {
    Quantized out;
    out.known = as_bytes(*literal);
    return out.known ? std::optional(std::move(out)) : std::nullopt;
  }
  QuantizedReader reader(r_, false);
  const Instruction& start = r_[reader.read(id)];
  Quantized& out = reader.out;
  if (start.opcode != Opcode::kConvert) return std::nullopt;
  out.whole = start.operands[0];
  out.stored = r_.type(out.whole);
  if (out.stored != kS8 && out.stored != kU8 && out.stored != kS16) return std::nullopt;
  // Nothing has wrapped in the wide type, and what pads add can be stored.
  const Range stored = range_of_type(out.stored), wide = range_of_type(type);
  out.range = {stored.low - out.zero(), stored.high - out.zero()};
  if (!stored.within(wide) || !out.range.within(wide)) return std::nullopt;
  for (size_t n = 0; n < out.steps.size(); ++n) {
    const __int128 added = stored_by(out, n);
    if (is_pad(r_, out.steps[n]) && !Range{added, added}.within(stored)) return std::nullopt;
  }
  return std::move(out);
}

// Floats that are constants, or computed of constants that take no less than bytes would.
std::optional<Quantized> QuantizedValues::read_weights(InstructionId id,
                                                       std::optional<int64_t> dimension) const {
  const std::optional<int64_t> bytes = known_.bytes(id);
  if (!bytes || *bytes < r_.shape(id).element_count()) return std::nullopt;
  const std::optional<Literal> floats = known_.value(id);
  if (!floats) return std::nullopt;
  std::optional<RecoveredWeights> recovered = recovered_weights(*floats, dimension);
  if (!recovered) return std::nullopt;
  Quantized out{.known = std::move(recovered->bytes),
                .scales = std::move(recovered->scales),
                .dimension = dimension};
  for (const int byte : out.known->data<int8_t>())
    out.range = {std::min<__int128>(out.range.low, byte), std::max<__int128>(out.range.high, byte)};
  return out;
}

namespace {

const Quantized* value_in(const std::optional<Quantized>& slot) { return slot ? &*slot : nullptr; }

}  // namespace

const Quantized* QuantizedValues::of(InstructionId id) {
  if (const auto found = values_.find(id); found != values_.end()) return value_in(found->second);
  return value_in(values_[id] = r_.type(id) == kF32 ? read_floats(id) : read_integers(id));
}
const Quantized* QuantizedValues::weights(InstructionId id, std::optional<int64_t> dimension) {
  const std::pair key(id, dimension.value_or(-1));
  const auto found = weights_.find(key);
  return value_in(found != weights_.end() ? found->second
                                          : weights_[key] = read_weights(id, dimension));
}

InstructionId integers_of(Rewriter& r, const Quantized& value) {
  if (value.known) return constant(r, *value.known);
  InstructionId x = convert(r, value.whole, value.stored);
  for (size_t n = value.steps.size(); n-- > 0;) {
    const Quantized::Step& step = value.steps[n];
    if (step.view != kNone) {
      x = moved(r, step.view, x, step.added);
    } else if (step.zero != 0 || step.negates) {
      x = convert(r, x, kS32);
      const Literal zero = Literal::scalar(kS32, static_cast<int32_t>(step.zero));
      const Dimensions dimensions = r.shape(x).dimensions;
      const InstructionId number = splat(r, zero, dimensions);
      x = step.negates ? binary(r, Opcode::kSubtract, number, x)
                       : binary(r, Opcode::kSubtract, x, number);
    }
  }
  return x;
}

InstructionId stored_of(Rewriter& r, const Quantized& value) {
  if (value.known) return constant(r, *value.known);
  InstructionId x = value.whole;
  for (size_t n = value.steps.size(); n-- > 0;)
    if (value.steps[n].view != kNone)
      x = moved(r, value.steps[n].view, x, static_cast<int64_t>(stored_by(value, n)));
  return x;
}

InstructionId dequantized_slice(Rewriter& r, const Instruction& slice) {
  constexpr size_t kMostSteps = 8;
  std::vector<InstructionId> steps;  // the outermost first
  InstructionId id = slice.operands[0];
  while (r[id].opcode != Opcode::kConvert) {
    const std::optional<QuantizedStep> step = quantized_step(r, r[id]);
    if (!step || !is_scaling(*step) || steps.size() == kMostSteps) return kNone;
    steps.push_back(id);
    id = step->of;
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
    const size_t array = step.operands[0] == quantized_step(r, step)->of ? 0 : 1;
    step.operands[1 - array] = splat(r, *splat_value(r, step.operands[1 - array]), dimensions);
    step.operands[array] = x;
    step.shape.dimensions = dimensions;
    x = r.add(std::move(step));
  }
  return x;
}

}  // namespace hlocc::transforms
