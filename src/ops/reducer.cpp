// Recognition of plain reducers, and the codes of their identities: formats differ in what they can
// say, some have no infinity and one has no zero.
#include "ops/reducer.h"

#include <cstring>

#include "hlo/small_float.h"

namespace hlocc::ops {
namespace {

using hlo::Literal, hlo::Opcode, hlo::PrimitiveType, hlo::Shape;
using enum hlo::PrimitiveType;

// The codes of one, and of the least and greatest value (infinities where there are some).
struct Codes {
  uint64_t one, least, greatest;
};

Codes small_float_codes(const hlo::FloatFormat& format) {
  const uint64_t greatest = format.has_infinity
                                ? uint64_t{format.exponent_mask()} << format.mantissa_bits
                                : format.max_finite();
  return {float_to_small(format, 1.0), format.has_sign ? greatest | format.sign_mask() : 0,
          greatest};
}

// Sign-extended from their width, as literals hold them.
Codes integer_codes(PrimitiveType type) {
  const int bits = type_bits(type);
  const uint64_t ones = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (!is_signed(type)) return {1, 0, ones};
  const uint64_t one = bits == 1 ? ~uint64_t{0} : 1;
  return {one, ~(ones >> 1), ones >> 1};
}

std::optional<Codes> codes_of(PrimitiveType type) {
  if (is_pred(type) || is_integer(type)) return integer_codes(type);
  const PrimitiveType real = real_type(type);
  if (real == kF32) return Codes{0x3F800000, 0xFF800000, 0x7F800000};
  if (real == kF64) return Codes{0x3FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000};
  if (const hlo::FloatFormat* format = hlo::small_float_format(real))
    return small_float_codes(*format);
  return std::nullopt;
}

// The low bytes of `bits` as the (real) element; the host is little- or big-endian.
Literal scalar_of_bits(PrimitiveType type, uint64_t bits) {
  Literal literal = Literal::zeros(Shape::scalar(type));
  std::byte* out = literal.mutable_bytes().data();
  switch (storage_bytes(real_type(type))) {
    case 1: *out = static_cast<std::byte>(bits); break;
    case 2: {
      const uint16_t v = static_cast<uint16_t>(bits);
      std::memcpy(out, &v, sizeof v);
      break;
    }
    case 4: {
      const uint32_t v = static_cast<uint32_t>(bits);
      std::memcpy(out, &v, sizeof v);
      break;
    }
    case 8: std::memcpy(out, &bits, sizeof bits); break;
  }
  return literal;
}

bool is_plain(Opcode opcode) {
  for (Opcode plain : {Opcode::kAdd, Opcode::kMultiply, Opcode::kMaximum, Opcode::kMinimum,
                       Opcode::kAnd, Opcode::kOr, Opcode::kXor})
    if (opcode == plain) return true;
  return false;
}

bool is_scalar_parameter(const hlo::Computation& computation, hlo::InstructionId id) {
  return computation[id].opcode == Opcode::kParameter && computation[id].shape.is_scalar();
}

}  // namespace

std::optional<Opcode> plain_reducer(const hlo::Computation& computation) {
  const hlo::Instruction& root = computation.root_instruction();
  if (!is_plain(root.opcode) || computation.parameters.size() != 2 || root.operands.size() != 2)
    return std::nullopt;
  if (root.operands[0] == root.operands[1]) return std::nullopt;
  for (hlo::InstructionId operand : root.operands)
    if (!is_scalar_parameter(computation, operand)) return std::nullopt;
  return root.opcode;
}

std::optional<Literal> identity_of(Opcode reducer, PrimitiveType type) {
  const std::optional<Codes> codes = codes_of(type);
  if (!codes) return std::nullopt;
  const bool integral = is_pred(type) || is_integer(type);
  switch (reducer) {
    case Opcode::kAdd:
      if (type == kF8E8M0FNU) return std::nullopt;
      return scalar_of_bits(type, 0);
    case Opcode::kMultiply: return scalar_of_bits(type, codes->one);
    case Opcode::kMaximum:
      if (is_complex(type)) return std::nullopt;
      return scalar_of_bits(type, codes->least);
    case Opcode::kMinimum:
      if (is_complex(type)) return std::nullopt;
      return scalar_of_bits(type, codes->greatest);
    case Opcode::kAnd:
      if (!integral) return std::nullopt;
      return scalar_of_bits(type, is_signed(type) ? ~uint64_t{0} : codes->greatest);
    case Opcode::kOr:
    case Opcode::kXor:
      if (!integral) return std::nullopt;
      return scalar_of_bits(type, 0);
    default: return std::nullopt;
  }
}

bool is_identity(Opcode reducer, const Literal& value) {
  const PrimitiveType type = value.type();
  const std::optional<Literal> identity = identity_of(reducer, type);
  if (!identity) return false;
  if (value == *identity) return true;
  if (reducer != Opcode::kAdd || !is_float(type)) return false;
  // Some formats keep their NaN where others have the negative zero.
  const hlo::FloatFormat* format = hlo::small_float_format(type);
  if (format && format->nan == hlo::NanStyle::kNegativeZero) return false;
  return value == scalar_of_bits(type, uint64_t{1} << (type_bits(type) - 1));
}

}  // namespace hlocc::ops
