// Loops, branches and memory accesses of every shape: compiled code and evaluator agree. These are
// the places where the running pointers could go wrong.
#include <numeric>

#include "backends_llvm/jit_kernel.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

std::vector<std::byte> counting(int count, float first = 1) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return to_bytes(values);
}

BufferId input(Builder& b, const char* name, int64_t elements, Scalar scalar = kF32) {
  return b.buffer({.name = name, .element = scalar, .elements = elements});
}
BufferId output(Builder& b, const char* name, int64_t elements, Scalar scalar = kF32) {
  return b.buffer(
      {.name = name, .element = scalar, .elements = elements, .direction = Direction::kInOut});
}

TEST_CASE("nested loops step one pointer an operand") {
  // y[m][n] = sum over k of x[m][k] * w[k][n], every loop rolled.
  constexpr int M = 3, N = 5, K = 4;
  Builder b("matmul");
  const BufferId x = input(b, "x", M * K), w = input(b, "w", K * N), y = output(b, "y", M * N);
  b.loop(M, [&](ValueId m) {
    b.loop(N, [&](ValueId n) {
      const Values sum = b.loop(Loop{.upper = Affine::constant(K)}, {b.zero({kF32, 1})},
                                [&](ValueId k, std::span<const ValueId> carried) {
                                  const ValueId a = b.load(x, Affine::of(m, K).plus(Affine::of(k)));
                                  const ValueId c = b.load(w, Affine::of(k, N).plus(Affine::of(n)));
                                  return Values{b.mul_add(a, c, carried[0])};
                                });
      b.store(y, Affine::of(m, N).plus(Affine::of(n)), sum[0]);
    });
  });
  check_agreement(b.finish(), {counting(M * K), counting(K * N, -3), counting(M * N)});
}

TEST_CASE("hints change nothing, wherever they point") {
  Builder b("hints");
  const BufferId x = input(b, "x", 40), y = output(b, "y", 40);
  b.loop(40, [&](ValueId i) {
    b.prefetch(x, Affine::of(i, 1 << 20, -64));
    b.store(y, Affine::of(i), b.load(x, Affine::of(i)));
  });
  check_agreement(b.finish(), {counting(40), counting(40)});
}

TEST_CASE("loops with lower bounds, steps and offsets") {
  Builder b("bounds");
  const BufferId x = input(b, "x", 40), y = output(b, "y", 40);
  b.loop(Loop{.lower = Affine::constant(3), .upper = Affine::constant(18), .step = 4},
         [&](ValueId i) {
           const ValueId doubled =
               b.add(b.load(x, Affine::of(i, 2, -5)), b.load(x, Affine::of(i, -1, 30)));
           b.store(y, Affine::of(i, 2, 1), doubled);
         });
  check_agreement(b.finish(), {counting(40), counting(40)});
}

TEST_CASE("offsets within reach of one pointer, of several, of too many") {
  for (int64_t distance : {1, 100, 300, 4000})
    for (int reads : {1, 3, 8, 11}) {
      Builder b("reach");
      const int64_t elements = distance * reads + 20;
      const BufferId x = input(b, "x", elements), y = output(b, "y", 3 * 16);
      b.loop(3, [&](ValueId row) {
        b.loop(Loop{.lower = Affine::constant(2), .upper = Affine::constant(16), .step = 2},
               [&](ValueId i) {
                 ValueId sum = b.zero({kF32, 1});
                 for (int n = reads - 1; n >= 0; --n)
                   sum = b.add(
                       sum, b.load(x, Affine::of(i).plus(Affine::of(row)).plus(n * distance - 2)));
                 b.store(y, Affine::of(row, 16).plus(Affine::of(i)), sum);
               });
      });
      check_agreement(b.finish(), {counting(static_cast<int>(elements)), counting(3 * 16)});
    }
}

TEST_CASE("bounds and offsets from parameters, also when the loop never runs") {
  Builder b("parameters");
  const BufferId x = input(b, "x", 40), y = output(b, "y", 40);
  const ValueId count = b.parameter(), offset = b.parameter();
  const Values sum =
      b.loop(Loop{.lower = Affine::constant(1), .upper = Affine::of(count)},
             {b.constant_float({kF32, 1}, 7)}, [&](ValueId i, std::span<const ValueId> carried) {
               const ValueId value = b.load(x, Affine::of(i).plus(Affine::of(offset)));
               b.store(y, Affine::of(i, 2), value);
               return Values{b.add(carried[0], value)};
             });
  b.store(y, Affine::constant(39), sum[0]);
  const Kernel kernel = b.finish();
  for (int64_t count_value : {0, 1, 2, 9})
    check_agreement(kernel, {counting(40), counting(40)}, {count_value, 11});
}

