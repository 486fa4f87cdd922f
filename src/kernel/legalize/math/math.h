// What the files of math functions share: the exponential and logarithm as parts, reduction of
// angles, and arithmetic on unevaluated sums of two floats. All of it is straight-line code on f32
// and f64 alike; only coefficients differ.
#pragma once
#include "kernel/legalize/site.h"

namespace hlocc::kernel {

// e^(x + low) = 2^k * (1 + p), |p| < 0.42. k is a signed integer of x's width, `real` the same
// number as a float. NaN stays in p.
struct Exponential {
  Expr k, p, real;
  // v * 2^k, rounded once; v as near to one as p lets it be.
  Expr scale(const Site& site, Expr v) const;
};
Exponential exponential(Expr x);
Exponential exponential(Expr x, Expr low);
// e^(-a^2), as if a^2 were not rounded; for |a| below the square root of the type's largest
// exponent of e.
Exponential gaussian(const Site& site, Expr a);
// erf(x) / x - 1 for |x| <= 1, from x^2.
Expr erf_ratio_excess(Expr square);
// x held where e^x is neither certainly infinite nor certainly zero; a NaN passes.
Expr clamp_exponent(Expr x);
// e^x, rounded once.
Expr exp_of(const Site& site, Expr x);

// A positive number as 2^exponent * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)). The exponent is an
// integer as a float.
struct Split {
  Expr exponent, f;
};
Split split_power(Expr x);
// ln(1 + x), for x of any kind.
Expr log1p_of(Expr x);
Expr log_of(Expr x);

// A small signed integer of the float's width as a float.
Expr small_integer_to_float(Expr k);

// --- unevaluated sums: high + low, |low| at most half an ulp of high ---
struct Pair {
  Expr high, low;
};
// The exact sum, for |a| >= |b| or a = 0.
Pair fast_two_sum(Expr a, Expr b);
// The exact product, with a fused multiply-add where the target has one, else by splitting (|a|,
// |b| below 2^114).
Pair two_product(const Site& site, Expr a, Expr b);
Pair multiply(const Site& site, Pair a, Pair b);

// x = quadrant * pi/2 + angle, |angle| <= pi/4 (and a little): exact to about twice the precision
// for every finite x.
struct Reduced {
  Pair angle;
  Expr quadrant;  // unsigned; its two low bits count
};
Reduced reduce_angle(const Site& site, Expr x);
// The same for large |x|: as many bits of 2/pi as matter are multiplied with the significand in
// integers.
Reduced reduce_large_angle(const Site& site, Expr x);

}  // namespace hlocc::kernel
