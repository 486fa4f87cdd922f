// What is built of a requantisation is what its numbers say, for every row of costs/roundings.def
// and every form of products: a new row is tested here by being there.
#include "transforms/integers/requantized.h"

#include <algorithm>
#include <cmath>

#include "interpreter/interpreter.h"
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using costs::Requantization;
using transforms::RequantizedArrays;

constexpr int64_t kLeast = -300, kCount = 601;

// Of x and y, which are s32: x from kLeast on in two channels, y the other way round.
std::vector<int64_t> values_of(const Requantization& form, size_t arrays) {
  Module module = module_from(cat(" x = s32[", kCount, ",2] parameter(0)\n y = s32[", kCount,
                                  ",2] parameter(1)\n z = s32[", kCount,
                                  ",2] add(x, y)\n ROOT out = s8[", kCount, ",2] convert(z)"));
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (i.opcode != Opcode::kConvert) return hlo::kNone;
    const hlo::Instruction sum = r[i.operands[0]];
    RequantizedArrays of{sum.operands, {1}, {2}};
    of.arrays.resize(arrays);
    return transforms::requantized(r, form, of, i.shape);
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
  Literal x = Literal::zeros(hlo::Shape::array(hlo::PrimitiveType::kS32, {kCount, 2})), y = x;
  for (int64_t at = 0; at < 2 * kCount; ++at) {
    x.mutable_data<int32_t>()[static_cast<size_t>(at)] = static_cast<int32_t>(kLeast + at / 2);
    y.mutable_data<int32_t>()[static_cast<size_t>(at)] = static_cast<int32_t>(-kLeast - at / 2);
  }
  const Result<Literal> values = interpreter::run(module, std::vector{x, y});
  REQUIRE(values.ok());
  std::vector<int64_t> all;
  for (int64_t at = 0; at < 2 * kCount; ++at) all.push_back(hlo::integer_at(*values, at));
  return all;
}

// `value` of a number and its channel.
template <typename Value>
void check_values(const Requantization& form, size_t arrays, const Value& value) {
  const std::vector<int64_t> values = values_of(form, arrays);
  int64_t apart = 0;
  for (int64_t at = 0; at < 2 * kCount; ++at) {
    const int64_t whole =
        std::clamp(value(kLeast + at / 2, static_cast<size_t>(at % 2)), form.low, form.high);
    apart += values[static_cast<size_t>(at)] != whole + form.zero;
  }
  CHECK(apart == 0);
}

constexpr costs::Rounding kShiftRoundings[] = {
#define HLOCC_ROUNDING(enumerator, function) costs::Rounding::enumerator,
#include "costs/roundings.def"
};
constexpr costs::Rounding kRoundingsOfFloats[] = {
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) costs::Rounding::enumerator,
#include "costs/roundings.def"
};

Requantization with_factors(std::vector<costs::ChannelIntegers> factors, int shift) {
  return {.form{.pieces = 1},
          .factors = std::move(factors),
          .offsets{40, -17},
          .shift = shift,
          .low = -100,
          .high = 90,
          .zero = 3};
}

}  // namespace

TEST_CASE("every rounding of fixed-point numbers is built as it is meant", "[transforms]") {
  CHECK(std::size(kShiftRoundings) >= 3);
  for (const costs::Rounding rounding : kShiftRoundings) {
    INFO("row " << static_cast<int>(rounding));
    Requantization form = with_factors({{24, 5}}, 4);
    form.rounding = rounding;
    const auto value = [&](int64_t x, size_t channel) {
      return costs::rounded_shift(x * form.factors[0][channel] + form.offsets[channel], 4,
                                  rounding);
    };
    check_values(form, 1, value);
    form.form.wide = true;
    check_values(form, 1, value);
    // Two arrays, a number of either with an offset of its own.
    form.form.wide = false;
    form.factors = {{24}, {-6}};
    form.offsets = {5};
    form.exceptions = {{true, 7, 100}, {false, 20, -100}};
    check_values(form, 2, [&](int64_t x, size_t) {
      const int64_t offset = x == -20 ? -100 : x == 7 ? 100 : 5;
      return costs::rounded_shift(24 * x - 6 * -x + offset, 4, rounding);
    });
  }
}

TEST_CASE("every rounding of floats is built as it is meant", "[transforms]") {
  for (const costs::Rounding rounding : kRoundingsOfFloats) {
    INFO("row " << static_cast<int>(rounding));
    const Requantization form{
        .scales{0.25f, 0.3f}, .offsets{-7}, .rounding = rounding, .low = -60, .high = 50};
    check_values(form, 1, [&](int64_t x, size_t channel) {
      return static_cast<int64_t>(std::nearbyint(static_cast<float>(x) * form.scales[channel])) - 7;
    });
  }
}

TEST_CASE("every form of a product is built as it is meant", "[transforms]") {
  // Numbers that count as one more; another offset below zero.
  Requantization form = with_factors({{3 << 20, 5 << 19}}, 36);
  form.form = {.pieces = 0, .before = 10, .corrections = 1, .bent = true};
  form.corrections = {{9, kLeast - 1}};
  form.bends = {-3, -1};
  check_values(form, 1, [&](int64_t x, size_t channel) {
    const int64_t late = x + (x == form.corrections[0][channel]);
    const int64_t high = ((late << 10) * form.factors[0][channel] >> 32) + form.offsets[channel];
    return (high + (late < 0 ? form.bends[channel] : 0)) >> 4;
  });
  for (const int pieces : {2, 3}) {
    Requantization cut = with_factors({{123457, 65533}}, 20);
    cut.form = {.pieces = pieces, .bits = 6};
    check_values(cut, 1, [&](int64_t x, size_t channel) {
      const int64_t unit = int64_t{1} << cut.form.part();
      return (x * cut.factors[0][channel] + cut.offsets[channel] * unit) >> 20;
    });
  }
  // The offset inside of the product, and what bends at a high word.
  Requantization inside = with_factors({{3 << 20, 5 << 19}}, 36);
  inside.form = {.pieces = 0, .before = 10, .bent = true, .inside = true};
  inside.bends = {-3, -1};
  inside.turn = 12;
  check_values(inside, 1, [&](int64_t x, size_t channel) {
    const int64_t high = ((x << 10) + inside.offsets[channel]) * inside.factors[0][channel] >> 32;
    return (high + (high < 12 ? inside.bends[channel] : 0)) >> 4;
  });
}

TEST_CASE("one number a channel is built without a product", "[transforms]") {
  const Requantization form{.offsets{4, -9}, .low = -128, .high = 127};
  check_values(form, 0, [&](int64_t, size_t channel) { return form.offsets[channel]; });
}

}  // namespace hlocc::tests
