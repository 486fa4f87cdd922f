// See evaluate.h. Integers are computed in 64 bits and wrap to their type, floats in doubles and
// round to theirs, which is one rounding for f32. What moves elements is a list of places.
#include "import/build/evaluate.h"

#include <algorithm>
#include <cmath>

#include "import/build/moves.h"
#include "import/build/numbers.h"

namespace hlocc::import {
namespace {

using hlo::Direction;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::PrimitiveType;
using Reals = std::vector<double>;
using Integers = std::vector<int64_t>;

std::optional<int64_t> fold(Opcode opcode, int64_t a, int64_t b) {
  const auto wrapped = [](uint64_t value) { return static_cast<int64_t>(value); };
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (opcode) {
    case Opcode::kAdd: return wrapped(x + y);
    case Opcode::kSubtract: return wrapped(x - y);
    case Opcode::kMultiply: return wrapped(x * y);
    case Opcode::kMaximum: return std::max(a, b);
    case Opcode::kMinimum: return std::min(a, b);
    case Opcode::kAnd: return a & b;
    case Opcode::kOr: return a | b;
    case Opcode::kXor: return a ^ b;
    case Opcode::kDivide: return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case Opcode::kRemainder: return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    default: return std::nullopt;
  }
}

std::optional<double> fold(Opcode opcode, double a, double b) {
  switch (opcode) {
    case Opcode::kAdd: return a + b;
    case Opcode::kSubtract: return a - b;
    case Opcode::kMultiply: return a * b;
    case Opcode::kDivide: return a / b;
    case Opcode::kMaximum: return std::isnan(a) || a > b ? a : b;
    case Opcode::kMinimum: return std::isnan(a) || a < b ? a : b;
    default: return std::nullopt;
  }
}

std::optional<int64_t> fold(Opcode opcode, int64_t a) {
  switch (opcode) {
    case Opcode::kNegate: return fold(Opcode::kSubtract, int64_t{0}, a);
    case Opcode::kAbs: return a < 0 ? fold(Opcode::kSubtract, int64_t{0}, a) : a;
    case Opcode::kSign: return a > 0 ? 1 : a < 0 ? -1 : 0;
    default: return std::nullopt;
  }
}

std::optional<double> fold(Opcode opcode, double a) {
  switch (opcode) {
    case Opcode::kNegate: return -a;
    case Opcode::kAbs: return std::abs(a);
    case Opcode::kFloor: return std::floor(a);
    case Opcode::kCeil: return std::ceil(a);
    case Opcode::kSqrt: return std::sqrt(a);
    case Opcode::kRoundNearestEven: return std::nearbyint(a);
    default: return std::nullopt;
  }
}

template <typename T>
bool holds(Direction direction, T a, T b) {
  switch (direction) {
    case Direction::kEq: return a == b;
    case Direction::kNe: return a != b;
    case Direction::kGe: return a >= b;
    case Direction::kGt: return a > b;
    case Direction::kLe: return a <= b;
    case Direction::kLt: return a < b;
  }
  return false;
}

// All elements by a function of one number or two; nothing where it gives nothing once.
template <typename T, typename F>
std::optional<std::vector<T>> mapped(const std::vector<std::vector<T>>& operands, const F& f) {
  std::vector<T> out;
  for (size_t i = 0; i < operands[0].size(); ++i) {
    std::optional<T> value;
    if (operands.size() == 1)
      value = f(operands[0][i], T());
    else if (operands.size() == 2 && operands[1].size() == operands[0].size())
      value = f(operands[0][i], operands[1][i]);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

// An op that is none by elements may give some of none: a product over a dimension of size 0.
template <typename T>
std::optional<std::vector<T>> elementwise(const Instruction& i,
                                          const std::vector<std::vector<T>>& operands) {
  if (static_cast<int64_t>(operands[0].size()) != i.shape.element_count()) return std::nullopt;
  return mapped(operands, [&](T a, T b) {
    return operands.size() == 1 ? fold(i.opcode, a) : fold(i.opcode, a, b);
  });
}

// Dimensions vanish; every element goes into its place.
template <typename T>
std::optional<std::vector<T>> reduced(const Instruction& i, Opcode reducer, const Literal& operand,
                                      const std::vector<std::vector<T>>& values) {
  const hlo::Dimensions& sizes = operand.shape().dimensions;
  std::vector<T> out(static_cast<size_t>(i.shape.element_count()), values[1][0]);
  const std::vector<int64_t> places = places_without(sizes, i.get<hlo::DimensionsAttributes>());
  for (size_t at = 0; at < places.size(); ++at) {
    T& sum = out[static_cast<size_t>(places[at])];
    const std::optional<T> next = fold(reducer, sum, values[0][at]);
    if (!next) return std::nullopt;
    sum = *next;
  }
  return out;
}

Integers compared(const Instruction& i, const std::vector<Literal>& operands) {
  const Direction direction = i.get<hlo::CompareAttributes>().direction;
  Integers out;
  if (const auto a = reals_of(operands[0]), b = reals_of(operands[1]); a && b) {
    for (size_t at = 0; at < a->size(); ++at) out.push_back(holds(direction, (*a)[at], (*b)[at]));
  } else {
    const Integers x = integers_of(operands[0]), y = integers_of(operands[1]);
    for (size_t at = 0; at < x.size(); ++at) out.push_back(holds(direction, x[at], y[at]));
  }
  return out;
}

std::optional<Integers> converted(const Literal& from, PrimitiveType to) {
  const std::optional<Reals> reals = reals_of(from);
  if (!reals) return integers_of(from);
  // What lies beyond the type becomes its end, as in a program that runs.
  const int bits = hlo::type_bits(to) - (hlo::is_signed(to) ? 1 : 0);
  const double most = std::ldexp(1, bits) - 1, least = hlo::is_signed(to) ? -most - 1 : 0;
  Integers out;
  for (const double value : *reals) {
    if (hlo::is_pred(to)) return std::nullopt;
    if (!(std::abs(value) < 1e9)) return std::nullopt;
    out.push_back(static_cast<int64_t>(std::clamp(value, least, most)));
  }
  return out;
}

std::optional<Literal> integer_result(const Instruction& i, const std::vector<Literal>& operands,
                                      std::optional<Opcode> reducer) {
  const PrimitiveType type = i.shape.element_type;
  std::optional<Integers> out;
  std::vector<Integers> values;
  if (i.opcode == Opcode::kCompare) {
    out = compared(i, operands);
  } else if (i.opcode == Opcode::kConvert) {
    out = converted(operands[0], type);
    if (out && hlo::is_pred(type))
      for (int64_t& one : *out) one = one != 0;
  } else if (i.opcode == Opcode::kNot && hlo::is_pred(type)) {
    out = integers_of(operands[0]);
    for (int64_t& one : *out) one = one == 0;
  } else {
    for (const Literal& operand : operands) {
      if (hlo::is_float(operand.type())) return std::nullopt;
      values.push_back(integers_of(operand));
    }
    if (i.opcode == Opcode::kReduce && reducer)
      out = reduced(i, *reducer, operands[0], values);
    else if (hlo::type_bits(type) <= 64)
      out = elementwise(i, values);
  }
  if (!out) return std::nullopt;
  return literal_of(type, *out, i.shape.dimensions);
}

std::optional<Literal> real_result(const Instruction& i, const std::vector<Literal>& operands,
                                   std::optional<Opcode> reducer) {
  std::vector<Reals> values;
  for (const Literal& operand : operands) {
    std::optional<Reals> reals = reals_of(operand);
    if (!reals && i.opcode == Opcode::kConvert) {
      const Integers integers = integers_of(operand);
      reals = Reals(integers.begin(), integers.end());
    }
    if (!reals) return std::nullopt;
    values.push_back(std::move(*reals));
  }
  std::optional<Reals> out;
  if (i.opcode == Opcode::kConvert)
    out = values[0];
  else if (i.opcode == Opcode::kReduce && reducer)
    out = reduced(i, *reducer, operands[0], values);
  else
    out = elementwise(i, values);
  if (!out) return std::nullopt;
  return literal_of_reals(i.shape.element_type, *out, i.shape.dimensions);
}

// Numbers that 64 bits with a sign do not hold.
bool is_beyond_words(const Literal& literal) {
  if (literal.type() != PrimitiveType::kU64) return false;
  const Integers values = integers_of(literal);
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value < 0; });
}

}  // namespace

std::optional<Literal> evaluate(const Instruction& i, const std::vector<Literal>& operands,
                                std::optional<Opcode> reducer) {
  if (std::optional<Literal> value = moved(i, operands)) return value;
  if (operands.empty()) return std::nullopt;
  const auto is_plain = [](PrimitiveType type) {
    return hlo::is_pred(type) || (hlo::is_integer(type) && hlo::type_bits(type) >= 8) ||
           type == PrimitiveType::kF32 || type == PrimitiveType::kF64;
  };
  if (!is_plain(i.shape.element_type)) return std::nullopt;
  for (const Literal& operand : operands)
    if (!is_plain(operand.type()) || is_beyond_words(operand)) return std::nullopt;
  return hlo::is_float(i.shape.element_type) ? real_result(i, operands, reducer)
                                             : integer_result(i, operands, reducer);
}

}  // namespace hlocc::import
