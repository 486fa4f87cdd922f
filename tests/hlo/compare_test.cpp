// What each part of a comparison rule accepts.
#include "hlo/compare.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace hlocc::hlo {
namespace {

Literal floats(const std::vector<float>& values) {
  return Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(values.size())}, values);
}
bool passes(const std::vector<float>& got, const std::vector<float>& expected,
            const CompareRule& rule) {
  return compare_leaf(floats(got), floats(expected), rule).ok;
}

const float nan = std::nanf(""), inf = INFINITY;

}  // namespace

TEST_CASE("exact: NaN equals NaN, zeros are equal unless signed", "[hlo]") {
  CHECK(passes({nan, -0.0f, inf}, {nan, 0.0f, inf}, {.exact = true}));
  CHECK_FALSE(passes({-0.0f}, {0.0f}, {.exact = true, .signed_zero = true}));
  CHECK_FALSE(passes({1}, {nan}, {.exact = true}));
  CHECK_FALSE(passes({nan}, {1}, {.exact = true}));
  CHECK_FALSE(passes({0}, {5}, {.exact = true, .signed_zero = true}));
  CHECK_FALSE(passes({inf}, {-inf}, {.exact = true}));
}

TEST_CASE("ulp counts across zero", "[hlo]") {
  const float next = std::nextafter(1.0f, 2.0f);
  CHECK(passes({next}, {1}, {.ulp = 1}));
  CHECK_FALSE(passes({std::nextafter(next, 2.0f)}, {1}, {.ulp = 1}));
  CHECK(compare_leaf(floats({1e-45f}), floats({-1e-45f}), {.ulp = 0, .denorm = false}).max_ulp ==
        2);
}

TEST_CASE("tolerances never accept an infinity for a number", "[hlo]") {
  CHECK(passes({1.01f}, {1}, {.rtol = 0.02}));
  CHECK_FALSE(passes({1.03f}, {1}, {.rtol = 0.02}));
  CHECK(passes({0.01f}, {0}, {.atol = 0.02}));
  CHECK_FALSE(passes({inf}, {1}, {.atol = 1e30}));
  CHECK_FALSE(passes({inf}, {1}, {.ulp = 1}));
  CHECK_FALSE(passes({1}, {inf}, {.ulp = 1}));
  CHECK(passes({1.5f}, {1}, {.atol = 0.5}));
  // Nor are they counted.
  CHECK(compare_leaf(floats({inf, 2}), floats({1, 2}), {.ulp = 0}).max_abs == 0);
  CHECK(compare_leaf(floats({1, 2}), floats({inf, 2}), {.ulp = 0}).max_abs == 0);
}

TEST_CASE("denormals equal zero unless the rule says otherwise", "[hlo]") {
  CHECK(passes({1e-40f}, {0}, {.exact = true}));
  CHECK_FALSE(passes({1e-40f}, {1}, {.exact = true}));
  CHECK_FALSE(passes({0x1p-126f}, {0}, {.exact = true}));
  CHECK_FALSE(passes({0}, {0x1p-126f}, {.exact = true}));
  CHECK_FALSE(passes({1e-40f}, {0}, {.exact = true, .denorm = false}));
  CHECK_FALSE(passes({1e-40f}, {0}, {.exact = true, .signed_zero = true}));
}

TEST_CASE("bits, mismatch_frac, shapes and other types", "[hlo]") {
  CHECK_FALSE(passes({-0.0f}, {0.0f}, {.bits = true}));
  CHECK(passes({1, 2, 3, 9}, {1, 2, 3, 4}, {.exact = true, .mismatch_frac = 0.25}));
  const Comparison shapes = compare_leaf(floats({1}), floats({1, 2}), {.exact = true});
  CHECK_FALSE(shapes.ok);
  CHECK(shapes.first == "type/shape f32[1] vs f32[2]");
  const auto big = [](uint64_t v) { return Literal::scalar<uint64_t>(PrimitiveType::kU64, v); };
  CHECK_FALSE(compare_leaf(big(UINT64_MAX), big(0), {.exact = true}).ok);
  CHECK(compare_leaf(big(UINT64_MAX), big(UINT64_MAX - 1), {.atol = 1}).ok);
  CHECK_FALSE(compare_leaf(big(UINT64_MAX), big(UINT64_MAX - 1), {.exact = true}).ok);
  CHECK(compare_leaf(big(4), big(3), {.atol = 1}).ok);
  CHECK_FALSE(compare_leaf(big(5), big(3), {.atol = 1}).ok);
  const Literal one = Literal::array<int32_t>(PrimitiveType::kS32, {1}, std::vector<int32_t>{0});
  CHECK(compare_leaf(one, floats({0}), {.exact = true}).first == "type/shape s32[1] vs f32[1]");
}

TEST_CASE("parts of complex numbers share the number's magnitude", "[hlo]") {
  const auto complex = [](float re, float im) {
    return Literal::array<float>(PrimitiveType::kF32, {2}, std::vector<float>{re, im});
  };
  const auto c64 = [&](float re, float im) {
    const Literal parts = complex(re, im);
    return Literal::from_bytes(Shape::array(PrimitiveType::kC64, {1}),
                               {parts.bytes().begin(), parts.bytes().end()});
  };
  CHECK(compare_leaf(c64(100, 0.01f), c64(100, 0), {.rtol = 1e-3}).ok);
  CHECK_FALSE(compare_leaf(c64(100, 0.2f), c64(100, 0), {.rtol = 1e-3}).ok);
  // An infinite one is no excuse for the other part.
  CHECK(compare_leaf(c64(inf, 1), c64(inf, 1), {.rtol = 1e-3}).ok);
  CHECK_FALSE(compare_leaf(c64(inf, 5), c64(inf, 1), {.rtol = 1e-3}).ok);
}

TEST_CASE("the first bad element is named", "[hlo]") {
  const Literal got =
      Literal::array<int32_t>(PrimitiveType::kS32, {2, 2}, std::vector<int32_t>{1, 2, 3, 5});
  const Literal expected =
      Literal::array<int32_t>(PrimitiveType::kS32, {2, 2}, std::vector<int32_t>{1, 2, 3, 4});
  CHECK(compare_leaf(got, expected, {.exact = true}).first == "index (1, 1) got 5 expected 4");
}

}  // namespace hlocc::hlo
