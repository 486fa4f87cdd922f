// The module's border: layouts of entry parameters and result, and donations between them.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

// Needs a sound structure. The diagnostic is located.
Status check_entry(const hlo::Module& module);

}  // namespace hlocc::ops
