// What x86 has for vectors of 128, 256 and 512 bits: the bodies of vector_functions.h where the
// compiler says that it has all extensions that the row counts on. Vectors are GNU C's own, of
// which operators are written plainly; an intrinsic is named where there is no operator.
#pragma once
#include <string>

#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::backends {

// Defines HL_VECTORS.
std::string x86_head(const Target& target);
// "int32_t __attribute__((vector_size(64)))", declared as `name`.
std::string x86_type(kernel::Type type, const std::string& name);
// An expression of a, b, c, p by lanes; empty where there is none.
std::string x86_text(const kernel::Op& op, kernel::Type type, kernel::Type from,
                     const Target& target);
std::string x86_splat(kernel::Type type);       // of number
std::string x86_splat_unit(kernel::Type type);  // of unit, which has 32 bits
// Bodies. Of (from): bytes as numbers of 32 bits; of (to, vector): their low bytes.
std::string x86_widen(kernel::Scalar byte, kernel::Type type, const std::string& copy);
std::string x86_narrow(kernel::Type from, const Target& target, const std::string& copy);
std::string x86_scaled(int lanes);  // of (a, b, rounding, shift): 32 at least
// Expressions: of a; of sum, a, b.
std::string x86_round(int lanes);
std::string x86_dot(kernel::Type sum, kernel::Type left, const Target& target);

}  // namespace hlocc::backends
