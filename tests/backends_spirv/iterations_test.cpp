// How many iterations an invocation's loops take, of bounds that are reckoned with parameters and
// constants; and which kernels go in passes, on each side of what passes must not repeat.
#include "backends/spirv/iterations.h"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "backends/spirv/grid.h"
#include "backends_spirv/kernels.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;
using kernel::OpKind;
using kernel::Scalar;
using kernel::ValueId;

constexpr kernel::Type kIndexType = {Scalar::kIndex, 1};

// Of a loop from 0 to what is made of the number of the invocation, of which there are `of`.
std::optional<int64_t> iterations_to(const std::function<ValueId(kernel::Builder&, ValueId)>& end,
                                     int64_t of = 12) {
  XY m(Scalar::kS32);
  const ValueId number = m.b.parameter();
  m.b.loop({Affine::constant(0), Affine::of(end(m.b, number))}, [&](ValueId i) {
    m.write(Affine::of(i), m.b.zero({Scalar::kS32, 1}));
  });
  return most_iterations(m.b.finish(), of, {});
}

TEST_CASE("quotients and remainders of what is known bound a loop, where nothing is below zero") {
  const auto by = [](OpKind kind, int64_t below, int64_t divisor) {
    return iterations_to([&](kernel::Builder& b, ValueId number) {
      const ValueId less =
          b.op(OpKind::kSub, kIndexType, {number, b.constant_int(kIndexType, below)});
      return b.op(kind, kIndexType, {less, b.constant_int(kIndexType, divisor)});
    });
  };
  CHECK(by(OpKind::kNativeDiv, 0, 3) == 3);
  CHECK(by(OpKind::kNativeDiv, 0, 1) == 11);
  CHECK(by(OpKind::kNativeRem, 0, 5) == 4);
  CHECK(by(OpKind::kNativeRem, 0, 50) == 11);
  CHECK_FALSE(by(OpKind::kNativeDiv, 1, 3).has_value());
  CHECK_FALSE(by(OpKind::kNativeDiv, 0, 0).has_value());
  CHECK_FALSE(by(OpKind::kNativeDiv, 0, -3).has_value());
}

TEST_CASE("a quotient by one of two numbers is not known") {
  CHECK_FALSE(iterations_to([](kernel::Builder& b, ValueId number) {
                const ValueId two = b.constant_int(kIndexType, 2);
                const ValueId some = b.op(OpKind::kNativeMax, kIndexType, {number, two});
                return b.op(OpKind::kNativeDiv, kIndexType, {number, some});
              }).has_value());
}

TEST_CASE("one of two invocations has the number 1") {
  const auto itself = [](kernel::Builder&, ValueId number) { return number; };
  CHECK(iterations_to(itself, 2) == 1);
  CHECK(iterations_to(itself, 3) == 2);
  CHECK_FALSE(iterations_to(itself, 1).has_value());
}

// y[i] = y[i - 1] + f(i), from 1 to `count`.
using Added = std::function<ValueId(ValueId)>;
void running_sums(XY& m, int64_t count, const Added& added) {
  m.b.loop({Affine::constant(1), Affine::constant(count)}, [&](ValueId i) {
    m.write(Affine::of(i), m.b.add(m.b.load(m.y, Affine::of(i, 1, -1)), added(i)));
  });
}
int64_t passes_of(kernel::Kernel kernel, int64_t iterations) {
  const auto made = grid_for(kernel, launch_of(kernel), apart(kernel), iterations);
  return made.ok() ? made->passes : 0;
}

TEST_CASE("passes begin beyond half of what a device allows") {
  const auto sums = [](int64_t count) {
    XY m(Scalar::kS32, count);
    running_sums(m, count, [&](ValueId i) { return m.read(Affine::of(i)); });
    return m.b.finish();
  };
  CHECK(passes_of(sums(1001), 2000) == 1);
  CHECK(passes_of(sums(1002), 2000) == 2);
  CHECK(passes_of(sums(32769), 0) == 1);
  CHECK(passes_of(sums(32770), 0) == 2);
}

TEST_CASE("without a limit what no pass makes shorter is left as it is") {
  XY m(Scalar::kS32, 40000);
  const auto sum = m.b.loop({Affine::constant(0), Affine::constant(40000)},
                            kernel::Values{m.b.zero({Scalar::kS32, 1})},
                            [&](ValueId i, std::span<const ValueId> carried) {
                              return kernel::Values{m.b.add(carried[0], m.read(Affine::of(i)))};
                            });
  m.write(Affine::constant(0), sum[0]);
  CHECK(passes_of(m.b.finish(), 0) == 1);
}

