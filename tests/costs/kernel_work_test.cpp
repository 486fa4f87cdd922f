// What a launch does, counted from the kernel's loops.
#include "costs/kernel_work.h"

#include <array>
#include <catch2/catch.hpp>

#include "costs/threads.h"
#include "kernel/builder.h"

namespace hlocc::tests {
namespace {

using namespace kernel;

const Type f32{Scalar::kF32, 1};

Target chip_m4f() { return *preset("cortex-m4f"); }

BufferId buffer(Builder& b, const char* name, Direction direction) {
  return b.buffer(
      {.name = name, .element = Scalar::kF32, .elements = 4096, .direction = direction});
}

// y[i] += x[i] * y[i] over what the body says.
void multiply(Builder& b, const BufferId x, const BufferId y, const Affine& at, int lanes = 1) {
  const ValueId old = b.load(y, at, lanes);
  b.store(y, at, b.mul_add(b.load(x, at, lanes), old, old));
}

costs::KernelWork work_of(const std::function<void(Builder&, BufferId, BufferId)>& body,
                          const Target& target = chip_m4f(), std::vector<int64_t> integers = {}) {
  Builder b("k");
  const BufferId x = buffer(b, "x", Direction::kIn), y = buffer(b, "y", Direction::kInOut);
  body(b, x, y);
  return costs::kernel_work(b.finish(), integers, target);
}

}  // namespace

TEST_CASE("products and bytes are counted through nested loops", "[costs]") {
  const costs::KernelWork work = work_of([](Builder& b, BufferId x, BufferId y) {
    b.loop(10, [&](ValueId i) {
      b.loop(7, [&](ValueId j) { multiply(b, x, y, Affine::of(i, 7).plus(Affine::of(j))); });
    });
  });
  CHECK(work.products == 70);
  CHECK(work.bytes_read == 70 * 8);
  CHECK(work.bytes_written == 70 * 4);
  CHECK(work.cycles > 70 * 4);
}

TEST_CASE("bounds that hang on a counter count with its middle value", "[costs]") {
  const costs::KernelWork work = work_of([](Builder& b, BufferId x, BufferId y) {
    b.loop(11, [&](ValueId i) {
      b.loop(Loop{.upper = Affine::of(i)}, [&](ValueId j) { multiply(b, x, y, Affine::of(j)); });
    });
  });
  CHECK(work.products == 55);
}

TEST_CASE("parameters have the launch's integers", "[costs]") {
  const auto loop = [](Builder& b, BufferId x, BufferId y) {
    const ValueId count = b.parameter();
    b.loop(Loop{.upper = Affine::of(count)}, [&](ValueId i) { multiply(b, x, y, Affine::of(i)); });
  };
  CHECK(work_of(loop, chip_m4f(), {9}).products == 9);
  CHECK(work_of(loop, chip_m4f(), {0}).products == 0);
}

TEST_CASE("lanes of a vector are products each, and cost as many registers as they fill",
          "[costs]") {
  const auto wide = [](int lanes) {
    return [lanes](Builder& b, BufferId x, BufferId y) {
      b.loop(64, [&](ValueId i) { multiply(b, x, y, Affine::of(i, lanes), lanes); });
    };
  };
  const Target core = *preset("cortex-a53");
  CHECK(work_of(wide(4), core).products == 256);
  CHECK(work_of(wide(4), core).cycles == work_of(wide(1), core).cycles);
  CHECK(work_of(wide(8), core).cycles > work_of(wide(4), core).cycles);
}

// Cycles of one more sum of products of that type, in a kernel that has loaded both sides.
double cycles_of_dot(const Target& target, kernel::Scalar scalar, int lanes) {
  const auto cycles = [&](int dots) {
    Builder b("dots");
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = lanes});
    const BufferId y = b.buffer({.name = "y",
                                 .element = kernel::Scalar::kS32,
                                 .elements = 1,
                                 .direction = kernel::Direction::kInOut});
    const Affine start = Affine::constant(0);
    const ValueId side = b.load(x, start, lanes);
    ValueId sum = b.load(y, start);
    for (int n = 0; n < dots; ++n) sum = b.dot_accumulate(sum, side, side);
    b.store(y, start, sum);
    return costs::kernel_work(b.finish(), {}, target).cycles;
  };
  return cycles(3) - cycles(2);
}

TEST_CASE("words of bytes and halves are multiplied by pairs", "[costs]") {
  using enum kernel::Scalar;
  // Two SMLAD; for bytes two SXTB16 a side as well.
  CHECK(cycles_of_dot(chip_m4f(), kS16, 4) == 2);
  CHECK(cycles_of_dot(chip_m4f(), kS8, 4) == 6);
  CHECK(cycles_of_dot(*preset("cortex-m0"), kS16, 4) == 4);
  CHECK(cycles_of_dot(*preset("cortex-m55"), kS8, 16) == 1);
}

