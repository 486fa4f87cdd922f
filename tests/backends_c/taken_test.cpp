// Which ops are done on whole vectors: types, accesses and conversions, a kernel on each side of a
// condition of VectorValues.
#include "backends_c/taken.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

TEST_CASE("the unit of a chip") {
  using enum Isa;
  const auto neon_but = [](const std::function<void(Target&)>& change) {
    Target row = *preset("cortex-a53");
    change(row);
    return vector_unit(row);
  };
  CHECK(vector_unit(mve()) == VectorUnit::kMve);
  CHECK(vector_unit(x86_row_of_c(64, {kSse2})) == VectorUnit::kNone);
  CHECK(vector_unit(x86_row_of_c(64, {kSse2, kAvx2})) == VectorUnit::kNone);
  CHECK(vector_unit(x86_row_of_c(128, {kSse2})) == VectorUnit::kX86);
  CHECK(vector_unit(x86_row_of_c(128, {})) == VectorUnit::kNone);
  CHECK(vector_unit(x86_row_of_c(256, {kSse2})) == VectorUnit::kNone);
  CHECK(vector_unit(x86_row_of_c(256, {kSse2, kAvx2})) == VectorUnit::kX86);
  CHECK(neon_but([](Target&) {}) == VectorUnit::kNeon);
  CHECK(neon_but([](Target& row) { row.multiply_by_lane = false; }) == VectorUnit::kNone);
  CHECK(neon_but([](Target& row) { row.vector_registers = 31; }) == VectorUnit::kNone);
  CHECK(neon_but([](Target& row) { row.byte_order = ByteOrder::kBig; }) == VectorUnit::kNone);
  CHECK(neon_but([](Target& row) { row.constants_apart = true; }) == VectorUnit::kNone);
}

TEST_CASE("types that fill registers are taken") {
  const char *all = "*load *load *add *store", *none = "load load add store";
  const struct {
    const char* chip;
    Target row;
    Type type;
    const char* ops;
  } rows[] = {
      {"mve", mve(), s32x4, all},
      {"mve", mve(), u32x4, all},
      {"mve", mve(), f32x4, all},
      {"mve", mve(), typed(kS32, 3), none},
      {"mve", mve(), typed(kS32, 2), none},
      {"mve", mve(), typed(kS32, 8), none},
      {"mve", mve(), typed(kS8, 16), all},
      {"mve", mve(), typed(kU8, 16), all},
      {"mve", mve(), typed(kS16, 8), none},
      {"mve", mve(), typed(kU16, 8), none},
      {"mve", mve(), typed(kF64, 2), none},
      {"mve", mve(), typed(kS64, 2), none},
      {"neon", neon(), s32x4, all},
      {"neon", neon(), typed(kS8, 16), none},
      {"neon", neon(), typed(kS16, 8), none},
      {"sse2", x86(128), u32x4, all},
      {"sse2", x86(128), typed(kS32, 8), none},
      {"sse2", x86(128), typed(kS32, 6), none},
      {"sse2", x86(128), typed(kU16, 8), none},
      {"avx2", x86(256), typed(kS32, 4), all},
      {"avx2", x86(256), typed(kS32, 8), all},
      {"avx2", x86(256), typed(kS32, 6), none},
      {"avx2", x86(256), typed(kS32, 16), none},
      {"avx2", x86(256), typed(kS8, 32), none},
      {"avx512", x86(512), typed(kF32, 16), all},
      {"avx512", x86(512), typed(kF32, 32), none},
      {"avx512", x86(512), typed(kS8, 32), all},
      {"avx512", x86(512), typed(kS8, 16), none},
  };
  for (const auto& [chip, row, type, ops] : rows) {
    INFO(chip << " " << to_string(type));
    CHECK(taken(row, of_two(kAdd, type)) == ops);
  }
  // Halves are loaded for products; what stores them does it lane by lane.
  CHECK(taken(x86(128), of_two(kAdd, typed(kS16, 8))) == "*load *load *add store");
}

