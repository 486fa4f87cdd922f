// Look-ups in the table of scalars.
#include "kernel/type.h"

#include <iterator>

#include "support/check.h"

namespace hlocc::kernel {
namespace {
struct ScalarRow {
  std::string_view name;
  int bits;
  ScalarClass scalar_class;
  hlo::PrimitiveType hlo;
};
using enum ScalarClass;
constexpr ScalarRow scalar_rows[] = {
#define HLOCC_SCALAR(enumerator, text, bits, scalar_class, hlo_type) \
  {text, bits, scalar_class, hlo::PrimitiveType::hlo_type},
#include "kernel/evaluate/scalars.def"
};
const ScalarRow& row(Scalar scalar) { return scalar_rows[static_cast<int>(scalar)]; }

Scalar of_width(ScalarClass wanted, int bits) {
  for (size_t i = 0; i < std::size(scalar_rows); ++i)
    if (scalar_rows[i].scalar_class == wanted && scalar_rows[i].bits == bits)
      return static_cast<Scalar>(i);
  check_failed(__FILE__, __LINE__, "bits", "no integer of " + std::to_string(bits) + " bits");
}
}  // namespace

std::string_view scalar_name(Scalar scalar) { return row(scalar).name; }
int scalar_bits(Scalar scalar) { return row(scalar).bits; }
int scalar_bytes(Scalar scalar) { return (row(scalar).bits + 7) / 8; }
ScalarClass scalar_class(Scalar scalar) { return row(scalar).scalar_class; }
hlo::PrimitiveType hlo_type_of(Scalar scalar) { return row(scalar).hlo; }
Scalar unsigned_of_width(int bits) { return of_width(kUnsigned, bits); }
Scalar signed_of_width(int bits) { return of_width(kSigned, bits); }

Scalar scalar_of(hlo::PrimitiveType type) {
  for (size_t i = 0; i < std::size(scalar_rows); ++i)
    if (scalar_rows[i].hlo == type && scalar_rows[i].scalar_class != kIndex)
      return static_cast<Scalar>(i);
  check_failed(__FILE__, __LINE__, "type",
               "no kernel scalar for " + std::string(hlo::type_name(type)));
}

std::string to_string(Type type) {
  std::string out(scalar_name(type.scalar));
  if (type.lanes > 1) (out += 'x') += std::to_string(type.lanes);
  return out;
}

}  // namespace hlocc::kernel
