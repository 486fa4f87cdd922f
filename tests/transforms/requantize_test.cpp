// Requantisation as fixed-point numbers: every accumulator of a range on every kind of core, and
// what stays in floats or 64 bits.
#include <random>

#include "transforms/accumulators.h"
#include "transforms/integers/fixed_point.h"

namespace hlocc::tests {
namespace {

// round(f32(acc) * scale) + zero, clamped.
std::string in_floats(const std::vector<double>& scales, int zero, int low,
                      const char* rounding = "round-nearest-even") {
  const size_t n = scales.size();
  const std::string shape = cat("[", kNumbers, ",", n, "]"), f = "f32" + shape;
  return cat(numbers(n), " x = ", f, " convert(acc)\n s = f32[", n, "] constant({",
             numbers_as_text(scales), "})\n ss = ", f, " broadcast(s), dimensions={1}\n m = ", f,
             " multiply(x, ss)\n q = ", f, " ", rounding, "(m)\n z = f32[] constant(", zero,
             ")\n zs = ", f, " broadcast(z), dimensions={}\n t = ", f,
             " add(q, zs)\n l = f32[] constant(", low, ")\n h = f32[] constant(127)\n c = ", f,
             " clamp(l, t, h)\n ROOT r = s8", shape, " convert(c)");
}

std::vector<double> scales(uint32_t seed, size_t count, double low, double high) {
  std::mt19937 random(seed);
  std::vector<double> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back(static_cast<float>(low + (high - low) * (random() % 16777216) / 16777216.0));
  return all;
}

}  // namespace

TEST_CASE("floats that scale accumulators become integers", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "rv32imc", "avr-mega2560", "rv64gc"})
    for (const auto& [zero, low] : {std::pair(0, 0), std::pair(-128, -128), std::pair(12, -128)}) {
      INFO(chip << " zero " << zero);
      const std::string text = in_floats(scales(7, 6, 0.002, 0.02), zero, low);
      const Module m = requantized(text, chip);
      CHECK(!computes_in(m, hlo::PrimitiveType::kF32));
      CHECK(computes_in(m, hlo::PrimitiveType::kS64) == (*preset(chip)).hardware_divide);
      check_every_number(text, m);
    }
}

TEST_CASE("vectors that convert to the nearest integer keep one scale in floats", "[transforms]") {
  const auto sums_in_floats = [](const Module& m) {
    int count = 0;
    for (const hlo::Instruction& i : m.entry_computation().instructions)
      count += (i.opcode == Opcode::kAdd || i.opcode == Opcode::kClamp) &&
               i.shape.element_type == hlo::PrimitiveType::kF32;
    return count;
  };
  const Target m55 = *preset("cortex-m55");
  for (const auto& [zero, low] : {std::pair(0, 0), std::pair(-128, -128), std::pair(12, -128)}) {
    INFO("zero " << zero);
    const std::string text = in_floats(scales(7, 6, 0.002, 0.02), zero, low);
    const Module m = requantized(text, m55);
    CHECK(count_in_entry(m, Opcode::kRoundNearestEven) == 1);
    CHECK(sums_in_floats(m) == 0);
    check_every_number(text, m);
  }
  // Products that round to ties, and scales of a few bits, need no corrections.
  for (const auto& some : {scales(1, 24, 0.0039, 0.0045), std::vector<double>{0.5, 0.25, 0.01}}) {
    const std::string text = in_floats(some, -5, -128);
    const Module m = requantized(text, m55);
    CHECK(sums_in_floats(m) == 0);
    CHECK(count_in_entry(m, Opcode::kCompare) == 0);
    check_every_number(text, m);
  }
  const std::string text = in_floats(scales(7, 6, 0.002, 0.02), 12, -128);
  const Module a53 = requantized(text, "cortex-a53");
  CHECK(count_in_entry(a53, Opcode::kRoundNearestEven) == 1);
  CHECK(sums_in_floats(a53) == 0);
  check_every_number(text, a53);
  // Not where another rounding gives something else, nor where floats round in many steps.
  for (const auto& [rounding, scale] : {std::pair("round-nearest-afz", 0.5), {"floor", 0.0123}}) {
    const std::string text = in_floats({scale, 0.01}, 3, -100, rounding);
    const Module m = requantized(text, m55);
    CHECK(count_in_entry(m, Opcode::kRoundNearestEven) == 0);
    check_every_number(text, m);
  }
  Target in_steps = m55;
  in_steps.isa = {Isa::kMve};
  CHECK(!computes_in(requantized(in_floats(scales(7, 3, 0.002, 0.02), 0, 0), in_steps),
                     hlo::PrimitiveType::kF32));
  // What falls stays.
  const std::string falls = in_floats({-0.01, 0.01}, 0, -128);
  const Module m = requantized(falls, m55);
  CHECK(sums_in_floats(m) > 0);
  check_every_number(falls, m);
}

