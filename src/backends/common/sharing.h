// Which buffers of a kernel never share memory with another of the same launch: those may be
// declared `noalias`. Planning lets a result lie where an operand lies, so this depends on the
// plan.
#pragma once
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::backends {

// By kernel, by bound buffer: true where no launch of the plan lets it overlap another operand of
// which one is written.
std::vector<std::vector<bool>> unshared_buffers(const kernel::Program& program,
                                                const planning::Plan& plan);

}  // namespace hlocc::backends
