// Groups of Schedule::kGates (transforms/fusion/fuse_gates.cpp): cells of recurrent networks.
#pragma once
#include <set>

#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

bool is_gate_group(const Group& group);

// One loop over the columns of a gate. A tile sums up the same columns of all gates, for each
// product in turn, and computes the results from the sums:
//   sums[gate][column] = sum over k of x[k] W[k][gate * H + column]
// Known weights are packed so that a tile reads them from start to end.
void schedule_gates(Emitter& emitter);

// What the kernel copies before it writes anything: left sides with the dimensions of the results,
// which may so lie where they do. Empty for other groups.
std::set<hlo::InstructionId> kept_operands(const Group& group);

}  // namespace hlocc::lowering
