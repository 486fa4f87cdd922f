// Numbers that are clamped to bytes and stored, on MVE and NEON: raised and emitted, the idiom on
// both sides of each of its conditions, and what its two instructions make of numbers at their
// edges; high products in front of it, which NEON doubles.
#include <algorithm>

#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"
#include "kernel/raise/raise.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

struct Clamp {
  int64_t low = -128, high = 127;
  int shift = 3, lanes = 4;
  bool low_outside = false, constant_first = false;
  Scalar from = kS32;
  int product = 0;  // of x and w in 64 bits, shifted by so much; 0: x
};

Kernel clamping(const Clamp& form) {
  Builder b("clamped");
  const BufferId x = b.buffer({.name = "x", .element = form.from, .elements = form.lanes});
  const BufferId w = b.buffer({.name = "w", .element = form.from, .elements = form.lanes});
  const BufferId y =
      b.buffer({.name = "y", .element = kS8, .elements = form.lanes, .direction = Direction::kOut});
  const Type type{form.from, static_cast<uint16_t>(form.lanes)};
  const auto bounded = [&](OpKind kind, ValueId value, int64_t bound) {
    const ValueId number = b.constant_int(type, bound);
    return form.constant_first ? b.binary(kind, number, value) : b.binary(kind, value, number);
  };
  ValueId value = b.load(x, Affine::constant(0), form.lanes);
  if (form.product > 0) {
    const Type wide{kS64, static_cast<uint16_t>(form.lanes)};
    const ValueId by = b.load(w, Affine::constant(0), form.lanes);
    value = b.mul(b.convert(value, kS64), b.convert(by, kS64));
    // Of 32 it is raised.
    const OpKind shift = form.product == 32 ? OpKind::kShrArithmetic : OpKind::kNativeShr;
    value = b.binary(shift, value, b.constant_int(wide, form.product));
    value = b.convert(value, kS32);
  }
  if (form.shift > 0) value = b.binary(OpKind::kNativeShr, value, b.constant_int(type, form.shift));
  if (form.low_outside) value = bounded(OpKind::kNativeMin, value, form.high);
  value = bounded(OpKind::kNativeMax, value, form.low);
  if (!form.low_outside) value = bounded(OpKind::kNativeMin, value, form.high);
  b.store(y, Affine::constant(0), b.convert(value, kS8));
  return b.finish();
}

size_t count_in(std::string_view text, std::string_view word) {
  size_t times = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++times;
  return times;
}
std::string ir_of(const Clamp& form, const char* chip) {
  const Target target = *complete_target(*preset(chip));
  return backends::ir_of(raise(clamping(form), target), target);
}

// "vshrn vshrn", "vshrn vqmovn", "vqmovn vqmovn" or "".
std::string narrowing(const Clamp& form, const char* chip = "cortex-m55") {
  const std::string text = ir_of(form, chip);
  const auto count = [&](std::string_view word) { return count_in(text, word); };
  std::string words;
  for (size_t n = count("call <8 x i16> @llvm.arm.mve.vshrn"); n > 0; --n) words += "vshrn ";
  for (size_t n = count("call <8 x i16> @llvm.arm.mve.vqmovn"); n > 0; --n) words += "vqmovn ";
  for (size_t n = count("call <16 x i8> @llvm.arm.mve.vshrn"); n > 0; --n) words += "vshrn";
  for (size_t n = count("call <16 x i8> @llvm.arm.mve.vqmovn"); n > 0; --n) words += "vqmovn";
  return words;
}

// The calls of NEON's intrinsics, and by how much they shift: "sqdmulh sqshrn 4 sqxtn".
std::string neon_calls(const Clamp& form, const char* chip = "cortex-a53") {
  const std::string text = ir_of(form, chip), of = "@llvm.aarch64.neon.",
                    of_arm = "@llvm.arm.neon.";
  std::string words;
  for (size_t at = text.find(" call "); at != text.npos; at = text.find(" call ", at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    for (const std::string prefix : {"@llvm.aarch64.neon.", "@llvm.arm.neon."}) {
      const size_t begin = line.find(prefix);
      if (begin == line.npos) continue;
      const size_t name = begin + prefix.size();
      words += (words.empty() ? "" : " ") + line.substr(name, line.find('.', name) - name);
      if (const size_t by = line.find(", i32 "); by != line.npos)
        words += line.substr(by + 5, line.find(')', by) - by - 5);
    }
  }
  return words;
}

}  // namespace

TEST_CASE("NEON narrows to bytes with saturation and the shift in front of it") {
  CHECK(neon_calls({}) == "sqshrn 3 sqxtn");
  CHECK(neon_calls({.shift = 0}) == "sqxtn sqxtn");
  CHECK(neon_calls({.shift = 16}) == "sqshrn 16 sqxtn");
  CHECK(neon_calls({.shift = 17}) == "sqshrn 16 sqshrn 1");
  CHECK(neon_calls({.shift = 24}) == "sqshrn 16 sqshrn 8");
  CHECK(neon_calls({.shift = 25}) == "sqxtn sqxtn");
  CHECK(neon_calls({.shift = 0}, "cortex-a7-linux") == "vqmovns vqmovns");
  CHECK(neon_calls({}, "cortex-a7-linux").starts_with("vqshiftns"));
  for (const Clamp& other : {Clamp{.low = -127}, {.high = 126}, {.low = 0, .from = kU32}})
    CHECK(neon_calls(other) == "");
  CHECK(neon_calls({.lanes = 2}) == "");
  CHECK(neon_calls({}, "cortex-m55") == "");
}

