// Weights that a loop reads in every iteration.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// In the body of a loop that counts its iterations, makes the groups of large constant matrices
// times a few rows serpentine: every other iteration walks the weights backwards, and finds in the
// nearest cache what the last one read at its end. The counter becomes their last input.
void plan_serpentines(const hlo::Computation& body, const Target& target, FusionPlan& plan);

}  // namespace hlocc::transforms
