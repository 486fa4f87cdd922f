// The small float formats: special values, rounding, and every code there and back.
#include "hlo/small_float.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace hlocc::hlo {
namespace {

const FloatFormat& format(PrimitiveType type) { return *small_float_format(type); }

}  // namespace

TEST_CASE("every code of every small format survives there and back", "[hlo]") {
  for (int t = 0; t <= static_cast<int>(PrimitiveType::kBF16); ++t) {
    const FloatFormat* f = small_float_format(static_cast<PrimitiveType>(t));
    if (!f) continue;
    for (uint32_t code = 0; code < 1u << f->bits(); ++code) {
      const float value = small_to_float(*f, code);
      if (std::isnan(value)) {
        CHECK(std::isnan(round_to_small(*f, value)));
      } else if (float_to_small(*f, value) != code) {
        FAIL(type_name(static_cast<PrimitiveType>(t))
             << " code " << code << " came back as " << float_to_small(*f, value));
      }
    }
  }
}

TEST_CASE("rounding picks the nearer of two neighbours, even on ties", "[hlo]") {
  for (PrimitiveType type : {PrimitiveType::kF8E4M3FN, PrimitiveType::kF8E5M2,
                             PrimitiveType::kF4E2M1FN, PrimitiveType::kF16, PrimitiveType::kBF16,
                             PrimitiveType::kF8E4M3B11FNUZ, PrimitiveType::kF8E5M2FNUZ}) {
    const FloatFormat& f = format(type);
    for (uint32_t code = 0; code < f.max_finite(); ++code) {
      const double low = small_to_float(f, code), high = small_to_float(f, code + 1),
                   middle = (low + high) / 2;
      if (float_to_small(f, middle) != (code % 2 == 0 ? code : code + 1))
        FAIL(type_name(type) << " tie above " << low);
      if (float_to_small(f, std::nextafter(middle, high)) != code + 1)
        FAIL(type_name(type) << " just above " << middle);
      if (float_to_small(f, std::nextafter(middle, low)) != code)
        FAIL(type_name(type) << " just below " << middle);
    }
  }
}

TEST_CASE("overflow, infinities and NaN follow the format", "[hlo]") {
  CHECK(round_to_small(format(PrimitiveType::kF16), 65519) == 65504);
  CHECK(std::isinf(round_to_small(format(PrimitiveType::kF16), 65520)));
  CHECK(round_to_small(format(PrimitiveType::kF8E5M2), 61439) == 57344);
  CHECK(std::isinf(round_to_small(format(PrimitiveType::kF8E5M2), 61440)));
  CHECK(round_to_small(format(PrimitiveType::kF8E4M3FN), 464) == 448);
  CHECK(std::isnan(round_to_small(format(PrimitiveType::kF8E4M3FN), 465)));
  CHECK(std::isnan(round_to_small(format(PrimitiveType::kF8E4M3FN), INFINITY)));
  CHECK(float_to_small(format(PrimitiveType::kF8E4M3FNUZ), INFINITY) == 0x80);
  CHECK(float_to_small(format(PrimitiveType::kF8E4M3FNUZ), -0.0) == 0);
  CHECK(round_to_small(format(PrimitiveType::kF4E2M1FN), INFINITY) == 6);
  CHECK(round_to_small(format(PrimitiveType::kF4E2M1FN), -100) == -6);
  CHECK(std::isnan(round_to_small(format(PrimitiveType::kBF16), NAN)));
  // What is too small keeps its sign where there is a zero of that sign.
  CHECK(float_to_small(format(PrimitiveType::kF16), -1e-30) == 0x8000);
  CHECK(float_to_small(format(PrimitiveType::kF16), -1e-300) == 0x8000);
  CHECK(float_to_small(format(PrimitiveType::kF8E4M3FNUZ), -1e-30) == 0);
}

TEST_CASE("f8e8m0fnu holds powers of two alone", "[hlo]") {
  const FloatFormat& f = format(PrimitiveType::kF8E8M0FNU);
  CHECK(small_to_float(f, 127) == 1);
  CHECK(float_to_small(f, 1) == 127);
  CHECK(float_to_small(f, 2.9) == 128);
  CHECK(float_to_small(f, 3) == 129);
  CHECK(float_to_small(f, 6) == 130);
  CHECK(float_to_small(f, 0) == 0xFF);
  CHECK(float_to_small(f, 0x1p-140) == 0);
  CHECK(float_to_small(f, 0x1p-127) == 0);
  CHECK(float_to_small(f, 0x1.01p-127) == 1);
  CHECK(float_to_small(f, std::nextafter(0x1p-127, 1)) == 1);
  CHECK(float_to_small(f, -0.0) == 0xFF);
  CHECK(float_to_small(f, -1) == 0xFF);
  CHECK(std::isnan(small_to_float(f, 0xFF)));
}

}  // namespace hlocc::hlo
