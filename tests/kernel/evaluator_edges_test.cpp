// Edges of what ops mean, of what the evaluator lets a kernel access, and of folding: each where
// the next number, lane or element is another case.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/op_types.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }

constexpr Type kWord{Scalar::kS32, 1};

// x and y of four words each, whatever they stand for.
struct TwoBuffers {
  Builder b{"edge"};
  BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  std::vector<int32_t> in{-7, 8, -9, 10}, out{1, 2, 3, 4};

  // What the run says, empty if nothing.
  std::string run() {
    const Kernel kernel = b.finish();
    const Status sound = verify(kernel);
    CHECK((sound.ok() ? "" : sound.error().message) == "");
    const std::span<std::byte> buffers[] = {std::as_writable_bytes(std::span(in)),
                                            std::as_writable_bytes(std::span(out))};
    const Status status = evaluate(kernel, buffers, {});
    return status.ok() ? "" : status.error().message;
  }
};

}  // namespace

TEST_CASE(
    "the lesser and the greater of NaN is one NaN, of zeros the native ones give the second") {
  const float nan = std::bit_cast<float>(0xffc12345);
  for (const OpKind kind : {OpKind::kMin, OpKind::kMax}) {
    const ScalarOp op = scalar_op(kind, Scalar::kF32);
    CHECK(op(bits(1), bits(nan)) == 0x7fc00000);
    CHECK(op(bits(nan), bits(1)) == 0x7fc00000);
  }
  for (const OpKind kind : {OpKind::kNativeMin, OpKind::kNativeMax}) {
    const ScalarOp op = scalar_op(kind, Scalar::kF32);
    CHECK(op(bits(0.0F), bits(-0.0F)) == bits(-0.0F));
    CHECK(op(bits(-0.0F), bits(0.0F)) == bits(0.0F));
    CHECK(op(bits(1), bits(nan)) == bits(nan));
  }
}

TEST_CASE("a native division by zero is undefined, and ends nothing") {
  for (const OpKind kind : {OpKind::kNativeDiv, OpKind::kNativeRem})
    for (const Scalar scalar : {Scalar::kS8, Scalar::kS32, Scalar::kU32, Scalar::kS64}) {
      const ScalarOp op = scalar_op(kind, scalar);
      CHECK(op(7, 0) == canonical_bits(scalar, kUndefinedBits));
      CHECK(op(7, 7) == (kind == OpKind::kNativeDiv ? 1 : 0));
    }
}

TEST_CASE("doubles go to bf16 by way of f32") {
  // A little more than a tie of bf16: f32 makes the tie of it, which goes to the even side.
  const double above = 1 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  const auto convert = [&](Scalar to) {
    return convert_op(OpKind::kConvert, Scalar::kF64, to)(std::bit_cast<uint64_t>(above));
  };
  CHECK(convert(Scalar::kBF16) == 0x3f80);
  // The tie of f16, in one step.
  const double half = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  CHECK(convert_op(OpKind::kConvert, Scalar::kF64, Scalar::kF16)(std::bit_cast<uint64_t>(half)) ==
        0x3c01);
}

TEST_CASE("bits keep the sign of the integer that they become") {
  TwoBuffers t;
  const ValueId read = t.b.load(t.x, Affine::constant(0));
  const ValueId real = t.b.bitcast(read, Scalar::kF32);
  const ValueId whole = t.b.convert(t.b.bitcast(real, Scalar::kS32), Scalar::kS64);
  t.b.store(
      t.y, Affine::constant(0),
      t.b.convert(t.b.compare(Predicate::kLt, whole, t.b.zero({Scalar::kS64, 1})), Scalar::kS32));
  const ValueId natural = t.b.convert(t.b.bitcast(real, Scalar::kU32), Scalar::kS64);
  t.b.store(
      t.y, Affine::constant(1),
      t.b.convert(t.b.compare(Predicate::kLt, natural, t.b.zero({Scalar::kS64, 1})), Scalar::kS32));
  CHECK(t.run() == "");
  CHECK(t.out == std::vector<int32_t>{1, 0, 3, 4});
}

