// Read from the outside in: clamps and a zero point, the rounding, clamps, one scale, and then sums
// of integers times constants.
#include "transforms/integers/linear_sum.h"

#include <algorithm>
#include <cmath>

#include "support/product.h"
#include "transforms/integers/quantized_step.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

constexpr size_t kMostTerms = 4;
constexpr int kDeepestSum = 12;
// Bits of every factor: no float has more.
constexpr int kFewestBits = 24, kFactorBits = 30;
// Those with which the shift is 60 and 1.
constexpr double kLeastScale = 0x1p-31, kMostScale = 0x1p29;

template <typename Combine>
ChannelNumbers combined(const ChannelNumbers& a, const ChannelNumbers& b, Combine combine) {
  ChannelNumbers out;
  for (size_t n = 0; n < std::max(a.size(), b.size()); ++n)
    out.push_back(combine(of_channel(a, n), of_channel(b, n)));
  return out;
}

// The part without rounding and clamps.
struct Linear {
  std::map<InstructionId, ChannelNumbers> terms;
  ChannelNumbers constant{0};

  void add(const Linear& other, double sign) {
    const auto sum = [&](double a, double b) { return a + sign * b; };
    constant = combined(constant, other.constant, sum);
    for (const auto& [id, numbers] : other.terms)
      terms[id] = combined(terms.count(id) > 0 ? terms[id] : ChannelNumbers{0}, numbers, sum);
  }
  void scale(const ChannelNumbers& by, bool divide) {
    const auto scaled = [&](double a, double b) { return divide ? a / b : a * b; };
    constant = combined(constant, by, scaled);
    for (auto& [id, numbers] : terms) numbers = combined(numbers, by, scaled);
  }
};

class SumReader {
 public:
  SumReader(const Rewriter& r, const Range& range) : r_(r) {
    out.low = static_cast<double>(range.low);
    out.high = static_cast<double>(range.high);
  }
  LinearSum out;

  bool read(InstructionId id) {
    for (; r_[id].opcode != Opcode::kRoundNearestEven; id = next_)
      if (!is_clamp(id, 1) && !is_zero_point(id)) return false;
    id = r_[id].operands[0];
    double scale = 1;
    for (;; id = next_)
      if (!is_clamp(id, scale) && !is_scale(id, scale)) break;
    std::optional<Linear> sum = linear_of(id, 0);
    if (!sum) return false;
    sum->scale({scale}, false);
    out.terms = std::move(sum->terms);
    out.constant = std::move(sum->constant);
    return true;
  }

 private:
  // The number of a step in floats, as all are up to the conversions that end the reading.
  static std::optional<double> one_of(const ChannelConstant& by) {
    return by.is_one() && by.is_finite() ? std::optional(by.real()) : std::nullopt;
  }

  // A clamp inside of what clamps already. Each of these follows the step, to `next_`.
  bool is_clamp(InstructionId id, double scale) {
    const std::optional<QuantizedStep> step = quantized_step(r_, r_[id]);
    const ChannelConstant* const low = step ? step->floor() : nullptr;
    const ChannelConstant* const high = step ? step->ceiling() : nullptr;
    if (!low && !high) return false;
    const auto from = one_of(low ? *low : *high), to = one_of(high ? *high : *low);
    if (!from || !to || *from > *to) return false;
    const double least = out.low, most = out.high;
    const auto rounded = [&](double x) {
      return std::clamp(std::nearbyint(x * scale), least, most);
    };
    if (low) out.low = rounded(*from);
    if (high) out.high = rounded(*to);
    next_ = step->of;
    return true;
  }
  bool is_zero_point(InstructionId id) {
    const std::optional<QuantizedStep> step = quantized_step(r_, r_[id]);
    const auto moved = step ? step->real_added() : std::nullopt;
    constexpr double kMostZero = 1 << 16;
    if (!moved || std::trunc(*moved) != *moved || std::fabs(*moved) > kMostZero) return false;
    out.zero += *moved, out.low -= *moved, out.high -= *moved;
    next_ = step->of;
    return true;
  }
  bool is_scale(InstructionId id, double& scale) {
    const std::optional<QuantizedStep> step = quantized_step(r_, r_[id]);
    if (!step || (step->kind != StepKind::kMultiply && step->kind != StepKind::kDivide))
      return false;
    const auto number = one_of(step->by);
    if (!number || std::signbit(*number)) return false;
    scale = step->kind == StepKind::kMultiply ? scale * *number : scale / *number;
    next_ = step->of;
    return true;
  }

