// Builder: folding is exact, values keep to their region, loops that need no loop are none.
#include <catch2/catch.hpp>
#include <cmath>

#include "kernel/builder.h"

namespace hlocc::kernel {
namespace {

constexpr Type f32{Scalar::kF32, 1}, s32{Scalar::kS32, 1}, idx{Scalar::kIndex, 1};

struct Fixture {
  Builder b{"k"};
  BufferId in =
      b.buffer({.name = "x", .element = Scalar::kF32, .elements = 64, .direction = Direction::kIn});
  BufferId out = b.buffer(
      {.name = "y", .element = Scalar::kF32, .elements = 64, .direction = Direction::kOut});
  ValueId x = b.load(in, Affine::constant(0));
  size_t ops() const { return b.kernel().body.ops.size(); }
};

TEST_CASE_METHOD(Fixture, "builder folds constants with HLO's arithmetic") {
  const auto value = [&](ValueId v) { return *b.constant_value(v); };
  CHECK(value(b.div(b.constant_int(s32, 7), b.zero(s32))) == ~uint64_t{0});
  CHECK(value(b.add(b.constant_int({Scalar::kS8, 1}, 127), b.constant_int({Scalar::kS8, 1}, 1))) ==
        uint64_t(-128));
  CHECK(value(b.convert(b.constant_float(f32, 300.7), Scalar::kU8)) == 255);
  CHECK(value(b.convert(b.constant_float(f32, std::nan("")), Scalar::kS32)) == 0);
  CHECK(value(b.constant_float({Scalar::kBF16, 1}, 1.0)) == 0x3f80);
  CHECK(value(b.bitcast(b.constant_float(f32, -1.0), Scalar::kS32)) == 0xffffffffbf800000ull);
  CHECK(value(b.compare(Predicate::kNe, b.constant_float(f32, NAN), b.constant_float(f32, NAN))) ==
        1);
}

TEST_CASE_METHOD(Fixture, "builder folds lane by lane, and constants of no effect alone") {
  const Type lanes{Scalar::kS32, 4};
  const ValueId sum = b.add(b.constant_lanes(lanes, {1, 2, 3, 4}), b.constant_int(lanes, 10));
  for (const int lane : {0, 3})
    CHECK(b.constant_value(b.extract(sum, lane)) == uint64_t(11 + lane));
  const ValueId number = b.convert(x, Scalar::kS32);
  for (const OpKind kind : {OpKind::kMul, OpKind::kAnd}) {
    CHECK_FALSE(b.constant_value(b.binary(kind, b.constant_int(s32, 6), number)));
    CHECK(b.constant_value(b.binary(kind, b.zero(s32), number)) == 0);
  }
}

TEST_CASE_METHOD(Fixture, "builder keeps float identities that would lose a sign") {
  CHECK(b.add(x, b.constant_float(f32, -0.0)) == x);
  CHECK(b.sub(x, b.zero(f32)) == x);
  CHECK(b.mul(x, b.constant_float(f32, 1)) == x);
  CHECK(b.add(x, b.zero(f32)) != x);
  CHECK(b.sub(x, b.constant_float(f32, -0.0)) != x);
  CHECK_FALSE(b.constant_value(b.mul(x, b.zero(f32))));
}

TEST_CASE_METHOD(Fixture, "builder folds integer identities") {
  const ValueId i = b.convert(x, Scalar::kS32);
  CHECK(b.add(i, b.zero(s32)) == i);
  CHECK(b.constant_value(b.mul(b.zero(s32), i)) == 0);
  CHECK(b.binary(OpKind::kShl, i, b.zero(s32)) == i);
  const ValueId minus = b.unary(OpKind::kNeg, x);
  CHECK(b.select(b.zero({Scalar::kPred, 1}), x, minus) == minus);
}

TEST_CASE_METHOD(Fixture, "builder splats a scalar beside a vector") {
  const ValueId v = b.load(in, Affine::constant(0), 4);
  const ValueId product = b.mul(v, x);
  CHECK(b.type(product) == (Type{Scalar::kF32, 4}));
  CHECK(b.constant_value(b.splat(b.constant_float(f32, 2), 4)) ==
        b.constant_value(b.constant_float(f32, 2)));
}

TEST_CASE_METHOD(Fixture, "builder uses a visible constant again, not one of a closed region") {
  const ValueId outside = b.constant_float(f32, 3);
  ValueId inside = kNone, only_inside = kNone;
  b.loop(4, [&](ValueId i) {
    inside = b.constant_float(f32, 3);
    only_inside = b.constant_float(f32, 5);
    b.store(out, Affine::of(i), b.add(inside, only_inside));
  });
  CHECK(inside == outside);
  CHECK(b.constant_float(f32, 5) != only_inside);
}

TEST_CASE_METHOD(Fixture,
                 "builder makes no loop of none or one iteration, but of those to be kept") {
  const size_t before = ops();
  b.loop(0, [&](ValueId) { FAIL("a body that never runs"); });
  b.loop(Loop{.lower = Affine::constant(8), .upper = Affine::constant(12), .step = 4},
         [&](ValueId i) { CHECK(b.constant_value(i) == 8); });
  for (const Op& op : b.kernel().body.ops) CHECK(op.kind != OpKind::kLoop);
  b.loop(Loop{.upper = Affine::constant(1), .kept = true}, [](ValueId) {});
  CHECK(b.kernel().body.ops.back().kind == OpKind::kLoop);
  CHECK(ops() > before);
}

TEST_CASE_METHOD(Fixture, "builder puts constants of an address into its offset") {
  const ValueId p = b.load(in, Affine::of(b.index(3), 4).plus(2));
  CHECK(b.kernel().body.ops.back().access().at == Affine::constant(14));
  CHECK(b.type(p) == f32);
}

TEST_CASE("affine sums merge like terms") {
  const Affine sum = Affine::of(5, 2, 1).plus(Affine::of(3)).plus(Affine::of(5, -2, 4));
  CHECK(sum == Affine::of(3, 1, 5));
  CHECK(sum.times(3) == Affine::of(3, 3, 15));
  CHECK(sum.times(0) == Affine::constant(0));
}

TEST_CASE("value_of multiplies and adds only what is needed") {
  Builder b("k");
  const ValueId p = b.parameter();
  CHECK(b.value_of(Affine::of(p)) == p);
  CHECK(b.constant_value(b.value_of(Affine::constant(7))) == 7);
  b.value_of(Affine::of(p, 4, 0));
  CHECK(b.kernel().body.ops.back().kind == OpKind::kMul);
  CHECK(b.type(b.value_of(Affine::of(p, 4, 1))) == idx);
}

TEST_CASE_METHOD(Fixture, "only zeros of the right sign leave a float alone") {
  for (const double number : {5.0, -5.0}) {
    const ValueId constant = b.constant_float(f32, number);
    CHECK(b.add(x, constant) != x);
    CHECK(b.add(constant, x) != x);
    CHECK(b.sub(x, constant) != x);
  }
}

TEST_CASE("a constant whose lanes differ is not one number") {
  Builder b("k");
  const Type pair{Scalar::kS32, 2};
  CHECK(b.constant_value(b.constant_lanes(pair, {3, 3})) == 3);
  CHECK_FALSE(b.constant_value(b.constant_lanes(pair, {3, 4})).has_value());
}

TEST_CASE("keys tell all terms of an address") {
  const auto key = [](int64_t scale) {
    Builder b("k");
    const BufferId y = b.buffer({.name = "y", .elements = 64, .direction = Direction::kOut});
    const ValueId i = b.parameter(), j = b.parameter();
    b.store(y, Affine::of(i).plus(Affine::of(j, scale)), b.zero(f32));
    return code_key(b.finish());
  };
  CHECK(key(2) == key(2));
  CHECK(key(2) != key(3));
}

TEST_CASE("texts name lanes, else and vectors of two") {
  CHECK(to_string(Type{Scalar::kS32, 1}) == "s32");
  CHECK(to_string(Type{Scalar::kS32, 2}) == "s32x2");
  CHECK(Type{Scalar::kS32, 2}.is_vector());
  Builder b("k");
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  const ValueId below = b.compare(Predicate::kLt, b.parameter(), b.index(3));
  b.if_else(
      below,
      [&] {
        b.store(y, Affine::constant(0), b.constant_lanes({Scalar::kS32, 2}, {5, 6}));
        return Values{};
      },
      [&] {
        b.store(y, Affine::constant(1), b.constant_int(s32, 7));
        return Values{};
      });
  const std::string text = to_text(b.finish());
  CHECK(text.find("{5, 6}") != std::string::npos);
  CHECK(text.find("{7}") == std::string::npos);
  CHECK(text.find("} else {") != std::string::npos);
}

TEST_CASE("a launch binds operands wherever they lie, and scratch of the arena") {
  Builder b("k");
  b.buffer({.name = "x", .elements = 1, .space = Space::kConstant});
  b.buffer({.name = "y", .elements = 1, .direction = Direction::kOut, .space = Space::kResult});
  b.buffer({.name = "s", .elements = 1, .direction = Direction::kScratch, .space = Space::kStack});
  b.buffer({.name = "t", .elements = 1, .direction = Direction::kScratch});
  const Kernel kernel = b.finish();
  CHECK(kernel.operand_buffers() == 2);
  CHECK(kernel.bound_buffers() == 3);
}

TEST_CASE("ops fold that are exact, of integers all of them") {
  Builder b("k");
  const auto folded = [&](OpKind kind, ValueId left, ValueId right) {
    return b.constant_value(b.binary(kind, left, right));
  };
  const ValueId two = b.constant_float(f32, 2), three = b.constant_float(f32, 3);
  CHECK(folded(OpKind::kAdd, two, three) == b.constant_value(b.constant_float(f32, 5)));
  CHECK_FALSE(folded(OpKind::kPow, two, three).has_value());
  CHECK(folded(OpKind::kPow, b.constant_int(s32, 2), b.constant_int(s32, 3)) == 8);
}

}  // namespace
}  // namespace hlocc::kernel
