// Builds the loop that a RowSchedule describes, in the place of the chain that it computes.
#pragma once
#include "transforms/rewriter.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// The while; what it is given as the entrance (where rows arrive, what stands for the first of
// them); what took the place of the exit.
struct RowLoopIds {
  InstructionId loop, entrance, exit;
};

// `computation` is the one that the schedule was made for; operands may stand behind their users
// afterwards, and what the chain made is without readers (hlo::compact).
RowLoopIds make_row_loop(Module& module, ComputationId computation, const RowSchedule& schedule);

}  // namespace hlocc::transforms
