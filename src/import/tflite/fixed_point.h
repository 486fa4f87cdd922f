// Fixed-point numbers as TensorFlow Lite's kernels compute with them when they prepare a model:
// multipliers from real scales, and gemmlowp's functions on integers with a binary point.
#pragma once
#include <cstdint>
#include <limits>

namespace hlocc::import::tflite {

// x * factor / 2^31 * 2^shift; factor in [2^30, 2^31), or 0.
struct Multiplier {
  int32_t factor = 0;
  int shift = 0;
  bool operator==(const Multiplier&) const = default;
};
Multiplier quantize_multiplier(double real);

// gemmlowp's SaturatingRoundingDoublingHighMul and RoundingDivideByPOT.
int32_t high_multiply(int32_t a, int32_t b);
int32_t rounding_shift(int32_t x, int by);
// MultiplyByQuantizedMultiplier with both roundings.
int32_t multiply(int32_t x, Multiplier by);

// exp(a / 2^(31 - integer_bits)) of a <= 0, and 1 / (1 + exp(-a)), with 0 integer bits.
int32_t exp_of_negative(int32_t a, int integer_bits);
int32_t logistic_of(int32_t a, int integer_bits);
int32_t tanh_of(int32_t a, int integer_bits);

// 1 / sqrt(x), x >= 0: factor / 2^31 * 2^shift.
Multiplier inverse_square_root(int32_t x);

// std::round, as a kernel casts it, plus a zero point; what does not fit becomes the nearest end.
int32_t rounded(double x, int32_t plus = 0);

}  // namespace hlocc::import::tflite
