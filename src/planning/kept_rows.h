// Of a program whose windows of rows follow one another (kernel/window_spacing.h): what must hold
// from one window to the next, since the steps before the loop over rows do not run again.
#pragma once
#include <vector>

#include "planning/plan.h"
#include "planning/step_values.h"

namespace hlocc::planning {

// In the order of `steps`: the state of the loop over rows, and what its body and the steps behind
// it read that was there before it. Empty where windows begin anew.
std::vector<Id> kept_rows(const kernel::Program& program, const kernel::Steps& steps);

// Rows between the ends of two windows, as the stream's state in the plan says; 0: they are apart.
int64_t window_spacing(const Plan& plan);

}  // namespace hlocc::planning
