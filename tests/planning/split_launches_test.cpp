// Launches dealt out to threads: which, what becomes of their overlaps and of their scratch, and
// that plan and program still compute the same.
#include "planning/split_launches.h"

#include "costs/threads.h"
#include "kernel/ranges/split_kernel.h"
#include "programs.h"

namespace hlocc::planning {
namespace {

Target with_threads(int threads, const char* name = "cortex-a53") {
  Target target = *preset(name);
  target.options.threads = threads;
  return target;
}

const Launch& launch_at(const Program& program, size_t n) {
  return std::get<Launch>(program.steps[n].what);
}

constexpr int64_t kLarge = 20000, kSmall = 100;

// A launch of one kernel, which `fill` makes of x and y, each of so many elements.
Program of_kernel(int64_t n, const std::function<void(Builder&, BufferId, BufferId)>& fill) {
  ProgramMaker m;
  Builder b("k");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = n}),
                 y = b.buffer({.name = "y",
                               .element = Scalar::kS32,
                               .elements = n,
                               .direction = Direction::kOut});
  fill(b, x, y);
  m.program.kernels.push_back(b.finish());
  m.result(m.launch({.kernel = 0, .operands = {m.argument(n), m.value(n)}}));
  return m.program;
}

// Loops one inside the other of these lengths, each of which steps so far in y.
struct NestedLoop {
  int64_t length, step;
};
Program nested(const std::vector<NestedLoop>& loops) {
  int64_t n = 1;
  for (const NestedLoop& loop : loops) n *= loop.length;
  return of_kernel(n, [&](Builder& b, BufferId x, BufferId y) {
    const std::function<void(size_t, const Affine&)> inside = [&](size_t depth, const Affine& at) {
      if (depth == loops.size()) return b.store(y, at, b.load(x, at));
      b.loop(loops[depth].length,
             [&](ValueId i) { inside(depth + 1, at.plus(Affine::of(i, loops[depth].step))); });
    };
    inside(0, Affine::constant(0));
  });
}

// Which loop two ranges split, from the outermost inwards; -1: none.
int split_depth(const Program& before, const char* chip = "cortex-a53") {
  Program after = before;
  split_launches(after, with_threads(2, chip));
  if (launch_at(after, 0).ranges == 1) return -1;
  Kernel made = after.kernels.back();
  made.name = before.kernels[0].name;
  const std::vector<SplitSite> sites = split_sites(before.kernels[0]);
  for (size_t depth = 0; depth < sites.size(); ++depth)
    if (to_text(split_kernel(before.kernels[0], sites[depth], 2)->kernel) == to_text(made))
      return static_cast<int>(depth);
  FAIL("split elsewhere");
  return -1;
}

}  // namespace

TEST_CASE("launches that are worth it are dealt out") {
  ProgramMaker m;
  const Id x = m.argument(kLarge), few = m.argument(kSmall);
  m.result(m.scale(x));
  m.result(m.scale(few));
  m.result(m.stir(x, kLarge));
  const std::string before = to_text(m.program);
  split_launches(m.program, with_threads(1));
  CHECK(to_text(m.program) == before);
  const Target target = with_threads(3);
  split_launches(m.program, target);
  CHECK(launch_at(m.program, 0).ranges == 3);
  CHECK(launch_at(m.program, 0).overlaps.size() == 1);
  CHECK(launch_at(m.program, 1).ranges == 1);
  CHECK(launch_at(m.program, 2).ranges == 3);
  checked(m.program, target);
}

TEST_CASE("one kernel is in ranges once, and whole where a launch is small") {
  ProgramMaker m;
  const Id x = m.argument(kLarge);
  m.result(m.scale(m.scale(x)));
  const size_t kernels = m.program.kernels.size();
  split_launches(m.program, with_threads(2));
  CHECK(m.program.kernels.size() == kernels + 1);
  CHECK(launch_at(m.program, 0).kernel == launch_at(m.program, 1).kernel);
  checked(m.program, with_threads(2));
}

TEST_CASE("results of ranges lie in the very place of an operand, or apart") {
  ProgramMaker m;
  const Id x = m.argument(kLarge);
  m.result(m.pad(m.scale(x), 3));
  split_launches(m.program, with_threads(2));
  CHECK(launch_at(m.program, 0).overlaps.size() == 1);
  CHECK(launch_at(m.program, 1).ranges == 2);
  CHECK(launch_at(m.program, 1).overlaps.empty());
  const Plan plan = checked(m.program, with_threads(2));
  CHECK(plan.arena_bytes >= 4 * (2 * kLarge + 3));

  // The validator knows: 16 bytes before the operand would do for one thread.
  ProgramMaker one;
  const Id y = one.argument(kLarge);
  const Id scaled = one.scale(one.stir(y, kLarge));
  one.result(scaled);
  for (const int threads : {1, 2}) {
    Program program = one.program;
    split_launches(program, with_threads(threads));
    Plan moved = planned(program, with_threads(threads));
    const Id from = std::get<Launch>(moved.steps.back().what).operands[0];
    const Id to = std::get<Launch>(moved.steps.back().what).operands[1];
    moved.arena_bytes += 16;
    moved.places[static_cast<size_t>(to)].offset = moved.places[static_cast<size_t>(from)].offset;
    moved.result_places[0] = moved.places[static_cast<size_t>(to)];
    CHECK(validate(program, moved).ok());
    moved.places[static_cast<size_t>(from)].offset += 16;
    const Status status = validate(program, moved);
    INFO(to_text(moved) << (status.ok() ? "" : status.error().message));
    CHECK(status.ok() == (threads == 1));
  }
}

