// Groups with several results: kernels that read the same arrays, or each other's results, in one
// pass.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// Joins groups of the plan that walk the same index space:
//   siblings:  c' = f(gates, c); m = g(gates)          one pass over the gates instead of two
//   mean and mean of squares: reductions of one array along the same dimensions
//   a producer and its user, where others use it too:  x = conv(..) + b; y = max(x, 0); z = y + x
// The groups that come of it have several results, or one if all users of the others have joined.
void join_groups(const hlo::Computation& computation, const hlo::Module& module,
                 const Target& target, FusionPlan& plan);

}  // namespace hlocc::transforms
