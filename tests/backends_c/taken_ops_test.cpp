// Which ops are done on whole vectors: arithmetic, choices, what is carried and products, a kernel on
// each side of a condition of VectorValues.
#include "backends_c/taken.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

TEST_CASE("ops of one number or lane are taken with their vectors") {
  const auto shifted = [](Type type, bool known, bool alike = true) {
    return [=](Small& b) {
      const ValueId by = !known  ? b.read(type)
                         : alike ? b.constant_int(type, 3)
                                 : b.constant_lanes(type, {1, 2, 3, 4});
      b.write(b.op(kNativeShr, type, {b.read(type), by}));
    };
  };
  const auto scaled = [](int shift, Type type = s32x4) {
    return [=](Small& b) { b.write(b.mul_shift_right(b.read(type), b.read(type), {0, shift})); };
  };
  const auto extracted = [](Type type) {
    return [=](Small& b) { b.write(b.extract(b.read(type), 1)); };
  };
  const auto inserted = [](Type type) {
    return [=](Small& b) {
      const ValueId vector = b.read(type), number = b.read({type.scalar, 1});
      b.write(b.insert(vector, number, 1));
    };
  };
  check_taken({
      {"shift", mve(), shifted(s32x4, true), "*load *native.shr *store"},
      {"shift by a variable", mve(), shifted(u32x4, false), "load load native.shr *store"},
      {"shift by several", mve(), shifted(u32x4, true, false), "load native.shr *store"},
      {"shift of one", mve(), shifted({kU32, 1}, true), "load native.shr store"},
      {"scaled, one", neon(), scaled(31, {kS32, 1}), "load load mul_shift_right store"},
      {"rounded, one", neon(), of_one(kRoundEven, {kF32, 1}, {kF32, 1}), "load round_even store"},
      {"a hint", mve(),
       [](Small& b) {
         const ValueId read = b.read(s32x4);
         b.prefetch(b.array(kS32), Affine::constant(0));
         b.write(read);
       },
       "*load prefetch *store"},
      {"shift of bytes", mve(), shifted({kS8, 16}, true), "load native.shr *store"},
      {"shift of two", mve(), shifted({kS32, 2}, true), "load native.shr store"},
      {"scaled, MVE", mve(), scaled(31), "*load *load *mul_shift_right *store"},
      {"scaled, NEON", neon(), scaled(31), "*load *load *mul_shift_right *store"},
      {"scaled, two", neon(), scaled(32, {kS32, 2}), "load load mul_shift_right store"},
      {"scaled by 31", x86(128), scaled(31), "load load mul_shift_right store"},
      {"scaled by 32", x86(128), scaled(32), "*load *load *mul_shift_right *store"},
      {"extract", mve(), extracted(f32x4), "*load *extract store"},
      {"extract of two", mve(), extracted({kF32, 2}), "load extract store"},
      {"insert", mve(), inserted(f32x4), "*load load *insert *store"},
      {"insert into two", mve(), inserted({kF32, 2}), "load load insert store"},
      {"rounded", neon(), of_one(kRoundEven, f32x4, f32x4), "*load *round_even *store"},
      {"rounded, two", neon(), of_one(kRoundEven, {kF32, 2}, {kF32, 2}), "load round_even store"},
      {"converted", neon(), of_one(kConvert, f32x4, s32x4), "*load *convert *store"},
      {"converted of integers", neon(), of_one(kConvert, s32x4, f32x4), "load convert *store"},
      {"sine", neon(), of_one(kSin, f32x4, f32x4), "load sin *store"},
      {"product of bytes", mve(), of_two(kMul, {kS8, 16}), "load load mul *store"},
      {"sum of bytes", mve(), of_two(kAdd, {kS8, 16}), "*load *load *add *store"},
  });
}

