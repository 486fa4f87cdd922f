// gemmlowp's functions on fixed-point numbers, at the ends of what they take and beside the real
// functions.
#include "import/tflite/fixed_point.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "support/text.h"

namespace hlocc::tests {
namespace {

using namespace import::tflite;

constexpr int32_t kLeastWord = INT32_MIN, kHalf = 1 << 30;

TEST_CASE("multipliers of reals have 31 bits, and vanish below 2^-32") {
  CHECK(quantize_multiplier(1) == Multiplier{kHalf, 1});
  CHECK(quantize_multiplier(.75) == Multiplier{3 << 29, 0});
  CHECK(quantize_multiplier(0) == Multiplier{});
  CHECK(quantize_multiplier(INFINITY) == Multiplier{});
  CHECK(quantize_multiplier(0x1p-32) == Multiplier{kHalf, -31});
  CHECK(quantize_multiplier(0x1p-33) == Multiplier{});
  // A mantissa that is rounded up to 1.
  CHECK(quantize_multiplier(1 - 0x1p-40) == Multiplier{kHalf, 1});
}

TEST_CASE("products of fixed-point numbers saturate once, and halves are rounded from zero") {
  CHECK(high_multiply(kLeastWord, kLeastWord) == INT32_MAX);
  CHECK(high_multiply(kHalf, kLeastWord) == -kHalf);
  CHECK(high_multiply(kLeastWord, kHalf) == -kHalf);
  CHECK(high_multiply(3, kHalf) == 2);
  CHECK(high_multiply(-3, kHalf) == -1);
  CHECK(rounding_shift(1, 1) == 1);
  CHECK(rounding_shift(-1, 1) == -1);
  CHECK(rounding_shift(-3, 1) == -2);
  CHECK(rounding_shift(5, 2) == 1);
  CHECK(rounding_shift(6, 2) == 2);
  CHECK(rounding_shift(-5, 2) == -1);
  CHECK(rounding_shift(-6, 2) == -2);
  CHECK(rounding_shift(7, 0) == 7);
  CHECK(multiply(1, {kHalf, 31}) == -kHalf);
  CHECK(multiply(1, {kHalf, 32}) == 0);
  CHECK(multiply(100, {kHalf, -1}) == 25);
  CHECK(rounded(2.5) == 3);
  CHECK(rounded(-2.5, 1) == -2);
  CHECK(rounded(1e30) == INT32_MAX);
  CHECK(rounded(-1e30, -5) == kLeastWord);
}

// The number as a real one.
double real_of(int32_t x, int integer_bits) { return std::ldexp(x, integer_bits - 31); }

TEST_CASE("exp, logistic and tanh of fixed-point numbers lie beside the functions") {
  for (const int bits : {0, 4, 5, 6})
    for (const double from :
         {0., 0.01, 0.2, 0.25, 0.3, 0.5, 0.9, 1.5, 3.75, 7., 12., 15.9, 31., 33., 60.}) {
      if (from >= std::ldexp(1, bits)) continue;
      const auto a = static_cast<int32_t>(std::round(std::ldexp(from, 31 - bits)));
      INFO(from << " with " << bits << " integer bits");
      CHECK(std::abs(real_of(exp_of_negative(-a, bits), 0) - std::exp(-real_of(a, bits))) < 1e-6);
      if (bits > 5) continue;
      for (const int32_t x : {a, -a}) {
        const double real = real_of(x, bits);
        CHECK(std::abs(real_of(logistic_of(x, bits), 0) - 1 / (1 + std::exp(-real))) < 1e-6);
        CHECK(std::abs(real_of(tanh_of(x, bits), 0) - std::tanh(real)) < 1e-6);
      }
    }
  CHECK(exp_of_negative(0, 4) == INT32_MAX);
  CHECK(logistic_of(0, 4) == kHalf);
  CHECK(tanh_of(0, 4) == 0);
  CHECK(std::abs(real_of(logistic_of(1, 4), 0) - .5) < 1e-6);
  CHECK(std::abs(real_of(tanh_of(1, 4), 0)) < 1e-6);
}

TEST_CASE("one over the root has a shift that is not positive") {
  for (const int32_t x : {1, 2, 3, 4, 7, 8, 9, 31, 32, 255, 1000, 65536, 1 << 29, INT32_MAX}) {
    INFO(x);
    const Multiplier found = inverse_square_root(x);
    CHECK(found.shift <= 0);
    CHECK(std::abs(std::ldexp(found.factor, found.shift - 31 + 0) * std::sqrt(x) - 1) < 1e-4);
  }
}

}  // namespace
}  // namespace hlocc::tests
