// See c_types.h.
#include "package/c_types.h"

#include "support/check.h"

namespace hlocc::package {
namespace {

using hlo::PrimitiveType;
using hlo::TypeClass;

std::string_view integer_name(bool is_signed, int bytes) {
  switch (bytes) {
    case 1: return is_signed ? "int8_t" : "uint8_t";
    case 2: return is_signed ? "int16_t" : "uint16_t";
    case 4: return is_signed ? "int32_t" : "uint32_t";
    default: return is_signed ? "int64_t" : "uint64_t";
  }
}

}  // namespace

CType c_type(const hlo::Shape& array) {
  const PrimitiveType type = array.element_type;
  HLOCC_CHECK(array.is_array(), "only arrays have a type in C");
  const int packed = array.layout.element_bits;
  if (packed > 0 && packed < 8) return {"uint8_t", 1, packed, hlo::is_signed(type)};
  if (hlo::is_complex(type)) return {type == PrimitiveType::kC64 ? "float" : "double", 2};
  if (type == PrimitiveType::kF32) return {"float"};
  if (type == PrimitiveType::kF64) return {"double"};
  const bool is_signed = hlo::is_signed(type);
  return {integer_name(is_signed, hlo::storage_bytes(type)), 1, 0, is_signed};
}

}  // namespace hlocc::package
