// Read from the outside in: clamps and a zero point, the rounding, clamps, one scale, and then sums
// of integers times constants.
#include "transforms/integers/requantize_sums.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "costs/requantize.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

constexpr size_t kMostTerms = 4;
constexpr int kDeepestSum = 12;
// Bits of every factor: no float has more.
constexpr int kFewestBits = 24, kFactorBits = 30;
// Those with which the shift is 60 and 1.
constexpr double kLeastScale = 0x1p-31, kMostScale = 0x1p29;

// A number for each channel, or one for all.
using ChannelNumbers = std::vector<double>;

double of_channel(const ChannelNumbers& numbers, size_t channel) {
  return numbers[numbers.size() == 1 ? 0 : channel];
}
template <typename Combine>
ChannelNumbers combined(const ChannelNumbers& a, const ChannelNumbers& b, Combine combine) {
  ChannelNumbers out;
  for (size_t n = 0; n < std::max(a.size(), b.size()); ++n)
    out.push_back(combine(of_channel(a, n), of_channel(b, n)));
  return out;
}

// The sum of integer arrays times numbers, plus numbers.
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
  SumReader(const Rewriter& r, const Range& range)
      : low(static_cast<double>(range.low)), high(static_cast<double>(range.high)), r_(r) {}

  // Of the integer before the zero point: clamp(round(linear), low, high) + zero.
  double low, high, zero = 0;
  Linear linear;
  Dimensions mapping, sizes;  // of what differs from channel to channel

  bool read(InstructionId id) {
    for (; r_[id].opcode != Opcode::kRoundNearestEven; id = next_)
      if (!is_clamp(id, 1) && !is_zero_point(id)) return false;
    id = r_[id].operands[0];
    double scale = 1;
    for (;; id = next_)
      if (!is_clamp(id, scale) && !is_scale(id, scale)) break;
    std::optional<Linear> sum = linear_of(id, 0);
    if (!sum) return false;
    linear = std::move(*sum);
    linear.scale({scale}, false);
    return true;
  }

 private:
  // Of floats, as all are up to the conversions that end the reading.
  std::optional<double> one_number(InstructionId id) const {
    const std::optional<Literal> value = splat_value(r_, id);
    if (!value || !std::isfinite(value->data<float>()[0])) return std::nullopt;
    return static_cast<double>(value->data<float>()[0]);
  }
  // Follows an instruction with one number to the other operand; sets `next_`.
  std::optional<double> number_beside(const Instruction& i, bool either) {
    next_ = i.operands[0];
    if (const auto number = one_number(i.operands[1])) return number;
    next_ = i.operands[1];
    return either ? one_number(i.operands[0]) : std::nullopt;
  }

  // A clamp at `from` to `to` inside of what clamps already.
  void clamp(std::optional<double> from, std::optional<double> to, double scale) {
    const double least = low, most = high;
    const auto rounded = [&](double x) {
      return std::clamp(std::nearbyint(x * scale), least, most);
    };
    if (from) low = rounded(*from);
    if (to) high = rounded(*to);
  }
  bool is_clamp(InstructionId id, double scale) {
    const Instruction& i = r_[id];
    if (i.opcode == Opcode::kClamp) {
      const auto from = one_number(i.operands[0]), to = one_number(i.operands[2]);
      if (!from || !to || *from > *to) return false;
      clamp(from, to, scale);
      next_ = i.operands[1];
      return true;
    }
    if (i.opcode != Opcode::kMaximum && i.opcode != Opcode::kMinimum) return false;
    const auto number = number_beside(i, true);
    if (!number) return false;
    if (i.opcode == Opcode::kMaximum)
      clamp(number, std::nullopt, scale);
    else
      clamp(std::nullopt, number, scale);
    return true;
  }
  bool is_zero_point(InstructionId id) {
    const Instruction& i = r_[id];
    if (i.opcode != Opcode::kAdd && i.opcode != Opcode::kSubtract) return false;
    const auto number = number_beside(i, i.opcode == Opcode::kAdd);
    constexpr double kMostZero = 1 << 16;
    if (!number || std::trunc(*number) != *number || std::fabs(*number) > kMostZero) return false;
    const double moved = i.opcode == Opcode::kAdd ? *number : -*number;
    zero += moved, low -= moved, high -= moved;
    return true;
  }
  bool is_scale(InstructionId id, double& scale) {
    const Instruction& i = r_[id];
    if (i.opcode != Opcode::kMultiply && i.opcode != Opcode::kDivide) return false;
    const auto number = number_beside(i, i.opcode == Opcode::kMultiply);
    if (!number || std::signbit(*number)) return false;
    scale = i.opcode == Opcode::kMultiply ? scale * *number : scale / *number;
    return true;
  }

  // One number, or one for each channel; all that differ do so along the same dimensions.
  std::optional<ChannelNumbers> numbers_of(InstructionId id) {
    if (const auto number = one_number(id)) return ChannelNumbers{*number};
    const std::optional<SpreadConstant> spread = spread_constant(r_, id);
    if (!spread) return std::nullopt;
    const Dimensions& along = spread->values.shape().dimensions;
    if (!sizes.empty() && mapping != spread->mapping) return std::nullopt;
    sizes = along, mapping = spread->mapping;
    const auto values = spread->values.data<float>();
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }))
      return std::nullopt;
    return ChannelNumbers(values.begin(), values.end());
  }
  std::optional<Linear> linear_of(InstructionId id, int depth) {
    if (depth > kDeepestSum) return std::nullopt;
    if (std::optional<ChannelNumbers> numbers = numbers_of(id))
      return Linear{{}, std::move(*numbers)};
    const Instruction& i = r_[id];
    switch (i.opcode) {
      case Opcode::kConvert: {
        const PrimitiveType type = r_.type(i.operands[0]);
        if (!is_integer(type) || hlo::type_bits(type) < 8 || hlo::type_bits(type) > 32)
          return std::nullopt;
        return Linear{{{i.operands[0], {1}}}};
      }
      case Opcode::kAdd:
      case Opcode::kSubtract: {
        std::optional<Linear> a = linear_of(i.operands[0], depth + 1);
        const std::optional<Linear> b = linear_of(i.operands[1], depth + 1);
        if (!a || !b) return std::nullopt;
        a->add(*b, i.opcode == Opcode::kAdd ? 1 : -1);
        return a;
      }
      case Opcode::kMultiply:
      case Opcode::kDivide: {
        const size_t by = i.opcode == Opcode::kDivide || numbers_of(i.operands[1]) ? 1 : 0;
        const std::optional<ChannelNumbers> numbers = numbers_of(i.operands[by]);
        std::optional<Linear> sum = linear_of(i.operands[1 - by], depth + 1);
        if (!numbers || !sum) return std::nullopt;
        sum->scale(*numbers, i.opcode == Opcode::kDivide);
        return sum;
      }
      default: return std::nullopt;
    }
  }

  const Rewriter& r_;
  InstructionId next_ = kNone;
};

