// How often a computation is executed in a run: what a decision that is paid for once, as bytes of
// weights are, has to be set against.
#pragma once
#include "hlo/module.h"

namespace hlocc::costs {

// With every branch taken, and loops whose condition compares with no known number run once.
double executions(const hlo::Module& module, const hlo::Computation& computation);

}  // namespace hlocc::costs
