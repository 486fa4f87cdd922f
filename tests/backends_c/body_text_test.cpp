// What C's writer writes of small kernels: the statements of their bodies, a row on each side of a
// condition of BodyWriter.
#include "backends_c/body_text.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

TEST_CASE("the text of loads and stores") {
  const auto masked = [](Type type, bool otherwise) {
    return [=](Small& b) {
      Access access{.buffer = b.array(type.scalar), .at = Affine::constant(0)};
      access.mask = b.less_than_three();
      if (otherwise) access.otherwise = b.read(type);
      const ValueId read = b.load(access, type.lanes);
      access = {.buffer = b.array(type.scalar, Direction::kInOut), .at = Affine::constant(0)};
      access.mask = b.less_than_three();
      access.stored = read;
      b.store(access);
    };
  };
  const auto copy = [](Type type) { return [=](Small& b) { b.write(b.read(type)); }; };
  check_text({
      {"two halves", m3(), copy({kS16, 2}), "lanes 2 { x1[l] = x0[l]; }"},
      {"two halves in a word", target_for_c(*preset("cortex-m4")), copy({kS16, 2}),
       "const hl_s16 *v0 = &x0[0]; HL_HOLD(v0); const uint32_t v1 = hl_word_s16(v0); "
       "hl_put_word_s16(&x1[0], v1);"},
      {"four numbers in a vector", mve(), copy(s32x4),
       "hl_store_s32x4(&x1[0], hl_load_s32x4(&x0[0]));"},
      {"numbers that differ", m3(),
       [](Small& b) {
         b.write(b.constant_lanes(s32x4, {1, 2, 3, 4}));
       },
       "const int32_t v0[4] = {1, 2, 3, 4}; lanes 4 { x0[l] = v0[l]; }"},
      {"a number of four", m3(), [](Small& b) { b.write(b.extract(b.read(s32x4), 2)); },
       "int32_t v0[4]; lanes 4 { v0[l] = x0[l]; } x1[0] = v0[2];"},
      {"a truth value", m3(), copy({kPred, 1}), "x1[0] = x0[0] != 0;"},
      {"truth values", m3(), copy({kPred, 4}), "lanes 4 { x1[l] = x0[l] != 0; }"},
      {"one number", m3(), copy({kS32, 1}), "x1[0] = x0[0];"},
      {"an index", m3(), copy({kIndex, 1}), "x1[0] = x0[0];"},
      {"masked", m3(), masked({kS32, 1}, false),
       "if (x3[0] < 3) { x2[0] = x1[0] < 3 ? x0[0] : 0; }"},
      {"masked with another", m3(), masked({kS32, 1}, true),
       "if (x4[0] < 3) { x3[0] = x1[0] < 3 ? x0[0] : x2[0]; }"},
      {"masked lanes", m3(), masked({kF32, 4}, true),
       "lanes 4 { if (x4[0] < 3) { x3[l] = x1[0] < 3 ? x0[l] : x2[l]; } }"},
  });
}