TEST_CASE("a choice of lanes is taken, one of whole vectors is not") {
  const auto chosen = [](Type type, Predicate predicate, bool lanes = true, Type of = s32x4) {
    return [=](Small& b) {
      const ValueId x = b.read(of), y = b.read(of);
      const ValueId compared =
          lanes ? b.compare(predicate, x, y)
                : b.compare(predicate, b.read({of.scalar, 1}), b.read({of.scalar, 1}));
      b.write(b.select(compared, b.read(type), b.read(type)));
    };
  };
  const auto kept = [](Small& b) {
    const ValueId compared = b.compare(Predicate::kLt, b.read(s32x4), b.read(s32x4));
    b.write(b.select(compared, b.read(s32x4), b.read(s32x4)));
    b.write(compared);
  };
  const auto both = [](Small& b) {
    const ValueId x = b.read(s32x4), y = b.read(s32x4);
    const ValueId one = b.compare(Predicate::kLt, x, y), two = b.compare(Predicate::kEq, x, y);
    b.write(b.select(b.logical_and(one, two), x, y));
  };
  check_taken({
      {"chosen", mve(), chosen(s32x4, Predicate::kLt),
       "*load *load *compare *load *load *select *store"},
      {"floats by integers", mve(), chosen(f32x4, Predicate::kGe),
       "*load *load *compare *load *load *select *store"},
      {"by u32", mve(), chosen(s32x4, Predicate::kLt, true, u32x4),
       "load load compare load load select *store"},
      {"by doubles", mve(), chosen(s32x4, Predicate::kLt, true, {kF64, 4}),
       "load load compare load load select *store"},
      {"bytes", mve(), chosen({kS8, 4}, Predicate::kLt),
       "load load compare load load select store"},
      {"one condition", mve(), chosen(s32x4, Predicate::kLt, false),
       "*load *load load load compare load load select *store"},
      {"a condition that is stored", mve(), kept,
       "load load compare load load select *store store"},
      {"two conditions", mve(), both, "load load compare compare and select *store"},
  });
}

TEST_CASE("what loops and branches carry is taken") {
  const auto carried = [](Type type, bool used) {
    return [=](Small& b) {
      const Values out = b.loop(Loop{.upper = Affine::constant(5)}, {b.read(type)},
                                [&](ValueId, std::span<const ValueId> now) {
                                  const ValueId read = b.read(type);
                                  return Values{used ? b.add(now[0], read) : read};
                                });
      b.write(out[0]);
    };
  };
  const auto branch = [](Small& b) {
    const ValueId kept = b.read(s8x4);
    const ValueId less = b.compare(Predicate::kLt, b.read({kS32, 1}), b.constant_int({kS32, 1}, 3));
    const Values out = b.if_else(
        less, [&] { return Values{kept}; }, [&] { return Values{b.read(s8x4)}; });
    b.write(b.converted(kept, kS32));
    b.write(out[0]);
  };
  const auto unused = [](Type type, bool converts) {
    return [=](Small& b) {
      const ValueId read = b.read(type);
      if (converts) b.converted(read, kS32);
    };
  };
  const auto by_lanes = [](Small& b) {
    const ValueId read = b.read(s32x4);
    b.write(b.op(kReduceAdd, {kS32, 1}, {read}));
  };
  const auto both_ways = [](Small& b) {
    const ValueId read = b.read(s8x4);
    b.write(b.converted(read, kS32));
    b.write(b.op(kAdd, s8x4, {read, read}));
  };
  const auto yields_and_reduces = [](Small& b) {
    b.write(b.loop(Loop{.upper = Affine::constant(5)}, {b.read(s32x4)},
                   [&](ValueId, std::span<const ValueId>) {
                     const ValueId read = b.read(s32x4);
                     b.write(b.op(kReduceAdd, {kS32, 1}, {read}));
                     return Values{read};
                   })[0]);
  };
  check_taken({
      {"a sum", mve(), carried(s32x4, true), "*load loop (*load *add) *store"},
      {"the last", mve(), carried(s32x4, false), "*load loop (*load) *store"},
      {"the last bytes", mve(), carried(s8x4, false), "load loop (load) store"},
      {"bytes of a branch", mve(), branch,
       "load load compare if () (load) native.convert *store store"},
      {"yielded, and read by lanes", mve(), yields_and_reduces,
       "*load loop (*load reduce_add store) *store"},
      {"nothing needs two bytes", x86(128), unused({kS8, 2}, false), "load"},
      {"nothing needs it", mve(), unused(s32x4, false), "*load"},
      {"nothing needs bytes", mve(), unused(s8x4, false), "load"},
      {"nothing needs what bytes become", mve(), unused(s8x4, true), "*load *native.convert"},
      {"only lanes read it", mve(), by_lanes, "load reduce_add store"},
      {"bytes both ways", mve(), both_ways, "load native.convert *store add store"},
  });
}

