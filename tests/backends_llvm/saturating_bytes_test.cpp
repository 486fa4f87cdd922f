// Numbers that are clamped to bytes and stored, on MVE: the idiom on both sides of each of its
// conditions, and what its two instructions make of numbers at their edges.
#include <algorithm>

#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

struct Clamp {
  int64_t low = -128, high = 127;
  int shift = 3, lanes = 4;
  bool low_outside = false, constant_first = false;
  Scalar from = kS32;
};

Kernel clamping(const Clamp& form) {
  Builder b("clamped");
  const BufferId x = b.buffer({.name = "x", .element = form.from, .elements = form.lanes});
  const BufferId y =
      b.buffer({.name = "y", .element = kS8, .elements = form.lanes, .direction = Direction::kOut});
  const Type type{form.from, static_cast<uint16_t>(form.lanes)};
  const auto bounded = [&](OpKind kind, ValueId value, int64_t bound) {
    const ValueId number = b.constant_int(type, bound);
    return form.constant_first ? b.binary(kind, number, value) : b.binary(kind, value, number);
  };
  ValueId value = b.load(x, Affine::constant(0), form.lanes);
  if (form.shift > 0) value = b.binary(OpKind::kNativeShr, value, b.constant_int(type, form.shift));
  if (form.low_outside) value = bounded(OpKind::kNativeMin, value, form.high);
  value = bounded(OpKind::kNativeMax, value, form.low);
  if (!form.low_outside) value = bounded(OpKind::kNativeMin, value, form.high);
  b.store(y, Affine::constant(0), b.convert(value, kS8));
  return b.finish();
}

// "vshrn vshrn", "vshrn vqmovn", "vqmovn vqmovn" or "".
std::string narrowing(const Clamp& form, const char* chip = "cortex-m55") {
  const std::string text = ir_of(clamping(form), *complete_target(*preset(chip)));
  const auto count = [&](std::string_view word) {
    size_t times = 0;
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++times;
    return times;
  };
  std::string words;
  for (size_t n = count("call <8 x i16> @llvm.arm.mve.vshrn"); n > 0; --n) words += "vshrn ";
  for (size_t n = count("call <8 x i16> @llvm.arm.mve.vqmovn"); n > 0; --n) words += "vqmovn ";
  for (size_t n = count("call <16 x i8> @llvm.arm.mve.vshrn"); n > 0; --n) words += "vshrn";
  for (size_t n = count("call <16 x i8> @llvm.arm.mve.vqmovn"); n > 0; --n) words += "vqmovn";
  return words;
}

}  // namespace

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
  CHECK(narrowing({}, "cortex-a53") == "");
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
