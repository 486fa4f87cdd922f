// Look-ups in the table of element types.
#include "hlo/primitive_type.h"

#include <iterator>

namespace hlocc::hlo {
namespace {
struct TypeRow {
  std::string_view name;
  int number;
  int bits;
  TypeClass type_class;
};
using enum TypeClass;
constexpr TypeRow type_rows[] = {
#define HLOCC_PRIMITIVE_TYPE(enumerator, text, number, bits, type_class) \
  {text, number, bits, type_class},
#include "hlo/primitive_types.def"
};
const TypeRow& row(PrimitiveType type) { return type_rows[static_cast<int>(type)]; }
}  // namespace

std::string_view type_name(PrimitiveType type) { return row(type).name; }
int type_proto_number(PrimitiveType type) { return row(type).number; }
int type_bits(PrimitiveType type) { return row(type).bits; }
int storage_bytes(PrimitiveType type) { return (row(type).bits + 7) / 8; }
TypeClass type_class(PrimitiveType type) { return row(type).type_class; }

std::optional<PrimitiveType> type_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(type_rows); ++i)
    if (type_rows[i].name == name) return static_cast<PrimitiveType>(i);
  return std::nullopt;
}

std::optional<PrimitiveType> type_from_proto_number(int number) {
  for (size_t i = 0; i < std::size(type_rows); ++i)
    if (type_rows[i].number == number) return static_cast<PrimitiveType>(i);
  return std::nullopt;
}

PrimitiveType real_type(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return type;
}

std::optional<PrimitiveType> complex_type(PrimitiveType type) {
  if (type == PrimitiveType::kF32) return PrimitiveType::kC64;
  if (type == PrimitiveType::kF64) return PrimitiveType::kC128;
  return std::nullopt;
}

}  // namespace hlocc::hlo
