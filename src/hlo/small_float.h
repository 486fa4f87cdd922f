// The float formats narrower than f32 as one table of numbers, and correctly rounded conversion
// from and to them. The interpreter computes with it, and the legalisation of small floats takes
// exponent widths, biases and special values from the same rows, so that both agree on every bit.
#pragma once
#include <cstdint>

#include "hlo/primitive_type.h"

namespace hlocc::hlo {

// Where a format keeps its NaNs.
enum class NanStyle : uint8_t {
  kIeee,          // exponent all ones, mantissa not zero
  kAllOnes,       // exponent and mantissa all ones (the FN formats), either sign
  kNegativeZero,  // the code of -0 (the FNUZ formats): there is no -0, and one NaN
  kNone,          // no NaN: converting one gives -0 (f4e2m1fn)
};

struct FloatFormat {
  int exponent_bits, mantissa_bits, bias;
  bool has_sign, has_infinity, has_zero;
  NanStyle nan;

  constexpr int bits() const { return exponent_bits + mantissa_bits + (has_sign ? 1 : 0); }
  constexpr uint32_t sign_mask() const {
    return has_sign ? 1u << (exponent_bits + mantissa_bits) : 0;
  }
  constexpr uint32_t exponent_mask() const { return (1u << exponent_bits) - 1; }
  constexpr uint32_t mantissa_mask() const { return (1u << mantissa_bits) - 1; }
  // The code of the largest finite value, sign bit clear.
  constexpr uint32_t max_finite() const {
    const uint32_t all = exponent_mask() << mantissa_bits | mantissa_mask();
    if (nan == NanStyle::kIeee) return (exponent_mask() << mantissa_bits) - 1;
    return nan == NanStyle::kAllOnes ? all - 1 : all;
  }
  // The NaN that conversions make, sign bit clear where there are two.
  constexpr uint32_t quiet_nan() const {
    if (nan == NanStyle::kIeee) return exponent_mask() << mantissa_bits | 1u << (mantissa_bits - 1);
    if (nan == NanStyle::kAllOnes) return exponent_mask() << mantissa_bits | mantissa_mask();
    return sign_mask();
  }
};

// The row of f4, f8*, f16 or bf16; null for every other type.
const FloatFormat* small_float_format(PrimitiveType type);

// The value of a code; every one is exact in f32. NaNs keep their sign.
float small_to_float(const FloatFormat& format, uint32_t code);

// Rounds to nearest, ties to even; beyond the largest value: infinity, else NaN, else (no NaN) the
// largest value. Values of f32 pass through double unchanged, so that this is a single rounding for
// them too.
uint32_t float_to_small(const FloatFormat& format, double value);

// The number that `value` becomes in the format.
inline float round_to_small(const FloatFormat& format, double value) {
  return small_to_float(format, float_to_small(format, value));
}

}  // namespace hlocc::hlo