// x = x + 1 by an access of its own.
Make by(const std::function<void(Small&, Access&)>& change) {
  return [=](Small& b) {
    const ValueId one = b.read(s32x4);
    Access access{.buffer = b.array(kS32), .at = Affine::constant(0)};
    change(b, access);
    const ValueId two = b.load(access, 4);
    access.stored = b.add(one, two);
    access.buffer = b.array(kS32, Direction::kInOut);
    b.store(access);
  };
}

TEST_CASE("plain accesses are taken") {
  const auto plain = by([](Small&, Access&) {});
  check_taken({
      {"plain", mve(), plain, "*load *load *add *store"},
      {"strided", mve(), by([](Small&, Access& a) { a.lane_stride = 2; }), "*load load *add store"},
      {"one for all", mve(), by([](Small&, Access& a) { a.lane_stride = 0; }),
       "*load load *add store"},
      {"at places", mve(), by([](Small& b, Access& a) { a.lane_indices = b.read(s32x4); }),
       "*load load load *add store"},
      {"masked", mve(), by([](Small& b, Access& a) {
         a.mask = b.constant_lanes({kPred, 4}, {1, 1, 0, 1});
       }),
       "*load load *add store"},
      {"masked by one", mve(), by([](Small& b, Access& a) { a.mask = b.less_than_three(); }),
       "*load load compare load *add store"},
      {"read by parts", mve(), plain, "load *load *add *store", 0},
      {"written by parts", mve(), plain, "*load *load *add store", 2},
  });
}

TEST_CASE("bytes that are spread are taken on MVE") {
  const auto spread = [](Type type, int64_t stride, bool constant = false) {
    return [=](Small& b) { b.write(constant ? b.constant_int(type, 7) : b.read(type), stride); };
  };
  const auto of_words = [](Type type, int64_t stride) {
    return [=](Small& b) { b.write(b.converted(b.read(type), kS8), stride); };
  };
  const auto carried = [](Small& b) {
    b.loop(Loop{.upper = Affine::constant(5)}, {b.read(s8x8)},
           [&](ValueId, std::span<const ValueId> now) {
             b.write(now[0], 3);
             return Values{now[0]};
           });
  };
  check_taken({
      {"eight", mve(), spread({kS8, 8}, 3), "*load *store"},
      {"eight as they lie", mve(), spread({kS8, 8}, 1), "load store"},
      {"eight by parts", mve(), spread({kS8, 8}, 3), "load store", 1},
      {"eight of a constant", mve(), spread({kU8, 8}, 3, true), "*store"},
      {"four of a constant", mve(), spread({kU8, 4}, 3, true), "store"},
      {"four of words", mve(), of_words(s32x4, 3), "*load *native.convert *store"},
      {"four of words downwards", mve(), of_words(s32x4, -3), "load native.convert store"},
      {"four of words as they lie", mve(), of_words(s32x4, 1), "*load *native.convert *store"},
      {"four of words, NEON", neon(), of_words(s32x4, 3), "load native.convert store"},
      {"eight that are carried", mve(), carried, "load loop (store)"},
      {"four as they lie", mve(), spread({kU8, 4}, 1), "load store"},
      {"four of a constant as they lie", mve(), spread({kU8, 4}, 1, true), "store"},
      {"eight as they lie, AVX2", x86(256), spread({kU8, 8}, 1), "load store"},
      {"sixteen", mve(), spread({kU8, 16}, 3), "load store"},
      {"sixteen as they lie", mve(), spread({kU8, 16}, 1), "*load *store"},
      {"eight halves", mve(), spread({kU16, 8}, 3), "load store"},
      {"eight, NEON", neon(), spread({kS8, 8}, 3), "load store"},
      {"eight of a constant, NEON", neon(), spread({kS8, 8}, 3, true), "store"},
  });
}

