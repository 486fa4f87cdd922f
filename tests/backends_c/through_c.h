// A program of one kernel, each buffer of which is an argument or a result, through C and this
// machine's compiler.
#pragma once
#include "backends/c/compile.h"
#include "backends/c/vector_values.h"
#include "driver/pipeline/targets.h"
#include "driver/run/compiled_c.h"
#include "kernel/legalize/legalize.h"
#include "planning/interface.h"
#include "planning/plan.h"
#include "support/require.h"

namespace hlocc::driver {

// This machine without vectors.
inline Target scalar_row() {
  CommandLine line;
  line.backend = "c";
  Target target = tests::require(resolve_target("host", line));
  target.vector_bits = 0;
  target.isa = {};
  return target;
}

// One more kernel at a program's end. Bound buffers in their order: those that the kernel reads
// are arguments.
inline void add_kernel(kernel::Program& program, kernel::Kernel kernel) {
  kernel::Launch launch{.kernel = static_cast<int>(program.kernels.size())};
  for (int i = 0; i < kernel.bound_buffers(); ++i) {
    const kernel::Buffer& buffer = kernel.buffers[static_cast<size_t>(i)];
    kernel::ProgramValue value{
        .name = buffer.name, .element = buffer.element, .elements = buffer.elements};
    const bool reads = buffer.direction == kernel::Direction::kIn;
    auto& ids = reads ? program.arguments : program.results;
    auto& leaves = reads ? program.signature.arguments : program.signature.results;
    if (reads) {
      value.role = kernel::ValueRole::kArgument;
      value.leaf = static_cast<int>(ids.size());
    }
    leaves.push_back(
        {.index = static_cast<int>(ids.size()),
         .shape = hlo::Shape::array(kernel::hlo_type_of(buffer.element), {buffer.elements})});
    const auto id = static_cast<kernel::ProgramValueId>(program.values.size());
    ids.push_back(id);
    launch.operands.push_back(id);
    program.values.push_back(std::move(value));
  }
  program.steps.push_back({std::move(launch)});
  program.kernels.push_back(std::move(kernel));
}

inline kernel::Program program_of(kernel::Kernel kernel) {
  kernel::Program program;
  add_kernel(program, std::move(kernel));
  program.signature.prefix = "net_";
  program.signature.macro_prefix = "NET_";
  program.signature.class_name = "Net";
  program.signature.stem = "net";
  return program;
}

struct ThroughC {
  std::string text;
  std::vector<std::vector<std::byte>> results;
};

inline Planned planned_for(const kernel::Program& program, const Target& target) {
  Planned planned{program, {}};
  REQUIRE(kernel::legalize(planned.program, target).ok());
  planned.plan = tests::require(planning::plan(planned.program, target));
  return planned;
}

inline std::string c_text(const Planned& planned, const Target& target) {
  const Artifacts made = tests::require(
      backends::compile_to_c(planned.program, planned.plan, target, {ArtifactKind::kCSource}));
  const auto bytes = made.files.at(ArtifactKind::kCSource).joined();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline ThroughC through_c(const kernel::Program& program, const Target& target,
                          std::span<const std::vector<std::byte>> arguments) {
  using tests::require;
  const Planned planned = planned_for(program, target);
  ThroughC out{c_text(planned, target), {}};
  const auto loaded = require(
      backends::load_program(require(load_library(require(compile_library(planned, target)))),
                             planning::run_symbol(planned.program.signature, planned.plan, target),
                             planned.program, planned.plan));
  out.results = require(loaded->run(arguments));
  return out;
}

}  // namespace hlocc::driver
