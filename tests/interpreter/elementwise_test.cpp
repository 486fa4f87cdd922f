// Edge values of the elementwise ops.
#include <catch2/catch.hpp>

#include "interpreter/text.h"

namespace hlocc::tests {
namespace {

std::string unary(const std::string& op, const std::string& type, int count,
                  const std::string& to = "") {
  const std::string shape = type + "[" + std::to_string(count) + "]";
  const std::string result = (to.empty() ? type : to) + "[" + std::to_string(count) + "]";
  return "a = " + shape + " parameter(0)\nROOT r = " + result + " " + op + "(a)";
}
std::string binary(const std::string& op, const std::string& type, int count) {
  const std::string shape = type + "[" + std::to_string(count) + "]";
  return "a = " + shape + " parameter(0)\nb = " + shape + " parameter(1)\nROOT r = " + shape + " " +
         op + "(a, b)";
}

constexpr int32_t lowest = std::numeric_limits<int32_t>::min();

}  // namespace

TEST_CASE("integer arithmetic wraps and never traps", "[interpreter]") {
  CHECK(same(numbers_of(binary("divide", "s32", 4), {s32({5, 5, lowest, -5}), s32({-2, 0, -1, 2})}),
             {-2, -1, lowest, -2}));
  CHECK(same(
      numbers_of(binary("remainder", "s32", 4), {s32({-5, 5, lowest, 7}), s32({3, -3, -1, 0})}),
      {-2, 2, 0, 7}));
  CHECK(same(numbers_of(binary("power", "s32", 6),
                        {s32({3, -1, 2, 0, 0, 1}), s32({40, -3, -1, 0, -1, -7})}),
             {689956897, -1, 0, 1, 0, 1}));
  CHECK(same(numbers_of(binary("multiply", "s8", 2), {s8({127, 16}), s8({127, 16})}), {1, 0}));
  CHECK(same(numbers_of(unary("abs", "s32", 2), {s32({lowest, -3})}), {lowest, 3}));
}

TEST_CASE("shifts saturate their amount", "[interpreter]") {
  CHECK(same(numbers_of(binary("shift-left", "s32", 3), {s32({1, 1, 1}), s32({31, 32, -1})}),
             {lowest, 0, 0}));
  CHECK(same(numbers_of(binary("shift-right-arithmetic", "s8", 2), {s8({-1, 64}), s8({8, 8})}),
             {-1, 0}));
  CHECK(same(numbers_of(binary("shift-right-arithmetic", "u32", 1), {u32({0x80000000u}), u32({1})}),
             {0xC0000000u}));
  CHECK(same(numbers_of(binary("shift-right-logical", "s8", 1), {s8({-128}), s8({7})}), {1}));
}

TEST_CASE("bits are counted in the width of the type", "[interpreter]") {
  CHECK(same(numbers_of(unary("count-leading-zeros", "s8", 3), {s8({0, 1, -1})}), {8, 7, 0}));
  CHECK(same(numbers_of(unary("popcnt", "s8", 2), {s8({-1, 3})}), {8, 2}));
}

TEST_CASE("sub-byte integers wrap in their own width", "[interpreter]") {
  CHECK(same(numbers_of("a = s4[3] constant({7, -8, 4})\nb = s4[3] constant({7, -8, 2})\nROOT r = "
                        "s4[3] add(a, b)"),
             {-2, 0, 6}));
  CHECK(same(numbers_of("a = s4[2] constant({-8, -1})\nb = s4[2] constant({3, 1})\nROOT r = s4[2] "
                        "shift-right-logical(a, b)"),
             {1, 7}));
  CHECK(same(numbers_of("a = s32[3] constant({8, -9, 7})\nROOT r = s4[3] convert(a)"), {-8, 7, 7}));
  CHECK(same(numbers_of("a = f32[3] constant({100, -100, nan})\nROOT r = s4[3] convert(a)"),
             {7, -8, 0}));
  CHECK(same(numbers_of("a = u4[1] constant({1})\nROOT r = u4[1] count-leading-zeros(a)"), {3}));
}

TEST_CASE("maximum and minimum keep NaN and order zeros", "[interpreter]") {
  CHECK(same(numbers_of(binary("maximum", "f32", 3), {f32({kNaN, 1, -0.0f}), f32({1, kNaN, 0.0f})}),
             {kNaN, kNaN, 0.0}));
  CHECK(same(numbers_of(binary("minimum", "f32", 3), {f32({kNaN, 1, 0.0f}), f32({1, kNaN, -0.0f})}),
             {kNaN, kNaN, -0.0}));
  const std::string clamp =
      "l = f32[] parameter(0)\nx = f32[3] parameter(1)\nh = f32[] parameter(2)\nROOT r = f32[3] "
      "clamp(l, x, h)";
  const Literal low = Literal::scalar(PrimitiveType::kF32, 5.0f),
                high = Literal::scalar(PrimitiveType::kF32, 1.0f);
  CHECK(same(numbers_of(clamp, {low, f32({3, 9, kNaN}), high}), {1, 1, kNaN}));
}

TEST_CASE("float functions at their edges", "[interpreter]") {
  CHECK(same(numbers_of(unary("round-nearest-afz", "f32", 3), {f32({0.49999997f, 2.5f, -2.5f})}),
             {0, 3, -3}));
  CHECK(same(numbers_of(unary("round-nearest-even", "f32", 3), {f32({0.5f, -0.5f, 2.5f})}),
             {0, -0.0, 2}));
  CHECK(same(numbers_of(unary("sign", "f32", 4), {f32({-0.0f, kNaN, -3, kInf})}),
             {-0.0, kNaN, -1, 1}));
  CHECK(same(numbers_of(unary("rsqrt", "f32", 4), {f32({0.0f, -0.0f, -1, 4})}),
             {kInf, -kInf, kNaN, 0.5}));
  CHECK(same(numbers_of(unary("logistic", "f32", 3), {f32({-kInf, kInf, 0})}), {0, 1, 0.5}));
  CHECK(same(numbers_of(unary("tanh", "f32", 2), {f32({1e-10f, 100})}), {double(1e-10f), 1}));
  CHECK(same(numbers_of(binary("power", "f32", 4),
                        {f32({kNaN, 1, -1, -8}), f32({0, kNaN, kInf, 1.0f / 3})}),
             {1, 1, 1, kNaN}));
  CHECK(same(numbers_of(binary("remainder", "f32", 3), {f32({-5, 5, kInf}), f32({3, 0, 2})}),
             {-2, kNaN, kNaN}));
}

TEST_CASE("conversions saturate, truncate and round once", "[interpreter]") {
  CHECK(same(numbers_of(unary("convert", "f32", 5, "u8"), {f32({-1, 300, 2.9f, kNaN, kInf})}),
             {0, 255, 2, 0, 255}));
  CHECK(same(numbers_of(unary("convert", "f32", 3, "s32"), {f32({3e9f, -3e9f, -2.9f})}),
             {2147483647, lowest, -2}));
  CHECK(same(numbers_of(unary("convert", "s32", 2, "s8"), {s32({300, 128})}), {44, -128}));
  CHECK(same(numbers_of(unary("convert", "f32", 2, "f16"), {f32({65519, 65520})}), {65504, kInf}));
  CHECK(same(numbers_of(unary("convert", "f32", 3, "f8e4m3fn"), {f32({464, 465, kInf})}),
             {448, kNaN, kNaN}));
  CHECK(
      same(numbers_of(unary("convert", "f32", 3, "pred"), {f32({kNaN, -0.0f, 0.1f})}), {1, 0, 1}));
  // 1 + 2^-11 + 2^-30: through f32 the last bit is lost and the tie goes down; directly it goes up.
  CHECK(same(numbers_of(unary("convert", "f64", 1, "f16"), {f64({1 + 0x1p-11 + 0x1p-30})}),
             {1 + 0x1p-10}));
}

TEST_CASE("arithmetic of small floats is rounded after each op", "[interpreter]") {
  CHECK(same(
      numbers_of(
          "a = bf16[1] constant({256})\nb = bf16[1] constant({1})\nROOT r = bf16[1] add(a, b)"),
      {256}));
  CHECK(same(numbers_of("a = f8e5m2[1] constant({57344})\nROOT r = f8e5m2[1] add(a, a)"), {kInf}));
}

TEST_CASE("reduce-precision rounds, overflows and flushes", "[interpreter]") {
  const std::string e5m10 =
      "a = f32[3] parameter(0)\nROOT r = f32[3] reduce-precision(a), exponent_bits=5, "
      "mantissa_bits=10";
  CHECK(same(numbers_of(e5m10, {f32({65519, 65520, -1e-6f})}), {65504, kInf, -0.0}));
}

TEST_CASE("compare knows NaN and the total order", "[interpreter]") {
  const auto compare = [](const std::string& direction, const std::string& type) {
    return "a = f32[3] parameter(0)\nb = f32[3] parameter(1)\nROOT r = pred[3] compare(a, b), "
           "direction=" +
           direction + type;
  };
  const std::vector<Literal> arguments = {f32({kNaN, -0.0f, 1}), f32({kNaN, 0.0f, kNaN})};
  CHECK(same(numbers_of(compare("EQ", ""), arguments), {0, 1, 0}));
  CHECK(same(numbers_of(compare("NE", ""), arguments), {1, 0, 1}));
  CHECK(same(numbers_of(compare("LT", ", type=TOTALORDER"), arguments), {0, 1, 1}));
}

TEST_CASE("complex numbers", "[interpreter]") {
  CHECK(same(numbers_of("a = c64[1] constant({(3e30, 4e30)})\nROOT r = f32[1] abs(a)"),
             {double(5e30f)}));
  CHECK(same(numbers_of("a = c64[1] constant({(1, 2)})\nb = c64[1] constant({(3, -1)})\nROOT r = "
                        "c64[1] multiply(a, b)"),
             {5, 5}));
  CHECK(near(
      numbers_of("a = c64[1] constant({(1e-8, 1e-8)})\nROOT r = c64[1] exponential-minus-one(a)"),
      {1e-8, 1e-8}, 1e-15));
  CHECK(
      same(numbers_of("a = c64[1] constant({(inf, 0)})\nROOT r = c64[1] exponential-minus-one(a)"),
           {kInf, 0}));
}

TEST_CASE("stochastic-convert rounds up where the random bits lie below the fraction",
          "[interpreter]") {
  const std::string program =
      "a = f32[4] parameter(0)\nb = u32[4] parameter(1)\nROOT r = s32[4] stochastic-convert(a, b)";
  CHECK(same(
      numbers_of(program, {f32({1.5f, 1.5f, -1.5f, 1e20f}), u32({0x7fffffff, 0x80000000, 0, 0})}),
      {2, 1, -2, 2147483647}));
  // Beyond 2^63, and at both ends.
  CHECK(same(numbers_of("a = f32[4] parameter(0)\nb = u32[4] parameter(1)\nROOT r = u64[4] "
                        "stochastic-convert(a, b)",
                        {f32({1e19f, 1e20f, -3.5f, 2.5f}), u32({0, 0, 0, 0})}),
             {9999999980506447872.0, 18446744073709551615.0, 0, 3}));
  CHECK(same(numbers_of("a = f32[3] parameter(0)\nb = u32[3] parameter(1)\nROOT r = s64[3] "
                        "stochastic-convert(a, b)",
                        {f32({9e18f, -9e18f, -1e20f}), u32({0, 0, 0})}),
             {9000000202358128640.0, -9000000202358128640.0, -9223372036854775808.0}));
}

TEST_CASE("mulhi is the high half of the product", "[interpreter]") {
  CHECK(same(numbers_of(binary("mulhi", "s8", 2), {s8({-128, 100}), s8({-128, 100})}), {64, 39}));
}

}  // namespace hlocc::tests
