// The element types of HLO, expanded from primitive_types.def.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlocc::hlo {

enum class PrimitiveType : uint8_t {
#define HLOCC_PRIMITIVE_TYPE(enumerator, text, number, bits, type_class) enumerator,
#include "hlo/primitive_types.def"
};

enum class TypeClass : uint8_t { kPred, kSigned, kUnsigned, kFloat, kComplex, kOther };

// "f32", "pred", ... as HLO text spells them.
std::string_view type_name(PrimitiveType type);
std::optional<PrimitiveType> type_from_name(std::string_view name);
// The number in xla_data.proto, and back; no value for numbers that we don't serve (F6, BUFFER,
// invalid).
int type_proto_number(PrimitiveType type);
std::optional<PrimitiveType> type_from_proto_number(int number);

// Logical width in bits: pred 1, s4 4, c64 64; 0 for tuple, token, opaque.
int type_bits(PrimitiveType type);
// Bytes an element takes in a Literal and, unless the layout packs it, in memory: pred 1, s4 1,
// c64 8.
int storage_bytes(PrimitiveType type);
TypeClass type_class(PrimitiveType type);

inline bool is_array_type(PrimitiveType t) { return type_class(t) != TypeClass::kOther; }
inline bool is_pred(PrimitiveType t) { return t == PrimitiveType::kPred; }
inline bool is_signed(PrimitiveType t) { return type_class(t) == TypeClass::kSigned; }
inline bool is_unsigned(PrimitiveType t) { return type_class(t) == TypeClass::kUnsigned; }
// s* and u*, without pred.
inline bool is_integer(PrimitiveType t) { return is_signed(t) || is_unsigned(t); }
inline bool is_float(PrimitiveType t) { return type_class(t) == TypeClass::kFloat; }
inline bool is_complex(PrimitiveType t) { return type_class(t) == TypeClass::kComplex; }
// c64 -> f32, c128 -> f64, others themselves.
PrimitiveType real_type(PrimitiveType type);
// f32 -> c64, f64 -> c128; no value otherwise.
std::optional<PrimitiveType> complex_type(PrimitiveType type);

}  // namespace hlocc::hlo
