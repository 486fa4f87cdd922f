// Which chips compute with integers what quantised networks scale, and with what: one chip on either
// side of each border.
#include "costs/requantize.h"

#include <catch2/catch.hpp>

namespace hlocc::tests {
namespace {

using namespace costs;

Target chip(const char* name) { return *preset(name); }

}  // namespace

TEST_CASE("vectors of floats scale in floats, those of MVE do not", "[costs]") {
  CHECK(scales_in_floats(chip("cortex-a53")));
  for (const char* name : {"cortex-m55", "cortex-m4f", "rv64gc"})
    CHECK_FALSE(scales_in_floats(chip(name)));
  CHECK(rounds_vectors(chip("cortex-m55")));
  for (const char* name : {"cortex-a53", "cortex-m33"}) CHECK_FALSE(rounds_vectors(chip(name)));
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
  CHECK(float_table_pays(m4, 16));
  CHECK_FALSE(float_table_pays(m4, 15));
  Target small = m4;
  small.options.level = Level::kOs;
  CHECK_FALSE(float_table_pays(small, 16));
  CHECK(sums_in_64_bits_pay(m4));
  for (const Target& other : {m55, a53, rv64}) CHECK_FALSE(sums_in_64_bits_pay(other));
}

}  // namespace hlocc::tests
