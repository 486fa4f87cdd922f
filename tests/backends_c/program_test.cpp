// Whole programs of random steps through C and this machine's compiler: the evaluator's results,
// twice, so that state is seen to stay.
#include "driver/compiled_c.h"
#include "driver/host_compiler.h"
#include "driver/targets.h"
#include "kernel/legalize/legalize.h"
#include "planning/interface.h"
#include "planning/random_programs.h"
#include "support/require.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using planning::bytes_of;
using tests::require;

TEST_CASE("random programs compute what the evaluator computes") {
  if (host_compiler().empty()) return;
  CommandLine line;
  line.backend = "c";
  line.options.level = Level::kO1;
  const Target target = require(resolve_target("host", line));
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const Program program = planning::Generator(seed).run();
    Planned planned{program, {}};
    planned.program.signature.prefix = "net_";
    planned.program.signature.macro_prefix = "NET_";
    planned.program.signature.class_name = "Net";
    planned.program.signature.stem = "net";
    REQUIRE(kernel::legalize(planned.program, target).ok());
    planned.plan = require(planning::plan(planned.program, target));
    const auto loaded = require(backends::load_program(
        require(load_library(require(compile_library(planned, target)))),
        planning::run_symbol(planned.program.signature, planned.plan, target), planned.program,
        planned.plan));
    std::vector<std::vector<std::byte>> arguments;
    for (const ProgramValueId id : program.arguments) {
      std::vector<int32_t> values(static_cast<size_t>(program.values[id].elements));
      for (int32_t& value : values) value = static_cast<int32_t>(seed) - 7;
      arguments.push_back(bytes_of(values));
    }
    CHECK(require(loaded->run(arguments)) == require(kernel::evaluate(program, arguments)));
    CHECK(require(loaded->run(arguments)) == require(kernel::evaluate(program, arguments)));
  }
}

}  // namespace
}  // namespace hlocc::driver
