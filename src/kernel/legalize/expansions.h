// What the table can rewrite an op into, one line a theme; each theme is a file of that name.
#pragma once
#include "kernel/legalize/site.h"

namespace hlocc::kernel {

// wide_numbers.cpp
inline bool is_wide(Scalar s) { return is_integer(s) && scalar_bits(s) == 64; }
Expr expand_quotient(const Site& site);
Expr expand_wide_div(const Site& site);
Expr expand_wide_rem(const Site& site);
Expr expand_wide_convert(const Site& site);

// integer_arithmetic.cpp
Expr expand_integer_abs(const Site& site);
Expr expand_integer_sign(const Site& site);
Expr expand_integer_div(const Site& site);
Expr expand_integer_rem(const Site& site);
Expr expand_integer_pow(const Site& site);
Expr expand_integer_mul_add(const Site& site);
Expr expand_mulhi(const Site& site);
Expr expand_mulhi_doubled(const Site& site);
Expr expand_mul_shift_right(const Site& site);
Expr expand_saturate(const Site& site);
Expr expand_index_arithmetic(const Site& site);
// bit_counts.cpp
Expr expand_shift(const Site& site);
Expr expand_popcnt(const Site& site);
Expr expand_clz(const Site& site);
// compare.cpp
Expr expand_pred_compare(const Site& site);
Expr expand_pred_arithmetic(const Site& site);
Expr expand_pred_select(const Site& site);
Expr expand_is_finite(const Site& site);
Expr expand_float_sign(const Site& site);
// min_max.cpp
Expr expand_integer_min_max(const Site& site);
Expr expand_float_min_max(const Site& site);
Expr expand_native_min_max(const Site& site);
Expr expand_select_of_bits(const Site& site);
// rounding.cpp
Expr expand_rounding(const Site& site);
// conversions.cpp
Expr expand_convert(const Site& site);
Expr expand_native_float_to_integer(const Site& site);
Expr expand_native_fma(const Site& site);
// sub_byte.cpp
Expr expand_sub_byte(const Site& site);
Expr expand_sub_byte_bitcast(const Site& site);
// small_floats.cpp
Expr expand_small_float(const Site& site);
// vectors.cpp
Expr expand_spread_bytes(const Site& site);
Expr expand_reduce(const Site& site);
// matrix.cpp
Expr expand_dot(const Site& site);
Expr expand_matrix(const Site& site);
Expr expand_pred_reduce(const Site& site);
Expr expand_keyed_reduce(const Site& site);
// math/
Expr expand_exp(const Site& site);
Expr expand_expm1(const Site& site);
Expr expand_log(const Site& site);
Expr expand_log1p(const Site& site);
Expr expand_logistic(const Site& site);
Expr expand_tanh(const Site& site);
Expr expand_sinh(const Site& site);
Expr expand_cosh(const Site& site);
Expr expand_asinh(const Site& site);
Expr expand_acosh(const Site& site);
Expr expand_atanh(const Site& site);
Expr expand_erf(const Site& site);
Expr expand_erfc(const Site& site);
Expr expand_sin(const Site& site);
Expr expand_cos(const Site& site);
Expr expand_tan(const Site& site);
Expr expand_asin(const Site& site);
Expr expand_acos(const Site& site);
Expr expand_atan(const Site& site);
Expr expand_atan2(const Site& site);
Expr expand_pow(const Site& site);
Expr expand_cbrt(const Site& site);
Expr expand_sqrt(const Site& site);
Expr expand_rsqrt(const Site& site);
Expr expand_float_rem(const Site& site);

}  // namespace hlocc::kernel
