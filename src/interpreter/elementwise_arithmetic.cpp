// Arithmetic. Integers wrap and never trap: x/0 is all ones, x%0 is x, INT_MIN/-1 is INT_MIN.
#include <limits>

#include "interpreter/complex_functions.h"
#include "interpreter/elementwise.h"
#include "interpreter/formulas.h"

namespace hlocc::interpreter {
namespace {

struct Abs {
  template <IntegerValue T>
  T operator()(T a) const {
    return a < T{0} ? static_cast<T>(0 - bits_of(a)) : a;
  }
  template <FloatValue T>
  T operator()(T a) const {
    return std::fabs(a);
  }
  template <ComplexValue T>
  auto operator()(T a) const {
    return std::hypot(a.real(), a.imag());
  }
};

struct Negate {
  template <IntegerValue T>
  T operator()(T a) const {
    return static_cast<T>(0 - bits_of(a));
  }
  template <FloatValue T>
  T operator()(T a) const {
    return -a;
  }
  template <ComplexValue T>
  T operator()(T a) const {
    return -a;
  }
};

struct Sign {
  template <IntegerValue T>
  T operator()(T a) const {
    return static_cast<T>((a > T{0}) - (a < T{0}));
  }
  // Zeros keep their sign, NaN stays.
  template <FloatValue T>
  T operator()(T a) const {
    return a > 0 ? T{1} : a < 0 ? T{-1} : a;
  }
  template <ComplexValue T>
  T operator()(T a) const {
    const auto magnitude = std::hypot(a.real(), a.imag());
    return magnitude == 0 ? a : T(a.real() / magnitude, a.imag() / magnitude);
  }
};

struct Divide {
  template <IntegerValue T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~uint64_t{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - bits_of(a));
    return static_cast<T>(a / b);
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    return a / b;
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    using Wide = std::conditional_t<std::is_same_v<T, std::complex<float>>, double, long double>;
    const std::complex<Wide> quotient =
        std::complex<Wide>(a.real(), a.imag()) / std::complex<Wide>(b.real(), b.imag());
    using Part = typename T::value_type;
    return T(static_cast<Part>(quotient.real()), static_cast<Part>(quotient.imag()));
  }
};

// The sign follows the dividend.
struct Remainder {
  template <IntegerValue T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return T{0};
    return static_cast<T>(a % b);
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    return std::fmod(a, b);
  }
};

struct Power {
  // Repeated squaring, wrapping. A negative exponent leaves what an integer can say: 1, or the
  // parity of -1.
  template <IntegerValue T>
  T operator()(T base, T exponent) const {
    if (exponent < T{0}) {
      if (base == T{1}) return T{1};
      if (std::is_signed_v<T> && base == static_cast<T>(-1))
        return exponent % 2 == 0 ? T{1} : static_cast<T>(-1);
      return T{0};
    }
    uint64_t result = 1, square = bits_of(base);
    for (uint64_t rest = bits_of(exponent); rest != 0; rest >>= 1) {
      if (rest & 1) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
  float operator()(float a, float b) const {
    return static_cast<float>(std::pow(double{a}, double{b}));
  }
  double operator()(double a, double b) const {
    // Some libraries' long double loses its way at infinities and huge even exponents.
    if (std::isinf(a)) return std::pow(a, b);
    return static_cast<double>(std::pow((long double){a}, (long double){b}));
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    using Part = typename T::value_type;
    using Wide = std::complex<std::conditional_t<std::is_same_v<Part, float>, double, long double>>;
    if (b == T{}) return T{1};
    // Zero has no logarithm: only its positive real powers have a value.
    if (a == T{}) return b.imag() == 0 && b.real() > 0 ? T{} : T(NAN, NAN);
    const Wide power = complex_power(Wide(a.real(), a.imag()), Wide(b.real(), b.imag()));
    return T(static_cast<Part>(power.real()), static_cast<Part>(power.imag()));
  }
};

// The high half of the full product.
struct Mulhi {
  template <IntegerValue T>
  T operator()(T a, T b, int width) const {
    using Full = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Full>(a) * static_cast<Full>(b)) >> width);
  }
};

// min(max(low, x), high): where the bounds cross, the upper one wins.
template <typename V>
void clamp_lanes(const Kernel&, const Lanes& lanes) {
  const V* low = static_cast<const V*>(lanes.operands[0]);
  const V* x = static_cast<const V*>(lanes.operands[1]);
  const V* high = static_cast<const V*>(lanes.operands[2]);
  V* result = static_cast<V*>(lanes.result);
  const auto [sl, sx, sh] = lanes.steps;
  for (int64_t i = 0; i < lanes.count; ++i)
    result[i] = Minimum{}(Maximum{}(x[i * sx], low[i * sl]), high[i * sh]);
}

}  // namespace

Kernel kernel(Op<Opcode::kAbs>, const KernelRequest& r) { return unary<Abs>(r); }
Kernel kernel(Op<Opcode::kNegate>, const KernelRequest& r) { return unary<Negate>(r); }
Kernel kernel(Op<Opcode::kSign>, const KernelRequest& r) { return unary<Sign>(r); }
Kernel kernel(Op<Opcode::kAdd>, const KernelRequest& r) { return binary<Add>(r); }
Kernel kernel(Op<Opcode::kSubtract>, const KernelRequest& r) { return binary<Subtract>(r); }
Kernel kernel(Op<Opcode::kMultiply>, const KernelRequest& r) { return binary<Multiply>(r); }
Kernel kernel(Op<Opcode::kDivide>, const KernelRequest& r) { return binary<Divide>(r); }
Kernel kernel(Op<Opcode::kRemainder>, const KernelRequest& r) { return binary<Remainder>(r); }
Kernel kernel(Op<Opcode::kMaximum>, const KernelRequest& r) { return binary<Maximum>(r); }
Kernel kernel(Op<Opcode::kMinimum>, const KernelRequest& r) { return binary<Minimum>(r); }
Kernel kernel(Op<Opcode::kPower>, const KernelRequest& r) { return binary<Power>(r); }
Kernel kernel(Op<Opcode::kMulhi>, const KernelRequest& r) { return binary<Mulhi>(r); }
Kernel kernel(Op<Opcode::kClamp>, const KernelRequest& r) {
  return visit_value_type(
      r.from, [&]<typename V>(std::type_identity<V>) { return r.kernel(&clamp_lanes<V>); });
}

}  // namespace hlocc::interpreter