TEST_CASE("scalars take a float's last bits where corrections would take more", "[transforms]") {
  const auto takes_bits = [](const std::string& text, std::string_view chip) {
    const Module m = requantized(text, chip);
    check_every_number(text, m);
    return count_in_entry(m, Opcode::kBitcastConvert) == 1;
  };
  // Two products that round to a tie that is none, and halves; on a core without floats too.
  const std::string ties = in_floats(scales(1, 24, 0.0039, 0.0045), -5, -128);
  for (const char* chip : {"cortex-m4f", "cortex-m7", "cortex-m33", "rv32imafc"}) {
    CHECK(takes_bits(ties, chip));
    CHECK(takes_bits(in_floats({0.5, 0.01}, 12, -128), chip));
  }
  CHECK(!takes_bits(ties, "cortex-m3"));
  CHECK(takes_bits(ties, "cortex-a7-linux"));  // in vectors
  CHECK(!takes_bits(ties, "cortex-a53"));      // which have an instruction for it
  // No correction; beyond 2^22; another rounding.
  CHECK(!takes_bits(in_floats(scales(7, 3, 0.002, 0.02), 0, 0), "cortex-m4f"));
  CHECK(takes_bits(in_floats({127.5, 0.5}, 0, -128), "cortex-m4f"));
  CHECK(!takes_bits(in_floats({128.5, 0.5}, 0, -128), "cortex-m4f"));
  CHECK(!takes_bits(in_floats({0.5, 0.01}, 0, -128, "round-nearest-afz"), "cortex-m4f"));
}

TEST_CASE("stairs of rounded floats", "[transforms]") {
  using namespace transforms;
  // clamp(x, 0, 7) + 2 up to just below 2^30, and at it.
  const auto up_to = [](int64_t high) {
    StepFunction stairs{0, high, 2, 9, {}};
    for (int64_t v = 1; v <= 7; ++v) stairs.steps.push_back({v, v + 1, v + 2});
    return stairs;
  };
  const auto fitted = [](const std::vector<ChannelFit>& climbs) {
    return fit_rounded_floats(climbs, costs::most_rounded(costs::Rounding::kConverted));
  };
  const auto floats = fitted({{up_to((1 << 30) - 64), {1, 2.5}}});
  REQUIRE(floats);
  CHECK(floats->offsets[0] == 2);
  CHECK(floats->low == 2);
  CHECK(floats->high == 9);
  CHECK(!fitted({{up_to(1 << 30), {1, 2.5}}}));
  const float most = costs::most_rounded(costs::Rounding::kLastBits);
  CHECK(fit_rounded_floats({{up_to((1 << 22) - 1), {1, 2.5}}}, most));
  CHECK(!fit_rounded_floats({{up_to(1 << 22), {1, 2.5}}}, most));
  StepFunction late = up_to(100);
  late.steps[3].at += 1;
  CHECK(!fitted({{up_to(100), {1, 2.5}}, {late, {1, 2.5}}}));
  CHECK(!fitted({{up_to(100), {1, 3.5}}}));
  CHECK(!fitted({}));
}

TEST_CASE("other spellings of rounding, and one scale for all", "[transforms]") {
  for (const char* rounding : {"round-nearest-afz", "floor"}) {
    const std::string text = in_floats(scales(3, 4, 0.001, 0.004), 3, -100, rounding);
    const Module m = requantized(text, "cortex-m4f");
    CHECK(!computes_in(m, hlo::PrimitiveType::kF32));
    check_every_number(text, m);
  }
  const std::string one = in_floats({0.0123, 0.0123}, 0, 0);
  const Module m = requantized(one, "cortex-m0");
  CHECK(!computes_in(m, hlo::PrimitiveType::kF32));
  check_every_number(one, m);
}

TEST_CASE("a riser that rounding moved is corrected", "[transforms]") {
  // Many risers and channels: some product rounds to a tie that is none.
  int corrected = 0;
  for (const char* chip : {"cortex-m0", "cortex-m3"}) {
    const std::string text = in_floats(scales(1, 24, 0.0039, 0.0045), -5, -128);
    const Module m = requantized(text, chip);
    INFO(chip);
    CHECK(!computes_in(m, hlo::PrimitiveType::kF32));
    corrected += count_in_entry(m, Opcode::kCompare);
    check_every_number(text, m);
  }
  CHECK(corrected > 0);
}

