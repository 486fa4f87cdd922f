// See rounding_spellings.h. Masks and halves are formulas of the shift or constants; they are
// compared number by number.
#include "transforms/integers/rounding_spellings.h"

#include <algorithm>

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

// The other operand of a sum that one of the ids is an operand of; kNone if it is not.
InstructionId other_operand(const Instruction& sum, InstructionId one) {
  return sum.operands[0] == one   ? sum.operands[1]
         : sum.operands[1] == one ? sum.operands[0]
                                  : kNone;
}

std::optional<int64_t> every_number(const Rewriter& r, InstructionId id) {
  const std::optional<Literal> value = splat_value(r, id);
  return value ? std::optional(integer_at(*value, 0)) : std::nullopt;
}

// True for value < 0; false for value >= 0; none for anything else.
std::optional<bool> sign_test(const Rewriter& r, InstructionId id, InstructionId value) {
  const Instruction& i = r[id];
  if (i.opcode != Opcode::kCompare || i.operands[0] != value || every_number(r, i.operands[1]) != 0)
    return std::nullopt;
  const hlo::Direction direction = i.get<hlo::CompareAttributes>().direction;
  if (direction == hlo::Direction::kLt) return true;
  if (direction == hlo::Direction::kGe) return false;
  return std::nullopt;
}

// What is the same in every place, or differs along the dimensions of `mapping`.
struct Numbers {
  std::vector<int64_t> values;
  Dimensions mapping;

  bool is_one() const { return values.size() == 1; }
  int64_t at(size_t place) const { return values[is_one() ? 0 : place]; }
  bool fits(const Numbers& other) const {
    return is_one() || other.is_one() || mapping == other.mapping;
  }
};

bool are_words(const Numbers& numbers) {
  const int64_t limit = int64_t{1} << 31;
  return std::all_of(numbers.values.begin(), numbers.values.end(),
                     [&](int64_t value) { return -limit <= value && value < limit; });
}

std::optional<Numbers> numbers_of(const Rewriter& r, InstructionId id, int depth = 0);

// Arithmetic on numbers, of words that do not overflow.
std::optional<Numbers> arithmetic(const Rewriter& r, const Instruction& i, int depth) {
  if (i.opcode != Opcode::kSubtract && i.opcode != Opcode::kShiftLeft &&
      i.opcode != Opcode::kShiftRightArithmetic)
    return std::nullopt;
  const std::optional<Numbers> a = numbers_of(r, i.operands[0], depth + 1),
                               b = numbers_of(r, i.operands[1], depth + 1);
  if (!a || !b || !a->fits(*b)) return std::nullopt;
  Numbers numbers{{}, a->is_one() ? b->mapping : a->mapping};
  for (size_t place = 0; place < std::max(a->values.size(), b->values.size()); ++place) {
    const int64_t x = a->at(place), y = b->at(place);
    if (i.opcode == Opcode::kSubtract) {
      numbers.values.push_back(x - y);
      continue;
    }
    if (y < 0 || y > 30) return std::nullopt;
    numbers.values.push_back(i.opcode == Opcode::kShiftLeft ? x * (int64_t{1} << y) : x >> y);
  }
  return are_words(numbers) ? std::optional(numbers) : std::nullopt;
}

// Of signed constants, broadcasts of them, and arithmetic on such.
std::optional<Numbers> numbers_of(const Rewriter& r, InstructionId id, int depth) {
  if (depth > 4) return std::nullopt;
  if (const std::optional<int64_t> number = every_number(r, id)) return Numbers{{*number}, {}};
  const std::optional<SpreadConstant> spread = spread_constant(r, id);
  if (!spread) return arithmetic(r, r[id], depth);
  Numbers numbers{{}, spread->mapping};
  for (int64_t at = 0; at < spread->values.element_count(); ++at)
    numbers.values.push_back(integer_at(spread->values, at));
  return are_words(numbers) ? std::optional(numbers) : std::nullopt;
}

// All numbers are what `expected` makes of the shifts.
template <typename Expected>
bool are(const std::optional<Numbers>& numbers, const Numbers& shifts, const Expected& expected) {
  if (!numbers || !numbers->fits(shifts) || (shifts.is_one() && !numbers->is_one())) return false;
  for (size_t at = 0; at < shifts.values.size(); ++at)
    if (numbers->at(at) != expected(shifts.values[at])) return false;
  return true;
}

// convert(remainder > half + (value < 0)), with the bits of value below `by` and half of them.
bool is_more_than_half(const Rewriter& r, InstructionId id, InstructionId value, InstructionId by) {
  const Instruction& one = r[id];
  if (one.opcode != Opcode::kConvert || r[one.operands[0]].opcode != Opcode::kCompare) return false;
  const Instruction& more = r[one.operands[0]];
  if (more.get<hlo::CompareAttributes>().direction != hlo::Direction::kGt) return false;
  const Instruction &rest = r[more.operands[0]], &limit = r[more.operands[1]];
  if (rest.opcode != Opcode::kAnd || limit.opcode != Opcode::kAdd) return false;
  const InstructionId mask = other_operand(rest, value);
  if (mask == kNone) return false;
  const std::optional<Numbers> shifts = numbers_of(r, by);
  if (!shifts) return false;
  for (const int64_t shift : shifts->values)
    if (static_cast<uint64_t>(shift) > 30) return false;
  if (!are(numbers_of(r, mask), *shifts, [](int64_t s) { return (int64_t{1} << s) - 1; }))
    return false;
  for (const int place : {0, 1}) {
    const Instruction& negative = r[limit.operands[place]];
    if (negative.opcode == Opcode::kConvert &&
        sign_test(r, negative.operands[0], value) == std::optional(true) &&
        are(numbers_of(r, limit.operands[1 - place]), *shifts,
            [](int64_t s) { return ((int64_t{1} << s) - 1) >> 1; }))
      return true;
  }
  return false;
}

}  // namespace

std::optional<Nudge> nudged(const Rewriter& r, const Instruction& sum) {
  if (!is_signed(sum.shape.element_type)) return std::nullopt;
  for (const InstructionId value : sum.operands) {
    const Instruction& choice = r[other_operand(sum, value)];
    if (choice.opcode != Opcode::kSelect) continue;
    const std::optional<bool> is_negative = sign_test(r, choice.operands[0], value);
    const std::optional<int64_t> yes = every_number(r, choice.operands[1]),
                                 no = every_number(r, choice.operands[2]);
    if (!is_negative || !yes || !no) continue;
    const Nudge nudge{value, *is_negative ? *no : *yes, *is_negative ? *yes : *no};
    if (nudge.if_negative <= nudge.number) return nudge;
  }
  return std::nullopt;
}

std::optional<NearestShift> nearest_shift(const Rewriter& r, const Instruction& sum) {
  if (!is_signed(sum.shape.element_type)) return std::nullopt;
  for (const InstructionId operand : sum.operands) {
    const Instruction& shift = r[operand];
    if (shift.opcode != Opcode::kShiftRightArithmetic) continue;
    const NearestShift rounded{shift.operands[0], shift.operands[1]};
    if (is_more_than_half(r, other_operand(sum, operand), rounded.value, rounded.by))
      return rounded;
  }
  return std::nullopt;
}

}  // namespace hlocc::transforms
