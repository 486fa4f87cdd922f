// Arithmetic of one lane where a comparison turns: results beside zero, the least number, limits of
// conversions and exponents. Each row is an op, its type, operands and what it gives.
#include <catch2/catch.hpp>

#include "kernel/evaluate/scalar_math.h"

namespace hlocc::kernel {
namespace {

TEST_CASE("integers at their limits") {
  using enum OpKind;
  using enum Scalar;
  constexpr int64_t kLeast8 = -128, kLeast32 = -(int64_t{1} << 31), kLeast64 = INT64_MIN;
  constexpr auto kUndefined = static_cast<int64_t>(kUndefinedBits);
  const struct {
    OpKind kind;
    Scalar scalar;
    int64_t a, b, wanted;
  } rows[] = {
      {kDiv, kS8, kLeast8, -1, kLeast8},
      {kDiv, kS8, kLeast8, 2, -64},
      {kDiv, kS32, kLeast32, -1, kLeast32},
      {kDiv, kS32, kLeast32, 3, -715827882},
      {kDiv, kS64, kLeast64, -1, kLeast64},
      {kDiv, kS32, kLeast32 + 1, -1, -(kLeast32 + 1)},
      {kDiv, kU8, 128, 255, 0},
      {kDiv, kU64, kLeast64, -1, 0},
      {kRem, kS8, kLeast8, -1, 0},
      {kRem, kS8, kLeast8, 3, -2},
      {kRem, kS32, kLeast32, 3, -2},
      {kRem, kS64, kLeast64, -1, 0},
      {kRem, kU64, kLeast64, -1, kLeast64},
      {kAdd, kU8, 200, 55, 255},
      {kRem, kU8, 128, 255, 128},
      {kPow, kS32, 3, 0, 1},
      {kPow, kS32, 0, 0, 1},
      {kPow, kS32, 3, -1, 0},
      {kPow, kS32, 1, -1, 1},
      {kPow, kS32, -1, -1, -1},
      {kPow, kS32, -1, -2, 1},
      {kPow, kU64, 3, kLeast64, 1},
      {kNativeDiv, kS64, kLeast64, -1, kUndefined},
      {kNativeDiv, kS64, kLeast64, 1, kLeast64},
      {kNativeDiv, kS64, 7, 0, kUndefined},
      {kNativeRem, kS64, kLeast64, -1, kUndefined},
      {kNativeRem, kS64, kLeast64, 1, 0},
      {kNativeRem, kS64, 7, 0, kUndefined},
  };
  for (const auto& [kind, scalar, a, b, wanted] : rows) {
    INFO(op_name(kind) << " " << scalar_name(scalar) << " " << a << " " << b);
    CHECK(scalar_op(kind, scalar)(bits_of_int(scalar, a), bits_of_int(scalar, b)) ==
          bits_of_int(scalar, wanted));
  }
}

TEST_CASE("signs of floats beside zero") {
  using enum OpKind;
  using enum Scalar;
  for (const Scalar scalar : {kF32, kF64})
    for (const auto& [a, wanted] : {std::pair{0.5, 1.0},
                                    {-0.5, -1.0},
                                    {0.0, 0.0},
                                    {-0.0, -0.0},
                                    {1.0, 1.0},
                                    {-1.0, -1.0},
                                    {7.0, 1.0},
                                    {-7.0, -1.0}}) {
      INFO(scalar_name(scalar) << " " << a);
      CHECK(scalar_op(kSign, scalar)(bits_of_double(scalar, a)) == bits_of_double(scalar, wanted));
    }
}

TEST_CASE("floats become integers up to the limits") {
  using enum OpKind;
  using enum Scalar;
  const double two31 = 2147483648.0;
  const struct {
    Scalar to;
    double value;
    int64_t wanted;
    bool defined = true;  // where the native op has no meaning the other one saturates
  } rows[] = {
      {kS32, -two31, -2147483648},
      {kS32, -two31 - 0.5, -2147483648},
      {kS32, -two31 - 1, -2147483648, false},
      {kS32, two31 - 1, 2147483647},
      {kS32, two31 - 0.5, 2147483647},
      {kS32, two31, 2147483647, false},
      {kU8, 255.5, 255},
      {kU8, 256, 255, false},
      {kU8, -0.5, 0},
      {kU8, -1, 0, false},
      {kS8, -128.5, -128},
      {kS8, 128, 127, false},
  };
  for (const auto& [to, value, wanted, defined] : rows) {
    INFO(scalar_name(to) << " " << value);
    const uint64_t bits = bits_of_double(kF64, value), exact = bits_of_int(to, wanted);
    CHECK(convert_op(kConvert, kF64, to)(bits) == exact);
    CHECK(convert_op(kNativeConvert, kF64, to)(bits) ==
          (defined ? exact : canonical_bits(to, kUndefinedBits)));
  }
  // A double becomes a power of two by way of f32, where this is a tie.
  const uint64_t nearly = bits_of_double(kF64, 1.5 - 1e-12);
  CHECK(convert_op(kConvert, kF64, kF8E8M0FNU)(nearly) == 128);
  CHECK(convert_op(kConvert, kF64, kF8E8M0FNU)(bits_of_double(kF64, 1.25)) == 127);
}

}  // namespace
}  // namespace hlocc::kernel
