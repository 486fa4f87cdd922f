// The kernel evaluator: ops mean what HLO says, memory is checked, control carries values.
#include "kernel/evaluate/evaluator.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernel/builder.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

template <typename T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

// One op on one pair of numbers, run as a kernel (the builder can't fold loads).
template <typename T>
T run_binary(OpKind kind, Scalar scalar, T a, T b) {
  Builder builder("op");
  const BufferId in = builder.buffer({.name = "x", .element = scalar, .elements = 2});
  const BufferId out =
      builder.buffer({.name = "y", .element = scalar, .elements = 1, .direction = Direction::kOut});
  const ValueId x = builder.load(in, Affine::constant(0)),
                y = builder.load(in, Affine::constant(1));
  builder.store(out, Affine::constant(0),
                op_operands(kind) == 1 ? builder.unary(kind, x) : builder.binary(kind, x, y));
  const Kernel kernel = builder.finish();
  REQUIRE(verify(kernel));
  std::vector<T> inputs = {a, b}, outputs(1);
  const std::span<std::byte> buffers[] = {bytes_of(inputs), bytes_of(outputs)};
  REQUIRE(evaluate(kernel, buffers, {}));
  return outputs[0];
}

template <typename From, typename To>
To run_convert(Scalar from, Scalar to, From value) {
  Builder b("convert");
  const BufferId in = b.buffer({.name = "x", .element = from, .elements = 1});
  const BufferId out =
      b.buffer({.name = "y", .element = to, .elements = 1, .direction = Direction::kOut});
  b.store(out, Affine::constant(0), b.convert(b.load(in, Affine::constant(0)), to));
  const Kernel kernel = b.finish();
  std::vector<From> inputs = {value};
  std::vector<To> outputs(1);
  const std::span<std::byte> buffers[] = {bytes_of(inputs), bytes_of(outputs)};
  REQUIRE(evaluate(kernel, buffers, {}));
  return outputs[0];
}

TEST_CASE("integers divide, shift and raise as HLO says") {
  const auto s32 = [](OpKind kind, int32_t a, int32_t b) {
    return run_binary<int32_t>(kind, Scalar::kS32, a, b);
  };
  CHECK(s32(OpKind::kDiv, 5, 0) == -1);
  CHECK(s32(OpKind::kDiv, INT32_MIN, -1) == INT32_MIN);
  CHECK(s32(OpKind::kDiv, 5, -2) == -2);
  CHECK(s32(OpKind::kRem, 5, 0) == 5);
  CHECK(s32(OpKind::kRem, -5, 3) == -2);
  CHECK(s32(OpKind::kRem, INT32_MIN, -1) == 0);
  CHECK(s32(OpKind::kPow, 3, 40) == 689956897);
  CHECK(s32(OpKind::kPow, -1, -3) == -1);
  CHECK(s32(OpKind::kPow, 0, -3) == 0);
  CHECK(s32(OpKind::kShl, 1, 32) == 0);
  CHECK(s32(OpKind::kShl, 1, -1) == 0);
  CHECK(s32(OpKind::kShrArithmetic, -8, 40) == -1);
  CHECK(s32(OpKind::kShrLogical, -1, 28) == 15);
  CHECK(s32(OpKind::kAbs, INT32_MIN, 0) == INT32_MIN);
  CHECK(s32(OpKind::kSign, INT32_MIN, 0) == -1);
  CHECK(s32(OpKind::kMulHi, INT32_MIN, 4) == -2);
  CHECK(s32(OpKind::kMulHiDoubled, INT32_MIN, 4) == -4);
  CHECK(s32(OpKind::kMulHiDoubled, 1 << 15, 1 << 15) == 0);
  CHECK(s32(OpKind::kMulHiDoubled, 1 << 16, 1 << 15) == 1);
  CHECK(s32(OpKind::kMulHiDoubled, -1, 1) == -1);
  CHECK(s32(OpKind::kMulHiDoubled, INT32_MIN, INT32_MIN) == INT32_MAX);
  CHECK(s32(OpKind::kMulHiDoubled, INT32_MIN, INT32_MIN + 1) == INT32_MAX);
  CHECK(s32(OpKind::kMulHiDoubled, INT32_MIN, INT32_MAX) == INT32_MIN + 1);
  CHECK(run_binary<uint32_t>(OpKind::kDiv, Scalar::kU32, 5, 0) == UINT32_MAX);
  CHECK(run_binary<uint32_t>(OpKind::kShrArithmetic, Scalar::kU32, 0x80000000u, 1) == 0xc0000000u);
  CHECK(run_binary<int8_t>(OpKind::kClz, Scalar::kS8, 0, 0) == 8);
  CHECK(run_binary<int8_t>(OpKind::kAdd, Scalar::kS4, 7, 7) == -2);
  CHECK(run_binary<int64_t>(OpKind::kDiv, Scalar::kS64, INT64_MIN, -1) == INT64_MIN);
  CHECK(run_binary<uint64_t>(OpKind::kMulHi, Scalar::kU64, UINT64_MAX, UINT64_MAX) ==
        UINT64_MAX - 1);
}

