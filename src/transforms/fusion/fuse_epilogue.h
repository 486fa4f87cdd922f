// What a contraction that does not join its users' group takes from it: the first elementwise
// instructions behind it, computed on sums while they are in registers.
#pragma once
#include "transforms/fusion/fuse_groups.h"

namespace hlocc::transforms {

// Makes a group of the contraction `id`, all of whose users are in group `from`, and moves there
// what follows it: all up to the smallest elements that a chain of elementwise instructions makes,
// so that a quantised result goes through memory as bytes and who reads it widens it; or, where
// none are smaller than the sums, instructions as long as they are short and make no wider values
// (a bias is added in registers). What else they read moves along if it has no other reader.
void split_epilogue(const hlo::Computation& computation,
                    const std::vector<std::vector<hlo::InstructionId>>& users,
                    hlo::InstructionId id, int from, FusionPlan& plan);

// A conversion of small integers, pred or bf16 to larger elements that is not worth memory: its
// readers read the smaller ones and convert them.
bool is_cheap_widening(const hlo::Computation& computation, hlo::InstructionId id,
                       const Target& target);

}  // namespace hlocc::transforms