TEST_CASE("what a pass would leave in scratch keeps a kernel whole") {
  // The sum of what scratch holds: written in front of the loop, or element by element within.
  const auto made = [](kernel::Space space, bool own_scratch = false) {
    XY m(Scalar::kS32, 4000);
    const kernel::BufferId held = m.b.buffer({.name = "held",
                                              .element = Scalar::kS32,
                                              .elements = 4000,
                                              .direction = kernel::Direction::kScratch,
                                              .space = space});
    kernel::Loop loop{Affine::constant(1), Affine::constant(4000)};
    loop.own_scratch = own_scratch;
    m.b.loop(loop, [&](ValueId i) {
      m.b.store(held, Affine::of(i), m.read(Affine::of(i)));
      m.write(Affine::of(i),
              m.b.add(m.b.load(m.y, Affine::of(i, 1, -1)), m.b.load(held, Affine::of(i, 1, -1))));
    });
    return m.b.finish();
  };
  CHECK(passes_of(made(kernel::Space::kStack), 2000) == 0);
  CHECK(passes_of(made(kernel::Space::kArena), 2000) == 0);
  // Where lowering gives its word on scratch, what is each invocation's own may be cut.
  CHECK(passes_of(made(kernel::Space::kStack, true), 2000) == 4);
  CHECK(passes_of(made(kernel::Space::kArena, true), 2000) == 0);
}

TEST_CASE("a loop beside those that are cut that reads what they write keeps a kernel whole") {
  const auto made = [](bool reads_result) {
    XY m(Scalar::kS32, 4000);
    running_sums(m, 4000, [&](ValueId i) { return m.read(Affine::of(i)); });
    const ValueId sum = m.b.loop(
        {Affine::constant(0), Affine::constant(3)}, kernel::Values{m.b.zero({Scalar::kS32, 1})},
        [&](ValueId i, std::span<const ValueId> carried) {
          const Affine at = Affine::of(i);
          return kernel::Values{m.b.add(carried[0], reads_result ? m.b.load(m.y, at) : m.read(at))};
        })[0];
    m.write(Affine::constant(0), sum);
    return m.b.finish();
  };
  CHECK(passes_of(made(true), 2000) == 0);
}

TEST_CASE("a loop with a result keeps loops beside it from being cut") {
  XY m(Scalar::kS32, 4000);
  running_sums(m, 4000, [&](ValueId i) { return m.read(Affine::of(i)); });
  m.b.loop({Affine::constant(0), Affine::constant(3)}, kernel::Values{m.b.zero({Scalar::kS32, 1})},
           [&](ValueId i, std::span<const ValueId> carried) {
             m.write(Affine::of(i), m.read(Affine::of(i)));
             return kernel::Values{m.b.add(carried[0], carried[0])};
           });
  CHECK(passes_of(m.b.finish(), 2000) == 0);
}

TEST_CASE("a loop is known where both of its bounds are") {
  const auto between = [](bool from_data, bool to_data, int64_t length) {
    XY m(Scalar::kS32);
    const ValueId data = m.b.convert(m.read(Affine::constant(0)), Scalar::kIndex);
    const Affine some = Affine::of(data);
    const Affine lower = from_data ? some : Affine::constant(0);
    const Affine upper = to_data ? some.plus(length) : Affine::constant(length);
    m.b.loop({lower, upper}, [&](ValueId i) {
      m.write(Affine::of(i), m.b.zero({Scalar::kS32, 1}));
    });
    return most_iterations(m.b.finish(), 1, {});
  };
  CHECK(between(false, false, 5) == 5);
  CHECK_FALSE(between(true, false, 5).has_value());
  CHECK_FALSE(between(false, true, 5).has_value());
  CHECK_FALSE(between(true, true, 5).has_value());
}

TEST_CASE("very many iterations are counted up to 2^40") {
  const auto nested = [](int64_t outer) {
    XY m(Scalar::kS32);
    m.b.loop(outer, [&](ValueId) {
      m.b.loop(2, [&](ValueId j) { m.write(Affine::of(j), m.b.zero({Scalar::kS32, 1})); });
    });
    return most_iterations(m.b.finish(), 1, {});
  };
  constexpr int64_t kMany = int64_t{1} << 40, kThird = kMany / 3;
  CHECK(nested(kThird - 1) == kMany - 4);
  CHECK(nested(kThird) == kMany - 1);
  CHECK(nested(kThird + 1) == kMany);
}

}  // namespace
}  // namespace hlocc::backends