TEST_CASE("floats keep NaN, signed zeros and their rounding") {
  const auto f32 = [](OpKind kind, float a, float b = 0) {
    return run_binary<float>(kind, Scalar::kF32, a, b);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(f32(OpKind::kMax, nan, 1)));
  CHECK(std::isnan(f32(OpKind::kMin, 1, nan)));
  CHECK_FALSE(std::signbit(f32(OpKind::kMax, -0.0f, 0.0f)));
  CHECK(std::signbit(f32(OpKind::kMin, 0.0f, -0.0f)));
  CHECK(f32(OpKind::kNativeMax, nan, 1) == 1);
  CHECK(f32(OpKind::kNativeScale, 3, -150) == 0x1p-148f);
  CHECK(f32(OpKind::kNativeScale, 3, 1e9f) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(f32(OpKind::kNativeScale, 3, nan)));
  CHECK(f32(OpKind::kRoundAfz, 0.49999997f) == 0);
  CHECK(f32(OpKind::kRoundAfz, -2.5f) == -3);
  CHECK(f32(OpKind::kRoundEven, 2.5f) == 2);
  CHECK(std::signbit(f32(OpKind::kSign, -0.0f)));
  CHECK(f32(OpKind::kPow, -8, 2) == 64);
  CHECK(f32(OpKind::kRem, -5, 3) == -2);
  CHECK(f32(OpKind::kRsqrt, 4) == 0.5f);
  // bf16: 1 + 2^-8 rounds to even.
  CHECK(run_binary<uint16_t>(OpKind::kAdd, Scalar::kBF16, 0x3f80, 0x3b80) == 0x3f80);
  CHECK(run_binary<uint16_t>(OpKind::kMul, Scalar::kF16, 0x7bff, 0x4000) == 0x7c00);
}

TEST_CASE("conversions saturate, wrap and round") {
  using enum Scalar;
  CHECK(run_convert<float, uint8_t>(kF32, kU8, 300) == 255);
  CHECK(run_convert<float, uint8_t>(kF32, kU8, -1) == 0);
  CHECK(run_convert<float, int8_t>(kF32, kS4, -100) == -8);
  CHECK(run_convert<float, int32_t>(kF32, kS32, NAN) == 0);
  CHECK(run_convert<float, int32_t>(kF32, kS32, 3e9f) == INT32_MAX);
  CHECK(run_convert<float, uint64_t>(kF32, kU64, 3e19f) == UINT64_MAX);
  CHECK(run_convert<double, int64_t>(kF64, kS64, -1e30) == INT64_MIN);
  CHECK(run_convert<int32_t, int8_t>(kS32, kS8, 300) == 44);
  CHECK(run_convert<int32_t, int8_t>(kS32, kS4, 8) == -8);
  CHECK(run_convert<float, uint8_t>(kF32, kPred, NAN) == 1);
  CHECK(run_convert<float, uint8_t>(kF32, kPred, -0.0f) == 0);
  CHECK(run_convert<uint64_t, float>(kU64, kF32, UINT64_MAX) == 18446744073709551616.0f);
  CHECK(run_convert<float, uint16_t>(kF32, kF16, 65520) == 0x7c00);
  CHECK(run_convert<double, float>(kF64, kF32, 1e39) == std::numeric_limits<float>::infinity());
  // One rounding: just above the middle of two f16 values, by less than f32 can tell.
  CHECK(run_convert<double, uint16_t>(kF64, kF16, 1 + 1.0 / 2048 + 1e-12) == 0x3c01);
}

