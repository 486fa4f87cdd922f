// Which updates change an array that lies in one place for the whole run: a donated argument that
// becomes the result which has its place, or an element that a loop carries from iteration to
// iteration. Planning does such updates without a copy.
#pragma once
#include <functional>
#include <set>

#include "hlo/module.h"

namespace hlocc::transforms {

// What an instruction is about to become an update of; kNone to see it as it is.
using BaseOf = std::function<hlo::InstructionId(hlo::InstructionId)>;

// The bodies of loops whose state is a tuple that is only taken apart.
std::set<hlo::ComputationId> loop_bodies(const hlo::Module& module);

// Way from a result of the computation over updates back to the argument or element whose place it
// has, both included; one for each that has such a way.
using StateLine = std::vector<hlo::InstructionId>;
std::vector<StateLine> state_lines(const hlo::Module& module, hlo::ComputationId id,
                                   bool is_loop_body, const BaseOf& base_of = {});

// What lies in such a place, or in that of an element that a loop hands on unchanged: to read it
// for longer takes no memory.
std::set<hlo::InstructionId> values_in_state(const hlo::Module& module, hlo::ComputationId id);

}  // namespace hlocc::transforms
