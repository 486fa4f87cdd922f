// A kernel on a grid: its outermost loops, and those inside of them, dealt out to invocations, as
// far as it is proved that invocations do not meet (kernel/ranges/prove_ranges.h). What cannot be
// dealt out stays one invocation's, in passes that follow one another where its loops take more
// iterations than a device allows.
#pragma once
#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::backends {

struct GridKernel {
  kernel::Kernel kernel;
  int64_t invocations = 1;  // more than one: of which the first parameter is the number
  // More than one: the first parameter behind that is the number of the pass. Passes run one after
  // the other.
  int64_t passes = 1;
};

// `iterations`: as many as an invocation may take; 0: any number. kUnsupported where the kernel
// needs more.
Result<GridKernel> grid_for(const kernel::Kernel& kernel, const kernel::Launch& launch,
                            const planning::Plan& plan, int64_t iterations);

}  // namespace hlocc::backends