// Horizontal sum of products, four lanes, with a masked tail and a gather.
TEST_CASE("loops carry vectors, masks leave lanes alone, gathers pick") {
  Builder b("k");
  const BufferId x = b.buffer({.name = "x", .elements = 10});
  const BufferId picks = b.buffer({.name = "i", .element = Scalar::kS32, .elements = 4});
  const BufferId y = b.buffer({.name = "y", .elements = 6, .direction = Direction::kOut});
  const Type v4{Scalar::kF32, 4};
  const ValueId lanes = b.lane_index({Scalar::kIndex, 4});
  const Values sum = b.loop(
      Loop{.upper = Affine::constant(10), .step = 4}, {b.zero(v4)},
      [&](ValueId i, std::span<const ValueId> acc) {
        const ValueId mask = b.compare(Predicate::kLt, b.add(lanes, b.splat(i, 4)), b.index(10));
        const ValueId v = b.load(
            Access{.buffer = x, .at = Affine::of(i), .mask = mask, .otherwise = b.zero(v4)}, 4);
        return Values{b.mul_add(v, v, acc[0])};
      });
  b.store(y, Affine::constant(0), b.reduce(OpKind::kReduceAdd, sum[0]));
  b.store(y, Affine::constant(1),
          b.gather(x, Affine::constant(1), b.load(picks, Affine::constant(0), 4)));
  b.store(Access{.buffer = y,
                 .at = Affine::constant(100),
                 .stored = sum[0],
                 .mask = b.zero({Scalar::kPred, 1})});
  const Kernel kernel = b.finish();
  REQUIRE(verify(kernel));
  std::vector<float> in = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, out(6, -1);
  std::vector<int32_t> indices = {8, 0, 3, -1};
  const std::span<std::byte> buffers[] = {bytes_of(in), bytes_of(indices), bytes_of(out)};
  REQUIRE(evaluate(kernel, buffers, {}));
  CHECK(out == std::vector<float>{385, 10, 2, 5, 1, -1});
}

TEST_CASE("while and if carry and choose values") {
  Builder b("collatz");
  const Type s32{Scalar::kS32, 1};
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 1});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
  const ValueId one = b.constant_int(s32, 1), two = b.constant_int(s32, 2),
                three = b.constant_int(s32, 3);
  const Values end = b.while_loop(
      {b.load(x, Affine::constant(0)), b.zero(s32)},
      [&](std::span<const ValueId> v) { return b.compare(Predicate::kNe, v[0], one); },
      [&](std::span<const ValueId> v) {
        const ValueId odd = b.compare(Predicate::kEq, b.logical_and(v[0], one), one);
        const Values next = b.if_else(
            odd, [&] { return Values{b.mul_add(v[0], three, one)}; },
            [&] { return Values{b.div(v[0], two)}; });
        return Values{next[0], b.add(v[1], one)};
      });
  b.store(y, Affine::constant(0), end[1]);
  const Kernel kernel = b.finish();
  REQUIRE(verify(kernel));
  std::vector<int32_t> in = {27}, out(1);
  const std::span<std::byte> buffers[] = {bytes_of(in), bytes_of(out)};
  REQUIRE(evaluate(kernel, buffers, {}));
  CHECK(out[0] == 111);
}

TEST_CASE("dot_accumulate, shuffle, insert and extract") {
  Builder b("v");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS8, .elements = 8});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 2, .direction = Direction::kOut});
  const ValueId v = b.load(x, Affine::constant(0), 8);
  const ValueId acc = b.dot_accumulate(b.constant_int({Scalar::kS32, 2}, 100), v, v);
  const ValueId swapped = b.shuffle(acc, acc, {1, 2});
  b.store(y, Affine::constant(0),
          b.insert(swapped, b.add(b.extract(acc, 0), b.constant_int({Scalar::kS32, 1}, 1)), 1));
  const Kernel kernel = b.finish();
  REQUIRE(verify(kernel));
  std::vector<int8_t> in = {1, -2, 3, 4, -128, -128, -128, -128};
  std::vector<int32_t> out(2);
  const std::span<std::byte> buffers[] = {bytes_of(in), bytes_of(out)};
  REQUIRE(evaluate(kernel, buffers, {}));
  CHECK(out == std::vector<int32_t>{65636, 131});
}