TEST_CASE("where a fixed-point number would be wrong or dearer, nothing changes", "[transforms]") {
  const auto stays = [](const std::string& text, std::string_view chip) {
    const Module m = requantized(text, chip);
    check_every_number(text, m);
    return computes_in(m, hlo::PrimitiveType::kF32);
  };
  const std::string plain = in_floats(scales(7, 3, 0.002, 0.02), 0, 0);
  CHECK(!stays(plain, "cortex-m4f"));
  // Vectors scale floats as fast.
  CHECK(stays(plain, "cortex-a53"));
  // Ties to even climb no line.
  CHECK(stays(in_floats({0.5, 0.01}, 0, -128), "cortex-m4f"));
  CHECK(stays(in_floats({0.25, 0.01}, 0, -128), "cortex-m0"));
  // What falls.
  CHECK(stays(in_floats({-0.01, 0.01}, 0, -128), "cortex-m4f"));
  CHECK(stays(in_floats({0.01, 0.0}, 0, -128), "cortex-m4f"));
  CHECK(!stays(in_floats({0.0123457, 0.0110391}, 0, -128), "cortex-m4f"));
  // More than 8 bits.
  std::string words = plain;
  words.replace(words.find("ROOT r = s8"), 11, "ROOT r = s16");
  CHECK(stays(words, "cortex-m4f"));
  // Scales along two different dimensions.
  std::string two = plain;
  two.replace(two.find(" clamp(l, t, h)"), 15, cat(" multiply(t, ps)\n p0 = f32[] constant(1)"));
  two.insert(two.find(" c = f32"),
             cat(" p = f32[", kNumbers, "] iota(), iota_dimension=0\n ps = f32[", kNumbers,
                 ",3] broadcast(p), dimensions={0}\n"));
  CHECK(stays(two, "cortex-m4f"));
}

TEST_CASE("long chains and many channels are read up to a bound", "[transforms]") {
  const auto stays = [](const std::string& text) {
    return computes_in(requantized(text, "cortex-m4f"), hlo::PrimitiveType::kF32);
  };
  // Seven steps of the spelling's own, and maxima that change nothing.
  const auto with_maxima = [](int count) {
    std::string text = in_floats({0.0123457, 0.0110391}, 0, -128), more;
    const std::string shape = cat("f32[", kNumbers, ",2]");
    more = cat(" least = f32[] constant(-1000)\n leasts = ", shape,
               " broadcast(least), dimensions={}\n");
    for (int n = 0; n < count; ++n)
      more +=
          cat(" t", n, " = ", shape, " maximum(", n == 0 ? "t" : cat("t", n - 1), ", leasts)\n");
    const std::string clamp = " clamp(l, t, h)";
    text.replace(text.find(clamp), clamp.size(), cat(" clamp(l, t", count - 1, ", h)"));
    text.insert(text.find(" c = f32"), more);
    return text;
  };
  CHECK(!stays(with_maxima(17)));
  CHECK(stays(with_maxima(18)));
  // Values from `low` to 54 in each of 2^14 channels, or one more.
  const auto with_channels = [](size_t channels, int low) {
    std::vector<double> all(channels, 1 / 4.72);
    all[0] = 1 / 4.721;
    std::string text = in_floats(all, 0, low);
    for (const auto& [from, to] : {std::pair(cat("[", kNumbers, ","), "[512,"),
                                   std::pair(cat("constant(", kNumbers / 2), "constant(256")})
      for (size_t at = text.find(from); at != text.npos; at = text.find(from))
        text.replace(at, from.size(), to);
    return text;
  };
  CHECK(!stays(with_channels(1 << 14, 23)));
  CHECK(stays(with_channels(1 << 14, 22)));
  CHECK(!stays(with_channels(1 << 14, 50)));
  CHECK(stays(with_channels((1 << 14) + 1, 50)));
}

TEST_CASE("64 bits are halved where there is no long multiplication, or only a high word is needed",
          "[transforms]") {
  const std::string shape = cat("[", kNumbers, ",3]"), s = "s64" + shape;
  const auto text = [&](const char* offset) {
    return cat(
        numbers(3), " x = ", s,
        " convert(acc)\n f = s64[3] constant({1374280448, 2128251264, 1274280449})\n fs = ", s,
        " broadcast(f), dimensions={1}\n p = ", s, " multiply(x, fs)\n o = s64[] constant(", offset,
        ")\n os = ", s, " broadcast(o), dimensions={}\n t = ", s,
        " add(p, os)\n h = s64[3] constant({38, 39, 37})\n hs = ", s,
        " broadcast(h), dimensions={1}\n y = ", s,
        " shift-right-arithmetic(t, hs)\n l = s64[] constant(-128)\n u = s64[] constant(127)\n c "
        "= ",
        s, " clamp(l, y, u)\n ROOT r = s8", shape, " convert(c)");
  };
  const std::string plain = text("137438953472");
  const Module without = requantized(plain, "cortex-m0");
  CHECK(count_s64(without, Opcode::kMultiply) == 0);
  check_every_number(plain, without);
  const Module high = requantized(plain, "cortex-m4f");
  CHECK(count_s64(high, Opcode::kMultiply) == 1);
  CHECK(count_s64(high, Opcode::kAdd) == 0);
  check_every_number(plain, high);
  CHECK(count_s64(requantized(plain, "rv64gc"), Opcode::kAdd) == 1);
  // The sum wraps at one end of the accumulator's range.
  const std::string wraps = text("9223372036854775807");
  CHECK(count_s64(requantized(wraps, "cortex-m0"), Opcode::kMultiply) == 1);
}

