// Sums of two scaled arrays of 8-bit integers as two 32-bit multiplications: every pair in every
// spelling, and what stays in floats.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "support/text.h"
#include "transforms/integers/affine_fit.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

constexpr char kFloats[] = "f32[256,256]";

// Every pair of bytes; the argument keeps them from being constants.
std::string pairs_of(const std::string& first = "s8", const std::string& second = "s8") {
  const auto bytes = [](const std::string& name, const std::string& type, int dimension) {
    return cat(" n", name, " = s32[256,256] iota(), iota_dimension=", dimension, "\n w", name,
               " = s32[256,256] add(n", name, ", moved)\n ", name, " = ", type,
               "[256,256] convert(w", name, ")\n");
  };
  return cat(" a = s32[] parameter(0)\n moved = s32[256,256] broadcast(a), dimensions={}\n",
             bytes("x", first, 0), bytes("y", second, 1));
}

std::string number_line(const std::string& name, const std::string& value) {
  return cat(" c", name, " = f32[] constant(", value, ")\n ", name, " = ", kFloats, " broadcast(c",
             name, "), dimensions={}\n");
}

// The floats x and y less their zero points, times their scales, as p and q.
std::string scaled(const std::string& first_scale, int first_zero, const std::string& second_scale,
                   int second_zero) {
  const std::string f = kFloats;
  return cat(number_line("s", first_scale), number_line("z", cat(first_zero)),
             number_line("t", second_scale), number_line("v", cat(second_zero)), " fx = ", f,
             " convert(x)\n dx = ", f, " subtract(fx, z)\n p = ", f, " multiply(dx, s)\n fy = ", f,
             " convert(y)\n dy = ", f, " subtract(fy, v)\n q = ", f, " multiply(t, dy)\n");
}

// `sum` rounded, moved by `zero`, clamped.
std::string rounded(const std::string& sum, int zero, int low = -128,
                    const std::string& type = "s8") {
  const std::string f = kFloats;
  return cat(number_line("o", cat(zero)), number_line("l", cat(low)),
             number_line("h", cat(low + 255)), sum, " r = ", f, " round-nearest-even(m)\n e = ", f,
             " add(r, o)\n g = ", f, " maximum(l, e)\n c = ", f, " minimum(h, g)\n ROOT b = ", type,
             "[256,256] convert(c)");
}

std::string operation(const char* opcode, const char* name = "m", const char* operands = "p, q") {
  return cat(" ", name, " = ", kFloats, " ", opcode, "(", operands, ")\n");
}

std::string added(const std::string& first_scale, int first_zero, const std::string& second_scale,
                  int second_zero, int zero) {
  return cat(pairs_of(), scaled(first_scale, first_zero, second_scale, second_zero),
             rounded(operation("add"), zero));
}

bool has_floats(const Module& module) {
  const auto& all = module.entry_computation().instructions;
  return std::any_of(all.begin(), all.end(), [](const hlo::Instruction& i) {
    return i.shape.element_type == hlo::PrimitiveType::kF32;
  });
}

// After the pass, with the meaning checked; the argument puts both bytes at each of their values.
Module with_pairs(const std::string& text, std::string_view chip) {
  Module module = module_from(text);
  const Target target = *preset(chip);
  REQUIRE(transforms::requantize(module, {target}));
  check_same_meaning(module_from(text), module);
  return module;
}

bool stays(const std::string& text, std::string_view chip = "cortex-m0") {
  return has_floats(with_pairs(text, chip));
}

transforms::ByteTable table_of(const std::function<double(int, int)>& value) {
  transforms::ByteTable table{{-128, 127}, {-128, 127}, {}};
  for (int x = -128; x < 128; ++x)
    for (int y = -128; y < 128; ++y)
      table.values.push_back(
          static_cast<int16_t>(std::clamp(std::floor(value(x, y) + 0.5), -128.0, 127.0)));
  return table;
}

// --- spellings at random scales and zero points ---

using RandomTable = std::function<transforms::ByteTable(std::mt19937&)>;

