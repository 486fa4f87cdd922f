// The chain is read backwards from its last instruction.
#include "transforms/integers/monotone_chain.h"

#include <algorithm>
#include <cmath>

namespace hlocc::transforms {
namespace {

constexpr size_t kMaxSteps = 24;
constexpr int64_t kMaxChannels = 1 << 14;
// What rounds is several instructions.
constexpr size_t kMaxElementSteps = 16 * kMaxSteps;

bool is_real_type(PrimitiveType type) {
  return type == PrimitiveType::kF32 || type == PrimitiveType::kF64;
}
bool is_whole_type(PrimitiveType type) {
  return is_integer(type) && hlo::type_bits(type) >= 8 && type != PrimitiveType::kU64;
}
bool is_chain_type(PrimitiveType type) { return is_real_type(type) || is_whole_type(type); }

// Reads a chain backwards; steps come last first.
class Reader {
 public:
  Reader(const Rewriter& r, MonotoneChain& chain) : r_(r), chain_(chain) {}

  // The operand that the instruction's steps are applied to; kNone if it is no step that rises: the
  // steps before are given up with the chain then.
  InstructionId read(const Instruction& i) {
    if (!is_chain_type(i.shape.element_type)) return kNone;
    const std::optional<QuantizedStep> step = quantized_step(r_, i);
    return step && take(i, *step) ? step->of : kNone;
  }

 private:
  bool take(const Instruction& i, const QuantizedStep& step) {
    switch (step.kind) {
      case StepKind::kConvert:
      case StepKind::kRoundEven:
      case StepKind::kRoundAway:
      case StepKind::kFloor: push(step.kind, i); return true;
      case StepKind::kBits:
        // Floats in a range that begins and ends with the same exponent lie as far apart as
        // integers.
        push(step.kind, i);
        return i.shape.element_type == PrimitiveType::kS32 &&
               r_.type(step.of) == PrimitiveType::kF32;
      case StepKind::kClamp:
        return push(StepKind::kMinimum, i, step.to) && push(StepKind::kMaximum, i, step.by);
      case StepKind::kSubtract: return push(StepKind::kAdd, i, step.by, /*negate=*/true);
      case StepKind::kShift: return is_signed(i.shape.element_type) && push(step.kind, i, step.by);
      case StepKind::kNudge:
        if (!push(step.kind, i, step.by) || !has_same_channels(step.to)) return false;
        chain_.steps.back().if_negative = whole_numbers(step.to.values);
        return true;
      case StepKind::kRoundingShift:
      case StepKind::kAdd:
      case StepKind::kMultiply:
      case StepKind::kDivide:
      case StepKind::kMaximum:
      case StepKind::kMinimum: return push(step.kind, i, step.by);
      default: return false;
    }
  }

  void push(StepKind kind, const Instruction& i) {
    chain_.steps.push_back({.kind = kind, .type = i.shape.element_type});
  }
  // False if the step would not rise.
  bool push(StepKind kind, const Instruction& i, const ChannelConstant& by, bool negate = false) {
    push(kind, i);
    if (!has_same_channels(by)) return false;
    ChainStep& step = chain_.steps.back();
    for (int64_t at = 0; at < by.count(); ++at) {
      if (by.is_real()) {
        const double value = negate ? -by.real(at) : by.real(at);
        step.real.push_back(value);
        if (!std::isfinite(value) || is_no_factor(step, value)) return false;
      } else {
        const int64_t value = by.whole(at);
        if (negate && value == std::numeric_limits<int64_t>::min()) return false;
        step.whole.push_back(negate ? -value : value);
        if (is_no_factor(step, value)) return false;
        if (step.kind == StepKind::kShift &&
            static_cast<uint64_t>(value) >= static_cast<uint64_t>(hlo::type_bits(step.type)))
          return false;
      }
    }
    return by.count() > 0;
  }

