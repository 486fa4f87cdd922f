// Groups of convolutions that run by blocks of rows: a depthwise one between 1x1 ones, or one in
// front of a pool.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// Makes one group (Schedule::kRowTiles) of those of a depthwise convolution and the 1x1 that reads
// its result, and of the 1x1 whose result it reads, where no other reads what they hand on and
// where it pays. The same for a convolution and the pool that reads it.
void plan_row_tiles(const hlo::Computation& computation, const Target& target, FusionPlan& plan);

}  // namespace hlocc::transforms
