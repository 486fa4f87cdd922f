// See rounding_patterns.h. Masks and halves are formulas of the shift or constants; they are
// compared number by number.
#include "transforms/integers/rounding_patterns.h"

#include <algorithm>

#include "transforms/build.h"
#include "transforms/integers/quantized_step.h"

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

std::optional<ChannelConstants> numbers_of(const Rewriter& r, InstructionId id, int depth = 0);

// What is stored of a number in a signed type of 32 or 64 bits.
std::optional<int64_t> wrapped(PrimitiveType type, int64_t x) {
  if (type == PrimitiveType::kS64) return x;
  if (type != PrimitiveType::kS32) return std::nullopt;
  return static_cast<int32_t>(static_cast<uint32_t>(x));
}

std::optional<int64_t> calculated(const Instruction& i, int64_t x, int64_t y) {
  if (i.opcode == Opcode::kShiftLeft || i.opcode == Opcode::kShiftRightArithmetic)
    if (y < 0 || y >= hlo::type_bits(i.shape.element_type)) return std::nullopt;
  const auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  const auto stored = [&](uint64_t bits) {
    return wrapped(i.shape.element_type, static_cast<int64_t>(bits));
  };
  switch (i.opcode) {
    case Opcode::kAdd: return stored(a + b);
    case Opcode::kSubtract: return stored(a - b);
    case Opcode::kShiftLeft: return stored(a << b);
    case Opcode::kShiftRightArithmetic: return stored(static_cast<uint64_t>(x >> y));
    default: return std::nullopt;
  }
}

// Arithmetic on numbers, place by place.
template <typename Calculate>
std::optional<ChannelConstants> zipped(const ChannelConstants& a, const ChannelConstants& b,
                                       const Calculate& calculate) {
  if (!a.fits(b)) return std::nullopt;
  ChannelConstants all = a.is_one() ? b : a;
  for (size_t place = 0; place < all.values.size(); ++place) {
    const std::optional<int64_t> number = calculate(a.at(place), b.at(place));
    if (!number) return std::nullopt;
    all.values[place] = *number;
  }
  return all;
}

std::optional<ChannelConstants> arithmetic(const Rewriter& r, const Instruction& i, int depth) {
  if (i.operands.size() != 2) return std::nullopt;
  const std::optional<ChannelConstants> a = numbers_of(r, i.operands[0], depth + 1);
  if (!a) return std::nullopt;
  const std::optional<ChannelConstants> b = numbers_of(r, i.operands[1], depth + 1);
  if (!b) return std::nullopt;
  return zipped(*a, *b, [&](int64_t x, int64_t y) { return calculated(i, x, y); });
}

// Of signed constants, broadcasts of them, and arithmetic on such.
std::optional<ChannelConstants> numbers_of(const Rewriter& r, InstructionId id, int depth) {
  if (depth > 4 || !is_signed(r.type(id))) return std::nullopt;
  const std::optional<ChannelConstant> constant = channel_constant(r, id);
  if (!constant) return arithmetic(r, r[id], depth);
  ChannelConstants numbers{{}, constant->mapping, constant->values.shape().dimensions};
  for (int64_t at = 0; at < constant->count(); ++at) numbers.values.push_back(constant->whole(at));
  return numbers;
}

