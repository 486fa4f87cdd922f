// The chain is read backwards from its last instruction.
#include "transforms/integers/monotone_chain.h"

#include <algorithm>
#include <cmath>

#include "transforms/build.h"
#include "transforms/integers/rounding_patterns.h"

namespace hlocc::transforms {
namespace {

using Kind = ChainStep::Kind;

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

double real_at(const Literal& literal, int64_t index) {
  return literal.type() == PrimitiveType::kF32 ? literal.data<float>()[index]
                                               : literal.data<double>()[index];
}

// Reads a chain backwards; steps come last first.
class Reader {
 public:
  Reader(const Rewriter& r, MonotoneChain& chain) : r_(r), chain_(chain) {}

  // The operand that the instruction's steps are applied to; kNone if it is no step.
  InstructionId read(const Instruction& i) {
    if (!is_chain_type(i.shape.element_type)) return kNone;
    switch (i.opcode) {
      case Opcode::kConvert: push(Kind::kConvert, i); return i.operands[0];
      case Opcode::kAdd: return add(i);
      case Opcode::kSubtract: return subtract(i);
      case Opcode::kBitcastConvert: return bits(i);
      case Opcode::kMultiply: return with_constant(Kind::kMultiply, i, true);
      case Opcode::kDivide: return with_constant(Kind::kDivide, i, false);
      case Opcode::kMaximum: return with_constant(Kind::kMaximum, i, true);
      case Opcode::kMinimum: return with_constant(Kind::kMinimum, i, true);
      case Opcode::kClamp: return clamp(i);
      case Opcode::kShiftRightArithmetic:
        return is_signed(i.shape.element_type) ? with_constant(Kind::kShift, i, false) : kNone;
      case Opcode::kRoundNearestEven: push(Kind::kRoundEven, i); return i.operands[0];
      case Opcode::kRoundNearestAfz: push(Kind::kRoundAway, i); return i.operands[0];
      case Opcode::kFloor: push(Kind::kFloor, i); return i.operands[0];
      default: return kNone;
    }
  }

 private:
  void push(Kind kind, const Instruction& i) {
    chain_.steps.push_back({kind, i.shape.element_type, {}, {}});
  }

  // A plain sum, or what rounds a product or a shift to nearest.
  InstructionId add(const Instruction& i) {
    if (const std::optional<Nudge> nudge = nudged(r_, i)) return nudged_value(i, *nudge);
    if (const std::optional<NearestShift> shift = nearest_shift(r_, i)) {
      push(Kind::kRoundingShift, i);
      return constants(shift->by, false) ? shift->value : kNone;
    }
    return with_constant(Kind::kAdd, i, true);
  }

  InstructionId subtract(const Instruction& i) {
    if (const std::optional<Nudge> nudge = nudged(r_, i)) return nudged_value(i, *nudge);
    return with_constant(Kind::kAdd, i, false, true);
  }

  InstructionId nudged_value(const Instruction& i, const Nudge& nudge) {
    push(Kind::kNudge, i);
    for (const ChannelConstants* const constants : {&nudge.number, &nudge.if_negative})
      if (!constants->is_one() && !same_channels(constants->mapping, constants->sizes))
        return kNone;
    chain_.steps.back().whole = nudge.number.values;
    chain_.steps.back().if_negative = nudge.if_negative.values;
    return nudge.value;
  }

  // Floats in a range that begins and ends with the same exponent lie as far apart as integers.
  InstructionId bits(const Instruction& i) {
    if (i.shape.element_type != PrimitiveType::kS32 ||
        r_.type(i.operands[0]) != PrimitiveType::kF32)
      return kNone;
    push(Kind::kBits, i);
    return i.operands[0];
  }

  InstructionId clamp(const Instruction& i) {
    push(Kind::kMinimum, i);
    if (!constants(i.operands[2], false)) return kNone;
    push(Kind::kMaximum, i);
    if (!constants(i.operands[0], false)) return kNone;
    return i.operands[1];
  }

  // The steps before are given up with the chain where this gives kNone.
  InstructionId with_constant(Kind kind, const Instruction& i, bool either, bool negate = false) {
    push(kind, i);
    if (constants(i.operands[1], negate)) return i.operands[0];
    return either && constants(i.operands[0], negate) ? i.operands[1] : kNone;
  }

  // The constants of the last step; false if they are none, or if the step would not rise.
  bool constants(InstructionId id, bool negate) {
    std::optional<Literal> values = splat_value(r_, id);
    if (!values) {
      const std::optional<SpreadConstant> spread = spread_constant(r_, id);
      if (!spread || spread->values.element_count() > kMaxChannels ||
          !same_channels(spread->mapping, spread->values.shape().dimensions))
        return false;
      values = spread->values;
    }
    ChainStep& step = chain_.steps.back();
    for (int64_t at = 0; at < values->element_count(); ++at) {
      if (is_real_type(values->type())) {
        const double value = negate ? -real_at(*values, at) : real_at(*values, at);
        step.real.push_back(value);
        if (!std::isfinite(value) || is_no_factor(step, value)) return false;
      } else {
        const int64_t value = integer_at(*values, at);
        if (negate && value == std::numeric_limits<int64_t>::min()) return false;
        step.whole.push_back(negate ? -value : value);
        if (is_no_factor(step, value)) return false;
        if (step.kind == Kind::kShift &&
            static_cast<uint64_t>(value) >= static_cast<uint64_t>(hlo::type_bits(step.type)))
          return false;
      }
    }
    return !step.real.empty() || !step.whole.empty();
  }
  // What would fall, or be divided by nothing. A channel times zero is one number.
  template <typename Number>
  static bool is_no_factor(const ChainStep& step, Number value) {
    return step.kind == Kind::kMultiply ? value < 0 : step.kind == Kind::kDivide && value <= 0;
  }

  // All constants that differ do so along the same dimensions.
  bool same_channels(const Dimensions& mapping, const Dimensions& sizes) {
    if (chain_.channels > 1 && chain_.mapping != mapping) return false;
    chain_.mapping = mapping;
    chain_.sizes = sizes;
    chain_.channels = product(sizes);
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
      case Kind::kAdd: line.intercept += c; break;
      case Kind::kNudge:
        line.intercept += c;
        line.bend += static_cast<double>(of_channel(step.if_negative, channel)) - c;
        break;
      // Of floats from 2^23 to 2^24, which are integers: what is rounded to such a one counts half
      // more.
      case Kind::kBits: line.intercept += 0x1p+23 * 0x95 + 0.5; break;
      case Kind::kMultiply: line = {line.slope * c, line.intercept * c, line.bend * c}; break;
      case Kind::kDivide:  // of integers, to zero
        if (!step.whole.empty()) line.bend += c - 1;
        line = {line.slope / c, line.intercept / c, line.bend / c};
        break;
      case Kind::kShift:
      case Kind::kRoundingShift: {
        const double unit = std::ldexp(1, -static_cast<int>(c));
        line = {line.slope * unit, line.intercept * unit, line.bend * unit};
        if (step.kind == Kind::kRoundingShift && c > 0) line.intercept += 0.5, line.bend -= unit;
        break;
      }
      case Kind::kRoundEven:
      case Kind::kRoundAway: line.intercept += 0.5; break;
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