TEST_CASE("an element before the first and one behind the last are named") {
  for (const int64_t at : {-2, -1, 0, 3, 4, 5}) {
    TwoBuffers read, write;
    read.b.store(read.y, Affine::constant(0), read.b.load(read.x, Affine::constant(at)));
    write.b.store(write.y, Affine::constant(at), write.b.zero(kWord));
    const bool inside = at >= 0 && at < 4;
    const std::string element = "element " + std::to_string(at) + " of ";
    const std::string of_read = read.run(), of_write = write.run();
    CHECK(of_read.empty() == inside);
    CHECK(of_write.empty() == inside);
    if (inside) continue;
    CHECK_THAT(of_read, Catch::Contains("reads " + element + "x, which has 4"));
    CHECK_THAT(of_write, Catch::Contains("writes " + element + "y, which has 4"));
  }
}

TEST_CASE("a mask may be the first value, and has a lane for each") {
  for (const uint16_t lanes : {2, 4})
    for (const bool loads : {false, true}) {
      TwoBuffers t;
      std::vector<uint64_t> set(static_cast<size_t>(lanes), 0);
      set[0] = 1;
      const Type words{Scalar::kS32, lanes};
      const ValueId mask = t.b.constant_lanes({Scalar::kPred, lanes}, set);
      REQUIRE(mask == 0);
      if (loads) {
        const ValueId read =
            t.b.load(Access{.buffer = t.x, .at = Affine::constant(0), .mask = mask}, lanes);
        t.b.store(t.y, Affine::constant(0), read);
      } else {
        t.b.store(Access{.buffer = t.y,
                         .at = Affine::constant(0),
                         .stored = t.b.constant_int(words, -7),
                         .mask = mask});
      }
      CHECK(t.run() == "");
      CHECK(t.out[0] == -7);
      CHECK(t.out[1] == (loads ? 0 : 2));
    }
}

TEST_CASE("a condition that reads what is not there ends the loop with its words") {
  TwoBuffers t;
  t.b.while_loop(
      {t.b.index(0)},
      [&](std::span<const ValueId> at) {
        return t.b.compare(Predicate::kNe, t.b.load(t.x, Affine::of(at[0])), t.b.zero(kWord));
      },
      [&](std::span<const ValueId> at) { return Values{t.b.add(at[0], t.b.index(1))}; });
  CHECK_THAT(t.run(), Catch::Contains("reads element 4 of x"));
}

TEST_CASE("scratch that is bound is used, and what is not bound is the run's own") {
  for (const bool bound : {false, true}) {
    Builder b("scratch");
    const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 1});
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
    const BufferId s = b.buffer({.name = "s",
                                 .element = Scalar::kS32,
                                 .elements = 1,
                                 .direction = Direction::kScratch,
                                 .space = Space::kArena});
    b.store(s, Affine::constant(0), b.load(x, Affine::constant(0)));
    b.store(y, Affine::constant(0), b.load(s, Affine::constant(0)));
    std::vector<int32_t> in{5}, out{0}, scratch{0};
    std::vector<std::span<std::byte>> buffers = {std::as_writable_bytes(std::span(in)),
                                                 std::as_writable_bytes(std::span(out))};
    if (bound) buffers.push_back(std::as_writable_bytes(std::span(scratch)));
    REQUIRE(evaluate(b.finish(), buffers, {}).ok());
    CHECK(out[0] == 5);
    CHECK(scratch[0] == (bound ? 5 : 0));
  }
}