// Two rows by three columns by two steps.
template <typename Number, typename Sum>
std::vector<Sum> matrix_of(Scalar element, Scalar sum, std::vector<Number> a, std::vector<Number> c,
                           std::vector<Sum> sums) {
  Builder b("tiles");
  const BufferId x = b.buffer({.name = "x", .element = element, .elements = 4});
  const BufferId w = b.buffer({.name = "w", .element = element, .elements = 6});
  const BufferId y =
      b.buffer({.name = "y", .element = sum, .elements = 6, .direction = Direction::kInOut});
  const Affine start = Affine::constant(0);
  b.store(y, start,
          b.matrix_accumulate(b.load(y, start, 6), b.load(x, start, 4), b.load(w, start, 6)));
  const Kernel kernel = b.finish();
  REQUIRE(verify(kernel));
  const std::span<std::byte> buffers[] = {bytes_of(a), bytes_of(c), bytes_of(sums)};
  REQUIRE(evaluate(kernel, buffers, {}));
  return sums;
}

TEST_CASE("matrix_accumulate multiplies tiles") {
  CHECK(matrix_of<int8_t, int32_t>(Scalar::kS8, Scalar::kS32, {1, 2, -128, 3},
                                   {4, 5, -1, 0, 7, -128}, {0, 10, 20, 30, INT32_MAX, 50}) ==
        std::vector<int32_t>{14, 9, -229, -467, INT32_MIN + 127, -1230});
  CHECK(matrix_of<uint8_t, int32_t>(Scalar::kU8, Scalar::kS32, {255, 0, 1, 2}, {255, 1, 0, 0, 3, 4},
                                    {0, 0, 0, 0, 0, 0}) ==
        std::vector<int32_t>{65025, 0, 765, 257, 0, 11});
  CHECK(matrix_of<float, float>(Scalar::kF32, Scalar::kF32, {1, 2, 0.5F, -1}, {2, 3, 0, 1, 4, 4},
                                {1, 1, 1, 1, 1, 1}) == std::vector<float>{9, 3, 13, -1, 0, -1});
  // 1, 2, 0.5 and -1 as f16.
  CHECK(matrix_of<uint16_t, float>(Scalar::kF16, Scalar::kF32, {0x3c00, 0x4000, 0x3800, 0xbc00},
                                   {0x4000, 0x3c00, 0, 0, 0x3c00, 0x3c00},
                                   {1, 1, 1, 1, 1, 1}) == std::vector<float>{5, 1, 4, 1, 1, 0.5F});
}

TEST_CASE("an access out of range is a diagnostic that names buffer and element") {
  Builder b("bad");
  const BufferId x = b.buffer({.name = "x", .elements = 2});
  const BufferId y = b.buffer({.name = "y", .elements = 2, .direction = Direction::kOut});
  b.loop(3, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::constant(0))); });
  const Kernel kernel = b.finish();
  std::vector<float> in(2), out(2);
  const std::span<std::byte> buffers[] = {bytes_of(in), bytes_of(out)};
  const Status status = evaluate(kernel, buffers, {});
  REQUIRE_FALSE(status);
  CHECK_THAT(status.error().message, Catch::Contains("writes element 2 of y, which has 2"));
}

TEST_CASE("native ops show where their result is undefined") {
  CHECK(run_binary<int32_t>(OpKind::kNativeDiv, Scalar::kS32, 7, -2) == -3);
  CHECK(run_binary<int32_t>(OpKind::kNativeDiv, Scalar::kS32, 7, 0) == 0x5a5a5a5a);
  CHECK(run_binary<int32_t>(OpKind::kNativeShl, Scalar::kS32, 7, 32) == 0x5a5a5a5a);
}

}  // namespace
}  // namespace hlocc::kernel