TEST_CASE("triangles: inner bounds hang on outer counters") {
  Builder b("triangle");
  const BufferId x = input(b, "x", 36), y = output(b, "y", 36);
  b.loop(6, [&](ValueId i) {
    b.loop(Loop{.lower = Affine::of(i), .upper = Affine::constant(6)}, [&](ValueId j) {
      b.store(y, Affine::of(j, 6).plus(Affine::of(i)),
              b.load(x, Affine::of(i, 6).plus(Affine::of(j))));
    });
  });
  check_agreement(b.finish(), {counting(36), counting(36)});
}

TEST_CASE("carried positions and loaded indices in addresses") {
  Builder b("indices");
  const BufferId x = input(b, "x", 32), at = input(b, "at", 8, kS32), y = output(b, "y", 16);
  const Values end =
      b.loop(Loop{.upper = Affine::constant(8)}, {b.index(1)},
             [&](ValueId i, std::span<const ValueId> carried) {
               const ValueId loaded = b.convert(b.load(at, Affine::of(i)), kIndex);
               const ValueId one = b.load(x, Affine::of(carried[0]).plus(Affine::of(i)));
               const ValueId two = b.load(x, Affine::of(loaded, 2).plus(Affine::of(i)));
               b.store(y, Affine::of(i), b.add(one, two));
               return Values{b.add(carried[0], b.index(2))};
             });
  b.store(y, Affine::constant(9), b.convert(end[0], kF32));
  check_agreement(b.finish(),
                  {counting(32), to_bytes<int32_t>({0, 5, 2, 9, 1, 3, 12, 7}), counting(16)});
}

TEST_CASE("the counter as a value") {
  Builder b("counter");
  const BufferId y = output(b, "y", 12, kS32);
  b.loop(Loop{.upper = Affine::constant(12), .step = 3}, [&](ValueId i) {
    b.store(y, Affine::of(i), b.convert(i, kS32));
    b.if_then(b.compare(Predicate::kGt, i, b.index(4)), [&] {
      b.store(y, Affine::of(i, 1, 1), b.constant_int({kS32, 1}, 5));
    });
  });
  check_agreement(b.finish(), {to_bytes(std::vector<int32_t>(12, -1))});
}

TEST_CASE("branches yield values") {
  Builder b("branches");
  const BufferId x = input(b, "x", 8), y = output(b, "y", 8);
  b.loop(8, [&](ValueId i) {
    const ValueId value = b.load(x, Affine::of(i));
    const Values chosen = b.if_else(
        b.compare(Predicate::kLt, value, b.constant_float({kF32, 1}, 4)),
        [&] { return Values{b.mul(value, value)}; },
        [&] { return Values{b.load(x, Affine::of(i, -1, 7))}; });
    b.store(y, Affine::of(i), chosen[0]);
  });
  check_agreement(b.finish(), {counting(8), counting(8)});
}

TEST_CASE("while loops end when data says so") {
  Builder b("collatz");
  const BufferId y = output(b, "y", 2, kS64);
  const Type s64{kS64, 1};
  const auto constant = [&](int64_t value) { return b.constant_int(s64, value); };
  const Values end = b.while_loop(
      {b.load(y, Affine::constant(0)), constant(0)},
      [&](std::span<const ValueId> v) { return b.compare(Predicate::kNe, v[0], constant(1)); },
      [&](std::span<const ValueId> v) {
        const ValueId odd =
            b.compare(Predicate::kNe, b.logical_and(v[0], constant(1)), constant(0));
        const ValueId half = b.binary(OpKind::kNativeDiv, v[0], constant(2));
        return Values{b.select(odd, b.add(b.mul(v[0], constant(3)), constant(1)), half),
                      b.add(v[1], constant(1))};
      });
  b.store(y, Affine::constant(1), end[1]);
  check_agreement(b.finish(), {to_bytes<int64_t>({27, 0})});
}

TEST_CASE("strided, reversed and broadcast vectors") {
  for (int64_t stride : {0, 1, -1, 2, 3, -2}) {
    Builder b(cat("stride_", stride < 0 ? "m" : "", stride < 0 ? -stride : stride));
    const BufferId x = input(b, "x", 64), y = output(b, "y", 64);
    b.loop(2, [&](ValueId i) {
      b.store(y, Affine::of(i, 8), b.load(x, Affine::of(i, 3, 20), 8, stride));
    });
    if (stride != 0) b.store(y, Affine::constant(30), b.load(x, Affine::constant(0), 4), stride);
    check_agreement(b.finish(), {counting(64), counting(64)});
  }
}

