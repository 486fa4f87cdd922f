// Pools whose one window is the whole image are reductions, which loops over rows add up row by
// row.
#pragma once
#include "hlo/module.h"

namespace hlocc::transforms {

// Replaces those of this computation whose rows may be taken one after the other (reduces_rows), in
// the same order of elements. Operands may stand behind their users afterwards (hlo::compact).
// True if there are any.
bool reduce_global_pools(hlo::Module& module, hlo::ComputationId computation);

}  // namespace hlocc::transforms
