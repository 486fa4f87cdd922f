// Chains of convolutions on pictures so large that schedules join them: depthwise ones among 1x1
// and dense ones, dense ones in front of pools, with all that networks put between.
#pragma once
#include "fuzz/builder.h"

namespace hlocc::fuzz {

Program random_chain(uint64_t seed);

}  // namespace hlocc::fuzz
