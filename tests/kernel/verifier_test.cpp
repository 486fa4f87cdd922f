// The kernel verifier: a good kernel passes, and each kind of damage is named.
#include "kernel/verifier.h"

#include <catch2/catch.hpp>

#include "kernel/builder.h"

namespace hlocc::kernel {
namespace {

Kernel good() {
  Builder b("sum");
  const BufferId x = b.buffer({.name = "x", .elements = 16, .direction = Direction::kIn});
  const BufferId y = b.buffer({.name = "y", .elements = 1, .direction = Direction::kOut});
  const ValueId rows = b.parameter();
  const Values sum =
      b.loop(Loop{.upper = Affine::of(rows)}, {b.constant_float({Scalar::kF32, 4}, 0)},
             [&](ValueId i, std::span<const ValueId> carried) {
               return Values{b.add(carried[0], b.load(x, Affine::of(i, 4), 4))};
             });
  b.store(y, Affine::constant(0), b.reduce(OpKind::kReduceAdd, sum[0]));
  return b.finish();
}

std::string complaint(const Kernel& kernel) {
  const Status status = verify(kernel);
  return status ? "" : status.error().to_string();
}

Op& loop_of(Kernel& kernel) {
  for (Op& op : kernel.body.ops)
    if (op.kind == OpKind::kLoop) return op;
  FAIL("no loop");
  return kernel.body.ops[0];
}

TEST_CASE("verifier passes what the builder makes") { CHECK(complaint(good()) == ""); }

TEST_CASE("verifier names broken types, scopes and buffers") {
  Kernel k = good();
  SECTION("a store into an operand that is only read") {
    k.buffers[1].direction = Direction::kIn;
    CHECK_THAT(complaint(k), Catch::Contains("which it only reads"));
  }
  SECTION("a result of another type") {
    k.types[static_cast<size_t>(loop_of(k).regions[0].ops[1].result())] = {Scalar::kF64, 4};
    CHECK_THAT(complaint(k), Catch::Contains("operand f32x4, result f64x4"));
  }
  SECTION("a value used outside its region") {
    const ValueId inner = loop_of(k).regions[0].ops[1].result();
    k.body.ops.back().operands = {inner};
    std::get<Access>(k.body.ops.back().payload).stored = inner;
    CHECK_THAT(complaint(k), Catch::Contains("used where it is not defined"));
  }
  SECTION("a value defined twice") {
    k.body.ops.push_back(k.body.ops[0]);
    CHECK_THAT(complaint(k), Catch::Contains("defined twice"));
  }
  SECTION("a loop that yields too little") {
    loop_of(k).regions[0].yields.clear();
    CHECK_THAT(complaint(k), Catch::Contains("yields: 0 values for 1"));
  }
  SECTION("no such buffer") {
    std::get<Access>(k.body.ops.back().payload).buffer = 7;
    CHECK_THAT(complaint(k), Catch::Contains("no such buffer"));
  }
  SECTION("an op that the type does not have") {
    k.types[static_cast<size_t>(loop_of(k).regions[0].ops[1].result())] = {Scalar::kF32, 4};
    loop_of(k).regions[0].ops[1].kind = OpKind::kShl;
    CHECK_THAT(complaint(k), Catch::Contains("not defined on f32"));
  }
  SECTION("scratch before operands") {
    k.buffers.insert(
        k.buffers.begin(),
        {.name = "s", .elements = 1, .direction = Direction::kScratch, .space = Space::kStack});
    CHECK_THAT(complaint(k), Catch::Contains("after scratch"));
  }
}

TEST_CASE("verifier wants tiles of matrix_accumulate to fit") {
  const auto said = [](Type sums, Type left, Type right) {
    Builder b("tiles");
    const BufferId y = b.buffer({.name = "y",
                                 .element = sums.scalar,
                                 .elements = sums.lanes,
                                 .direction = Direction::kOut});
    b.store(y, Affine::constant(0), b.matrix_accumulate(b.zero(sums), b.zero(left), b.zero(right)));
    return complaint(b.finish());
  };
  using enum Scalar;
  CHECK(said({kS32, 6}, {kS8, 4}, {kS8, 6}) == "");
  CHECK(said({kF32, 6}, {kBF16, 4}, {kBF16, 6}) == "");
  CHECK(said({kS32, 1}, {kU16, 1}, {kU16, 1}) == "");
  const auto refused = Catch::Contains("matrix_accumulate: tiles");
  CHECK_THAT(said({kS32, 6}, {kS8, 4}, {kS8, 8}), refused);
  CHECK_THAT(said({kS32, 6}, {kS8, 4}, {kU8, 6}), refused);
  CHECK_THAT(said({kS32, 6}, {kS32, 4}, {kS32, 6}), refused);
  CHECK_THAT(said({kS32, 6}, {kF16, 4}, {kF16, 6}), refused);
  CHECK_THAT(said({kF32, 6}, {kS8, 4}, {kS8, 6}), refused);
  CHECK_THAT(said({kF32, 6}, {kF64, 4}, {kF64, 6}), refused);
}

TEST_CASE("kernel text numbers values in order of definition") {
  CHECK(to_text(good()) ==
        "kernel sum(in x: f32[16] arena, out y: f32[1] arena, index %0) {\n"
        "  %1: f32x4 = constant 0\n"
        "  loop %2 = 0 to %0 step 1 carry(%3 = %1) {\n"
        "    %4: f32x4 = load x[4*%2]\n"
        "    %5: f32x4 = add %3, %4\n"
        "    yield %5\n"
        "  } -> %6: f32x4\n"
        "  %7: f32 = reduce_add %6\n"
        "  store y[0], %7\n"
        "}\n");
}

TEST_CASE("kernel text shows offsets of both signs, and values that nothing defines") {
  const auto text = [](int64_t offset, bool damaged) {
    Builder b("reads");
    const BufferId x = b.buffer({.name = "x", .elements = 16});
    const BufferId y = b.buffer({.name = "y", .elements = 16, .direction = Direction::kOut});
    b.loop(Loop{.lower = Affine::constant(1), .upper = Affine::constant(4)},
           [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i, 1, offset))); });
    Kernel k = b.finish();
    // What the loop stores is a value of no op.
    k.types.push_back({Scalar::kF32, 1});
    const auto other = static_cast<ValueId>(k.types.size()) - 1;
    if (damaged) std::get<Access>(loop_of(k).regions[0].ops[1].payload).stored = other;
    if (damaged) loop_of(k).regions[0].ops[1].operands = {other};
    return to_text(k);
  };
  CHECK_THAT(text(0, false), Catch::Contains("load x[%0]\n"));
  CHECK_THAT(text(1, false), Catch::Contains("load x[%0 + 1]\n"));
  CHECK_THAT(text(-1, false), Catch::Contains("load x[%0 - 1]\n"));
  CHECK_THAT(text(-2, false), Catch::Contains("load x[%0 - 2]\n"));
  CHECK_THAT(text(0, true), Catch::Contains("store y[%0], %undefined2\n"));
}

