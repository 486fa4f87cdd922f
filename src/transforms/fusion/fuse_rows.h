// Groups that work row by row: soft-max, layer normalisation and their kind.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// Adds the row groups of the computation to the plan (Schedule::kRows). A row group lives in an
// array of some dimensions, of which reductions take away the trailing ones: all its members are
// elementwise ops and broadcasts of these dimensions, reductions of them, elementwise ops on what
// is left, and broadcasts of that back to the whole row. Only its root is used outside.
void plan_rows(const hlo::Computation& computation, const hlo::Module& module, const Target& target,
               const std::vector<std::vector<hlo::InstructionId>>& users, FusionPlan& plan);

}  // namespace hlocc::transforms
