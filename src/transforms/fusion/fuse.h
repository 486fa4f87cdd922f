// Fusion: groups of instructions that become one kernel each.
#pragma once
#include "transforms/pass.h"

namespace hlocc::transforms {

Status fuse(hlo::Module& module, const PassContext& context);

}  // namespace hlocc::transforms