TEST_CASE(
    "a prefetch has a buffer and an address of visible values, inside or not, and no result") {
  Builder b("hint");
  const BufferId x = b.buffer({.name = "x", .elements = 16, .direction = Direction::kIn});
  b.loop(Loop{.upper = Affine::constant(4)},
         [&](ValueId i) { b.prefetch(x, Affine::of(i, 16, 1000)); });
  Kernel k = b.finish();
  CHECK(complaint(k) == "");
  CHECK_THAT(to_text(k), Catch::Contains("    prefetch x[16*%0 + 1000]\n"));
  Op& hint = loop_of(k).regions[0].ops[0];
  SECTION("no such buffer") {
    std::get<Access>(hint.payload).buffer = 3;
    CHECK_THAT(complaint(k), Catch::Contains("no such buffer"));
  }
  SECTION("an address out of its loop") {
    k.body.ops.push_back(hint);
    CHECK_THAT(complaint(k), Catch::Contains("used where it is not defined"));
  }
}

TEST_CASE("same code does not depend on names or ids") {
  Kernel a = good(), b = good();
  b.name = "other";
  b.origin = {"dot.1"};
  b.buffers[0].name = "weights";
  CHECK(same_code(a, b));
  b.buffers[0].elements = 17;
  CHECK_FALSE(same_code(a, b));
}

TEST_CASE("whatever an op does is in its kernel's key") {
  const Kernel whole = good();
  const auto changed = [&](const std::function<void(Kernel&, Op&)>& change) {
    Kernel other = whole;
    change(other, loop_of(other));
    return !same_code(whole, other);
  };
  const auto load_in = [](Op& loop) -> Access& {
    return std::get<Access>(loop.regions[0].ops[0].payload);
  };
  CHECK_FALSE(changed([](Kernel&, Op&) {}));
  CHECK(changed([](Kernel&, Op& loop) { std::get<Loop>(loop.payload).step = 2; }));
  CHECK(changed([](Kernel&, Op& loop) { std::get<Loop>(loop.payload).lower.offset = 1; }));
  CHECK(changed([&](Kernel&, Op& loop) { load_in(loop).lane_stride = 2; }));
  CHECK(changed([&](Kernel&, Op& loop) { load_in(loop).at.offset = 4; }));
  CHECK(changed([&](Kernel&, Op& loop) { load_in(loop).at.terms[0].scale = 8; }));
  CHECK(changed([](Kernel&, Op& loop) { loop.regions[0].ops[1].kind = OpKind::kMul; }));
  CHECK(
      changed([](Kernel&, Op& loop) { loop.regions[0].yields = loop.regions[0].ops[0].results; }));
  CHECK(changed(
      [](Kernel& kernel, Op&) { std::get<Constant>(kernel.body.ops[0].payload).lanes[0] = 1; }));
  CHECK(changed([](Kernel& kernel, Op& loop) { kernel.types[loop.result()].lanes = 8; }));
  CHECK(changed([](Kernel& kernel, Op&) { kernel.buffers[1].space = Space::kResult; }));
}

}  // namespace
}  // namespace hlocc::kernel
