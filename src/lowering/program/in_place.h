// Which operands of a group may share memory with its results.
#pragma once
#include <optional>
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

// The external of a group that is slice(external), or concatenate(slice(external), new ones) as
// large as the external, where the slice is a run of neighbours: each is read ahead of where it is
// written.
std::optional<hlo::InstructionId> moved_in_place(const Group& group);

// True of a slice of an array of shape `from` whose elements are neighbours in memory.
bool is_run(const hlo::Shape& from, const hlo::Instruction& slice);

}  // namespace hlocc::lowering
