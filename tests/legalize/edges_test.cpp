// Numbers in the middle between two others, give or take less than the wider type can hold beside
// them: where a second rounding shows.
#include <bit>
#include <catch2/catch.hpp>

#include "legalize/harness.h"

namespace hlocc::kernel {
namespace {

uint64_t bits_of_float(float value) { return std::bit_cast<uint32_t>(value); }

TEST_CASE("a fused product and sum rounds once, whatever the signs") {
  const OpTest fma{"fma",
                   {Scalar::kF32, Scalar::kF32, Scalar::kF32},
                   Scalar::kF32,
                   [](Builder& b, std::span<const ValueId> in) {
                     return b.op(OpKind::kNativeFma, b.type(in[0]), {in[0], in[1], in[2]});
                   }};
  // The product is 1 + 2^-11 + 2^-24, in the middle of two floats; so are those of the next rows.
  constexpr float kOnes[] = {0x1.001p0f, 0x1.003p0f, 0x1.801p0f, 0x1.001p20f};
  constexpr float kAddends[] = {0, 0x1p-60f, 0x1p-78f, 0x1p-100f, 0x1p-24f, 0x1.8p-30f};
  std::vector<Column> columns(3);
  for (const float one : kOnes)
    for (const float addend : kAddends)
      for (const float sign : {1.0f, -1.0f})
        for (const float other : {1.0f, -1.0f}) {
          columns[0].push_back(bits_of_float(sign * one));
          columns[1].push_back(bits_of_float(one));
          columns[2].push_back(bits_of_float(other * addend));
        }
  for (const char* target : {"cortex-m0", "rv32imc"})
    check_same(fma, columns, target_named(target));
}

TEST_CASE("f64 goes to small floats in one rounding") {
  for (const Scalar to : {Scalar::kF16, Scalar::kF8E5M2, Scalar::kF8E4M3FN}) {
    const int mantissa = to == Scalar::kF16 ? 10 : to == Scalar::kF8E5M2 ? 2 : 3;
    Column numbers;
    for (const double scale : {1.0, 0.5, 8.0, 0x1p-14})
      for (const int halves : {1, 3})
        for (const double beside : {0.0, 0x1p-30, -0x1p-30, 0x1p-45, -0x1p-45})
          for (const double sign : {1.0, -1.0})
            numbers.push_back(std::bit_cast<uint64_t>(
                sign * scale * (1 + halves / static_cast<double>(2 << mantissa) + beside)));
    for (const char* target : {"cortex-m0", "cortex-m4f"})
      check_same(convert_test(Scalar::kF64, to), {numbers}, target_named(target));
  }
}

}  // namespace
}  // namespace hlocc::kernel