TEST_CASE("bytes that are spread cost by the words that they fill", "[costs]") {
  const auto cycles = [](int times) {
    Builder b("spread");
    const BufferId x = b.buffer({.name = "x", .element = Scalar::kS8, .elements = 4});
    const ValueId word = b.load(x, Affine::constant(0), 4);
    for (int n = 0; n < times; ++n) b.spread_bytes(word, 0, Scalar::kS16);
    return costs::kernel_work(b.finish(), {}, chip_m4f()).cycles;
  };
  CHECK(cycles(1) == cycles(0) + 2);
}

TEST_CASE("ranges of a launch are counted together, and last as long as the longest", "[costs]") {
  Builder b("ranges");
  const BufferId x = buffer(b, "x", Direction::kIn), y = buffer(b, "y", Direction::kInOut);
  const ValueId range = b.parameter(), more = b.parameter();
  b.loop(Loop{.upper = Affine::of(range, 10).plus(Affine::of(more))},
         [&](ValueId i) { multiply(b, x, y, Affine::of(i)); });
  const Kernel kernel = b.finish();
  const Target chip = chip_m4f();
  const auto of_range = [&](int64_t n) { return costs::kernel_work(kernel, {{n, 4}}, chip); };
  const auto whole = [&](int ranges) {
    return costs::launch_work(kernel, {.integers = {4}, .ranges = ranges}, chip);
  };
  for (const int ranges : {2, 3}) {
    const costs::KernelWork work = whole(ranges);
    CHECK(work.products == (ranges == 2 ? 4 + 14 : 4 + 14 + 24));
    CHECK(work.bytes_read == 8 * work.products);
    CHECK(work.bytes_written == 4 * work.products);
    CHECK(work.cycles == of_range(ranges - 1).cycles + costs::cycles_to_start_threads(chip));
  }
  const costs::KernelWork one = costs::launch_work(kernel, {.integers = {2, 3}}, chip);
  CHECK(one.products == 23);
  CHECK(one.cycles == costs::kernel_work(kernel, {{2, 3}}, chip).cycles);
}

TEST_CASE("barriers have no cycles of their own", "[costs]") {
  const auto cycles = [](bool waits) {
    return work_of([&](Builder& b, BufferId x, BufferId y) {
             multiply(b, x, y, Affine::constant(0));
             if (waits) b.barrier();
           })
        .cycles;
  };
  CHECK(cycles(true) == cycles(false));
}

TEST_CASE("products of tiles are counted", "[costs]") {
  Builder b("tiles");
  const BufferId x = b.buffer({.name = "x", .element = kernel::Scalar::kS8, .elements = 16});
  const BufferId y = b.buffer({.name = "y",
                               .element = kernel::Scalar::kS32,
                               .elements = 4,
                               .direction = kernel::Direction::kInOut});
  const Affine start = Affine::constant(0);
  const ValueId side = b.load(x, start, 16);
  b.store(y, start, b.matrix_accumulate(b.load(y, start, 4), side, side));
  CHECK(costs::kernel_work(b.finish(), {}, *preset("cortex-a53")).products == 32);
}

TEST_CASE("floats without a unit are calls", "[costs]") {
  const auto body = [](Builder& b, BufferId x, BufferId y) {
    b.loop(100, [&](ValueId i) { multiply(b, x, y, Affine::of(i)); });
  };
  CHECK(work_of(body, *preset("cortex-m0")).cycles > 10 * work_of(body).cycles);
}

TEST_CASE("of two branches the dearer one counts, unless it is known which is taken", "[costs]") {
  const auto body = [](std::optional<bool> known) {
    return [known](Builder& b, BufferId x, BufferId y) {
      const ValueId zero = b.index(0), at = b.parameter();
      const ValueId condition =
          known ? b.compare(*known ? Predicate::kGe : Predicate::kLt, at, zero)
                : b.compare(Predicate::kGt, b.load(x, Affine::constant(0)), b.zero(f32));
      b.if_else(
          condition, [&] { return multiply(b, x, y, Affine::constant(1)), Values{}; },
          [&] {
            multiply(b, x, y, Affine::constant(2));
            multiply(b, x, y, Affine::constant(3));
            return Values{};
          });
    };
  };
  CHECK(work_of(body(std::nullopt), chip_m4f(), {4}).products == 2);
  CHECK(work_of(body(true), chip_m4f(), {4}).products == 1);
  CHECK(work_of(body(false), chip_m4f(), {4}).products == 2);
}

