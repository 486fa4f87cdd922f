// `run` in C: the plan's step tree as one function that calls kernels with addresses.
#pragma once
#include <string>
#include <vector>

#include "backends/c/launched_code.h"
#include "backends/c/line_marks.h"
#include "backends/c/prelude.h"
#include "backends/c/weights_writer.h"
#include "kernel/program.h"
#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

struct RunSite {
  const kernel::Program& program;
  const planning::Plan& plan;
  const Target& target;
  const Weights& weights;
  const LaunchedCode& kernels;
  Prelude& prelude;
  LineMarks& lines;
};

Result<std::string> write_run(const RunSite& site);

}  // namespace hlocc::backends
