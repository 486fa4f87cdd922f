// Cells of recurrent networks: the gates stand behind the products that feed them.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// Joins products [R, n H] to the group that takes them apart into n gates [R, H] and combines
// those:
//   s = x W + h U + b;  i, f, g, o = slices of s;  c' = sigma(f) c + sigma(i) tanh(g);  h' =
//   sigma(o) tanh(c')
// becomes one group (Schedule::kGates) with two products and two results.
void plan_gates(const hlo::Computation& computation, FusionPlan& plan);

}  // namespace hlocc::transforms
