// Plans by hand for tests of what becomes of a run: every value lies apart from the others.
#pragma once
#include "backends/common/run_plan.h"
#include "planning/programs.h"

namespace hlocc::backends {

// 64 bytes from one value to the next one in its region, that of its role.
inline planning::Plan plan_apart(const kernel::Program& program) {
  using kernel::ValueRole, planning::Region;
  planning::Plan plan;
  plan.values = program.values;
  plan.steps = program.steps;
  for (const kernel::ProgramValue& value : program.values) {
    const bool is_constant = value.role == ValueRole::kConstant;
    const bool is_state = value.role == ValueRole::kState;
    int64_t& end = is_constant ? plan.constant_bytes
                   : is_state  ? plan.state_bytes
                               : plan.arena_bytes;
    plan.places.push_back({is_constant ? Region::kConstant
                           : is_state  ? Region::kState
                                       : Region::kArena,
                           end, value.bytes()});
    end += 64;
  }
  for (const kernel::ProgramValueId argument : program.arguments)
    plan.argument_places.push_back(plan.places[static_cast<size_t>(argument)]);
  return plan;
}

}  // namespace hlocc::backends
