// What a library's run is beside kernels: launches in ranges, devices' queues, what devices get.
#include "backends/cpu/compile.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends/llvm/generic_target.h"
#include "kernel/legalize/legalize.h"
#include "planning/programs.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using planning::Plan;
using tests::require;

// y[i] = 2 * x[i]: a kernel that is told which range it computes.
Program in_ranges(int ranges) {
  planning::ProgramMaker m;
  const auto x = m.argument(8), y = m.value(8);
  Builder b("double");
  const BufferId from = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 8});
  const BufferId to =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 8, .direction = Direction::kOut});
  if (ranges > 1) (void)b.parameter();
  b.loop(8, [&](ValueId i) {
    const ValueId read = b.load(from, Affine::of(i));
    b.store(to, Affine::of(i), b.add(read, read));
  });
  m.program.kernels.push_back(b.finish());
  Launch launch{.kernel = static_cast<KernelId>(m.program.kernels.size()) - 1, .operands = {x, y}};
  launch.ranges = ranges;
  m.program.steps.push_back({std::move(launch), {}});
  m.result(y);
  m.program.signature.prefix = "net_";
  return m.program;
}

struct Made {
  Artifacts artifacts;
  std::string text;
};
Made made_of(
    Program program, const std::function<void(Plan&)>& change = [](Plan&) {}) {
  const Target target = require(complete_target(*preset("cortex-m4f")));
  REQUIRE(legalize(program, target));
  Plan plan = require(planning::plan(program, target));
  change(plan);
  Made made{require(compile(program, plan, target, {{ArtifactKind::kLlvmIr}})), ""};
  const auto bytes = made.artifacts.files.at(ArtifactKind::kLlvmIr).joined();
  made.text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return made;
}

TEST_CASE("ranges are handed to the threads' hook, whose stack is not known") {
  for (const int ranges : {1, 2, 3}) {
    const Made made = made_of(in_ranges(ranges));
    CHECK((made.text.find("hlocc_parallel_for") != std::string::npos) == (ranges > 1));
    CHECK(made.artifacts.stack_is_lower_bound == (ranges > 1));
  }
}

TEST_CASE("nor is what a driver of a device takes") {
  const Made made = made_of(in_ranges(1), [](Plan& plan) { plan.steps.push_back({Wait{0}, {}}); });
  CHECK(made.text.find("hlocc_device_wait") != std::string::npos);
  CHECK(made.artifacts.stack_is_lower_bound);
}

TEST_CASE("a part that a device has by itself takes no place in the library") {
  const Made made = made_of(in_ranges(1), [](Plan& plan) {
    plan.device_data = {{"net_part_0", {}}, {"net_part_1", {7, 8}}};
  });
  CHECK(made.text.find("@net_part_0") == std::string::npos);
  CHECK(made.text.find("@net_part_1 = ") != std::string::npos);
}

struct Debugged {
  std::string ir, assembly;
};
// Of a program whose kernel is used `uses` times.
Debugged debugged(const char* chip, int uses, bool debug, Level level = Level::kO2) {
  planning::ProgramMaker m;
  auto x = m.argument(40);
  for (int n = 0; n < uses; ++n) x = m.scale(x);
  m.result(x);
  m.program.signature.prefix = "net_";
  int line = 30;
  for (Step& step : m.program.steps)
    step.origin = {.layer = "layer", .source = {{"inner.py", "f", ++line}, {"outer.py", "g", 7}}};
  Target target = require(complete_target(*preset(chip)));
  target.options.debug = debug;
  target.options.level = level;
  REQUIRE(legalize(m.program, target));
  const Plan plan = require(planning::plan(m.program, target));
  const Artifacts made =
      require(compile(m.program, plan, target, {{ArtifactKind::kLlvmIr, ArtifactKind::kAssembly}}));
  const auto text = [&](ArtifactKind kind) {
    const auto bytes = made.files.at(kind).joined();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  return {text(ArtifactKind::kLlvmIr), text(ArtifactKind::kAssembly)};
}

TEST_CASE("debuggers are told of layers, of who shares a kernel, and of frames") {
  for (const char* chip : {"cortex-m4f", "rv32imc", "cortex-a53"})
    for (const int uses : {1, 2, 3}) {
      INFO(chip << " " << uses);
      const Debugged made = debugged(chip, uses, true);
      CHECK((made.ir.find(cat("[shared by ", uses, " layers]")) != std::string::npos) ==
            (uses > 1));
      CHECK(made.ir.find("[shared by 1 ") == std::string::npos);
      for (const char* name : {"\"layer\"", "\"g\"", "outer.py", "inner.py"})
        CHECK(made.ir.find(name) != std::string::npos);
      CHECK(made.assembly.find(".cfi_def_cfa_offset") != std::string::npos);
      const Debugged plain = debugged(chip, uses, false);
      CHECK(plain.ir.find("shared by") == std::string::npos);
      CHECK(plain.assembly.find(".cfi_") == std::string::npos);
    }
}

TEST_CASE("a firmware's assembly says nothing of stacks") {
  for (const char* chip : {"cortex-m4f", "riscv64-linux"})
    CHECK((debugged(chip, 1, false).assembly.find("GNU-stack") == std::string::npos) ==
          preset(chip)->bare_metal);
}

TEST_CASE("at -O0 nothing is optimised") {
  const std::string none = debugged("cortex-m4f", 2, false, Level::kO0).ir,
                    all = debugged("cortex-m4f", 2, false, Level::kO2).ir;
  CHECK(std::ranges::count(none, '\n') > std::ranges::count(all, '\n'));
}

}  // namespace
}  // namespace hlocc::backends