// One accumulator alone is told by its step function (requantize.cpp), and stays as it is written
// where no number equals it; but with a bias in floats, or as a product of two arrays, it comes
// from floats, and is as near to them as the sum of several is.
bool comes_from_floats(const Rewriter& r, const Linear& linear) {
  const ChannelNumbers& bias = linear.constant;
  return linear.terms.size() > 1 || r[linear.terms.begin()->first].opcode == Opcode::kMultiply ||
         std::any_of(bias.begin(), bias.end(), [](double x) { return x != 0; });
}

// (sum of x * factor + offset) >> shift, of numbers for each channel.
struct FixedSum {
  std::map<InstructionId, std::vector<int64_t>> factors;
  std::vector<int64_t> offsets;
  int shift = 0;
};

// A number of few bits can be half of two: such sums end in ties, which are rounded to even.
bool has_ties(int64_t factor) { return factor % (int64_t{1} << 16) == 0; }

std::optional<FixedSum> fixed_sum(const Linear& linear, IntegerRanges& ranges, size_t channels) {
  double largest = 0;
  for (const auto& [id, numbers] : linear.terms)
    for (const double number : numbers) largest = std::max(largest, std::fabs(number));
  if (!(largest >= kLeastScale && largest < kMostScale)) return std::nullopt;
  FixedSum out;
  out.shift = kFactorBits - 1 - std::ilogb(largest);
  for (size_t channel = 0; channel < channels; ++channel) {
    const double offset = std::ldexp(of_channel(linear.constant, channel) + 0.5, out.shift);
    if (!(std::fabs(offset) < 0x1p61)) return std::nullopt;
    out.offsets.push_back(std::llround(offset));
    __int128 most = std::llabs(out.offsets.back());
    bool ties = true;
    for (const auto& [id, numbers] : linear.terms) {
      const int64_t factor = std::llround(std::ldexp(of_channel(numbers, channel), out.shift));
      if (factor != 0 && std::llabs(factor) < (int64_t{1} << (kFewestBits - 1)))
        return std::nullopt;
      ties = ties && has_ties(factor);
      const Range range = ranges.of(id);
      most += std::max(range.high, -range.low) * std::llabs(factor);
      out.factors[id].push_back(factor);
    }
    // In 64 bits before the shift, and in 32 behind it.
    if (ties || most >> std::min(62, out.shift + 30) != 0) return std::nullopt;
  }
  return out;
}