TEST_CASE("bytes at a distance from one another") {
  for (const int lanes : {2, 4, 8, 16})
    for (const int64_t stride : {2, 3, 5}) {
      Builder b(cat("bytes_", lanes, "_", stride));
      const BufferId x = input(b, "x", 16, kS8), y = output(b, "y", 80, kS8);
      b.store(y, Affine::constant(1), b.load(x, Affine::constant(0), lanes), stride);
      check_agreement(b.finish(),
                      {to_bytes(std::vector<int8_t>(16, 3)), to_bytes(std::vector<int8_t>(80, 1))});
    }
}

TEST_CASE("masks keep what they leave out") {
  for (int64_t stride : {1, -1, 2}) {
    Builder b("masked");
    const BufferId x = input(b, "x", 32), m = input(b, "m", 8, kPred), y = output(b, "y", 40);
    const ValueId mask = b.load(m, Affine::constant(0), 8);
    Access get{.buffer = x, .at = Affine::constant(14), .lane_stride = stride, .mask = mask};
    get.otherwise = b.load(x, Affine::constant(1), 8);
    const ValueId loaded = b.load(get, 8);
    b.store(y, Affine::constant(0), loaded);
    b.store(Access{.buffer = y,
                   .at = Affine::constant(22),
                   .lane_stride = stride,
                   .stored = loaded,
                   .mask = mask});
    // A scalar mask stands for all lanes.
    const ValueId lane = b.extract(mask, 1);
    Access scalar{.buffer = x, .at = Affine::constant(3), .mask = lane};
    scalar.otherwise = b.constant_float({kF32, 1}, 9);
    const ValueId one = b.load(scalar, 1);
    b.store(
        Access{.buffer = y, .at = Affine::constant(39), .stored = one, .mask = b.extract(mask, 0)});
    const Kernel kernel = b.finish();
    for (uint8_t first : {0, 1})
      check_agreement(
          kernel, {counting(32), to_bytes<uint8_t>({first, 1, 0, 1, 1, 0, 0, 1}), counting(40)});
  }
}

TEST_CASE("gathers and scatters") {
  Builder b("gather");
  const BufferId x = input(b, "x", 32), at = input(b, "at", 8, kS32), y = output(b, "y", 64);
  const ValueId lanes = b.load(at, Affine::constant(0), 8);
  const ValueId gathered = b.gather(x, Affine::constant(2), lanes);
  b.store(y, Affine::constant(0), gathered);
  b.store(
      Access{.buffer = y, .at = Affine::constant(20), .stored = gathered, .lane_indices = lanes});
  check_agreement(b.finish(),
                  {counting(32), to_bytes<int32_t>({3, 0, 7, 7, 29, 1, 12, 2}), counting(64)});
  // Places before the first one.
  Builder c("before");
  const BufferId in = input(c, "x", 32), back = input(c, "at", 8, kS32), out = output(c, "y", 64);
  const ValueId places = c.load(back, Affine::constant(0), 8);
  c.store(Access{.buffer = out,
                 .at = Affine::constant(20),
                 .stored = c.gather(in, Affine::constant(20), places),
                 .lane_indices = places});
  check_agreement(c.finish(),
                  {counting(32), to_bytes<int32_t>({-3, 0, 7, -20, 11, 1, -1, 2}), counting(64)});
}

TEST_CASE("truth values and narrow elements in memory") {
  for (Scalar scalar : {kPred, kS4, kU4, kS8, kU16}) {
    Builder b("narrow");
    const BufferId x = input(b, "x", 16, scalar), y = output(b, "y", 32, scalar);
    b.store(y, Affine::constant(0), b.load(x, Affine::constant(0), 8));
    b.store(y, Affine::constant(8), b.load(x, Affine::constant(9)));
    b.store(y, Affine::constant(16), b.load(x, Affine::constant(1), 4, 3));
    std::vector<std::byte> values(16 * scalar_bytes(scalar));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = std::byte(scalar == kPred ? i % 2 : scalar == kS4 && i % 3 == 0 ? 0xfd : i % 8);
    check_agreement(b.finish(), {values, std::vector<std::byte>(32 * scalar_bytes(scalar))});
  }
}

TEST_CASE("stack scratch belongs to the kernel") {
  Builder b("scratch");
  const BufferId x = input(b, "x", 8), y = output(b, "y", 8);
  const BufferId scratch = b.buffer({.name = "s",
                                     .element = kF32,
                                     .elements = 8,
                                     .direction = Direction::kScratch,
                                     .space = Space::kStack});
  b.loop(8, [&](ValueId i) { b.store(scratch, Affine::of(i, -1, 7), b.load(x, Affine::of(i))); });
  b.loop(8, [&](ValueId i) { b.store(y, Affine::of(i), b.load(scratch, Affine::of(i))); });
  check_agreement(b.finish(), {counting(8), counting(8)});
}

}  // namespace
}  // namespace hlocc::backends
