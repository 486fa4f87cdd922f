// The ops that vectors compute lane by lane, by the intrinsics of NEON and MVE. Texts are templates
// in a, b, c and p: @S ends an intrinsic's name with the type's letter and bits, @F with those of
// the last operand's type.
#pragma once
#include <string>
#include <string_view>

#include "kernel/kernel.h"

namespace hlocc::backends {

struct VectorRow {
  kernel::OpKind kind;
  unsigned classes;                         // of lanes: a mask
  const char *name, *neon, *mve = nullptr;  // null: as NEON's
};
struct VectorCompareRow {
  const char *name, *neon, *mve;
};

// Null where no vector of the type computes it.
const VectorRow* vector_row(kernel::OpKind kind, kernel::Type type);
const VectorCompareRow& vector_compare(kernel::Predicate predicate);
// A row's text for a result of a type, from operands of another.
std::string with_types(std::string_view text, kernel::Type type, kernel::Type from);

}  // namespace hlocc::backends