class SumBuilder {
 public:
  SumBuilder(Rewriter& r, const SumReader& read, const Shape& shape)
      : r_(r), read_(read), shape_(shape) {}

  InstructionId build(const FixedSum& fixed) {
    InstructionId sum = kNone;
    for (const auto& [id, factors] : fixed.factors) {
      const InstructionId product = binary(
          r_, Opcode::kMultiply, convert(r_, id, kS64),
          convert(r_, spread(Literal::array<int32_t>(kS32, sizes(factors), narrowed(factors))),
                  kS64));
      sum = sum == kNone ? product : binary(r_, Opcode::kAdd, sum, product);
    }
    sum = binary(r_, Opcode::kAdd, sum,
                 spread(Literal::array<int64_t>(kS64, sizes(fixed.offsets), fixed.offsets)));
    sum = binary(r_, Opcode::kShiftRightArithmetic, sum,
                 splat(r_, Literal::scalar(kS64, int64_t{fixed.shift}), shape_.dimensions));
    sum = convert(r_, sum, kS32);
    sum = binary(r_, Opcode::kMaximum, sum, every(read_.low));
    sum = binary(r_, Opcode::kMinimum, sum, every(read_.high));
    if (read_.zero != 0) sum = binary(r_, Opcode::kAdd, sum, every(read_.zero));
    return convert(r_, sum, shape_.element_type);
  }

 private:
  static std::vector<int32_t> narrowed(const std::vector<int64_t>& values) {
    return {values.begin(), values.end()};
  }
  Dimensions sizes(const std::vector<int64_t>& values) const {
    return values.size() == 1 ? Dimensions{} : read_.sizes;
  }
  InstructionId spread(const Literal& values) {
    return broadcast_constant(r_, values, shape_.dimensions,
                              values.shape().rank() == 0 ? Dimensions{} : read_.mapping);
  }
  InstructionId every(double value) {
    return splat(r_, Literal::scalar(kS32, static_cast<int32_t>(value)), shape_.dimensions);
  }

  Rewriter& r_;
  const SumReader& read_;
  const Shape& shape_;
};

}  // namespace

InstructionId requantized_sum(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                              const Target& target) {
  if (!target.options.integer_qdq || !costs::sums_in_64_bits_pay(target)) return kNone;
  if (r.type(last.operands[0]) != kF32 || !is_integer(last.shape.element_type)) return kNone;
  SumReader read(r, range_of_type(last.shape.element_type));
  if (!read.read(last.operands[0])) return kNone;
  if (read.linear.terms.empty() || read.linear.terms.size() > kMostTerms ||
      !comes_from_floats(r, read.linear))
    return kNone;
  const size_t channels = read.sizes.empty() ? 1 : static_cast<size_t>(product(read.sizes));
  const std::optional<FixedSum> fixed = fixed_sum(read.linear, ranges, channels);
  return fixed ? SumBuilder(r, read, last.shape).build(*fixed) : kNone;
}

}  // namespace hlocc::transforms