TEST_CASE("NEON doubles high products that are shifted and clamped to bytes") {
  CHECK(neon_calls({.product = 32}) == "sqdmulh sqshrn 4 sqxtn");
  CHECK(neon_calls({.shift = 0, .product = 32}) == "sqdmulh sqshrn 1 sqxtn");
  CHECK(neon_calls({.shift = 23, .product = 32}) == "sqdmulh sqshrn 16 sqshrn 8");
  CHECK(neon_calls({.product = 32}, "cortex-a7-linux").find("vqdmulh") != std::string::npos);
  // The lowest number times itself would be a byte; elsewhere both halves are multiplied in 64 bits.
  CHECK(neon_calls({.shift = 24, .product = 32}) == "smull smull sqshrn 16 sqshrn 8");
  CHECK(neon_calls({.high = 126, .product = 32}) == "smull smull");
  CHECK(neon_calls({.product = 31}) == "sqshrn 3 sqxtn");
  CHECK(neon_calls({.lanes = 8, .product = 31}) == "");
}

TEST_CASE("NEON rounds vectors that fill registers to whole numbers at once") {
  const auto converted = [](int lanes, OpKind rounding, Scalar to) {
    Builder b("rounded");
    const BufferId x = b.buffer({.name = "x", .element = kF32, .elements = lanes});
    const BufferId y =
        b.buffer({.name = "y", .element = to, .elements = lanes, .direction = Direction::kOut});
    const ValueId value = b.load(x, Affine::constant(0), lanes);
    b.store(y, Affine::constant(0), b.convert(b.unary(rounding, value), to));
    const std::string text = backends::ir_of(b.finish(), *complete_target(*preset("cortex-a53")));
    return count_in(text, "@llvm.aarch64.neon.fcvtns.v4i32.v4f32(") > 0;
  };
  CHECK(converted(4, OpKind::kRoundEven, kS32));
  CHECK_FALSE(converted(4, OpKind::kRoundEven, kU32));
  CHECK_FALSE(converted(4, OpKind::kFloor, kS32));
  CHECK_FALSE(converted(2, OpKind::kRoundEven, kS32));
}

TEST_CASE("twice a high product, saturated, gives the same bytes") {
  constexpr int64_t kLowest = INT32_MIN, kHighest = INT32_MAX;
  const auto byte = [](int64_t x) { return std::clamp<int64_t>(x, -128, 127); };
  const auto same = [&](int64_t x, int64_t y, int shift) {
    const int64_t twice = std::min((x * y) >> 31, kHighest);
    return byte(twice >> (shift + 1)) == byte((x * y) >> 32 >> shift);
  };
  for (int shift = 0; shift <= 23; ++shift) {
    CHECK(same(kLowest, kLowest, shift));
    for (const int64_t x : {kLowest, kLowest + 1, int64_t{-1000003}, int64_t{-2}, int64_t{0},
                            int64_t{12345679}, kHighest})
      for (int64_t near = -128; near <= 128; ++near)
        for (const int64_t y : {near, kHighest - 128 + near, kLowest + 128 + near, near * 16777213})
          if (y == static_cast<int32_t>(y)) REQUIRE(same(x, y, shift));
  }
  CHECK_FALSE(same(kLowest, kLowest, 24));
}

TEST_CASE("MVE narrows to bytes with saturation and the shift in front of it") {
  CHECK(narrowing({}) == "vshrn vqmovn");
  CHECK(narrowing({.low_outside = true}) == "vshrn vqmovn");
  CHECK(narrowing({.constant_first = true}) == "vshrn vqmovn");
  CHECK(narrowing({.shift = 0}) == "vqmovn vqmovn");
  CHECK(narrowing({.shift = 1}) == "vshrn vqmovn");
  CHECK(narrowing({.shift = 16}) == "vshrn vqmovn");
  CHECK(narrowing({.shift = 17}) == "vshrn vshrn");
  CHECK(narrowing({.shift = 24}) == "vshrn vshrn");
  CHECK(narrowing({.shift = 25}) == "vqmovn vqmovn");  // shifted by itself
}

TEST_CASE("what is clamped elsewhere, without sign or in other lanes is not narrowed") {
  CHECK(narrowing({.low = -127}) == "");
  CHECK(narrowing({.low = -129}) == "");
  CHECK(narrowing({.high = 126}) == "");
  CHECK(narrowing({.high = 128}) == "");
  CHECK(narrowing({.low = 0, .from = kU32}) == "");
  CHECK(narrowing({.lanes = 8}) == "");
  CHECK(narrowing({}, "cortex-m4f") == "");
  CHECK(narrowing({}, "cortex-a53") == "");  // with instructions of its own
}

// VQSHRN to 16 bits, and again: for all shifts what one shift and one clamp give.
TEST_CASE("bytes that saturate through sixteen bits are those that saturate at once") {
  const auto narrowed = [](int64_t x, int shift, int64_t most) {
    return std::clamp(x >> shift, -most - 1, most);
  };
  for (int shift = 0; shift <= 24; ++shift) {
    const int first = std::min(shift, 16);
    for (int64_t near = 0; near <= 256; ++near)
      for (int bit = 0; bit < 32; ++bit)
        for (const int64_t x :
             {(int64_t{1} << bit) + near - 128, -(int64_t{1} << bit) + near - 128,
              (near - 128) * (int64_t{1} << shift) - 1, (near - 128) * (int64_t{1} << shift)}) {
          if (x != static_cast<int32_t>(x)) continue;
          REQUIRE(narrowed(narrowed(x, first, 32767), shift - first, 127) ==
                  narrowed(x, shift, 127));
        }
  }
}

}  // namespace hlocc::backends