TEST_CASE("units of products are taken on x86") {
  const char* all = "*load *shuffle *load *load *dot_accumulate *store";
  const char* none = "load shuffle load load dot_accumulate store";
  const UnitProduct halves{.left = kS16, .right = kS16, .group = 2, .unit = 2};
  const auto with = [](UnitProduct units, const std::function<void(UnitProduct&)>& change) {
    change(units);
    return product(units);
  };
  const auto of_number = [](Small& b) {
    const ValueId one = b.read({kS32, 1}), all = b.shuffle(one, one, {0, 0, 0, 0});
    b.write(b.add(all, all));
  };
  const auto of_halves = [](Small& b) {
    const ValueId sum = b.read({kS32, 1}), x = b.read({kS16, 8}), y = b.read({kS16, 8});
    b.write(b.dot_accumulate(sum, x, y));
  };
  check_taken({
      {"bytes", x86(512), product({}), all},
      {"a strided unit", x86(512), product({.strided = true}),
       "load shuffle *load *load *dot_accumulate *store"},
      {"bytes without the instruction", x86(256), product({}), none},
      {"of two signs", x86(512), product({.left = kS8}), none},
      {"in another order", x86(512), product({.last = 0}),
       "load shuffle *load *load *dot_accumulate *store"},
      {"of a second array", x86(512), product({.second = true}),
       "*load *load *shuffle *load *load *dot_accumulate *store"},
      {"of a sum", x86(512), product({.added = true}),
       "load add shuffle load load dot_accumulate store"},
      {"kept", x86(512), product({.kept = true}),
       "load shuffle load load dot_accumulate store store"},
      {"yielded", x86(512), product({.yielded = true}),
       "load shuffle load load dot_accumulate store load compare if () (load) store"},
      {"two bytes", x86(512), product({.unit = 2}),
       "load shuffle *load *load *dot_accumulate *store"},
      {"eight bytes", x86(512), product({.group = 8, .unit = 8}), none},
      {"two bytes each", x86(512), product({.group = 2}), none},
      {"halves of a second array", x86(256), with(halves, [](UnitProduct& u) { u.second = true; }),
       "load load shuffle load load dot_accumulate store"},
      {"one number", x86(256), with(halves, [](UnitProduct& u) { u.unit = 1; }),
       "load shuffle *load *load *dot_accumulate *store"},
      {"four halves each, widest", x86(512), with(halves, [](UnitProduct& u) { u.group = 4; }),
       "load shuffle load load dot_accumulate store"},
      {"two bytes each, AVX-VNNI", x86_fours(),
       with(halves, [](UnitProduct& u) { u.left = u.right = kS8; }),
       "load shuffle load load dot_accumulate store"},
      {"halves, MVE", mve(), of_halves, "load load load dot_accumulate store"},
      {"halves", x86(256), product(halves), all},
      {"halves, widest", x86(512), product(halves), all},
      {"four halves each", x86(256), with(halves, [](UnitProduct& u) { u.group = 4; }), none},
      {"four halves", x86(256), with(halves, [](UnitProduct& u) { u.group = u.unit = 4; }), none},
      {"of a half and a byte", x86(256), with(halves, [](UnitProduct& u) { u.right = kS8; }), none},
      {"one half", x86(256), with(halves, [](UnitProduct& u) { u.unit = 1; }),
       "load shuffle *load *load *dot_accumulate *store"},
      {"a number of 32 bits", x86(128), of_number, "load shuffle *add *store"},
      {"NEON", neon(), product({.sum = s32x4}), "load shuffle load load dot_accumulate *store"},
      {"MVE", mve(), product({.sum = s32x4}), "load shuffle load load dot_accumulate *store"},
  });
}

