// Conversions between element types, and between complex numbers and their parts.
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/elementwise.h"

namespace hlocc::interpreter {
namespace {

// The float next to x towards zero with its last bit set where x is not exact. A later rounding to
// a much narrower format then rounds as if it had seen x itself.
template <typename From>
float round_to_odd(From x) {
  const long double exact = static_cast<long double>(x);
  const float nearest = static_cast<float>(x);
  if (std::isnan(nearest) || static_cast<long double>(nearest) == exact) return nearest;
  uint32_t code = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<long double>(nearest)) > std::fabs(exact)) --code;
  return std::bit_cast<float>(code | 1);
}

// Truncates towards zero and saturates; NaN is 0. `width` cuts sub-byte types.
template <IntegerValue To, FloatValue From>
To saturate(From x, int width) {
  if (std::isnan(x)) return To{0};
  constexpr bool is_signed = std::is_signed_v<To>;
  const long double limit = std::ldexp(1.0L, is_signed ? width - 1 : width);
  const long double whole = std::trunc(static_cast<long double>(x));
  if (whole >= limit) return static_cast<To>(~uint64_t{0} >> (is_signed ? 65 - width : 64 - width));
  if (whole < (is_signed ? -limit : 0))
    return is_signed ? static_cast<To>(~uint64_t{0} << (width - 1)) : To{0};
  return static_cast<To>(whole);
}

template <typename To, typename From>
To convert(From x, int width, bool to_small) {
  if constexpr (is_complex_value<From> && is_complex_value<To>) {
    using Part = typename To::value_type;
    return To(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (is_complex_value<From>) {
    return convert<To>(x.real(), width, to_small);
  } else if constexpr (is_complex_value<To>) {
    return To(static_cast<typename To::value_type>(x));
  } else if constexpr (IntegerValue<To> && FloatValue<From>) {
    return saturate<To>(x, width);
  } else if constexpr (std::is_same_v<To, float> && !std::is_same_v<From, float>) {
    return to_small ? round_to_odd(x) : static_cast<float>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <typename From, typename To>
void convert_lanes(const Kernel& kernel, const Lanes& lanes) {
  const From* a = static_cast<const From*>(lanes.operands[0]);
  To* result = static_cast<To*>(lanes.result);
  const int width = hlo::type_bits(kernel.to);
  // bf16 and f8e8m0fnu are reached by way of f32, rounding twice, as everywhere else in this
  // ecosystem.
  const bool to_small = !is_native(kernel.to) && kernel.to != PrimitiveType::kBF16 &&
                        kernel.to != PrimitiveType::kF8E8M0FNU;
  for (int64_t i = 0; i < lanes.count; ++i)
    result[i] = convert<To>(a[i * lanes.steps[0]], width, to_small);
}

// Rounds up with the probability of the fraction: the random bits, as a fraction of one, lie below
// it.
template <typename To, typename From, typename Random>
To stochastic_integer(From x, Random random, int width, int bits) {
  const To lowest = saturate<To>(-std::numeric_limits<From>::infinity(), width);
  const To highest = saturate<To>(std::numeric_limits<From>::infinity(), width);
  if (std::isnan(x)) return To{0};
  if (x >= static_cast<From>(highest)) return highest;
  if (x <= static_cast<From>(lowest)) return lowest;
  const From magnitude = std::fabs(x), whole = std::trunc(magnitude);
  const Random threshold =
      static_cast<Random>(std::ldexp(static_cast<double>(magnitude - whole), bits));
  const uint64_t rounded = static_cast<uint64_t>(whole) + (random < threshold ? 1 : 0);
  return static_cast<To>(static_cast<int64_t>(std::signbit(x) ? -rounded : rounded));
}

// To a narrower float: the first of the random bits are added below the last kept bit and the sum
// is cut.
template <typename Random>
float stochastic_float(float x, Random random, int bits, const hlo::FloatFormat& format) {
  if (!std::isfinite(x)) return x;
  const int drop = 23 - format.mantissa_bits;
  const uint32_t first = static_cast<uint32_t>(uint64_t{random} << (64 - bits) >> (64 - drop));
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + first) & ~((1u << drop) - 1));
}

template <typename From, typename Random, typename To>
void stochastic_lanes(const Kernel& kernel, const Lanes& lanes) {
  const From* a = static_cast<const From*>(lanes.operands[0]);
  const Random* random = static_cast<const Random*>(lanes.operands[1]);
  To* result = static_cast<To*>(lanes.result);
  const int width = hlo::type_bits(kernel.to);
  for (int64_t i = 0; i < lanes.count; ++i) {
    const From x = a[i * lanes.steps[0]];
    const Random r = random[i * lanes.steps[1]];
    if constexpr (IntegerValue<To>) {
      result[i] = stochastic_integer<To>(x, r, width, hlo::type_bits(kernel.from));
    } else {
      result[i] = stochastic_float(static_cast<float>(x), r, hlo::type_bits(kernel.from),
                                   *hlo::small_float_format(kernel.to));
    }
  }
}

template <typename From, typename Random>
Kernel stochastic_to(const KernelRequest& r) {
  return visit_value_type(r.to, [&]<typename To>(std::type_identity<To>) -> Kernel {
    if constexpr (IntegerValue<To>) return r.kernel(&stochastic_lanes<From, Random, To>);
    if constexpr (std::is_same_v<To, float>) {
      if (!is_native(r.to)) return r.kernel(&stochastic_lanes<From, Random, To>);
    }
    return {};
  });
}

struct Real {
  template <FloatValue T>
  T operator()(T a) const {
    return a;
  }
  template <ComplexValue T>
  auto operator()(T a) const {
    return a.real();
  }
};
struct Imag {
  template <FloatValue T>
  T operator()(T) const {
    return T{0};
  }
  template <ComplexValue T>
  auto operator()(T a) const {
    return a.imag();
  }
};
struct Complex {
  template <FloatValue T>
  std::complex<T> operator()(T real, T imag) const {
    return {real, imag};
  }
};

}  // namespace

Kernel kernel(Op<Opcode::kConvert>, const KernelRequest& r) {
  return visit_value_type(r.from, [&]<typename From>(std::type_identity<From>) {
    return visit_value_type(r.to, [&]<typename To>(std::type_identity<To>) {
      return r.kernel(&convert_lanes<From, To>);
    });
  });
}

// The random operand is an unsigned integer as wide as the float.
Kernel kernel(Op<Opcode::kStochasticConvert>, const KernelRequest& r) {
  if (r.from == PrimitiveType::kF64) return stochastic_to<double, uint64_t>(r);
  if (r.from == PrimitiveType::kF32) return stochastic_to<float, uint32_t>(r);
  const int bits = hlo::type_bits(r.from);
  if (bits == 16) return stochastic_to<float, uint16_t>(r);
  return stochastic_to<float, uint8_t>(r);
}

Kernel kernel(Op<Opcode::kReal>, const KernelRequest& r) { return unary<Real>(r); }
Kernel kernel(Op<Opcode::kImag>, const KernelRequest& r) { return unary<Imag>(r); }
Kernel kernel(Op<Opcode::kComplex>, const KernelRequest& r) {
  if (!is_native(r.from)) return {};
  return binary<Complex>(r);
}

}  // namespace hlocc::interpreter
