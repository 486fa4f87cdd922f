// The parts of verification that know no ops: ids, roots, parameters, names, order, recursion.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

// Names, root, parameter numbers; forms of all instructions; operands before users. Located.
Status check_computation_structure(const hlo::Module& module, const hlo::Computation& computation);

// No computation calls itself, over however many others. Needs called ids in range.
Status check_no_recursion(const hlo::Module& module);

}  // namespace hlocc::ops
