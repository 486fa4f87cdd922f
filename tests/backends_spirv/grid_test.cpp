// Which kernels are dealt out to invocations, into how many, and which follow in passes.
#include <catch2/catch.hpp>

#include "backends/spirv/grid.h"
#include "backends/spirv/iterations.h"
#include "backends_spirv/kernels.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/verifier.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;
using kernel::Scalar;
using kernel::ValueId;

kernel::Loop from_to(Affine lower, Affine upper) { return {lower, upper}; }
kernel::Loop from_to(int64_t lower, int64_t upper) {
  return from_to(Affine::constant(lower), Affine::constant(upper));
}

Result<GridKernel> grid_of(const kernel::Kernel& kernel, int64_t iterations = 0) {
  Result<GridKernel> made = grid_for(kernel, launch_of(kernel), apart(kernel), iterations);
  if (made.ok()) CHECK(kernel::verify(made->kernel).ok());
  return made;
}

// y[columns * i + j] = x[...], row by row.
kernel::Kernel table(int64_t rows, int64_t columns) {
  XY m(Scalar::kS32, rows * columns);
  m.b.loop(from_to(0, rows), [&](ValueId i) {
    m.b.loop(from_to(0, columns), [&](ValueId j) {
      const Affine at = Affine::of(i, columns).plus(Affine::of(j));
      m.write(at, m.read(at));
    });
  });
  return m.b.finish();
}
// y[i] = y[i - 1] + x[i]: each iteration needs the one before.
kernel::Kernel sums(int64_t count) {
  XY m(Scalar::kS32, count);
  m.b.loop(from_to(1, count), [&](ValueId i) {
    m.write(Affine::of(i), m.b.add(m.b.load(m.y, Affine::of(i, 1, -1)), m.read(Affine::of(i))));
  });
  return m.b.finish();
}
// One sum in a register.
kernel::Kernel total(int64_t count) {
  XY m(Scalar::kS32, count);
  const ValueId zero = m.b.zero({Scalar::kS32, 1});
  const auto sum = m.b.loop(from_to(0, count), kernel::Values{zero},
                            [&](ValueId i, std::span<const ValueId> carried) {
                              return kernel::Values{m.b.add(carried[0], m.read(Affine::of(i)))};
                            });
  m.write(Affine::constant(0), sum[0]);
  return m.b.finish();
}

TEST_CASE("two nested loops become one grid, each invocation one iteration") {
  const GridKernel made = tests::require(grid_of(table(12, 40)));
  CHECK(made.invocations == 480);
  CHECK(made.passes == 1);
  CHECK(most_iterations(made.kernel, made.invocations, {}) == 2);
}

TEST_CASE("a region has at most 1024 invocations") {
  CHECK(tests::require(grid_of(table(1, 5000))).invocations == 1024);
}

TEST_CASE("iterations that need one another stay one invocation's") {
  CHECK(tests::require(grid_of(sums(100))).invocations == 1);
  CHECK(tests::require(grid_of(total(100))).invocations == 1);
}

TEST_CASE("operands that meet elsewhere than in one place are not dealt out") {
  const kernel::Kernel kernel = table(12, 40);
  kernel::Launch launch = launch_of(kernel);
  planning::Plan plan = apart(kernel);
  launch.overlaps = {{1, 0, 0}};
  plan.places[1].offset = plan.places[0].offset;
  CHECK(tests::require(grid_for(kernel, launch, plan, 0)).invocations == 480);
  plan.places[1].offset += 4;
  CHECK(tests::require(grid_for(kernel, launch, plan, 0)).invocations == 1);
}