float between(std::mt19937& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random() % 16777216) / 16777216.0f;
}
int any_byte(std::mt19937& random) { return static_cast<int>(random() % 256) - 128; }

// Rounded to even before the zero point comes on top.
double to_even(float sum, int zero) { return std::nearbyintf(sum) + static_cast<float>(zero); }

transforms::ByteTable two_scales(std::mt19937& random, float low, float high, float sign) {
  const float s = between(random, low, high), t = sign * between(random, 0.1f, 2);
  const int z = any_byte(random), v = any_byte(random);
  return table_of([=](int x, int y) {
    const float p = static_cast<float>(x - z) * s, q = static_cast<float>(y - v) * t;
    return to_even(p + q, -128);
  });
}
transforms::ByteTable divided(std::mt19937& random) {
  const float s = between(random, 0.01f, 0.1f), t = between(random, 0.01f, 0.1f),
              all = between(random, 0.03f, 0.2f);
  const int z = any_byte(random), v = any_byte(random), zero = any_byte(random);
  return table_of([=](int x, int y) {
    const float p = static_cast<float>(x - z) * s, q = static_cast<float>(y - v) * t;
    return to_even((p + q) / all, zero);
  });
}

// TFLite's addition of two quantised arrays: gemmlowp's arithmetic, 20 bits to the left.
int32_t doubling_high(int32_t a, int32_t b) {
  const int64_t product = static_cast<int64_t>(a) * b;
  return static_cast<int32_t>((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) /
                              (int64_t{1} << 31));
}
int32_t over_power(int32_t x, int exponent) {
  const int32_t mask = (1 << exponent) - 1;
  return (x >> exponent) + ((x & mask) > (mask >> 1) + (x < 0) ? 1 : 0);
}
int32_t scaled_by(int32_t x, double factor) {
  int exponent = 0;
  const auto bits = std::llround(std::ldexp(std::frexp(factor, &exponent), 31));
  return over_power(doubling_high(x, static_cast<int32_t>(std::min(bits, 2147483647LL))),
                    -exponent);
}
transforms::ByteTable shifted_left(std::mt19937& random) {
  const double s = between(random, 0.01f, 0.1f), t = between(random, 0.01f, 0.1f),
               all = between(random, 0.03f, 0.2f), twice = 2 * std::max(s, t);
  const int z = any_byte(random), v = any_byte(random), zero = any_byte(random);
  return table_of([=](int x, int y) {
    const int32_t sum =
        scaled_by((x - z) * (1 << 20), s / twice) + scaled_by((y - v) * (1 << 20), t / twice);
    return scaled_by(sum, twice / ((1 << 20) * all)) + zero;
  });
}

// How many of so many tables of each spelling agree with a plane of no, one or two exceptions.
std::array<int, 3> planes_found(int count) {
  const RandomTable spellings[] = {[](std::mt19937& r) { return two_scales(r, 0.1f, 2, 1); },
                                   [](std::mt19937& r) { return two_scales(r, 2, 12, -1); },
                                   divided, shifted_left};
  std::array<int, 3> found{};
  std::mt19937 random(5);
  for (const RandomTable& spelling : spellings)
    for (int n = 0; n < count; ++n)
      if (const auto plane = transforms::fit_affine(spelling(random), 2))
        ++found[plane->exceptions.size()];
  return found;
}

}  // namespace

TEST_CASE("planes of random scales", "[transforms]") {
  const std::array<int, 3> found = planes_found(10);
  CHECK(found[0] + found[1] + found[2] == 40);
  CHECK(found[0] >= 36);
}
TEST_CASE("affine fits of many random scales", "[.affine]") {
  const std::array<int, 3> found = planes_found(500);
  std::printf("of 2000: %d without exceptions, %d with one, %d with two\n", found[0], found[1],
              found[2]);
}

