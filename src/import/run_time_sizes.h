// set-dimension-size in files whose shapes don't say which dimensions are dynamic: older text and
// protos write s32[5] where newer ones write s32[<=5]. The size counts all the same.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::import {

// Marks the dimension as dynamic, and whatever follows from it; what leaves the entry keeps its
// stated shape.
Status settle_run_time_sizes(hlo::Module& module);

}  // namespace hlocc::import
