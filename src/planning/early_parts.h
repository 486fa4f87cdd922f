// Puts what takes a part of a value right behind the step that makes the value.
#pragma once
#include "kernel/program.h"
#include "planning/step_values.h"

namespace hlocc::planning {

kernel::Steps with_early_parts(kernel::Steps steps, const std::vector<kernel::Kernel>& kernels);

}  // namespace hlocc::planning
