// The meaning of ops on f32 and f64. Functions whose last bit is a matter of taste (exp, tanh, ...)
// are computed in double and rounded once for f32, so that the evaluator is the better side of
// every comparison.
#include <cmath>
#include <limits>

#include "kernel/evaluate/scalar_math.h"

namespace hlocc::kernel {
namespace {

template <typename F>
F minimum(F a, F b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename F>
F maximum(F a, F b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename F>
F sign(F a) {
  return a > 0 ? F(1) : a < 0 ? F(-1) : a;
}

// a * 2^b for a whole number b.
template <typename F>
F scaled(F a, F b) {
  constexpr F kMost = 5000;
  return std::isnan(b) ? b : std::ldexp(a, static_cast<int>(std::max(-kMost, std::min(b, kMost))));
}

#define FLOAT(formula)                                                           \
  [](uint64_t a_bits, uint64_t b_bits, uint64_t c_bits) -> uint64_t {            \
    [[maybe_unused]] const F a = from_bits<F>(a_bits), b = from_bits<F>(b_bits), \
                             c = from_bits<F>(c_bits);                           \
    return to_bits<F>(static_cast<F>(formula));                                  \
  }
#define IN_DOUBLE(function)                             \
  [](uint64_t a_bits, uint64_t, uint64_t) -> uint64_t { \
    const double a = from_bits<F>(a_bits);              \
    return to_bits<F>(static_cast<F>(function));        \
  }

template <typename F>
LaneFunction function_of_one(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kSqrt: return FLOAT(std::sqrt(a));
    case kRsqrt: return IN_DOUBLE(1 / std::sqrt(a));
    case kCbrt: return IN_DOUBLE(std::cbrt(a));
    case kExp: return IN_DOUBLE(std::exp(a));
    case kExpm1: return IN_DOUBLE(std::expm1(a));
    case kLog: return IN_DOUBLE(std::log(a));
    case kLog1p: return IN_DOUBLE(std::log1p(a));
    case kTanh: return IN_DOUBLE(std::tanh(a));
    case kLogistic: return IN_DOUBLE(1 / (1 + std::exp(-a)));
    case kErf: return IN_DOUBLE(std::erf(a));
    case kErfc: return IN_DOUBLE(std::erfc(a));
    case kSin: return IN_DOUBLE(std::sin(a));
    case kCos: return IN_DOUBLE(std::cos(a));
    case kTan: return IN_DOUBLE(std::tan(a));
    case kAsin: return IN_DOUBLE(std::asin(a));
    case kAcos: return IN_DOUBLE(std::acos(a));
    case kAtan: return IN_DOUBLE(std::atan(a));
    case kSinh: return IN_DOUBLE(std::sinh(a));
    case kCosh: return IN_DOUBLE(std::cosh(a));
    case kAsinh: return IN_DOUBLE(std::asinh(a));
    case kAcosh: return IN_DOUBLE(std::acosh(a));
    case kAtanh: return IN_DOUBLE(std::atanh(a));
    default: return nullptr;
  }
}

template <typename F>
LaneFunction function(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kAbs: return FLOAT(std::fabs(a));
    case kNeg: return FLOAT(-a);
    case kSign: return FLOAT(sign(a));
    case kFloor: return FLOAT(std::floor(a));
    case kCeil: return FLOAT(std::ceil(a));
    case kTrunc: return FLOAT(std::trunc(a));
    case kRoundAfz: return FLOAT(std::round(a));
    case kRoundEven: return FLOAT(std::nearbyint(a));
    case kAdd: return FLOAT(a + b);
    case kSub: return FLOAT(a - b);
    case kMul: return FLOAT(a * b);
    case kDiv:
    case kNativeDiv: return FLOAT(a / b);
    case kRem:
    case kNativeRem: return FLOAT(std::fmod(a, b));
    case kMin: return FLOAT(minimum(a, b));
    case kMax: return FLOAT(maximum(a, b));
    case kPow: return FLOAT(std::pow(static_cast<double>(a), static_cast<double>(b)));
    case kAtan2: return FLOAT(std::atan2(static_cast<double>(a), static_cast<double>(b)));
    case kMulAdd: return FLOAT(a * b + c);
    case kNativeFma: return FLOAT(std::fma(a, b, c));
    case kNativeScale: return FLOAT(scaled(a, b));
    case kNativeMin: return FLOAT(a < b ? a : b);
    case kNativeMax: return FLOAT(a > b ? a : b);
    case kIsFinite:
      return
          [](uint64_t a, uint64_t, uint64_t) -> uint64_t { return std::isfinite(from_bits<F>(a)); };
    default: return function_of_one<F>(kind);
  }
}

}  // namespace

LaneFunction float_function(OpKind kind, Scalar scalar) {
  return scalar == Scalar::kF64 ? function<double>(kind) : function<float>(kind);
}

}  // namespace hlocc::kernel
