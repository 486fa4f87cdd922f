// See rounding_patterns.h. What is read of a value is its sign alone, or the bits that are shifted
// out: then what they come to is asked of the interpreter, at 0 and at -1.
#include "transforms/integers/rounding_patterns.h"

#include <algorithm>
#include <limits>

#include "transforms/build.h"
#include "transforms/integers/element_function.h"

namespace hlocc::transforms {
namespace {

constexpr int kDeepestNumber = 4, kDeepestNudge = 3;
constexpr int kDeepest = kDeepestNudge + 1 + kDeepestNumber;
// Of a sum of a sum of a sum.
constexpr size_t kMostAddends = 14;

bool is_sum(const Instruction& i) {
  return i.opcode == Opcode::kAdd || i.opcode == Opcode::kSubtract;
}

// A value, and the number that it is taken to be.
struct Assumed {
  InstructionId value = kNone;
  int64_t number = 0;
};

std::optional<ChannelConstant> known(const Rewriter& r, InstructionId id, const Assumed& assumed,
                                     int levels);

// Constants, and so many levels of arithmetic on them and on the value, by the interpreter's
// meaning.
std::optional<ChannelConstant> known(const Rewriter& r, const Instruction& i,
                                     const Assumed& assumed, int levels) {
  if (!is_element_step(i) || levels == 0) return std::nullopt;
  std::vector<Literal> operands;
  ChannelConstant all;
  for (const InstructionId operand : i.operands) {
    const std::optional<ChannelConstant> one = known(r, operand, assumed, levels - 1);
    if (!one || !one->lies_along(all)) return std::nullopt;
    if (!one->is_one()) all = *one;
    operands.push_back(one->values);
  }
  const Dimensions sizes = all.values.shape().dimensions;
  for (Literal& operand : operands)
    if (operand.shape().dimensions != sizes) operand = repeated(operand, sizes);
  return ChannelConstant{evaluated(r.module(), i, operands, sizes), all.mapping};
}

std::optional<ChannelConstant> known(const Rewriter& r, InstructionId id, const Assumed& assumed,
                                     int levels) {
  if (id == assumed.value)
    return ChannelConstant{integer(r.type(id), static_cast<uint64_t>(assumed.number)), {}};
  std::optional<ChannelConstant> constant = channel_constant(r, id);
  return constant ? constant : known(r, r[id], assumed, levels);
}

// The sign of the value: a comparison with zero, the sign's bit in every place.
bool is_sign(const Rewriter& r, const Instruction& i, InstructionId value) {
  const bool compares = i.opcode == Opcode::kCompare;
  if ((!compares && i.opcode != Opcode::kShiftRightArithmetic) || i.operands[0] != value)
    return false;
  const std::optional<Literal> by = splat_value(r, i.operands[1]);
  if (!by) return false;
  if (!compares) return integer_at(*by, 0) == hlo::type_bits(i.shape.element_type) - 1;
  const hlo::Direction direction = i.get<hlo::CompareAttributes>().direction;
  return integer_at(*by, 0) == 0 &&
         (direction == hlo::Direction::kLt || direction == hlo::Direction::kGe);
}

// A number that the sign of the value alone decides, or none.
bool is_by_sign(const Rewriter& r, InstructionId id, InstructionId value, int depth = 0) {
  if (channel_constant(r, id) || is_sign(r, r[id], value)) return true;
  return id != value && depth <= kDeepestNumber && is_element_step(r[id]) &&
         std::ranges::all_of(r[id].operands, [&](InstructionId operand) {
           return is_by_sign(r, operand, value, depth + 1);
         });
}

// The value, plus and less numbers that its sign decides.
bool is_moved_by_sign(const Rewriter& r, const Instruction& sum, InstructionId value, int depth) {
  if (!is_sum(sum) || depth == 0) return false;
  for (const size_t place : {0, 1}) {
    const InstructionId inner = sum.operands[place];
    if ((place == 0 || sum.opcode == Opcode::kAdd) &&
        is_by_sign(r, sum.operands[1 - place], value) &&
        (inner == value || is_moved_by_sign(r, r[inner], value, depth - 1)))
      return true;
  }
  return false;
}

template <typename Holds>
bool all_places(const ChannelConstant& a, const ChannelConstant& b, const Holds& holds) {
  bool all = a.lies_along(b);
  for (int64_t at = 0; all && at < std::max(a.count(), b.count()); ++at)
    all = holds(a.whole(at), b.whole(at));
  return all;
}

std::optional<QuantizedStep> nudge(const Rewriter& r, const Instruction& sum) {
  std::vector<InstructionId> values = sum.operands;
  for (size_t at = 0; at < values.size() && values.size() < kMostAddends; ++at)
    if (is_sum(r[values[at]]))
      values.insert(values.end(), r[values[at]].operands.begin(), r[values[at]].operands.end());
  for (const InstructionId value : values) {
    if (channel_constant(r, value) || !is_moved_by_sign(r, sum, value, kDeepestNudge)) continue;
    const auto number = known(r, sum, {value, 0}, kDeepest);
    auto below = known(r, sum, {value, -1}, kDeepest);
    if (!number || !below) continue;
    std::vector<int64_t> numbers = whole_numbers(below->values);
    if (std::ranges::count(numbers, std::numeric_limits<int64_t>::max()) > 0) continue;
    for (int64_t& x : numbers) x += 1;
    below->values = integers(PrimitiveType::kS64, below->values.shape().dimensions, numbers);
    // Which rises with the value, and is no plain sum.
    if (all_places(*number, *below, std::greater_equal<>()) &&
        !all_places(*number, *below, std::equal_to<>()))
      return QuantizedStep{StepKind::kNudge, value, *number, *below};
  }
  return std::nullopt;
}

std::optional<QuantizedStep> rounding_shift(const Rewriter& r, const Instruction& sum) {
  for (const size_t place : {0, 1}) {
    const Instruction &shift = r[sum.operands[place]], &up = r[sum.operands[1 - place]];
    if (shift.opcode != Opcode::kShiftRightArithmetic || up.opcode != Opcode::kConvert) continue;
    const InstructionId value = shift.operands[0];
    const Instruction& more = r[up.operands[0]];
    if (more.opcode != Opcode::kCompare ||
        more.get<hlo::CompareAttributes>().direction != hlo::Direction::kGt)
      continue;
    const Instruction& rest = r[more.operands[0]];
    if (rest.opcode != Opcode::kAnd || std::ranges::count(rest.operands, value) != 1) continue;
    const InstructionId limit = more.operands[1], mask = rest.operands[rest.operands[0] == value];
    if (!is_by_sign(r, limit, value)) continue;
    const auto by = channel_constant(r, shift.operands[1]);
    const auto ones = known(r, mask, {}, kDeepestNumber),
               half = known(r, limit, {value, 0}, kDeepest),
               below = known(r, limit, {value, -1}, kDeepest);
    const auto is_mask = [](int64_t bits, int64_t mask) {
      return 0 <= bits && bits < 32 && mask == (int64_t{1} << bits) - 1;
    };
    if (by && ones && half && below && all_places(*by, *ones, is_mask) &&
        all_places(*ones, *half, [](int64_t mask, int64_t x) { return x == mask >> 1; }) &&
        all_places(*half, *below, [](int64_t x, int64_t y) { return y == x + 1; }))
      return QuantizedStep{StepKind::kRoundingShift, value, *by, {}};
  }
  return std::nullopt;
}

constexpr std::optional<QuantizedStep> (*kPatterns[])(const Rewriter&, const Instruction&) = {
    nudge, rounding_shift};

}  // namespace

std::optional<QuantizedStep> rounding_pattern(const Rewriter& r, const Instruction& sum) {
  if (!is_sum(sum) || !is_signed(sum.shape.element_type)) return std::nullopt;
  for (const auto& pattern : kPatterns)
    if (std::optional<QuantizedStep> step = pattern(r, sum)) return step;
  return std::nullopt;
}

}  // namespace hlocc::transforms
