// Transcendental functions, computed one precision wider (f32 in double, f64 in long double,
// complex numbers likewise) and rounded once, so that results are correctly rounded but for the
// rarest ties.
#include <cmath>
#include <complex>

#include "interpreter/complex_functions.h"
#include "interpreter/elementwise.h"

namespace hlocc::interpreter {
namespace {

template <typename T>
struct WiderOf;
template <>
struct WiderOf<float> {
  using Type = double;
};
template <>
struct WiderOf<double> {
  using Type = long double;
};
template <typename T>
struct WiderOf<std::complex<T>> {
  using Type = std::complex<typename WiderOf<T>::Type>;
};
template <typename T>
using Wider = typename WiderOf<T>::Type;

template <FloatValue To, FloatValue From>
To narrow(From x) {
  return static_cast<To>(x);
}
template <ComplexValue To, ComplexValue From>
To narrow(From x) {
  using Part = typename To::value_type;
  return To(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
}
template <typename T>
Wider<T> widen(T x) {
  if constexpr (is_complex_value<T>) {
    return Wider<T>(x.real(), x.imag());
  } else {
    return x;
  }
}

// Body::of(x) in the wider type, for real and complex numbers.
template <typename Body>
struct Function {
  template <FloatValue T>
  T operator()(T x) const {
    return narrow<T>(Body::of(widen(x)));
  }
  template <ComplexValue T>
  T operator()(T x) const {
    return narrow<T>(Body::of(widen(x)));
  }
};
template <typename Body>
struct RealFunction {
  template <FloatValue T>
  T operator()(T x) const {
    return narrow<T>(Body::of(widen(x)));
  }
};

struct Exp {
  template <typename T>
  static T of(T x) {
    return std::exp(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_exp(x);
  }
};
struct Log {
  template <typename T>
  static T of(T x) {
    return std::log(x);
  }
};
// Correctly rounded as it is: the root of a wider number would be rounded twice.
struct RealOrComplexSqrt {
  template <FloatValue T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
  template <ComplexValue T>
  T operator()(T x) const {
    return narrow<T>(complex_sqrt(widen(x)));
  }
};
struct Tanh {
  template <typename T>
  static T of(T x) {
    return std::tanh(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_tanh(x);
  }
};
struct Sin {
  template <typename T>
  static T of(T x) {
    return std::sin(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_sin(x);
  }
};
struct Cos {
  template <typename T>
  static T of(T x) {
    return std::cos(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_cos(x);
  }
};
struct Tan {
  template <typename T>
  static T of(T x) {
    return std::tan(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_tan(x);
  }
};
struct Acos {
  template <typename T>
  static T of(T x) {
    return std::acos(x);
  }
};
struct Acosh {
  template <typename T>
  static T of(T x) {
    return std::acosh(x);
  }
};
struct Asin {
  template <typename T>
  static T of(T x) {
    return std::asin(x);
  }
};
struct Asinh {
  template <typename T>
  static T of(T x) {
    return std::asinh(x);
  }
};
struct Atan {
  template <typename T>
  static T of(T x) {
    return std::atan(x);
  }
};
struct Atanh {
  template <typename T>
  static T of(T x) {
    return std::atanh(x);
  }
};
struct Sinh {
  template <typename T>
  static T of(T x) {
    return std::sinh(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_sinh(x);
  }
};
struct Cosh {
  template <typename T>
  static T of(T x) {
    return std::cosh(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_cosh(x);
  }
};
struct Cbrt {
  template <typename T>
  static T of(T x) {
    return std::cbrt(x);
  }
};
struct Erf {
  template <typename T>
  static T of(T x) {
    return std::erf(x);
  }
};
struct Rsqrt {
  template <typename T>
  static T of(T x) {
    return T(1) / std::sqrt(x);
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return std::complex<P>(1) / complex_sqrt(x);
  }
};
struct Logistic {
  template <typename T>
  static T of(T x) {
    return T(1) / (T(1) + std::exp(-x));
  }
  template <typename P>
  static std::complex<P> of(std::complex<P> x) {
    return complex_logistic(x);
  }
};

struct Expm1 {
  template <FloatValue T>
  static T of(T x) {
    return std::expm1(x);
  }
  // e^x cos y - 1 without cancellation for small numbers.
  template <ComplexValue T>
  static T of(T z) {
    const auto x = z.real(), y = z.imag();
    const auto half = std::sin(y / 2);
    const auto imaginary = y == 0 ? y : std::exp(x) * std::sin(y);
    return T(std::expm1(x) * std::cos(y) - 2 * half * half, imaginary);
  }
};

struct Log1p {
  template <FloatValue T>
  static T of(T x) {
    return std::log1p(x);
  }
  template <ComplexValue T>
  static T of(T z) {
    const auto x = z.real(), y = z.imag();
    const auto angle = std::atan2(y, x + 1);
    if (std::hypot(x, y) < 0.5) return T(std::log1p(x * (x + 2) + y * y) / 2, angle);
    return T(std::log(std::hypot(x + 1, y)), angle);
  }
};

struct Atan2 {
  template <FloatValue T>
  T operator()(T y, T x) const {
    return narrow<T>(std::atan2(widen(y), widen(x)));
  }
  template <ComplexValue T>
  T operator()(T y, T x) const {
    return narrow<T>(complex_atan2(widen(y), widen(x)));
  }
};

}  // namespace

Kernel kernel(Op<Opcode::kExp>, const KernelRequest& r) { return unary<Function<Exp>>(r); }
Kernel kernel(Op<Opcode::kExpm1>, const KernelRequest& r) { return unary<Function<Expm1>>(r); }
Kernel kernel(Op<Opcode::kLog>, const KernelRequest& r) { return unary<Function<Log>>(r); }
Kernel kernel(Op<Opcode::kLog1p>, const KernelRequest& r) { return unary<Function<Log1p>>(r); }
Kernel kernel(Op<Opcode::kSqrt>, const KernelRequest& r) { return unary<RealOrComplexSqrt>(r); }
Kernel kernel(Op<Opcode::kRsqrt>, const KernelRequest& r) { return unary<Function<Rsqrt>>(r); }
Kernel kernel(Op<Opcode::kCbrt>, const KernelRequest& r) { return unary<RealFunction<Cbrt>>(r); }
Kernel kernel(Op<Opcode::kTanh>, const KernelRequest& r) { return unary<Function<Tanh>>(r); }
Kernel kernel(Op<Opcode::kLogistic>, const KernelRequest& r) {
  return unary<Function<Logistic>>(r);
}
Kernel kernel(Op<Opcode::kSin>, const KernelRequest& r) { return unary<Function<Sin>>(r); }
Kernel kernel(Op<Opcode::kCos>, const KernelRequest& r) { return unary<Function<Cos>>(r); }
Kernel kernel(Op<Opcode::kTan>, const KernelRequest& r) { return unary<Function<Tan>>(r); }
Kernel kernel(Op<Opcode::kErf>, const KernelRequest& r) { return unary<RealFunction<Erf>>(r); }
Kernel kernel(Op<Opcode::kAcos>, const KernelRequest& r) { return unary<Function<Acos>>(r); }
Kernel kernel(Op<Opcode::kAcosh>, const KernelRequest& r) { return unary<Function<Acosh>>(r); }
Kernel kernel(Op<Opcode::kAsin>, const KernelRequest& r) { return unary<Function<Asin>>(r); }
Kernel kernel(Op<Opcode::kAsinh>, const KernelRequest& r) { return unary<Function<Asinh>>(r); }
Kernel kernel(Op<Opcode::kAtan>, const KernelRequest& r) { return unary<Function<Atan>>(r); }
Kernel kernel(Op<Opcode::kAtanh>, const KernelRequest& r) { return unary<Function<Atanh>>(r); }
Kernel kernel(Op<Opcode::kSinh>, const KernelRequest& r) { return unary<Function<Sinh>>(r); }
Kernel kernel(Op<Opcode::kCosh>, const KernelRequest& r) { return unary<Function<Cosh>>(r); }
Kernel kernel(Op<Opcode::kAtan2>, const KernelRequest& r) { return binary<Atan2>(r); }

}  // namespace hlocc::interpreter