// All numbers are what `expected` makes of the shifts.
template <typename Expected>
bool are(const std::optional<ChannelConstants>& numbers, const ChannelConstants& shifts,
         const Expected& expected) {
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
  const std::optional<ChannelConstants> shifts = numbers_of(r, by);
  if (!shifts) return false;
  for (const int64_t shift : shifts->values)
    if (static_cast<uint64_t>(shift) > 31) return false;
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

// What is added where a value is not negative, and where it is.
struct BySign {
  ChannelConstants number, if_negative;
};

// The sign's bit in every place of the number; with a mask, those of the mask.
std::optional<BySign> sign_bits(const Rewriter& r, const Instruction& i, InstructionId value) {
  const ChannelConstants none{{0}, {}, {}};
  if (i.opcode == Opcode::kShiftRightArithmetic)
    return i.operands[0] == value &&
                   every_number(r, i.operands[1]) == hlo::type_bits(i.shape.element_type) - 1
               ? std::optional(BySign{none, {{-1}, {}, {}}})
               : std::nullopt;
  for (const int place : {0, 1}) {
    const Instruction& bits = r[i.operands[place]];
    if (bits.opcode != Opcode::kShiftRightArithmetic || !sign_bits(r, bits, value)) continue;
    const std::optional<ChannelConstants> mask = numbers_of(r, i.operands[1 - place]);
    if (mask) return BySign{none, *mask};
  }
  return std::nullopt;
}

std::optional<BySign> chosen_by_sign(const Rewriter& r, const Instruction& i, InstructionId value) {
  const std::optional<bool> is_negative = sign_test(r, i.operands[0], value);
  if (!is_negative) return std::nullopt;
  const std::optional<ChannelConstants> yes = numbers_of(r, i.operands[1]),
                                        no = numbers_of(r, i.operands[2]);
  if (!yes || !no) return std::nullopt;
  return *is_negative ? BySign{*no, *yes} : BySign{*yes, *no};
}

// A number that the sign of `value` alone decides.
std::optional<BySign> by_sign(const Rewriter& r, InstructionId id, InstructionId value) {
  if (const std::optional<ChannelConstants> same = numbers_of(r, id)) return BySign{*same, *same};
  const Instruction& i = r[id];
  switch (i.opcode) {
    case Opcode::kSelect: return chosen_by_sign(r, i, value);
    case Opcode::kShiftRightArithmetic:
    case Opcode::kAnd: return sign_bits(r, i, value);
    case Opcode::kConvert: {
      const std::optional<bool> is_negative = sign_test(r, i.operands[0], value);
      if (!is_negative) return std::nullopt;
      return BySign{{{*is_negative ? 0 : 1}, {}, {}}, {{*is_negative ? 1 : 0}, {}, {}}};
    }
    default: return std::nullopt;
  }
}

// What a tree of sums and differences adds up.
struct Term {
  InstructionId id;
  bool is_taken_off;
};

constexpr int kMaxSumsApart = 2;
constexpr size_t kMaxTerms = 4;

// With up to so many sums below this one taken apart.
bool terms_of(const Rewriter& r, const Instruction& sum, bool is_taken_off, int depth,
              std::vector<Term>& terms) {
  for (const size_t place : {0, 1}) {
    const InstructionId id = sum.operands[place];
    const bool off = is_taken_off != (place == 1 && sum.opcode == Opcode::kSubtract);
    const bool is_sum = r[id].opcode == Opcode::kAdd || r[id].opcode == Opcode::kSubtract;
    if (is_sum && depth > 0 && !numbers_of(r, id)) {
      if (!terms_of(r, r[id], off, depth - 1, terms)) return false;
    } else if (terms.size() < kMaxTerms) {
      terms.push_back({id, off});
    } else {
      return false;
    }
  }
  return true;
}

// Of all terms but `value`, which is one of them.
std::optional<BySign> sum_by_sign(const Rewriter& r, const std::vector<Term>& terms,
                                  InstructionId value) {
  const auto added = [](const ChannelConstants& a, const ChannelConstants& b, bool off) {
    return zipped(a, b, [&](int64_t x, int64_t y) -> std::optional<int64_t> {
      int64_t sum = 0;
      if (off ? __builtin_sub_overflow(x, y, &sum) : __builtin_add_overflow(x, y, &sum))
        return std::nullopt;
      return sum;
    });
  };
  BySign all{{{0}, {}, {}}, {{0}, {}, {}}};
  bool is_met = false;
  for (const Term& term : terms) {
    if (term.id == value && !is_met && !term.is_taken_off) {
      is_met = true;
      continue;
    }
    const std::optional<BySign> one = by_sign(r, term.id, value);
    if (!one) return std::nullopt;
    const auto number = added(all.number, one->number, term.is_taken_off),
               if_negative = added(all.if_negative, one->if_negative, term.is_taken_off);
    if (!number || !if_negative) return std::nullopt;
    all = {*number, *if_negative};
  }
  return all;
}

// Which rises with the value, and is no plain sum.
bool is_nudge(const BySign& sums) {
  if (!sums.number.fits(sums.if_negative)) return false;
  bool differs = false;
  for (size_t at = 0; at < std::max(sums.number.values.size(), sums.if_negative.values.size());
       ++at) {
    if (sums.if_negative.at(at) > sums.number.at(at)) return false;
    differs |= sums.if_negative.at(at) != sums.number.at(at);
  }
  return differs;
}

}  // namespace

std::optional<Nudge> nudged(const Rewriter& r, const Instruction& sum) {
  if (!is_signed(sum.shape.element_type)) return std::nullopt;
  // The value may be a sum itself.
  for (int depth = 0; depth <= kMaxSumsApart; ++depth) {
    std::vector<Term> terms;
    if (!terms_of(r, sum, false, depth, terms)) break;
    for (const Term& one : terms) {
      if (one.is_taken_off || numbers_of(r, one.id)) continue;
      const std::optional<BySign> rest = sum_by_sign(r, terms, one.id);
      if (rest && is_nudge(*rest)) return Nudge{one.id, rest->number, rest->if_negative};
    }
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
