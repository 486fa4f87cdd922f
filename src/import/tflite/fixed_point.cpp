// See fixed_point.h. Each function follows the published definition of gemmlowp's word for word:
// results must agree in every bit.
#include "import/tflite/fixed_point.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hlocc::import::tflite {
namespace {

constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();

int32_t saturated(int64_t x) { return static_cast<int32_t>(std::clamp<int64_t>(x, kLeast, kMost)); }

// SaturatingRoundingMultiplyByPOT for positive exponents.
int32_t saturating_left(int32_t x, int by) { return saturated(static_cast<int64_t>(x) << by); }

// (a + b) / 2, halves away from zero.
int32_t half_sum(int32_t a, int32_t b) {
  const int64_t sum = static_cast<int64_t>(a) + b;
  return static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
}

// exp(a) for a in [-1/4, 0), no integer bits.
int32_t exp_on_quarter(int32_t a) {
  constexpr int32_t kConstant = 1895147668, kThird = 715827883;
  const int32_t x = a + (1 << 28);
  const int32_t x2 = high_multiply(x, x), x3 = high_multiply(x2, x), x4 = high_multiply(x2, x2);
  const int32_t x4_over_4 = rounding_shift(x4, 2);
  const int32_t rest = rounding_shift(
      high_multiply(saturated(static_cast<int64_t>(x4_over_4) + x3), kThird) + x2, 1);
  return saturated(static_cast<int64_t>(kConstant) +
                   high_multiply(kConstant, saturated(static_cast<int64_t>(x) + rest)));
}

// Newton's method for 1 / ((1 + a) / 2), two integer bits.
int32_t newton(int32_t a) {
  const int32_t half_denominator = half_sum(a, kMost);
  constexpr int32_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540;
  int32_t x =
      saturated(static_cast<int64_t>(k48Over17) + high_multiply(half_denominator, kMinus32Over17));
  for (int i = 0; i < 3; ++i) {
    const int32_t one_minus = (1 << 29) - high_multiply(half_denominator, x);
    x = saturated(static_cast<int64_t>(x) + saturating_left(high_multiply(x, one_minus), 2));
  }
  return x;
}

// 1 / (1 + a) and (1 - a) / (1 + a) of a in [0, 1], no integer bits.
int32_t one_over_one_plus(int32_t a) { return saturating_left(newton(a), 1); }
int32_t one_minus_over_one_plus(int32_t a) { return saturating_left(newton(a) - (1 << 29), 2); }

}  // namespace

Multiplier quantize_multiplier(double real) {
  Multiplier out;
  if (real == 0 || !std::isfinite(real)) return out;
  const double part = std::frexp(real, &out.shift);
  auto fixed = static_cast<int64_t>(std::round(part * static_cast<double>(int64_t{1} << 31)));
  if (fixed == int64_t{1} << 31) {
    fixed /= 2;
    ++out.shift;
  }
  if (out.shift < -31) return {};
  out.factor = static_cast<int32_t>(fixed);
  return out;
}

int32_t high_multiply(int32_t a, int32_t b) {
  if (a == kLeast && b == kLeast) return kMost;
  const int64_t product = static_cast<int64_t>(a) * b;
  const int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

int32_t rounding_shift(int32_t x, int by) {
  const auto mask = static_cast<int32_t>((int64_t{1} << by) - 1);
  const int32_t rest = x & mask, threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return static_cast<int32_t>(static_cast<int64_t>(x) >> by) + (rest > threshold ? 1 : 0);
}

int32_t multiply(int32_t x, Multiplier by) {
  const int left = std::max(by.shift, 0), right = std::max(-by.shift, 0);
  const auto shifted =
      left > 31 ? 0 : static_cast<int32_t>(static_cast<uint64_t>(static_cast<int64_t>(x)) << left);
  return rounding_shift(high_multiply(shifted, by.factor), right);
}

int32_t exp_of_negative(int32_t a, int integer_bits) {
  if (a == 0) return kMost;
  const int fraction = 31 - integer_bits;
  const int32_t quarter = 1 << (fraction - 2), mask = quarter - 1;
  const int32_t in_quarter = (a & mask) - quarter;
  int32_t result = exp_on_quarter(saturating_left(in_quarter, integer_bits));
  // 0, unless the remainder has the bit of this power.
  const int32_t remainder = in_quarter - a;
  constexpr struct {
    int exponent;
    int32_t factor;
  } steps[] = {{-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308},
               {2, 39332535},    {3, 720401},      {4, 242}};
  for (const auto& step : steps) {
    if (integer_bits <= step.exponent) continue;
    if ((remainder & (int32_t{1} << (fraction + step.exponent))) != 0)
      result = high_multiply(result, step.factor);
  }
  // Below -32 all is 0; more integer bits reach so far.
  if (integer_bits > 5 && a < -(int32_t{1} << (36 - integer_bits))) return 0;
  return result;
}

int32_t logistic_of(int32_t a, int integer_bits) {
  if (a == 0) return int32_t{1} << 30;
  const int32_t of_positive = one_over_one_plus(exp_of_negative(a > 0 ? -a : a, integer_bits));
  return a > 0 ? of_positive : kMost - of_positive;
}

int32_t tanh_of(int32_t a, int integer_bits) {
  if (a == 0) return 0;
  // exp(-2 |a|): twice the number is the same bits with one integer bit more.
  const int32_t of_positive =
      one_minus_over_one_plus(exp_of_negative(a > 0 ? -a : a, integer_bits + 1));
  return a > 0 ? of_positive : -of_positive;
}

Multiplier inverse_square_root(int32_t x) {
  if (x <= 1) return {kMost, 0};
  int right = 11;
  for (; x >= 1 << 29; ++right) x /= 4;
  const int pairs = (std::countl_zero(static_cast<uint32_t>(x)) - 1) / 2 - 1;
  right -= pairs;
  x <<= 2 * pairs;
  // Newton's steps from 1, with three integer bits.
  const int32_t half_input = rounding_shift(x >> 1, 1), half_three = (1 << 28) + (1 << 27);
  int32_t y = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    const int32_t cube = saturating_left(high_multiply(high_multiply(y, y), y), 6);
    y = saturating_left(high_multiply(half_three, y) - high_multiply(half_input, cube), 3);
  }
  y = high_multiply(y, 1518500250);
  if (right < 0) {
    y <<= -right;
    right = 0;
  }
  return {y, -right};
}

int32_t rounded(double x, int32_t plus) {
  return static_cast<int32_t>(
      std::clamp(std::round(x) + plus, static_cast<double>(kLeast), static_cast<double>(kMost)));
}

}  // namespace hlocc::import::tflite