TEST_CASE("scales of a few bits keep their ties", "[transforms]") {
  for (const int zero : {0, 1, -128, -127})
    for (const char* chip : {"cortex-m0", "cortex-m4", "rv32imc"}) {
      INFO(chip << " zero " << zero);
      const std::string text = in_floats({0.25, 0.5, 0.015625, 0.0234375}, zero, -128);
      const Module m = requantized(text, chip);
      CHECK(!computes_in(m, hlo::PrimitiveType::kF32));
      check_every_number(text, m);
    }
  // One instruction rounds to even; more bits than the product keeps.
  CHECK(computes_in(requantized(in_floats({0.25, 0.5}, 0, -128), "cortex-m33"),
                    hlo::PrimitiveType::kF32));
  CHECK(computes_in(requantized(in_floats({0.25, 0.1}, 0, -128), "cortex-m0"),
                    hlo::PrimitiveType::kF32));
}

TEST_CASE("accumulators that are no words stay in 64 bits", "[transforms]") {
  for (const char* const type : {"u32", "s32"})
    for (const char* const chip : {"cortex-m0", "cortex-m4f"}) {
      const std::string text = cat(
          " x = ", type, "[64] parameter(0)\n w = s64[64] convert(x)\n by = s64[] constant(25)\n",
          " bys = s64[64] broadcast(by), dimensions={}\n",
          " y = s64[64] shift-right-arithmetic(w, bys)\n low = s64[] constant(-128)\n",
          " high = s64[] constant(127)\n c = s64[64] clamp(low, y, high)\n",
          " ROOT r = s8[64] convert(c)\n");
      const Module m = requantized(text, chip);
      if (type[0] == 'u') CHECK(count_s64(m, Opcode::kShiftRightArithmetic) == 1);
      check_same_meaning(module_from(text), m);
    }
}

TEST_CASE("staircases and lines", "[transforms]") {
  using namespace transforms;
  // floor((x + 3) / 8) over [-20, 20].
  StepFunction stairs{-20, 20, -3, 2, {}};
  for (int64_t v = -2; v <= 2; ++v) stairs.steps.push_back({8 * v - 3, v - 1, v});
  for (const bool long_multiply : {true, false}) {
    const auto fixed = fit({{stairs, {0.125, 0.375}}}, long_multiply, 0);
    REQUIRE(fixed);
    CHECK(fixed->low == -3);
    CHECK(fixed->high == 2);
  }
  // Two later below zero: a bend says so; where none does, or where it would fall, nothing fits.
  StepFunction level{-640, 640, -10, 10, {}}, lower = level, upper = level;
  for (int64_t v = -9; v <= 10; ++v) {
    level.steps.push_back({64 * v - 32, v - 1, v});
    lower.steps.push_back({64 * v - 32 + (v <= 0 ? 2 : 0), v - 1, v});
    upper.steps.push_back({64 * v - 32 - (v <= 0 ? 2 : 0), v - 1, v});
  }
  const double slope = 1.0 / 64;
  for (const bool long_multiply : {true, false}) {
    const auto late = fit({{lower, {slope, 0.5, -2 * slope}}}, long_multiply, 0);
    REQUIRE(late);
    CHECK(late->form.bent);
    CHECK(late->bends[0] < 0);
    CHECK(!fit({{lower, {slope, 0.5, 0}}}, long_multiply, 0));
    CHECK(!fit({{upper, {slope, 0.5, 2 * slope}}}, long_multiply, 0));
    REQUIRE(fit({{level, {slope, 0.5, -2 * slope}}}, long_multiply, 0));
    CHECK(!fit({{level, {slope, 0.5, -2 * slope}}}, long_multiply, 0)->form.bent);
  }
  // A line far from the stairs, and stairs that no line climbs.
  CHECK(!fit({{stairs, {0.05, 0}}}, true, 0));
  StepFunction bent = stairs;
  bent.steps[2].at += 5;
  CHECK(!fit({{bent, {0.125, 0.375}}}, true, 0));
  CHECK(!fit({}, true, 1));
  // A channel that stays at the lowest number, whose line lies above it.
  const StepFunction flat{-20, 20, -3, -3, {}};
  for (const bool long_multiply : {true, false})
    CHECK(fit({{stairs, {0.125, 0.375}}, {flat, {0.125, 5}}}, long_multiply, 0));
}

}  // namespace hlocc::tests
