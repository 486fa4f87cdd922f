// Interval arithmetic over instructions. Chains are walked from the first operand on, with a bound
// on depth: what is deeper is as wide as its type, which is never wrong.
#include "transforms/integers/integer_ranges.h"

#include <algorithm>

#include "hlo/along.h"
#include "ops/reducer.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

bool is_integral(const Shape& shape) {
  return is_integer(shape.element_type) || is_pred(shape.element_type);
}

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Of two numbers without sign of 64 bits 127 bits may not hold the product, nor does any type.
Range product_of(const Range& a, const Range& b) {
  constexpr __int128 kHalf = __int128{1} << 63;
  if (a.high > kHalf && b.high > kHalf) return {0, kHalf << 63};
  const __int128 corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Range range_of_literal(const Literal& literal) {
  if (literal.element_count() == 0) return {};
  const auto [least, most] = std::ranges::minmax(whole_numbers(literal));
  // Beyond 63 bits numbers without sign wrap.
  return least < 0 && !is_signed(literal.type()) ? range_of_type(literal.type())
                                                 : Range{least, most};
}

// Sums of products of numbers in `range` with known weights: the widest over the channels, which
// are the positions along a dimension. Zeros that pad may take any number's place.
Range weighted(const Literal& weights, int64_t dimension, const Range& range) {
  const hlo::Along channels(weights.shape().dimensions, dimension);
  struct Sums {
    __int128 above = 0, below = 0;  // of the weights on either side of zero
  };
  std::vector<Sums> sums(static_cast<size_t>(channels.places));
  for (int64_t at = 0; at < weights.element_count(); ++at) {
    Sums& sum = sums[static_cast<size_t>(channels.place(at))];
    const int64_t weight = integer_at(weights, at);
    (weight > 0 ? sum.above : sum.below) += weight;
  }
  const Range wide = hull(range, {0, 0});
  Range all;
  for (const Sums& sum : sums)
    all = hull(all, {sum.above * wide.low + sum.below * wide.high,
                     sum.above * wide.high + sum.below * wide.low});
  return all;
}

constexpr int kMaxDepth = 200;

}  // namespace

Range range_of_type(PrimitiveType type) {
  const int bits = is_pred(type) ? 1 : hlo::type_bits(type);
  const __int128 one = 1;
  if (is_signed(type)) return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
  return {0, (one << bits) - 1};
}

Range IntegerRanges::of(InstructionId id) {
  if (const auto found = ranges_.find(id); found != ranges_.end()) return found->second;
  const Range range = depth_ < kMaxDepth ? of(r_[id]) : range_of_type(r_.type(id));
  return ranges_[id] = range;
}

Range IntegerRanges::of(const Instruction& instruction) {
  const Range all = range_of_type(instruction.shape.element_type);
  ++depth_;
  const std::optional<Range> range = known(instruction);
  --depth_;
  return range && range->within(all) ? *range : all;
}

std::optional<Range> IntegerRanges::known(const Instruction& i) {
  for (InstructionId operand : i.operands)
    if (!is_integral(r_.shape(operand))) return std::nullopt;
  const auto operand = [&](size_t at) { return of(i.operands[at]); };
  switch (i.opcode) {
    case Opcode::kConstant: return range_of_literal(i.get<hlo::ConstantAttributes>().value);
    case Opcode::kIota: return Range{0, i.shape.dimensions[i.get<hlo::IotaAttributes>().dimension]};
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kReverse:
    case Opcode::kSlice:
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
    case Opcode::kConvert: return operand(0);
    case Opcode::kConcatenate: {
      Range all = operand(0);
      for (size_t k = 1; k < i.operands.size(); ++k) all = hull(all, operand(k));
      return all;
    }
    case Opcode::kPad: return hull(operand(0), operand(1));
    case Opcode::kSelect: return hull(operand(1), operand(2));
    case Opcode::kAdd:
      return Range{operand(0).low + operand(1).low, operand(0).high + operand(1).high};
    case Opcode::kSubtract:
      return Range{operand(0).low - operand(1).high, operand(0).high - operand(1).low};
    case Opcode::kNegate: return Range{-operand(0).high, -operand(0).low};
    case Opcode::kMultiply: return product_of(operand(0), operand(1));
    case Opcode::kMaximum:
      return Range{std::max(operand(0).low, operand(1).low),
                   std::max(operand(0).high, operand(1).high)};
    case Opcode::kMinimum:
      return Range{std::min(operand(0).low, operand(1).low),
                   std::min(operand(0).high, operand(1).high)};
    case Opcode::kClamp: {
      const Range low = operand(0), x = operand(1), high = operand(2);
      return Range{std::min(std::max(low.low, x.low), high.low),
                   std::min(std::max(low.high, x.high), high.high)};
    }
    case Opcode::kShiftRightArithmetic: {
      const Range x = operand(0), by = operand(1);
      if (!is_signed(i.shape.element_type) || by.low < 0) return std::nullopt;
      const int least = static_cast<int>(std::min<__int128>(by.low, 63)),
                most = static_cast<int>(std::min<__int128>(by.high, 63));
      return hull({x.low >> least, x.high >> least}, {x.low >> most, x.high >> most});
    }
    case Opcode::kReduce:
    case Opcode::kDot:
    case Opcode::kConvolution: return contraction(i);
    default: return std::nullopt;
  }
}

// Sums of so many elements or products: 63 bits count them, so that 128 hold what words come to.
std::optional<Range> IntegerRanges::contraction(const Instruction& i) {
  int64_t count = 1, channel = kNone;
  if (i.opcode == Opcode::kReduce) {
    const std::optional<Opcode> reducer = ops::plain_reducer(r_.module().computations[i.called[0]]);
    for (int64_t d : i.get<hlo::DimensionsAttributes>().dimensions)
      count *= r_.shape(i.operands[0]).dimensions[d];
    const Range element = of(i.operands[0]), start = of(i.operands[1]);
    if (reducer == Opcode::kMaximum || reducer == Opcode::kMinimum) return hull(element, start);
    if (reducer != Opcode::kAdd) return std::nullopt;
    const Range sum = product_of(element, {0, count});
    return Range{sum.low + start.low, sum.high + start.high};
  }
  if (i.opcode == Opcode::kDot) {
    const auto& dot = i.get<hlo::DotAttributes>();
    for (int64_t d : dot.lhs_contracting) count *= r_.shape(i.operands[0]).dimensions[d];
    if (r_.shape(i.operands[1]).rank() == 2 && dot.rhs_contracting.size() == 1)
      channel = 1 - dot.rhs_contracting[0];
  } else {
    const Shape& kernel = r_.shape(i.operands[1]);
    channel = i.get<hlo::ConvolutionAttributes>().kernel_output_feature;
    const int64_t outputs = kernel.dimensions[channel];
    count = kernel.element_count() / std::max<int64_t>(outputs, 1);
  }
  const Range a = of(i.operands[0]), b = of(i.operands[1]);
  const Range small = range_of_type(PrimitiveType::kS32);
  if (!a.within(small) || !b.within(small)) return std::nullopt;
  InstructionId right = i.operands[1];
  while (r_[right].opcode == Opcode::kConvert && is_integral(r_.shape(r_[right].operands[0])) &&
         of(r_[right].operands[0]).within(range_of_type(r_.type(right))))
    right = r_[right].operands[0];
  if (const Literal* weights = constant_value(r_, right); weights != nullptr && channel != kNone)
    return weighted(*weights, channel, a);
  return product_of(product_of(a, b), {0, count});
}

}  // namespace hlocc::transforms