TEST_CASE("two scaled bytes are added in 32 bits", "[transforms]") {
  const std::string text = added("1.5643327", -5, "0.842551", -128, -128);
  for (const char* chip :
       {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc", "avr-mega2560", "rv64gc"}) {
    INFO(chip);
    const Module m = with_pairs(text, chip);
    CHECK(!has_floats(m));
    CHECK(count_in_entry(m, Opcode::kMultiply) == 2);
    CHECK(count_in_entry(m, Opcode::kCompare) == 0);
  }
  // Vectors add floats as fast.
  CHECK(stays(text, "cortex-a53"));
}

TEST_CASE("functions of two bytes are read up to a number of steps", "[transforms]") {
  const auto with_signs = [](int count) {
    std::string text = added("1.5643327", -5, "0.842551", -128, -128), signs;
    for (int n = 0; n < count; ++n)
      signs += operation("negate", cat("n", n).c_str(), n == 0 ? "m" : cat("n", n - 1).c_str());
    const std::string even = " round-nearest-even(m)";
    text.replace(text.find(even), even.size(), cat(" round-nearest-even(n", count - 1, ")"));
    text.insert(text.find(" r = f32"), signs);
    return text;
  };
  // Eleven steps are the sum's own.
  CHECK(!stays(with_signs(36)));
  CHECK(stays(with_signs(38)));
}

TEST_CASE("other spellings of the sum of two scaled bytes", "[transforms]") {
  const std::string some = scaled("0.0312345", 7, "0.0611234", -19);
  // Divided by the scale of the sum; subtracted; the larger of two.
  CHECK(!stays(cat(pairs_of(), some, number_line("k", "0.0543211"),
                   rounded(operation("add", "u") + operation("divide", "m", "u, k"), 3))));
  CHECK(!stays(
      cat(pairs_of(), scaled("0.61234", 3, "0.831234", 4), rounded(operation("subtract"), -5))));
  // Unsigned bytes.
  CHECK(!stays(cat(pairs_of("u8", "s8"), scaled("0.61234", 131, "0.831234", 4),
                   rounded(operation("add"), 9, 0, "u8"))));
  // Behind the clamp of a shortcut.
  CHECK(!stays(
      cat(pairs_of(), scaled("0.61234", 3, "0.831234", 4), rounded(operation("add"), -128, -128))));
}

TEST_CASE("ties of two scaled bytes go to the even number", "[transforms]") {
  for (const int zero : {0, 1, -128, -127})
    for (const char* scale : {"0.5", "0.25", "1.5"}) {
      INFO(scale << " zero " << zero);
      CHECK(!stays(added("0.5", 0, scale, 3, zero)));
    }
}

TEST_CASE("pairs that floats have moved get an offset of their own", "[transforms]") {
  const std::pair<const char*, const char*> scales[] = {{"1.34969056", "0.949927211"},
                                                        {"1.77763987", "1.61834395"}};
  for (const auto& [first, second] : scales) {
    INFO(first);
    const Module m = with_pairs(added(first, 3, second, -4, 0), "cortex-m0");
    CHECK(!has_floats(m));
    CHECK(count_in_entry(m, Opcode::kSelect) > 0);
  }
}

TEST_CASE("a sum of two scaled bytes agrees only where the bytes can be", "[transforms]") {
  // |x| is a line over half of its range.
  const std::string some = scaled("0.61234", 0, "0.831234", 4),
                    bent = rounded(operation("abs", "i", "p") + operation("add", "m", "i, q"), 9);
  CHECK(stays(cat(pairs_of(), some, bent)));
  std::string half = pairs_of();
  half.replace(half.find("convert(wx)"), 11, "maximum(x0, none)\n");
  half.insert(half.find(" x = s8"),
              " c0 = s8[] constant(0)\n none = s8[256,256] broadcast(c0), dimensions={}\n"
              " x0 = s8[256,256] convert(wx)\n");
  CHECK(!stays(cat(half, some, bent)));
}

TEST_CASE("what is no sum of two scaled bytes stays", "[transforms]") {
  const std::string some = scaled("0.61234", 3, "0.831234", 4), sum = operation("add");
  CHECK(!stays(cat(pairs_of(), some, rounded(sum, 9))));
  // A product, and a curve.
  CHECK(stays(cat(pairs_of(), some, number_line("k", "0.01"),
                  rounded(operation("multiply", "u") + operation("multiply", "m", "u, k"), 9))));
  CHECK(stays(cat(pairs_of(), some,
                  rounded(operation("sine", "i", "p") + operation("add", "m", "i, q"), 9))));
  // An array that is no byte; sums of other types are requantize_sums_test.cpp's.
  CHECK(stays(cat(pairs_of(), some,
                  rounded(cat(" ft = ", kFloats, " convert(moved)\n", operation("add", "u"),
                              operation("add", "m", "u, ft")),
                          9))));
  // A scale for each column.
  std::string columns = cat(pairs_of(), some, rounded(sum, 9));
  const std::string splat =
      cat(" ct = f32[] constant(0.831234)\n t = ", kFloats, " broadcast(ct), dimensions={}");
  columns.replace(columns.find(splat), splat.size(),
                  cat(" ct = f32[256] iota(), iota_dimension=0\n t = ", kFloats,
                      " broadcast(ct), dimensions={1}"));
  CHECK(stays(columns));
}

TEST_CASE("a function of one byte is a table of its values", "[transforms]") {
  const auto text = [](const char* type, const char* function, const std::string& last) {
    return cat(pairs_of(type), number_line("s", "0.0312345"), number_line("z", "7"),
               number_line("k", "127.3"), " fx = ", kFloats, " convert(x)\n dx = ", kFloats,
               " subtract(fx, z)\n p = ", kFloats, " multiply(dx, s)\n q = ", kFloats, " ",
               function, "\n", rounded(operation("multiply", "m", "q, k"), -1, -128, last));
  };
  for (const char* function : {"tanh(p)", "sine(p)", "abs(p)", "multiply(p, p)"})
    for (const char* type : {"s8", "u8"})
      for (const char* chip : {"cortex-m0", "cortex-m4f"}) {
        INFO(function << " of " << type << " on " << chip);
        const Module m = with_pairs(text(type, function, "s8"), chip);
        CHECK(!has_floats(m));
        CHECK(count_in_entry(m, Opcode::kGather) == 1);
      }
  // 16 bits that leave, but none that enter; words; vectors.
  CHECK(!stays(text("s8", "tanh(p)", "s16")));
  CHECK(stays(text("s16", "tanh(p)", "s8")));
  CHECK(stays(text("s8", "tanh(p)", "s32")));
  CHECK(stays(text("s8", "tanh(p)", "s8"), "cortex-m55"));
  // What rises needs no table.
  CHECK(count_in_entry(with_pairs(text("s8", "negate(p)", "s8"), "cortex-m0"), Opcode::kGather) ==
        1);
  CHECK(count_in_entry(with_pairs(text("s8", "add(p, z)", "s8"), "cortex-m0"), Opcode::kGather) ==
        0);
}

TEST_CASE("a dear function of bytes is a table of floats", "[transforms]") {
  const auto text = [](const std::string& type, const char* last, int64_t columns = 16) {
    const std::string size = cat("[1,", columns, "]"), floats = "f32" + size;
    return cat(" x = ", type, size, " parameter(0)\n y = ", floats, " parameter(1)\n fx = ", floats,
               " convert(x)\n s0 = f32[] constant(0.037)\n s = ", floats,
               " broadcast(s0), dimensions={}\n p = ", floats, " multiply(fx, s)\n g = ", floats,
               " ", last, "\n ROOT r = ", floats, " multiply(g, y)");
  };
  const auto tables = [](const std::string& lines, Target target) {
    Module module = module_from(lines);
    REQUIRE(transforms::requantize(module, {target}));
    check_same_meaning(module_from(lines), module);
    return count_in_entry(module, Opcode::kGather);
  };
  const Target m0 = *preset("cortex-m0"), m4f = *preset("cortex-m4f");
  for (const char* function : {"logistic(p)", "tanh(p)", "exponential(p)", "power(p, s)"})
    for (const char* type : {"s8", "u8"}) {
      INFO(function << " of " << type);
      CHECK(tables(text(type, function), m0) == 1);
      CHECK(tables(text(type, function), m4f) == 1);
    }
  // What takes an instruction, other integers, two arrays, few elements, vectors, and small code.
  CHECK(tables(text("s8", "abs(p)"), m0) == 0);
  CHECK(tables(text("s16", "tanh(p)"), m0) == 0);
  CHECK(tables(text("s8", "power(p, y)"), m0) == 0);
  CHECK(tables(text("s8", "tanh(p)", 15), m0) == 0);
  CHECK(tables(text("s8", "tanh(p)"), *preset("cortex-m55")) == 0);
  Target small = m0;
  small.options.level = Level::kOs;
  CHECK(tables(text("s8", "tanh(p)"), small) == 0);
}

TEST_CASE("sums of two bytes in 64 bits are halved, those in 32 bits stay", "[transforms]") {
  const auto text = [&](const std::string& type, const char* factors[2], int shift) {
    const std::string s = cat(type, "[256,256]");
    const auto of = [&](const char* name, const std::string& value) {
      return cat(" c", name, " = ", type, "[] constant(", value, ")\n ", name, " = ", s,
                 " broadcast(c", name, "), dimensions={}\n");
    };
    return cat(pairs_of(), of("f", factors[0]), of("g", factors[1]), of("k", cat(shift)),
               of("l", "-128"), of("h", "127"), " wide = ", s, " convert(x)\n large = ", s,
               " convert(y)\n p = ", s, " multiply(wide, f)\n q = ", s,
               " multiply(large, g)\n m = ", s, " add(p, q)\n d = ", s,
               " shift-right-arithmetic(m, k)\n e = ", s,
               " clamp(l, d, h)\n ROOT b = s8[256,256]"
               " convert(e)");
  };
  const char* large[2] = {"1274280449", "1874280448"};
  const char* small[2] = {"12742", "18742"};
  CHECK(count_s64(with_pairs(text("s64", large, 31), "cortex-m0"), Opcode::kMultiply) == 0);
  CHECK(count_s64(with_pairs(text("s64", large, 31), "rv64gc"), Opcode::kMultiply) == 2);
  const Module m = with_pairs(text("s32", small, 15), "cortex-m0");
  CHECK(count_in_entry(m, Opcode::kClamp) == 1);
}

TEST_CASE("planes through tables of pairs", "[transforms]") {
  using namespace transforms;
  ByteTable table = table_of([](int x, int y) { return 0.71234567 * x - 0.33119876 * y + 4.2; });
  REQUIRE(fit_affine(table, 0));
  CHECK(fit_affine(table, 0)->factors[1][0] < 0);
  // Pairs that come nearest to the next number, but for twenty others, count as that.
  std::vector<std::pair<double, size_t>> below;
  for (size_t at = 0; at < table.values.size(); ++at) {
    const double value = 0.71234567 * (static_cast<int>(at / 256) - 128) -
                         0.33119876 * (static_cast<int>(at % 256) - 128) + 4.2 + 0.5;
    if (table.values[at] < 127 && table.values[at] > -128)
      below.emplace_back(std::floor(value) + 1 - value, at);
  }
  std::sort(below.begin(), below.end());
  table.values[below[20].second] += 1;
  CHECK(!fit_affine(table, 0));
  REQUIRE(fit_affine(table, 1));
  CHECK(fit_affine(table, 1)->exceptions.size() == 1);
  // Another pair, in another row and column; one that is far off.
  table.values[below[45].second] += 1;
  CHECK(!fit_affine(table, 1));
  CHECK(fit_affine(table, 2));
  table.values[below[30000].second] += 1;
  CHECK(!fit_affine(table, 2));
  // All the same, a line only, nothing.
  CHECK(!fit_affine(table_of([](int, int) { return 3; }), 2));
  CHECK(!fit_affine(table_of([](int x, int y) { return x == y ? x : -128; }), 2));
  CHECK(!fit_affine(ByteTable{{0, -1}, {0, 3}, {}}, 2));
}

}  // namespace hlocc::tests