TEST_CASE("what lies under one result is not lost by another") {
  // y0 over x0 and y1 over x1: y0 is written before x1 is read, and x0 is read again or not.
  const auto said = [](bool again) {
    Builder b("two");
    std::vector<BufferId> ids;
    Program p;
    for (const char* name : {"x0", "x1", "y0", "y1"}) {
      const bool reads = name[0] == 'x';
      ids.push_back(b.buffer({.name = name,
                              .element = Scalar::kS32,
                              .elements = 1,
                              .direction = reads ? Direction::kIn : Direction::kOut}));
      ProgramValue value{.name = name, .element = Scalar::kS32, .elements = 1};
      if (reads) {
        value.role = ValueRole::kArgument;
        value.leaf = static_cast<int>(p.arguments.size());
      }
      (reads ? p.arguments : p.results).push_back(static_cast<ProgramValueId>(p.values.size()));
      (reads ? p.signature.arguments : p.signature.results)
          .push_back({.shape = hlo::Shape::array(hlo::PrimitiveType::kS32, {1})});
      p.values.push_back(std::move(value));
    }
    const auto copy = [&](int from, int to) {
      b.store(ids[static_cast<size_t>(to)], Affine::constant(0),
              b.load(ids[static_cast<size_t>(from)], Affine::constant(0)));
    };
    copy(0, 2);
    copy(again ? 0 : 1, 3);
    p.kernels.push_back(b.finish());
    p.steps.push_back(
        {Launch{.kernel = 0, .operands = {0, 1, 2, 3}, .overlaps = {{2, 0, 0}, {3, 1, 0}}}, {}});
    const std::vector<std::vector<std::byte>> arguments(2, std::vector<std::byte>(4));
    const auto got = evaluate(p, arguments);
    return got.ok() ? "" : got.error().message;
  };
  CHECK(said(false) == "");
  CHECK_THAT(said(true), Catch::Contains("reads element 0 of x0 after y0 was written over it"));
}

TEST_CASE("only zeros and ones that decide fold a bit op") {
  TwoBuffers t;
  const ValueId x = t.b.load(t.x, Affine::constant(0));
  const ValueId zero = t.b.zero(kWord), ones = t.b.constant_int(kWord, -1);
  CHECK(t.b.constant_value(t.b.binary(OpKind::kAnd, x, zero)) == 0);
  CHECK(t.b.constant_value(t.b.binary(OpKind::kAnd, zero, x)) == 0);
  CHECK(t.b.constant_value(t.b.mul(x, zero)) == 0);
  CHECK(t.b.constant_value(t.b.mul(zero, x)) == 0);
  CHECK(t.b.constant_value(t.b.binary(OpKind::kOr, x, ones)) == ~uint64_t{0});
  CHECK(t.b.constant_value(t.b.binary(OpKind::kOr, ones, x)) == ~uint64_t{0});
  CHECK(!t.b.constant_value(t.b.binary(OpKind::kXor, x, ones)));
  CHECK(!t.b.constant_value(t.b.binary(OpKind::kXor, ones, x)));
  CHECK(t.b.binary(OpKind::kXor, x, zero) == x);
}

TEST_CASE("both tiles of a matrix_accumulate have whole rows") {
  const auto sizes = [](uint16_t sums, uint16_t left, uint16_t right) {
    return matrix_sizes({Scalar::kS32, sums}, {Scalar::kS8, left}, {Scalar::kS8, right})
        .has_value();
  };
  CHECK((sizes(24, 4, 6) && sizes(6, 4, 6)));
  CHECK((!sizes(1, 4, 6) && !sizes(1, 6, 4)));
}

TEST_CASE("the first value may be the indices of a gather, and what masked lanes hold") {
  TwoBuffers gathered;
  const ValueId indices = gathered.b.constant_lanes({Scalar::kS32, 2}, {3, 1});
  REQUIRE(indices == 0);
  gathered.b.store(gathered.y, Affine::constant(0),
                   gathered.b.gather(gathered.x, Affine::constant(0), indices));
  CHECK(gathered.run() == "");
  CHECK(gathered.out == std::vector<int32_t>{10, 8, 3, 4});
  TwoBuffers masked;
  const ValueId otherwise = masked.b.constant_lanes({Scalar::kS32, 2}, {5, 6});
  REQUIRE(otherwise == 0);
  const ValueId mask = masked.b.constant_lanes({Scalar::kPred, 2}, {1, 0});
  masked.b.store(
      masked.y, Affine::constant(0),
      masked.b.load(Access{.buffer = masked.x, .mask = mask, .otherwise = otherwise}, 2));
  CHECK(masked.run() == "");
  CHECK(masked.out == std::vector<int32_t>{-7, 6, 3, 4});
}