TEST_CASE("long loops go in passes of half the iterations that the device allows") {
  // Not dealt out: each iteration reads what the one before wrote.
  CHECK(tests::require(grid_of(sums(1000), 2000)).passes == 1);
  CHECK(tests::require(grid_of(sums(1002), 2000)).passes == 2);
  CHECK(tests::require(grid_of(sums(4000), 2000)).passes == 4);
  // The columns are, and each is a loop of that kind.
  XY m(Scalar::kS32, 40 * 4000);
  m.b.loop(40, [&](ValueId j) {
    m.b.loop(from_to(1, 4000), [&](ValueId i) {
      const Affine at = Affine::of(i, 40).plus(Affine::of(j));
      m.write(at, m.b.add(m.b.load(m.y, at.plus(-40)), m.read(at)));
    });
  });
  const GridKernel both = tests::require(grid_of(m.b.finish(), 2010));
  CHECK(both.invocations == 40);
  CHECK(both.passes == 4);
}

TEST_CASE("mapped kernels deal themselves out, where threads are proved not to meet") {
  const GridKernel made = tests::require(grid_of(turned_in_groups()));
  CHECK(made.invocations == 1);
  CHECK(made.passes == 1);
  CHECK(most_iterations(made.kernel, 1, {}) == 0);
  const auto overlapping = grid_of(turned_in_groups(3));
  REQUIRE_FALSE(overlapping.ok());
  CHECK(overlapping.error().kind == DiagnosticKind::kInternal);
  CHECK_THAT(overlapping.error().message,
             Catch::Contains("groups of threads that may meet") && Catch::Contains("uses too"));
  // x in the place of y, and a word beside it.
  const kernel::Kernel kernel = turned_in_groups();
  kernel::Launch launch = launch_of(kernel);
  planning::Plan plan = apart(kernel);
  launch.overlaps = {{1, 0, 0}};
  plan.places[1].offset = plan.places[0].offset;
  CHECK(grid_for(kernel, launch, plan, 0).ok());
  plan.places[1].offset += 4;
  const auto beside = grid_for(kernel, launch, plan, 0);
  REQUIRE_FALSE(beside.ok());
  CHECK_THAT(beside.error().message, Catch::Contains("its operands lie over one another"));
}

TEST_CASE("what no pass makes shorter is refused from the limit on") {
  CHECK(tests::require(grid_of(total(1999), 2000)).passes == 1);
  const auto refused = grid_of(total(2000), 2000);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == DiagnosticKind::kUnsupported);
  CHECK(refused.error().message ==
        "kernel made: one invocation's loops take 2000 iterations, and this device ends them after "
        "2000");
}

TEST_CASE("passes do not repeat what reads between the loops") {
  // y[1 ... n) += y[0]: the sum of x is taken once before.
  const auto made = [](bool in_place, kernel::Direction direction) {
    XY m(Scalar::kS32, 4000);
    const ValueId first = direction == kernel::Direction::kOut ? m.b.load(m.y, Affine::constant(0))
                                                               : m.read(Affine::constant(0));
    m.b.loop(from_to(1, 4000), [&](ValueId i) {
      m.write(Affine::of(i), m.b.add(m.b.load(m.y, Affine::of(i, 1, -1)), first));
    });
    const kernel::Kernel kernel = m.b.finish();
    planning::Plan plan = apart(kernel);
    if (in_place) plan.places[1].offset = plan.places[0].offset;
    return grid_for(kernel, launch_of(kernel), plan, 2000);
  };
  CHECK(tests::require(made(false, kernel::Direction::kIn)).passes == 4);
  CHECK_FALSE(made(true, kernel::Direction::kIn).ok());
  CHECK_FALSE(made(false, kernel::Direction::kOut).ok());
}

TEST_CASE("iterations of loops whose bounds hang on data are not known") {
  XY m(Scalar::kS32);
  const ValueId end = m.b.convert(m.read(Affine::constant(0)), Scalar::kIndex);
  m.b.loop(from_to(Affine::constant(0), Affine::of(end)), [&](ValueId i) {
    m.write(Affine::of(i), m.b.zero({Scalar::kS32, 1}));
  });
  CHECK_FALSE(most_iterations(m.b.finish(), 1, {}).has_value());
  CHECK(most_iterations(table(3, 5), 1, {}) == 18);
}

