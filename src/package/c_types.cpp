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
  if (packed > 0 && packed < 8) return {"uint8_t", 1, 1, packed, hlo::is_signed(type)};
  if (type == PrimitiveType::kC64) return {"float", 4, 2};
  if (type == PrimitiveType::kC128) return {"double", 8, 2};
  if (type == PrimitiveType::kF32) return {"float", 4};
  if (type == PrimitiveType::kF64) return {"double", 8};
  const bool is_signed = hlo::is_signed(type);
  const int bytes = hlo::storage_bytes(type);
  return {integer_name(is_signed, bytes), bytes, 1, 0, is_signed};
}

hlo::Dimensions strides_of(const hlo::Shape& array) {
  hlo::Dimensions strides(array.rank(), 1);
  int64_t stride = 1;
  for (int64_t d : minor_to_major(array)) {
    strides[d] = stride;
    stride *= array.dimensions[d];
  }
  return strides;
}

}  // namespace hlocc::package
