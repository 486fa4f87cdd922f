// What the pool of constants holds, by element type: whether weights are as small as the model has
// them.
#pragma once
#include <map>
#include <string>

#include "planning/plan.h"

namespace hlocc::planning {

// Bytes by the text of the type (integers of four bits that lie two to a byte under their own);
// constants that share a place count once, and gaps between them not at all.
std::map<std::string, int64_t> constants_by_type(const Plan& plan);

}  // namespace hlocc::planning
