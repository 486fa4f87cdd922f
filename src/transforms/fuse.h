// Fusion: groups of instructions that become one kernel each.
#pragma once
#include "hlo/module.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::transforms {

Status fuse(hlo::Module& module, const Target& target, const Decisions& decisions);

}  // namespace hlocc::transforms