TEST_CASE("bounds of index arithmetic on a launch's integers", "[costs]") {
  using Pair = std::array<int64_t, 2>;
  using Bound = std::function<ValueId(Builder&, ValueId, ValueId)>;
  const auto of = [](OpKind kind) -> Bound {
    return [kind](Builder& b, ValueId x, ValueId y) { return b.binary(kind, x, y); };
  };
  const Bound chosen = [](Builder& b, ValueId x, ValueId y) {
    return b.select(b.compare(Predicate::kLt, x, y), b.index(20), b.index(30));
  };
  const auto beside_unknown = [](bool is_first) -> Bound {
    return [is_first](Builder& b, ValueId x, ValueId y) {
      const ValueId known = b.index(20), other = b.binary(OpKind::kAnd, x, y);
      return b.select(b.compare(Predicate::kLt, x, y), is_first ? known : other,
                      is_first ? other : known);
    };
  };
  const Bound converted = [](Builder& b, ValueId x, ValueId) {
    const Type word{Scalar::kS32, 1}, index{Scalar::kIndex, 1};
    return b.op(OpKind::kNativeConvert, index, {b.op(OpKind::kNativeConvert, word, {x})});
  };
  const Bound negated = [](Builder& b, ValueId x, ValueId) {
    return b.op(OpKind::kNeg, {Scalar::kIndex, 1}, {x});
  };
  const Bound unknown = [](Builder& b, ValueId x, ValueId y) {
    return b.binary(OpKind::kAdd, x, b.binary(OpKind::kAnd, x, y));
  };
  struct Row {
    const char* what;
    Bound bound;
    Pair integers;
    double turns;
  };
  const Row rows[] = {
      {"sum", of(OpKind::kAdd), {3, 4}, 7},
      {"difference", of(OpKind::kSub), {9, 4}, 5},
      {"product", of(OpKind::kMul), {3, 4}, 12},
      {"least", of(OpKind::kMin), {3, 4}, 3},
      {"largest", of(OpKind::kMax), {3, 4}, 4},
      {"quotient", of(OpKind::kNativeDiv), {11, 4}, 2},
      {"no quotient: once", of(OpKind::kNativeDiv), {11, 0}, 1},
      {"nothing that is followed: once", of(OpKind::kAnd), {7, 7}, 1},
      {"converted by the chip", converted, {3, 4}, 3},
      {"of one number: once", negated, {-3, 4}, 1},
      {"a second that is not followed: once", unknown, {3, 4}, 1},
      {"the first", chosen, {3, 4}, 20},
      {"the second", chosen, {4, 4}, 30},
      {"the first beside one that is not followed", beside_unknown(true), {3, 4}, 20},
      {"one that is not followed: once", beside_unknown(true), {4, 4}, 1},
      {"the second beside one that is not followed", beside_unknown(false), {4, 4}, 20},
      {"the first is not followed: once", beside_unknown(false), {3, 4}, 1},
      {"below zero: never", of(OpKind::kSub), {3, 4}, 0}};
  for (const Row& row : rows) {
    INFO(row.what);
    CHECK(work_of(
              [&](Builder& b, BufferId x, BufferId y) {
                const ValueId first = b.parameter(), second = b.parameter();
                b.loop(Loop{.upper = Affine::of(row.bound(b, first, second))},
                       [&](ValueId i) { multiply(b, x, y, Affine::of(i)); });
              },
              chip_m4f(), {row.integers[0], row.integers[1]})
              .products == row.turns);
  }
}

TEST_CASE("comparisons of known numbers, below, at and above", "[costs]") {
  const std::pair<Predicate, std::array<bool, 3>> rows[] = {
      {Predicate::kEq, {false, true, false}}, {Predicate::kNe, {true, false, true}},
      {Predicate::kLt, {true, false, false}}, {Predicate::kLe, {true, true, false}},
      {Predicate::kGt, {false, false, true}}, {Predicate::kGe, {false, true, true}}};
  for (const auto& [predicate, holds] : rows)
    for (int64_t n : {0, 1, 2})
      CHECK(work_of(
                [&](Builder& b, BufferId x, BufferId y) {
                  const ValueId condition = b.compare(predicate, b.parameter(), b.index(4));
                  b.if_else(
                      condition, [&] { return multiply(b, x, y, Affine::constant(1)), Values{}; },
                      [&] { return Values{}; });
                },
                chip_m4f(), {3 + n})
                .products == (holds[n] ? 1 : 0));
}

// From a number that is read from memory to ten: once, with a counter that nobody knows.
TEST_CASE("a loop from an unknown number counts once, and so does one up to its counter",
          "[costs]") {
  const auto body = [](Builder& b, BufferId x, BufferId y) {
    const ValueId from = b.convert(b.load(x, Affine::constant(0)), Scalar::kIndex);
    b.loop(Loop{.lower = Affine::of(from), .upper = Affine::constant(10)}, [&](ValueId i) {
      b.loop(Loop{.upper = Affine::of(i)}, [&](ValueId j) { multiply(b, x, y, Affine::of(j)); });
    });
  };
  CHECK(work_of(body).products == 1);
}

TEST_CASE("steps of a loop that do not divide its length", "[costs]") {
  for (const auto& [upper, turns] : {std::pair(8, 2.0), {9, 3.0}, {4, 1.0}, {0, 0.0}})
    CHECK(work_of([upper = upper](Builder& b, BufferId x, BufferId y) {
            b.loop(Loop{.upper = Affine::constant(upper), .step = 4},
                   [&](ValueId i) { multiply(b, x, y, Affine::of(i)); });
          }).products == turns);
}

}  // namespace hlocc::tests