// The product of the sums of a chip: how many are added in one function.
TEST_CASE("products are added up one by one where registers are few") {
  struct Sums {
    int count = 4;
    Scalar scalar = kS32;
    OpKind kind = kAdd;
    bool stored = false, both = false, turned = false;
  };
  const auto sums = [](const Target& row, const Sums& how) {
    const std::string text = body_of(row, [&](Small& b) {
      const Type type{how.scalar, 1};
      std::vector<ValueId> out;
      for (int n = 0; n < how.count; ++n) {
        const ValueId x = b.read(type), y = b.read(type), product = b.mul(x, y);
        if (how.stored) b.write(b.read(type));
        const ValueId other = how.both ? b.mul(b.read(type), x) : b.read(type);
        out.push_back(how.turned ? b.op(how.kind, type, {other, product})
                                 : b.op(how.kind, type, {product, other}));
      }
      for (const ValueId id : out) b.write(id);
    });
    int found = 0;
    for (size_t at = 0; (at = text.find("_MUL_ADD", at)) != std::string::npos; ++at) ++found;
    for (size_t at = 0; (at = text.find("mul_add", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(sums(m3(), {}) == 4);
  CHECK(sums(m3(), {.count = 3}) == 0);
  CHECK(sums(m3(), {.count = 5}) == 5);
  CHECK(sums(m3(), {.scalar = kU32}) == 4);
  CHECK(sums(m3(), {.scalar = kS16}) == 0);
  CHECK(sums(m3(), {.scalar = kF32}) == 0);
  CHECK(sums(m3(), {.kind = kSub}) == 0);
  CHECK(sums(m3(), {.stored = true}) == 0);
  CHECK(sums(m3(), {.both = true}) == 0);
  CHECK(sums(m3(), {.turned = true}) == 4);
  for (const char* chip : {"cortex-m4", "cortex-a53", "avr-mega2560", "riscv64-linux"}) {
    INFO(chip);
    CHECK(sums(target_for_c(*preset(chip)), {}) == 0);
  }
  CHECK(sums(changed_row("cortex-m3", "wide", [](Target& row) { row.vector_bits = 64; }), {}) == 0);
}

TEST_CASE("what is used once stands where it is used") {
  const auto chain = [](int length, int uses, Type type = {kF32, 1}) {
    return [=](Small& b) {
      const ValueId x = b.read(type), y = b.read(type);
      ValueId value = x;
      for (int n = 0; n < length; ++n) value = b.add(value, y);
      for (int n = 0; n < uses; ++n) b.write(value);
    };
  };
  const auto stored_between = [](Type type) {
    return [=](Small& b) {
      const ValueId x = b.read(type);
      b.write(b.zero(type));
      b.write(x);
    };
  };
  const auto letters = [](int64_t place) {
    return [=](Small& b) {
      const ValueId y = b.read({kF32, 1});
      ValueId value = b.load(b.array(kF32), Affine::constant(place));
      for (int n = 0; n < 11; ++n) value = b.add(value, y);
      b.write(value);
    };
  };
  const auto constants = [](Small& b) {
    const ValueId three = b.constant_int({kS32, 1}, 3);
    b.write(three);
    b.write(three);
  };
  const auto carried = [](Small& b) {
    b.write(b.loop(Loop{.upper = Affine::constant(5)}, {b.read({kF32, 4})},
                   [&](ValueId, std::span<const ValueId> now) {
                     return Values{b.add(now[0], b.read({kF32, 4}))};
                   })[0]);
  };
  const auto reversed = [](Small& b) {
    const ValueId x = b.read({kF32, 4});
    const ValueId sum = b.add(x, x);
    b.write(b.shuffle(sum, sum, {3, 2, 1, 0}));
  };
  check_text({
      {"once", m3(), chain(1, 1), "x2[0] = x0[0] + x1[0];"},
      {"twice", m3(), chain(1, 2), "const float v0 = x0[0] + x1[0]; x2[0] = v0; x3[0] = v0;"},
      {"lanes once", m3(), chain(1, 1, {kF32, 4}), "lanes 4 { x2[l] = x0[l] + x1[l]; }"},
      {"lanes twice", m3(), chain(1, 2, {kF32, 4}),
       "lanes 4 { const float v0 = x0[l] + x1[l]; x2[l] = v0; x3[l] = v0; }"},
      {"behind a store", m3(), stored_between({kF32, 1}),
       "const float v0 = x0[0]; x1[0] = 0.0f; x2[0] = v0;"},
      {"lanes behind a store", m3(), stored_between({kF32, 4}),
       "lanes 4 { const float v0 = x0[l]; x1[l] = 0.0f; x2[l] = v0; }"},
      {"sixty-four letters", m3(), letters(10000),
       "const float v0 = x0[0]; x2[0] = x1[10000] + v0 + v0 + v0 + v0 + v0 + v0 + v0 + v0 + v0 + "
       "v0 + v0;"},
      {"sixty-six letters", m3(), letters(100000),
       "const float v0 = x0[0]; const float v1 = x1[100000L] + v0 + v0 + v0 + v0 + v0 + v0 + v0 + "
       "v0 + v0 + v0 + v0; x2[0] = v1;"},
      {"a constant twice", m3(), constants, "x0[0] = 3; x1[0] = 3;"},
      {"carried lanes", m3(), carried,
       "float v0[4]; lanes 4 { v0[l] = x0[l]; } float v1[4]; lanes 4 { v1[l] = v0[l]; } for "
       "(ptrdiff_t i = 0; i < 5; ++i) { lanes 4 { v1[l] = v1[l] + x1[l]; } } lanes 4 { x2[l] = "
       "v1[l]; }"},
      {"lanes that are turned", m3(), reversed,
       "float v1[4]; lanes 4 { const float v0 = x0[l]; v1[l] = v0 + v0; } const float v2[4] = "
       "{v1[3], v1[2], v1[1], v1[0]}; lanes 4 { x1[l] = v2[l]; }"},
  });
}

TEST_CASE("what nothing needs is not written, and nothing moves past a store") {
  const Type one{kS32, 1};
  const auto dead = [=](bool needed) {
    return [=](Small& b) {
      const ValueId read = b.read(one), other = b.read(one);
      b.mul(read, other);
      b.write(needed ? read : b.zero(one));
    };
  };
  const auto loop_between = [=](Small& b) {
    const ValueId read = b.read(one);
    b.loop(5,
           [&](ValueId i) { b.store(b.array(kS32, Direction::kOut), Affine::of(i), b.zero(one)); });
    b.write(read);
  };
  const auto loop_around = [=](Small& b) {
    const ValueId x = b.read(one), y = b.read(one), product = b.mul(x, y);
    b.loop(5, [&](ValueId i) { b.store(b.array(kS32, Direction::kOut), Affine::of(i), product); });
  };
  const auto loop_of_nothing = [=](Small& b) {
    b.loop(Loop{.upper = Affine::constant(5)}, {b.zero(one)},
           [&](ValueId i, std::span<const ValueId> now) {
             b.store(b.array(kS32, Direction::kOut), Affine::of(i), now[0]);
             return Values{b.add(now[0], now[0])};
           });
  };
  check_text({
      {"a dead product", m3(), dead(false), "x2[0] = 0;"},
      {"a dead product of what is stored", m3(), dead(true), "x2[0] = x0[0];"},
      {"a loop between", m3(), loop_between,
       "const int32_t v0 = x0[0]; for (ptrdiff_t i = 0; i < 5; ++i) { x1[i] = 0; } x2[0] = v0;"},
      {"a loop around", m3(), loop_around,
       "const int32_t v0 = hl_mul_s32(x0[0], x1[0]); for (ptrdiff_t i = 0; i < 5; ++i) { x2[i] = "
       "v0; }"},
      {"a loop whose result nothing needs", m3(), loop_of_nothing,
       "int32_t v0 = 0; for (ptrdiff_t i = 0; i < 5; ++i) { x0[i] = v0; v0 = hl_add_s32(v0, v0); "
       "}"},
  });
}

TEST_CASE("four bytes are widened at once on NEON of 32 bits") {
  const auto widened = [](Type from, Scalar to, bool store_first = false) {
    return [=](Small& b) {
      const ValueId first = b.read({kS32, 4});
      if (store_first) b.write(b.add(first, first));
      b.write(b.converted(b.read(from), to));
    };
  };
  const auto twice = [](Small& b) {
    const ValueId read = b.read(s8x4);
    b.write(b.converted(read, kS32));
    b.write(b.converted(read, kF32));
  };
  const auto strided = [](Small& b) { b.write(b.converted(b.read(s8x4, 2), kS32)); };
  const auto without =
      changed_row("armv7-linux", "no-lane", [](Target& row) { row.multiply_by_lane = false; });
  check_text({
      {"bytes", armv7(), widened(s8x4, kS32),
       "int32_t v0[4]; hl_widen_four_s8(v0, &x1[0]); lanes 4 { x2[l] = v0[l]; }"},
      {"unsigned bytes", armv7(), widened(u8x4, kU32),
       "uint32_t v0[4]; hl_widen_four_u8(v0, &x1[0]); lanes 4 { x2[l] = v0[l]; }"},
      {"of another sign", armv7(), widened(u8x4, kS32), "lanes 4 { x2[l] = (int32_t)x1[l]; }"},
      {"as floats", armv7(), widened(s8x4, kF32), "lanes 4 { x2[l] = (float)x1[l]; }"},
      {"eight", armv7(), widened(s8x8, kS32), "lanes 8 { x2[l] = (int32_t)x1[l]; }"},
      {"halves", armv7(), widened({kS16, 4}, kS32), "lanes 4 { x2[l] = (int32_t)x1[l]; }"},
      {"widened twice", armv7(), twice,
       "lanes 4 { const int8_t v0 = x0[l]; x1[l] = (int32_t)v0; x2[l] = (float)v0; }"},
      {"by two bytes", armv7(), strided, "lanes 4 { x1[l] = (int32_t)x0[2 * l]; }"},
      {"widened behind a store", armv7(), widened(s8x4, kS32, true),
       "lanes 4 { const int32_t v0 = x0[l]; x1[l] = hl_add_s32(v0, v0); x3[l] = (int32_t)x2[l]; }"},
      {"with constants apart",
       changed_row("armv7-linux", "apart", [](Target& row) { row.constants_apart = true; }),
       widened(s8x4, kS32), "lanes 4 { x2[l] = (int32_t)x1[l]; }"},
      {"without lanes", without, widened(s8x4, kS32), "lanes 4 { x2[l] = (int32_t)x1[l]; }"},
  });
}

}  // namespace
}  // namespace hlocc::backends
