// Launches dealt out to threads: which, what becomes of their overlaps and of their scratch, and
// that plan and program still compute the same.
#include "planning/split_launches.h"

#include "costs/threads.h"
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
