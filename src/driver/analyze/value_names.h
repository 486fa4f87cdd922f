// What reports call the values that lie in the arena: an argument by its name in the header, what a
// step makes by the layer that makes it.
#pragma once
#include <string>
#include <vector>

#include "planning/plan.h"

namespace hlocc::driver {

// By id. "conv1/add", "frame", "conv1/add (scratch left)".
std::vector<std::string> value_names(const kernel::Program& program, const planning::Plan& plan);

}  // namespace hlocc::driver
