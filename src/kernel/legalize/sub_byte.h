// Integers of one, two and four bits, held in eight.
#pragma once
#include "kernel/legalize/site.h"

namespace hlocc::kernel {

inline bool is_sub_byte(Scalar s) { return is_integer(s) && scalar_bits(s) < 8; }
// The eight-bit `x` modulo 2^bits of `scalar`, sign- or zero-extended as the scalar is; x's own
// sign does not matter.
Expr wrap_sub_byte(Expr x, Scalar scalar);

}  // namespace hlocc::kernel
