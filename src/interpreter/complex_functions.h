// Complex functions as formulas, where the library's answers at infinities and NaN follow C99
// and XLA's do not, and where a library may lose its way. The parts are of a wider type than those
// of the results, so that nothing finite overflows or cancels.
#pragma once
#include <cmath>
#include <complex>

namespace hlocc::interpreter {

// A sine or cosine times a hyperbolic function: where the first is zero, the second may be
// infinite.
template <typename P>
P wave(P factor, P hyperbolic) {
  return factor == 0 ? factor * std::copysign(P(1), hyperbolic) : factor * hyperbolic;
}

template <typename P>
std::complex<P> complex_exp(std::complex<P> z) {
  const P power = std::exp(z.real());
  if (z.imag() == 0) return {power, z.imag()};
  return {power * std::cos(z.imag()), power * std::sin(z.imag())};
}

template <typename P>
std::complex<P> complex_sinh(std::complex<P> z) {
  return {wave(std::cos(z.imag()), std::sinh(z.real())),
          wave(std::sin(z.imag()), std::cosh(z.real()))};
}
template <typename P>
std::complex<P> complex_cosh(std::complex<P> z) {
  return {wave(std::cos(z.imag()), std::cosh(z.real())),
          wave(std::sin(z.imag()), std::sinh(z.real()))};
}
// Of i z.
template <typename P>
std::complex<P> turned(std::complex<P> z) {
  return {-z.imag(), z.real()};
}
template <typename P>
std::complex<P> turned_back(std::complex<P> z) {
  return {z.imag(), -z.real()};
}
template <typename P>
std::complex<P> complex_sin(std::complex<P> z) {
  return turned_back(complex_sinh(turned(z)));
}
template <typename P>
std::complex<P> complex_cos(std::complex<P> z) {
  return complex_cosh(turned(z));
}

// tanh(a + bi) = (t (1 + u^2) + u (1 - t^2) i) / (1 + t^2 u^2), t = tanh a, u = tan b.
template <typename P>
std::complex<P> complex_tanh(std::complex<P> z) {
  const P t = std::tanh(z.real());
  if (std::isinf(z.real())) return {t, P(0)};
  if (z.imag() == 0) return {t, z.imag()};
  const P u = std::tan(z.imag()), sech = 1 / std::cosh(z.real());
  const P denominator = 1 + t * t * u * u;
  return {t * (1 + u * u) / denominator, u * sech * sech / denominator};
}
template <typename P>
std::complex<P> complex_tan(std::complex<P> z) {
  return turned_back(complex_tanh(turned(z)));
}

template <typename P>
std::complex<P> complex_sqrt(std::complex<P> z) {
  return std::isnan(z.real()) ? std::complex<P>(z.real(), z.real()) : std::sqrt(z);
}

// 1 / (1 + e^-z), e^z / (1 + e^z): the exponential is never large.
template <typename P>
std::complex<P> complex_logistic(std::complex<P> z) {
  const std::complex<P> one(1, 0);
  if (z.real() < 0) {
    const std::complex<P> power = complex_exp(z);
    return power / (one + power);
  }
  return one / (one + complex_exp(-z));
}

// e^(b log a), where a real exponent leaves the parts apart.
template <typename P>
std::complex<P> complex_power(std::complex<P> a, std::complex<P> b) {
  const std::complex<P> base = std::log(a);
  const P re = base.real(), im = base.imag(), c = b.real(), d = b.imag();
  if (d == 0) return complex_exp(std::complex<P>(c * re, c * im));
  return complex_exp(std::complex<P>(c * re - d * im, c * im + d * re));
}

// The complex continuation: -i log((x + iy) / sqrt(x^2 + y^2)).
template <typename P>
std::complex<P> complex_atan2(std::complex<P> y, std::complex<P> x) {
  for (const P part : {y.real(), y.imag(), x.real(), x.imag()})
    if (!std::isfinite(part)) return {NAN, NAN};
  return turned_back(std::log((x + turned(y)) / std::sqrt(x * x + y * y)));
}

}  // namespace hlocc::interpreter
