// Recognition of plain reducers, and the bits of their identities. Floats are a table of bit patterns, because formats
// differ in what they can say: some have no infinity, one has no zero.
#include "ops/reducer.h"

#include <cstring>
#include <iterator>

namespace hlocc::ops {
namespace {

using hlo::Literal, hlo::Opcode, hlo::PrimitiveType, hlo::Shape;
using enum hlo::PrimitiveType;

// One, and the least and greatest value (infinities where there are some). Zero is all bits clear but for f8e8m0fnu.
struct FloatBits {
  PrimitiveType type;
  uint64_t one, least, greatest;
};
constexpr FloatBits float_bits[] = {
    {kF4E2M1FN, 0x2, 0xF, 0x7},
    {kF8E3M4, 0x30, 0xF0, 0x70},
    {kF8E4M3, 0x38, 0xF8, 0x78},
    {kF8E4M3FN, 0x38, 0xFE, 0x7E},
    {kF8E4M3B11FNUZ, 0x58, 0xFF, 0x7F},
    {kF8E4M3FNUZ, 0x40, 0xFF, 0x7F},
    {kF8E5M2, 0x3C, 0xFC, 0x7C},
    {kF8E5M2FNUZ, 0x40, 0xFF, 0x7F},
    {kF8E8M0FNU, 0x7F, 0x00, 0xFE},
    {kF16, 0x3C00, 0xFC00, 0x7C00},
    {kBF16, 0x3F80, 0xFF80, 0x7F80},
    {kF32, 0x3F800000, 0xFF800000, 0x7F800000},
    {kF64, 0x3FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000},
};

// The same for integers, sign-extended from their width as literals hold them.
FloatBits integer_bits(PrimitiveType type) {
  const int bits = type_bits(type);
  const uint64_t ones = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (!is_signed(type)) return {type, 1, 0, ones};
  const uint64_t one = bits == 1 ? ~uint64_t{0} : 1;
  return {type, one, ~(ones >> 1), ones >> 1};
}

std::optional<FloatBits> bits_of(PrimitiveType type) {
  if (is_pred(type) || is_integer(type)) return integer_bits(type);
  for (const FloatBits& row : float_bits)
    if (row.type == real_type(type)) return row;
  return std::nullopt;
}

// The low bytes of `bits` as the (real) element; the host is little- or big-endian.
Literal scalar_of_bits(PrimitiveType type, uint64_t bits) {
  Literal literal = Literal::zeros(Shape::scalar(type));
  std::byte* out = literal.mutable_bytes().data();
  switch (storage_bytes(real_type(type))) {
    case 1: *out = static_cast<std::byte>(bits); break;
    case 2: { const uint16_t v = static_cast<uint16_t>(bits); std::memcpy(out, &v, sizeof v); break; }
    case 4: { const uint32_t v = static_cast<uint32_t>(bits); std::memcpy(out, &v, sizeof v); break; }
    case 8: std::memcpy(out, &bits, sizeof bits); break;
  }
  return literal;
}

bool is_plain(Opcode opcode) {
  for (Opcode plain : {Opcode::kAdd, Opcode::kMultiply, Opcode::kMaximum, Opcode::kMinimum, Opcode::kAnd, Opcode::kOr, Opcode::kXor})
    if (opcode == plain) return true;
  return false;
}

// add is or on pred, and so on; this gives the bitwise name.
Opcode on_pred(Opcode opcode) {
  if (opcode == Opcode::kAdd || opcode == Opcode::kMaximum) return Opcode::kOr;
  if (opcode == Opcode::kMultiply || opcode == Opcode::kMinimum) return Opcode::kAnd;
  return opcode;
}

bool is_scalar_parameter(const hlo::Computation& computation, hlo::InstructionId id) {
  return computation[id].opcode == Opcode::kParameter && computation[id].shape.is_scalar();
}

}  // namespace

std::optional<Opcode> plain_reducer(const hlo::Computation& computation) {
  const hlo::Instruction& root = computation.root_instruction();
  if (!is_plain(root.opcode) || computation.parameters.size() != 2 || root.operands.size() != 2) return std::nullopt;
  if (root.operands[0] == root.operands[1]) return std::nullopt;
  for (hlo::InstructionId operand : root.operands)
    if (!is_scalar_parameter(computation, operand)) return std::nullopt;
  return root.opcode;
}

std::optional<Literal> identity_of(Opcode reducer, PrimitiveType type) {
  const std::optional<FloatBits> bits = bits_of(type);
  if (!bits) return std::nullopt;
  const bool integral = is_pred(type) || is_integer(type);
  switch (is_pred(type) ? on_pred(reducer) : reducer) {
    case Opcode::kAdd:
      if (type == kF8E8M0FNU) return std::nullopt;
      return scalar_of_bits(type, 0);
    case Opcode::kMultiply:
      return scalar_of_bits(type, bits->one);
    case Opcode::kMaximum:
      if (is_complex(type)) return std::nullopt;
      return scalar_of_bits(type, bits->least);
    case Opcode::kMinimum:
      if (is_complex(type)) return std::nullopt;
      return scalar_of_bits(type, bits->greatest);
    case Opcode::kAnd:
      if (!integral) return std::nullopt;
      return scalar_of_bits(type, is_signed(type) ? ~uint64_t{0} : bits->greatest);
    case Opcode::kOr:
    case Opcode::kXor:
      if (!integral) return std::nullopt;
      return scalar_of_bits(type, 0);
    default:
      return std::nullopt;
  }
}

bool is_identity(Opcode reducer, const Literal& value) {
  const PrimitiveType type = value.type();
  const std::optional<Literal> identity = identity_of(reducer, type);
  if (!identity) return false;
  if (value == *identity) return true;
  // 0x80 is NaN where a format has no negative zero; those formats' names end in UZ.
  if (reducer != Opcode::kAdd || !is_float(type) || type_name(type).ends_with("uz")) return false;
  return value == scalar_of_bits(type, uint64_t{1} << (type_bits(type) - 1));
}

}  // namespace hlocc::ops
