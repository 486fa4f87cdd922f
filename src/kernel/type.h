// Types of kernel values: a scalar type and a number of lanes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "hlo/primitive_type.h"

namespace hlocc::kernel {

enum class Scalar : uint8_t {
#define HLOCC_SCALAR(enumerator, ...) enumerator,
#include "kernel/evaluate/scalars.def"
};
enum class ScalarClass : uint8_t { kPred, kIndex, kSigned, kUnsigned, kFloat };

std::string_view scalar_name(Scalar scalar);
// Logical width; 64 for index (legalisation narrows it to the target's pointer).
int scalar_bits(Scalar scalar);
// Bytes an element takes in a buffer: at least one.
int scalar_bytes(Scalar scalar);
ScalarClass scalar_class(Scalar scalar);
inline bool is_float(Scalar s) { return scalar_class(s) == ScalarClass::kFloat; }
inline bool is_signed(Scalar s) { return scalar_class(s) == ScalarClass::kSigned; }
inline bool is_unsigned(Scalar s) { return scalar_class(s) == ScalarClass::kUnsigned; }
inline bool is_integer(Scalar s) { return is_signed(s) || is_unsigned(s); }
inline bool is_byte(Scalar s) { return s == Scalar::kS8 || s == Scalar::kU8; }
// Real array types only; complex types have no scalar of their own (real_type them first).
Scalar scalar_of(hlo::PrimitiveType type);
hlo::PrimitiveType hlo_type_of(Scalar scalar);
// The integer of the same width: f32 -> u32 or s32, bf16 -> u16, pred -> u8.
Scalar unsigned_of_width(int bits);
Scalar signed_of_width(int bits);

struct Type {
  Scalar scalar = Scalar::kF32;
  uint16_t lanes = 1;
  bool operator==(const Type&) const = default;
  bool is_vector() const { return lanes > 1; }
  Type with(Scalar other) const { return {other, lanes}; }
  Type scalar_type() const { return {scalar, 1}; }
};
// "f32", "f32x8".
std::string to_string(Type type);

}  // namespace hlocc::kernel