  // One number, or one for each channel; all that differ do so along the same dimensions.
  std::optional<ChannelNumbers> numbers_of(const ChannelConstant& by) {
    if (by.count() == 0 || !by.is_finite()) return std::nullopt;
    const Dimensions& along = by.values.shape().dimensions;
    if (!by.is_one() && !out.sizes.empty() && out.mapping != by.mapping) return std::nullopt;
    if (!by.is_one()) out.sizes = along, out.mapping = by.mapping;
    const auto values = by.values.data<float>();
    return ChannelNumbers(values.begin(), values.end());
  }
  std::optional<Linear> linear_of(InstructionId id, int depth) {
    if (depth > kDeepestSum) return std::nullopt;
    if (const auto constant = channel_constant(r_, id)) {
      std::optional<ChannelNumbers> numbers = numbers_of(*constant);
      return numbers ? std::optional(Linear{{}, std::move(*numbers)}) : std::nullopt;
    }
    const Instruction& i = r_[id];
    if (i.opcode == Opcode::kAdd || i.opcode == Opcode::kSubtract) {
      std::optional<Linear> a = linear_of(i.operands[0], depth + 1);
      const std::optional<Linear> b = linear_of(i.operands[1], depth + 1);
      if (!a || !b) return std::nullopt;
      a->add(*b, i.opcode == Opcode::kAdd ? 1 : -1);
      return a;
    }
    const std::optional<QuantizedStep> step = quantized_step(r_, i);
    if (!step) return std::nullopt;
    if (step->kind == StepKind::kConvert) {
      const PrimitiveType type = r_.type(step->of);
      if (!is_integer(type) || hlo::type_bits(type) < 8 || hlo::type_bits(type) > 32)
        return std::nullopt;
      return Linear{{{step->of, {1}}}};
    }
    if (step->kind != StepKind::kMultiply && step->kind != StepKind::kDivide) return std::nullopt;
    const std::optional<ChannelNumbers> numbers = numbers_of(step->by);
    std::optional<Linear> sum = linear_of(step->of, depth + 1);
    if (!numbers || !sum) return std::nullopt;
    sum->scale(*numbers, step->kind == StepKind::kDivide);
    return sum;
  }

  const Rewriter& r_;
  InstructionId next_ = kNone;
};

// One accumulator alone is told by its step function (requantize.cpp), and stays as it is written
// where no number equals it; but with a bias in floats, or as a product of two arrays, it comes
// from floats, and is as near to them as the sum of several is.
bool comes_from_floats(const Rewriter& r, const LinearSum& linear) {
  const ChannelNumbers& bias = linear.constant;
  return linear.terms.size() > 1 || r[linear.terms.begin()->first].opcode == Opcode::kMultiply ||
         std::any_of(bias.begin(), bias.end(), [](double x) { return x != 0; });
}

// A number of few bits can be half of two: such sums end in ties, which are rounded to even.
bool has_ties(int64_t factor) { return factor % (int64_t{1} << 16) == 0; }

}  // namespace

std::optional<LinearSum> linear_sum(const Rewriter& r, const Instruction& last) {
  if (r.type(last.operands[0]) != kF32 || !is_integer(last.shape.element_type)) return std::nullopt;
  SumReader read(r, range_of_type(last.shape.element_type));
  if (!read.read(last.operands[0]) || read.out.terms.empty() ||
      read.out.terms.size() > kMostTerms || !comes_from_floats(r, read.out))
    return std::nullopt;
  return std::move(read.out);
}

std::optional<costs::Requantization> fit_linear_sum(const LinearSum& sum, IntegerRanges& ranges) {
  double largest = 0;
  for (const auto& [id, numbers] : sum.terms)
    for (const double number : numbers) largest = std::max(largest, std::fabs(number));
  if (!(largest >= kLeastScale && largest < kMostScale)) return std::nullopt;
  costs::Requantization out{.form{.pieces = 1, .wide = true},
                            .shift = kFactorBits - 1 - std::ilogb(largest),
                            .low = static_cast<int64_t>(sum.low),
                            .high = static_cast<int64_t>(sum.high),
                            .zero = static_cast<int64_t>(sum.zero)};
  out.factors.resize(sum.terms.size());
  for (size_t channel = 0; channel < static_cast<size_t>(product(sum.sizes)); ++channel) {
    const double offset = std::ldexp(of_channel(sum.constant, channel) + 0.5, out.shift);
    if (!(std::fabs(offset) < 0x1p61)) return std::nullopt;
    out.offsets.push_back(std::llround(offset));
    __int128 most = std::llabs(out.offsets.back());
    bool ties = true;
    auto factors = out.factors.begin();
    for (const auto& [id, numbers] : sum.terms) {
      const int64_t factor = std::llround(std::ldexp(of_channel(numbers, channel), out.shift));
      if (factor != 0 && std::llabs(factor) < (int64_t{1} << (kFewestBits - 1)))
        return std::nullopt;
      ties = ties && has_ties(factor);
      const Range range = ranges.of(id);
      most += std::max(range.high, -range.low) * std::llabs(factor);
      (factors++)->push_back(factor);
    }
    // In 64 bits before the shift, and in 32 behind it.
    if (ties || most >> std::min(62, out.shift + 30) != 0) return std::nullopt;
  }
  return out;
}

}  // namespace hlocc::transforms