  // What would fall, or be divided by nothing. A channel times zero is one number.
  template <typename Number>
  static bool is_no_factor(const ChainStep& step, Number value) {
    return step.kind == StepKind::kMultiply ? value < 0
                                            : step.kind == StepKind::kDivide && value <= 0;
  }

  // All constants that differ do so along the same dimensions.
  bool has_same_channels(const ChannelConstant& by) {
    if (by.is_one()) return true;
    if (by.count() > kMaxChannels || (chain_.channels > 1 && chain_.mapping != by.mapping))
      return false;
    chain_.mapping = by.mapping;
    chain_.sizes = by.values.shape().dimensions;
    chain_.channels = by.count();
    return true;
  }

  const Rewriter& r_;
  MonotoneChain& chain_;
};

}  // namespace

bool MonotoneChain::is_real() const {
  return std::any_of(steps.begin(), steps.end(),
                     [](const ChainStep& step) { return is_real_type(step.type); });
}

Line MonotoneChain::line(size_t channel) const {
  Line line;
  for (const ChainStep& step : steps) {
    const double c = !step.real.empty()    ? of_channel(step.real, channel)
                     : !step.whole.empty() ? static_cast<double>(of_channel(step.whole, channel))
                                           : 0;
    switch (step.kind) {
      case StepKind::kAdd: line.intercept += c; break;
      case StepKind::kNudge:
        line.intercept += c;
        line.bend += static_cast<double>(of_channel(step.if_negative, channel)) - c;
        break;
      // Of floats from 2^23 to 2^24, which are integers: what is rounded to such a one counts half
      // more.
      case StepKind::kBits: line.intercept += 0x1p+23 * 0x95 + 0.5; break;
      case StepKind::kMultiply: line = {line.slope * c, line.intercept * c, line.bend * c}; break;
      case StepKind::kDivide:  // of integers, to zero
        if (!step.whole.empty()) line.bend += c - 1;
        line = {line.slope / c, line.intercept / c, line.bend / c};
        break;
      case StepKind::kShift:
      case StepKind::kRoundingShift: {
        const double unit = std::ldexp(1, -static_cast<int>(c));
        line = {line.slope * unit, line.intercept * unit, line.bend * unit};
        if (step.kind == StepKind::kRoundingShift && c > 0)
          line.intercept += 0.5, line.bend -= unit;
        break;
      }
      case StepKind::kRoundEven:
      case StepKind::kRoundAway: line.intercept += 0.5; break;
      default: break;
    }
  }
  return line;
}

std::optional<MonotoneChain> monotone_chain(const Rewriter& r, const Instruction& last,
                                            IntegerRanges& ranges) {
  MonotoneChain chain;
  size_t length = 0;
  Reader reader(r, chain);
  chain.base = kNone;
  InstructionId id = kNone;
  while (chain.steps.size() < kMaxSteps) {
    const size_t before = chain.steps.size();
    const InstructionId from = reader.read(id == kNone ? last : r[id]);
    if (from == kNone) {
      chain.steps.resize(before);
      break;
    }
    for (size_t n = before; n < chain.steps.size(); ++n) chain.steps[n].result = id;
    const PrimitiveType type = r.type(from), into = chain.steps.back().type;
    if (is_whole_type(type) && hlo::type_bits(type) <= 32 &&
        (is_real_type(into) || into == PrimitiveType::kS64)) {
      chain.base = from;
      length = chain.steps.size();
    }
    id = from;
  }
  if (chain.base == kNone) return std::nullopt;
  chain.steps.resize(length);
  std::reverse(chain.steps.begin(), chain.steps.end());
  chain.range = ranges.of(chain.base);
  chain.last = last;
  const auto is_base = [&](InstructionId at) { return at == chain.base; };
  const auto elements = element_function(r, last, {is_base, 1, kMaxElementSteps, true, true});
  if (!elements) return std::nullopt;
  chain.elements = *elements;
  return chain;
}

}  // namespace hlocc::transforms