TEST_CASE("conversions between 32 bits and of bytes are taken") {
  const auto twice = [](Type from, Scalar over, Scalar to) {
    return [=](Small& b) { b.write(b.converted(b.converted(b.read(from), over), to)); };
  };
  const auto added = [](Type from, Scalar to) {
    return [=](Small& b) {
      const ValueId sum = b.add(b.read(from), b.read(from));
      b.write(b.converted(sum, to));
    };
  };
  const auto carried = [](Small& b) {
    b.loop(Loop{.upper = Affine::constant(5)}, {b.read(s8x4)},
           [&](ValueId, std::span<const ValueId> now) {
             b.write(b.converted(now[0], kS32));
             return Values{now[0]};
           });
  };
  check_taken({
      {"floats of floats", mve(), of_one(kNativeConvert, f32x4, f32x4),
       "load native.convert *store"},
      {"bytes of s32, AVX2", x86(256), of_one(kNativeConvert, {kS32, 8}, s8x8),
       "*load *native.convert *store"},
      {"floats of halves, AVX2", x86(256), of_one(kNativeConvert, {kS16, 8}, {kF32, 8}),
       "*load *native.convert *store"},
      {"one number", mve(), of_one(kNativeConvert, {kS32, 1}, {kF32, 1}),
       "load native.convert store"},
      {"carried bytes", mve(), carried, "load loop (native.convert *store)"},
      {"floats of s32", mve(), of_one(kNativeConvert, s32x4, f32x4),
       "*load *native.convert *store"},
      {"s32 of floats", mve(), of_one(kNativeConvert, f32x4, s32x4),
       "*load *native.convert *store"},
      {"u32 of floats", mve(), of_one(kNativeConvert, f32x4, u32x4),
       "*load *native.convert *store"},
      {"u32 of s32", mve(), of_one(kNativeConvert, s32x4, u32x4), "load native.convert *store"},
      {"f64 of floats", mve(), of_one(kNativeConvert, f32x4, {kF64, 4}),
       "load native.convert store"},
      {"bytes of s32", mve(), of_one(kNativeConvert, s32x4, s8x4), "*load *native.convert *store"},
      {"bytes of floats", mve(), of_one(kNativeConvert, f32x4, s8x4), "load native.convert store"},
      {"halves of s32", mve(), of_one(kNativeConvert, s32x4, {kS16, 4}),
       "load native.convert store"},
      {"s32 of bytes", mve(), of_one(kNativeConvert, s8x4, s32x4), "*load *native.convert *store"},
      {"u32 of bytes", mve(), of_one(kNativeConvert, u8x4, u32x4), "*load *native.convert *store"},
      {"s32 of u8", mve(), of_one(kNativeConvert, u8x4, s32x4), "load native.convert *store"},
      {"floats of bytes", mve(), of_one(kNativeConvert, s8x4, f32x4),
       "*load *native.convert *store"},
      {"halves of bytes", mve(), of_one(kNativeConvert, s8x4, {kS16, 4}),
       "load native.convert store"},
      {"s32 of halves", mve(), of_one(kNativeConvert, {kS16, 4}, s32x4),
       "load native.convert *store"},
      {"s32 of sums of bytes", mve(), added(s8x4, kS32), "load load add native.convert *store"},
      {"low bytes", mve(), twice(s32x4, kS8, kS32), "*load *native.convert *native.convert *store"},
      {"low bytes as floats", mve(), twice(s32x4, kS8, kF32),
       "*load *native.convert *native.convert *store"},
      {"low bytes of u32 as s32", mve(), twice(u32x4, kS8, kS32),
       "load native.convert native.convert *store"},
      {"low bytes as they are", mve(), twice(u32x4, kU8, kS8),
       "load native.convert native.convert store"},
      {"sixteen bytes of their kind", mve(), of_one(kNativeConvert, {kS8, 16}, {kU8, 16}),
       "load native.convert *store"},
  });
}

}  // namespace
}  // namespace hlocc::backends
