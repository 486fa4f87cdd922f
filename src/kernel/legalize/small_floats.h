// Floats narrower than f32, held as their codes in unsigned integers of the storage width.
#pragma once
#include "kernel/legalize/site.h"

namespace hlocc::kernel {

bool is_small_float(Scalar s);
// The code's value, exact in f32.
Expr decode_small(Expr code, Scalar format);
// The f32 rounded to the format; the code.
Expr encode_small(Expr value, Scalar format);
// f32 that is the number, or where that is no f32, one of the two around it whose last bit is set:
// rounding it to a format of less than 23 significant bits is as good as rounding the number
// itself.
Expr round_to_odd(Expr double_value);

}  // namespace hlocc::kernel
