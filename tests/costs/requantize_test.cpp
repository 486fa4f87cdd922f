// Which chips compute with integers what quantised networks scale, and with what: one chip on either
// side of each border.
#include "costs/requantize.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

namespace hlocc::tests {
namespace {

using namespace costs;

Target chip(const char* name) { return *preset(name); }

// The rows that pay, by their searches' names, in order.
std::string rows_that_pay(const Target& target, ReadAs read_as, const RequantizeSite& site) {
  constexpr const char* kNames[] = {
#define HLOCC_REQUANTIZE_FIT(read_as, function, pays) #function,
#include "costs/requantize_fits.def"
#undef HLOCC_REQUANTIZE_FIT
  };
  std::string names;
  for (size_t row = 0; row < requantize_fits().size(); ++row) {
    const RequantizeFit& fit = requantize_fits()[row];
    if (fit.read_as != read_as || !fit.pays(target, site)) continue;
    names += (names.empty() ? "" : " ") + std::string(kNames[row]);
  }
  return names;
}

}  // namespace

TEST_CASE("what may take the place of a requantisation, a chip and a spelling each", "[costs]") {
  struct Row {
    const char* chip;
    ReadAs read_as;
    RequantizeSite site;
    const char* names;
  };
  constexpr RequantizeSite kFloats{.in_floats = true}, kWords{.in_64_bits = true},
      kTwoInFloats{.of_two = true, .in_floats = true},
      kTwoInWords{.of_two = true, .in_64_bits = true},
      kSum{.in_floats = true, .of_contraction = true};
  const Row rows[] = {
      {"cortex-m4f", ReadAs::kSteps, kFloats, "one_number nearly_exact floats fixed_point ties"},
      {"cortex-m4f", ReadAs::kSteps, {}, "one_number fixed_point ties"},
      {"cortex-m3", ReadAs::kSteps, kFloats, "one_number fixed_point ties"},
      {"cortex-m33", ReadAs::kSteps, {}, "one_number fixed_point"},
      {"cortex-m55", ReadAs::kSteps, kFloats, "one_number floats fixed_point"},
      {"cortex-m55", ReadAs::kSteps, kSum,
       "one_number offset_inside inside_without_flat floats fixed_point"},
      {"cortex-m55",
       ReadAs::kSteps,
       {},
       "one_number offset_inside inside_without_flat fixed_point"},
      {"cortex-a53", ReadAs::kSteps, kFloats, "one_number floats"},
      {"cortex-a53", ReadAs::kSteps, kSum, "one_number offset_inside inside_without_flat floats"},
      {"rv64gc", ReadAs::kSteps, {}, ""},
      {"cortex-m4f", ReadAs::kBytes, kFloats, "table"},
      {"cortex-m4f", ReadAs::kBytes, kWords, "table"},
      {"cortex-m4f", ReadAs::kPairs, kTwoInWords, "affine"},
      {"cortex-m55", ReadAs::kBytes, kFloats, ""},
      {"cortex-m55", ReadAs::kPairs, kTwoInFloats, "affine"},
      {"cortex-a53", ReadAs::kPairs, kTwoInFloats, ""},
      {"cortex-m4f", ReadAs::kSums, kFloats, "sum"},
      {"cortex-a53", ReadAs::kSums, kFloats, ""},
  };
  for (const Row& row : rows) {
    INFO(row.chip << " " << static_cast<int>(row.read_as) << " " << row.site.in_floats);
    CHECK(rows_that_pay(chip(row.chip), row.read_as, row.site) == row.names);
  }
  Target plain = chip("cortex-m4f");
  plain.options.integer_qdq = false;
  CHECK(rows_that_pay(plain, ReadAs::kSums, kFloats).empty());
}

TEST_CASE("roundings of fixed-point numbers", "[costs]") {
  for (int64_t sum = -40; sum <= 40; ++sum) {
    const double number = static_cast<double>(sum) / 8;
    CHECK(rounded_shift(sum, 3, Rounding::kDown) == std::floor(number));
    CHECK(rounded_shift(sum, 3, Rounding::kHalvesToEven) == std::nearbyint(number));
    CHECK(rounded_shift(sum, 3, Rounding::kHalvesToOdd) == std::nearbyint(number + 1) - 1);
  }
  CHECK(most_rounded(Rounding::kDown) == 0);
  // Just below it the last bits are the integer, rounded to even; beyond it they are not.
  const float most = most_rounded(Rounding::kLastBits);
  const auto last_bits = [](float number) {
    return std::bit_cast<int32_t>(number + kRounder) - std::bit_cast<int32_t>(kRounder);
  };
  for (const float number : {0.5f, 1.5f, -2.5f, most - 1, 1 - most})
    CHECK(last_bits(number) == std::nearbyint(number));
  CHECK(last_bits(2 * most) != 2 * most);
}

TEST_CASE("bits below the number of a fixed-point product", "[costs]") {
  CHECK(FixedForm{.pieces = 0, .bits = 15}.part() == 32);
  CHECK(FixedForm{.pieces = 1, .bits = 15}.part() == 0);
  CHECK(FixedForm{.pieces = 3, .bits = 15}.part() == 30);
}

TEST_CASE("vectors of floats scale in floats, those of MVE do not", "[costs]") {
  CHECK(scales_in_floats(chip("cortex-a53")));
  for (const char* name : {"cortex-m55", "cortex-m4f", "rv64gc"})
    CHECK_FALSE(scales_in_floats(chip(name)));
  Target of_integers = chip("cortex-a53");
  of_integers.float_vectors = false;
  CHECK_FALSE(scales_in_floats(of_integers));
  for (const char* name : {"cortex-m55", "cortex-a53"}) CHECK(rounds_vectors(chip(name)));
  for (const char* name : {"cortex-a7-linux", "cortex-m33"})
    CHECK_FALSE(rounds_vectors(chip(name)));
  Target integers = chip("cortex-m55");
  integers.isa = {Isa::kMve};
  CHECK_FALSE(rounds_vectors(integers));
  CHECK(has_long_multiply(chip("cortex-m3")));
  CHECK_FALSE(has_long_multiply(chip("cortex-m0")));
}

TEST_CASE("where fixed-point numbers and scales in floats pay", "[costs]") {
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-m55"})
    for (const bool in_floats : {true, false}) CHECK(fixed_point_pays(chip(name), in_floats));
  CHECK(fixed_point_pays(chip("rv64gc"), true));
  CHECK_FALSE(fixed_point_pays(chip("rv64gc"), false));
  CHECK_FALSE(fixed_point_pays(chip("cortex-a53"), true));
  for (const char* name : {"cortex-a53", "x86_64-linux"})
    CHECK(fixed_point_pays(chip(name), false));  // vectors
  CHECK(float_scale_pays(chip("cortex-m4f"), true));
  CHECK(float_scale_pays(chip("cortex-m55"), true));
  CHECK_FALSE(float_scale_pays(chip("cortex-m4f"), false));
  CHECK_FALSE(float_scale_pays(chip("cortex-m3"), true));
  CHECK(float_scale_pays(chip("cortex-a53"), true));
  CHECK_FALSE(float_scale_pays(chip("cortex-a53"), false));
}

TEST_CASE("offsets inside of products", "[costs]") {
  for (const char* name : {"cortex-m55", "cortex-a53", "cortex-a7-linux"})
    CHECK(offset_goes_inside(chip(name)));
  for (const char* name : {"cortex-m4f", "rv64gc", "x86_64-linux"})
    CHECK_FALSE(offset_goes_inside(chip(name)));
  Target scalar = chip("cortex-a53");
  scalar.vector_bits = 0;
  CHECK_FALSE(offset_goes_inside(scalar));
  CHECK_FALSE(rounds_vectors(scalar));
  // x86 takes it where lines bend, if it has the product.
  Target x86 = chip("x86_64-linux");
  CHECK(rows_that_pay(x86, ReadAs::kSteps, {}) == "one_number fixed_point ties");
  x86.isa = {Isa::kSse2, Isa::kSse41};
  CHECK(rows_that_pay(x86, ReadAs::kSteps, {}) == "one_number bent_inside fixed_point ties");
  CHECK(rows_that_pay(x86, ReadAs::kSteps, {.in_floats = true}) == "one_number floats");
}

TEST_CASE("corrections and exceptions that are worth it", "[costs]") {
  CHECK(most_corrections(chip("cortex-m3")) == 6);
  CHECK(most_corrections(chip("rv32imafc")) == 2);
  CHECK(most_corrections(chip("cortex-m4f")) == 4);
  CHECK(most_corrections(chip("cortex-m33")) == 0);
  CHECK(most_exceptions(chip("cortex-m3")) == 4);
  CHECK(most_exceptions(chip("cortex-m4f")) == 2);
}

TEST_CASE("where functions of bytes and sums have another form", "[costs]") {
  const Target m4 = chip("cortex-m4f"), a53 = chip("cortex-a53"), m55 = chip("cortex-m55"),
               rv64 = chip("rv64gc");
  CHECK(byte_function_pays(m4, {.in_floats = true}));
  CHECK(byte_function_pays(m4, {.in_64_bits = true}));
  CHECK_FALSE(byte_function_pays(m4, {}));
  CHECK_FALSE(byte_function_pays(rv64, {.in_64_bits = true}));
  // Tables are read one element at a time; sums of two are vectors of integers.
  CHECK_FALSE(byte_function_pays(m55, {.in_floats = true}));
  CHECK(byte_function_pays(m55, {.of_two = true, .in_floats = true}));
  CHECK_FALSE(byte_function_pays(a53, {.of_two = true, .in_floats = true}));
  CHECK(byte_function_pays(a53, {.of_two = true, .in_64_bits = true}));
  CHECK_FALSE(byte_function_pays(a53, {.in_64_bits = true}));
  CHECK_FALSE(byte_function_pays(rv64, {.of_two = true, .in_64_bits = true}));
  Target integers = m55;
  integers.float_vectors = false;
  CHECK(byte_function_pays(integers, {.in_floats = true}));
  CHECK(float_table_pays(m4, 16));
  CHECK_FALSE(float_table_pays(m4, 15));
  Target small = m4;
  small.options.level = Level::kOs;
  CHECK_FALSE(float_table_pays(small, 16));
  CHECK(sums_in_64_bits_pay(m4));
  for (const Target& other : {m55, a53, rv64}) CHECK_FALSE(sums_in_64_bits_pay(other));
}

}  // namespace hlocc::tests
