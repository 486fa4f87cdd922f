// What lies in the arena while each step of a finished plan runs: for reports of memory over time,
// and for reports of which values make the peak.
#pragma once
#include <cstdint>
#include <vector>

#include "planning/plan.h"

namespace hlocc::planning {

struct AliveStep {
  const kernel::Step* step = nullptr;  // of the plan: a launch, a copy, a call, never a loop
  int64_t bytes = 0;  // of the arena that values take together; those in place of others count once
};

// The steps from `first` to `last` for which the bytes of a value in the arena (memory 0) are
// needed: those that read or write it, whose scratch it is, and those before others that read it.
struct AliveStretch {
  kernel::ProgramValueId value = 0;
  int first = 0, last = 0;
};

struct Alive {
  // The leaf steps in the order of the plan's tree, each once however often a loop runs it.
  std::vector<AliveStep> steps;
  // By their first step, there the largest values first; a value has several if it is not needed
  // for a while.
  std::vector<AliveStretch> stretches;

  // What is alive at a step, largest first. Looks at all stretches.
  std::vector<kernel::ProgramValueId> values_at(int step, const Plan& plan) const;
};

// `plan` must outlive what is returned.
Alive find_alive(const kernel::Program& program, const Plan& plan, const Target& target);

}  // namespace hlocc::planning
