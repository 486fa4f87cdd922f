// The steps of a plan that take time, numbered: what a report has a row for, and what a profile
// counts.
#pragma once
#include <string>
#include <vector>

#include "planning/plan.h"

namespace hlocc::planning {

// False for the edges of control, and for a copy within one place, which is done only for an
// argument that the caller brings.
bool takes_time(const kernel::Step& step, const Plan& plan);

// In the order of the plan's tree, each once however often a loop runs it.
std::vector<const kernel::Step*> timed_steps(const Plan& plan);

// 16 hexadecimal digits over what the steps are and which HLO instructions they compute: a profile
// is read with the plan whose digits are the same.
std::string steps_hash(const kernel::Program& program, const Plan& plan);

// What a library says of itself to a profile: "acme_kws cortex-m4f -O2 0123456789abcdef".
std::string profile_identity(const kernel::Program& program, const Plan& plan,
                             const Target& target);

}  // namespace hlocc::planning
