// What lies in the arena while each step of a finished plan runs: for reports of memory over time,
// and for whoever wants to know which values make the peak.
#pragma once
#include <cstdint>
#include <vector>

#include "planning/plan.h"

namespace hlocc::planning {

struct AliveStep {
  const kernel::Step* step = nullptr;  // of the plan: a launch, a copy, a call, never a loop
  // Values of the plan whose bytes in the arena (memory 0) are needed while the step runs: what it
  // reads and writes, its scratch, and what later steps read. Largest first.
  std::vector<kernel::ProgramValueId> values;
  int64_t bytes = 0;  // of the arena that they take together; values in place of others count once
};

// The leaf steps in the order of the plan's tree, each once however often a loop runs it. `plan`
// must outlive what is returned.
std::vector<AliveStep> alive_steps(const kernel::Program& program, const Plan& plan,
                                   const Target& target);

}  // namespace hlocc::planning
