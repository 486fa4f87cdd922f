// Which operands of a group may share memory with its results.
#pragma once
#include "lowering/group.h"

namespace hlocc::lowering {

// Pairs (root, external): the external's element at an index is read just before the root's element there is written, and
// nowhere else, and is at least as wide.
std::vector<std::pair<int, hlo::InstructionId>> in_place_pairs(const Group& group);

}  // namespace hlocc::lowering