// x86 has vectors where no more than every third op is done lane by lane: f(x) + f(x) of a sine or
// two, and ops that may count as lanes.
TEST_CASE("ops on lanes are counted on x86") {
  const auto with = [](int sines, const std::function<void(Small&, ValueId)>& more) {
    return [=](Small& b) {
      const ValueId read = b.read(f32x4);
      ValueId value = b.add(read, read);
      for (int n = 0; n < sines; ++n) value = b.unary(kSin, value);
      more(b, read);
      b.write(value);
    };
  };
  const auto numbers = [](Small& b, ValueId) {
    const ValueId one = b.read({kF32, 1});
    b.write(b.add(one, one));
  };
  const auto constants = [](Small& b, ValueId read) {
    b.write(b.add(read, b.constant_float(f32x4, 3)));
  };
  const auto reduced = [](Small& b, ValueId read) { b.op(kReduceAdd, {kF32, 1}, {read}); };
  const auto unused = [](Type type) { return [=](Small& b, ValueId) { b.read(type); }; };
  const auto carried = [](Small& b, ValueId read) {
    b.write(b.loop(
        Loop{.upper = Affine::constant(5)}, {read},
        [&](ValueId, std::span<const ValueId> now) { return Values{b.add(now[0], read)}; })[0]);
  };
  const auto nothing = [](Small&, ValueId) {};
  check_taken({
      {"one of four", x86(128), with(1, nothing), "*load *add sin *store"},
      {"two of five", x86(128), with(2, nothing), "load add sin sin store"},
      {"numbers", x86(128), with(1, numbers), "*load *add sin load add store *store"},
      {"constants", x86(128), with(2, constants), "*load *add sin sin *add *store *store"},
      {"constants and three", x86(128), with(3, constants), "load add sin sin sin add store store"},
      {"a reduction", x86(128), with(1, reduced), "load add sin reduce_add store"},
      {"a carried sum", x86(128), with(2, carried), "*load *add sin sin loop (*add) *store *store"},
      {"a carried sum and three", x86(128), with(3, carried),
       "load add sin sin sin loop (add) store store"},
      {"two doubles", x86(128), with(0, unused({kF64, 2})), "load add load store"},
      {"two words", x86(128), with(0, unused({kS32, 2})), "*load *add load *store"},
      {"four u16", x86(128), with(0, unused({kU16, 4})), "load add load store"},
      {"four s16", x86(128), with(0, unused({kS16, 4})), "*load *add load *store"},
  });
}

TEST_CASE("sums of products and bytes that are widened again are known") {
  const auto has_sums = [](const Target& row, const Make& make) {
    const Kernel kernel = kernel_of(make);
    return VectorValues(kernel, std::vector<bool>(kernel.buffers.size(), true), row).has_sums();
  };
  const auto added = [](Small& b) {
    const ValueId x = b.read(f32x4);
    b.write(b.op(kMulAdd, f32x4, {x, x, x}));
  };
  const auto multiplied = [](Small& b) {
    const ValueId sum = b.read({kS32, 1}), x = b.read({kS8, 16});
    b.write(b.dot_accumulate(sum, x, x));
  };
  CHECK(has_sums(mve(), added));
  CHECK(has_sums(mve(), multiplied));
  CHECK(!has_sums(mve(), of_two(kAdd, f32x4)));
  CHECK(!has_sums(neon(), added));

  Small b;
  const ValueId again = b.converted(b.read(s32x4), kS8), stored = b.converted(b.read(s32x4), kS8),
                unused = b.converted(b.read(s32x4), kS8);
  b.write(b.converted(again, kS32));
  b.write(stored);
  const Kernel kernel = b.finish();
  const VectorValues values(kernel, std::vector<bool>(kernel.buffers.size(), true), mve());
  for (const Op& op : kernel.body.ops)
    if (op.kind == kNativeConvert && kernel.type(op.result()) == s8x4)
      CHECK(values.widens_again(op) == (op.result() == again));
  CHECK(unused != stored);
}

}  // namespace
}  // namespace hlocc::backends
