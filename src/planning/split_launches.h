// Deals the work of launches out to threads, for `--threads N`: a launch that is worth it becomes
// one of N ranges of its kernel. What is worth it is a question to costs/threads.h; a kernel whose
// ranges are not proved to be apart stays on one thread.
#pragma once
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::planning {

// Does nothing with fewer than two threads. Kernels that are launched in ranges are added to the
// program; the others stay as they are, ids included.
void split_launches(kernel::Program& program, const Target& target);

}  // namespace hlocc::planning