TEST_CASE("scratch in the arena is there for each range") {
  ProgramMaker m;
  m.result(m.reverse(m.argument(kLarge)));
  Program alone = m.program;
  const Target target = with_threads(2);
  split_launches(m.program, target);
  CHECK(launch_at(m.program, 0).ranges == 2);
  // Each range goes through all of the operand before it writes: no place for the result there.
  CHECK(launch_at(m.program, 0).overlaps.empty());
  const Plan one = checked(alone, target), two = checked(m.program, target);
  CHECK(two.arena_bytes >= one.arena_bytes + 4 * kLarge);
}

TEST_CASE("the loop is split whose ranges are short and lie apart") {
  // Halves of each column lie among each other: of few columns the outer loop all the same.
  CHECK(split_depth(nested({{200, 1}, {100, 200}})) == 0);
  CHECK(split_depth(nested({{100, 1}, {200, 100}})) == 1);
  CHECK(split_depth(nested({{100, 1}, {200, 100}}), "cortex-m4f") == 0);
  // The second would be better without what it fetches, the third has too far a way inside.
  CHECK(split_depth(nested({{10, 10}, {10, 1}, {200, 100}})) == 0);
  // All iterations of the outer one write the same.
  CHECK(split_depth(nested({{100, 0}, {200, 1}})) == 1);
}

TEST_CASE("launches whose ranges would fetch more than they save stay whole") {
  // A running sum of each row, laid out by columns.
  constexpr int64_t kRows = 4, kColumns = 4000;
  const Program program = of_kernel(kRows * kColumns, [](Builder& b, BufferId x, BufferId y) {
    b.loop(kRows, [&](ValueId i) {
      b.loop(kernel::Loop{.upper = Affine::constant(kColumns)},
             {b.constant_int({Scalar::kS32, 1}, 0)}, [&](ValueId j, std::span<const ValueId> sum) {
               const Affine at = Affine::of(i).plus(Affine::of(j, kRows));
               const ValueId next = b.add(sum[0], b.load(x, at));
               b.store(y, at, next);
               return Values{next};
             });
    });
  });
  CHECK(split_depth(program) == -1);
  CHECK(split_depth(program, "cortex-m4f") == 0);
}

TEST_CASE("kernels that hand a value from one loop to the next stay whole") {
  const Program program = of_kernel(kLarge, [](Builder& b, BufferId x, BufferId y) {
    const Values sum =
        b.loop(kernel::Loop{.upper = Affine::constant(4)}, {b.constant_int({Scalar::kS32, 1}, 0)},
               [&](ValueId i, std::span<const ValueId> before) {
                 b.store(y, Affine::of(i), before[0]);
                 return Values{b.add(before[0], b.load(x, Affine::of(i)))};
               });
    b.loop(kLarge - 4, [&](ValueId i) { b.store(y, Affine::of(i, 1, 4), sum[0]); });
  });
  CHECK(split_depth(program) == -1);
}

TEST_CASE("of ranges that are proved in place only overlaps of no bytes stay") {
  ProgramMaker m;
  const Id x = m.argument(kLarge);
  m.result(m.combine(x, m.argument(kLarge)));
  std::get<Launch>(m.program.steps[0].what).overlaps[1].bytes = 4;
  split_launches(m.program, with_threads(2));
  REQUIRE(launch_at(m.program, 0).ranges == 2);
  REQUIRE(launch_at(m.program, 0).overlaps.size() == 1);
  CHECK(launch_at(m.program, 0).overlaps[0].operand == 0);
}

TEST_CASE("what a start costs is weighed against what is won") {
  const Target target = with_threads(2);
  const double start = costs::cycles_to_start_threads(target);
  CHECK(start > 0);
  CHECK(costs::ranges_pay(10 * start, 5 * start, target));
  CHECK(!costs::ranges_pay(1.5 * start, 0.75 * start, target));
  CHECK(!costs::ranges_pay(100 * start, 95 * start, target));
  for (const char* name : {"cortex-m4f", "cortex-m0", "rv32imc", "cortex-a53", "x86_64-linux"})
    CHECK(costs::cycles_to_start_threads(*preset(name)) > 0);
}

}  // namespace hlocc::planning