TEST_CASE("a body that reads what is not there ends its while with its words") {
  TwoBuffers t;
  t.b.while_loop(
      {t.b.index(0)},
      [&](std::span<const ValueId> at) { return t.b.compare(Predicate::kLt, at[0], t.b.index(9)); },
      [&](std::span<const ValueId> at) {
        t.b.store(t.y, Affine::constant(0), t.b.load(t.x, Affine::of(at[0])));
        return Values{t.b.add(at[0], t.b.index(1))};
      });
  CHECK_THAT(t.run(), Catch::Contains("reads element 4 of x"));
}

TEST_CASE("a kernel wants a buffer for each operand") {
  TwoBuffers t;
  t.b.store(t.y, Affine::constant(0), t.b.zero(kWord));
  const Kernel kernel = t.b.finish();
  std::vector<std::span<std::byte>> buffers = {std::as_writable_bytes(std::span(t.in))};
  const Status one = evaluate(kernel, buffers, {});
  REQUIRE_FALSE(one.ok());
  CHECK(one.error().message == "kernel edge: too few buffers");
  buffers.push_back(std::as_writable_bytes(std::span(t.out)));
  CHECK(evaluate(kernel, buffers, {}).ok());
}

TEST_CASE("lanes of a shuffle are the first vector's, the second's, or zeros") {
  TwoBuffers t;
  // The first vector is the first value, and another lies between them.
  const ValueId a = t.b.load(t.x, Affine::constant(0), 2);
  const ValueId between = t.b.load(t.x, Affine::constant(1), 2);
  const ValueId b = t.b.load(t.x, Affine::constant(2), 2);
  REQUIRE(a == 0);
  t.b.store(t.y, Affine::constant(0), t.b.shuffle(a, b, {0, 2}));
  t.b.store(t.y, Affine::constant(2), t.b.shuffle(between, b, {-1, 1}));
  CHECK(t.run() == "");
  CHECK(t.out == std::vector<int32_t>{-7, -9, 0, -9});
}

TEST_CASE("both lanes of a pair are added") {
  TwoBuffers t;
  const ValueId low = t.b.load(t.x, Affine::constant(0), 2),
                high = t.b.load(t.x, Affine::constant(2), 2);
  t.b.store(t.y, Affine::constant(0), t.b.add(low, high));
  CHECK(t.run() == "");
  CHECK(t.out == std::vector<int32_t>{-16, 18, 3, 4});
}

TEST_CASE("scratch of the kernel's own takes none of what is bound") {
  TwoBuffers t;
  const auto scratch = [&](const char* name, Space space) {
    return t.b.buffer({.name = name,
                       .element = Scalar::kS32,
                       .elements = 1,
                       .direction = Direction::kScratch,
                       .space = space});
  };
  const BufferId own = scratch("own", Space::kStack), bound = scratch("bound", Space::kArena);
  t.b.store(own, Affine::constant(0), t.b.constant_int(kWord, 5));
  t.b.store(bound, Affine::constant(0), t.b.constant_int(kWord, 6));
  std::vector<int32_t> memory{0};
  const std::span<std::byte> buffers[] = {std::as_writable_bytes(std::span(t.in)),
                                          std::as_writable_bytes(std::span(t.out)),
                                          std::as_writable_bytes(std::span(memory))};
  CHECK(evaluate(t.b.finish(), buffers, {}).ok());
  CHECK(memory[0] == 6);
}

TEST_CASE("the first value may be a branch's result") {
  const Type pred{Scalar::kPred, 1};
  const auto constant = [](ValueId result, uint64_t bits) {
    return Op{.kind = OpKind::kConstant, .results = {result}, .payload = Constant{{bits}}};
  };
  Op branch{.kind = OpKind::kIf, .operands = {1}, .results = {0}};
  branch.regions = {{.ops = {constant(2, 5)}, .yields = {2}},
                    {.ops = {constant(3, 6)}, .yields = {3}}};
  Kernel kernel{.name = "first"};
  kernel.types = {kWord, pred, kWord, kWord};
  kernel.body.ops = {constant(1, 1), branch};
  const Status sound = verify(kernel);
  CHECK((sound.ok() ? "" : sound.error().message) == "");
}

}  // namespace hlocc::kernel
