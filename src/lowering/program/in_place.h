// Which operands of a group may share memory with its results.
#pragma once
#include <set>

#include "lowering/program/group.h"

namespace hlocc::lowering {

// Pairs (root, external): the external's element at an index is read just before the root's element
// there is written, and nowhere else, and is at least as wide.
//
// `read_first`: externals whose use by a product does not count, because all of it is read before
// anything is written.
std::vector<std::pair<int, hlo::InstructionId>> in_place_pairs(
    const Group& group, const std::set<hlo::InstructionId>& read_first = {});

}  // namespace hlocc::lowering