TEST_CASE("iterations of loops whose bounds are one of two numbers are the larger's") {
  XY m(Scalar::kS32);
  const ValueId pred =
      m.b.compare(kernel::Predicate::kLt, m.read(Affine::constant(0)), m.b.zero({Scalar::kS32, 1}));
  const auto index = [&](int64_t n) { return m.b.constant_int({Scalar::kIndex, 1}, n); };
  const ValueId end = m.b.select(pred, index(7), index(5));
  m.b.loop(from_to(Affine::constant(0), Affine::of(end)), [&](ValueId i) {
    m.write(Affine::of(i), m.b.zero({Scalar::kS32, 1}));
  });
  CHECK(most_iterations(m.b.finish(), 1, {}) == 7);
}

TEST_CASE("two iterations are dealt out") {
  CHECK(tests::require(grid_of(table(2, 1))).invocations == 2);
  CHECK(tests::require(grid_of(table(2, 2))).invocations == 4);
}

// What a loop with a result leaves at `at`: it cannot be cut, nor left to one of several.
void write_with_result(XY& m, const Affine& at) {
  m.b.loop(from_to(0, 3), kernel::Values{m.b.zero({Scalar::kS32, 1})},
           [&](ValueId i, std::span<const ValueId> carried) {
             m.write(at, m.read(Affine::of(i)));
             return kernel::Values{m.b.add(carried[0], carried[0])};
           });
}

TEST_CASE("loops beside what one invocation has to do are dealt out as far as it is not repeated") {
  // 60 rows of 41 elements, of which a loop copies 40; the first is written beside it.
  const auto made = [](bool with_result, bool outside) {
    XY m(Scalar::kS32, 60 * 41);
    const auto beside = [&](const Affine& at) {
      with_result ? write_with_result(m, at) : m.write(at, m.b.zero({Scalar::kS32, 1}));
    };
    if (outside) beside(Affine::constant(0));
    m.b.loop(from_to(0, 60), [&](ValueId i) {
      if (!outside) beside(Affine::of(i, 41));
      m.b.loop(from_to(0, 40), [&](ValueId j) {
        const Affine at = Affine::of(i, 41).plus(Affine::of(j)).plus(1);
        m.write(at, m.read(at));
      });
    });
    return tests::require(grid_of(m.b.finish())).invocations;
  };
  CHECK(made(false, false) == 60);
  CHECK(made(true, false) == 60);
  // Row by row, of which the first invocation writes what stands outside.
  CHECK(made(false, true) == 60);
  CHECK(made(true, true) == 1);
}

TEST_CASE("of two invocations each takes its own share of every pass") {
  // Two columns of sums, each from row to row.
  constexpr int64_t kRows = 4000;
  XY m(Scalar::kS32, 2 * kRows);
  m.b.loop(2, [&](ValueId j) {
    m.b.loop(from_to(1, kRows), [&](ValueId i) {
      const Affine at = Affine::of(i, 2).plus(Affine::of(j));
      m.write(at, m.b.add(m.b.load(m.y, at.plus(-2)), m.read(at)));
    });
  });
  const kernel::Kernel whole = m.b.finish();
  const GridKernel made = tests::require(grid_of(whole, 2010));
  CHECK(made.invocations == 2);
  CHECK(made.passes == 4);
  std::vector<std::byte> x(8 * kRows), wanted(x.size()), got(x.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::byte>(i * 7 % 251);
  const auto run = [&](const kernel::Kernel& kernel, std::vector<std::byte>& y,
                       std::vector<int64_t> integers) {
    const std::span<std::byte> buffers[] = {x, y};
    CHECK(kernel::evaluate(kernel, buffers, integers).ok());
  };
  run(whole, wanted, {});
  for (int64_t pass = 0; pass < made.passes; ++pass)
    for (int64_t invocation = 0; invocation < 2; ++invocation)
      run(made.kernel, got, {invocation, pass});
  CHECK(got == wanted);
}

}  // namespace
}  // namespace hlocc::backends
