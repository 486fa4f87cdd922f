// The one place that turns HLO's metadata into what people read: which of a step's instructions
// stands for the layer, what the model calls it, and the line of the source that asked for it.
#pragma once
#include <string>

#include "hlo/module.h"
#include "kernel/program.h"
#include "lowering/program/group.h"

namespace hlocc::lowering {

// "conv1/add" for the metadata's `jit(f)/conv1/add`; the instruction's own name, as the model has
// it, where the metadata says no more than the op ("jit(f)/add", or nothing).
std::string layer_name(const hlo::Instruction& instruction);

// The layer of a group is its largest contraction; else the loop op, else what it stores.
hlo::InstructionId layer_instruction(const Group& group);

// Where the metadata has no line, `text_file` is that of the instruction's line in HLO text; empty:
// none is wanted.
kernel::Origin origin_of(const hlo::Module& module, const hlo::Instruction& instruction,
                         const std::string& text_file);
// Of a step at the border that the caller's leaf asks for, and no instruction.
kernel::Origin origin_of(const kernel::Leaf& leaf, const std::string& name);
// Where the layer's instruction has no line, that of the nearest one of the group that has.
kernel::Origin origin_of(const Group& group, const std::string& text_file);

}  // namespace hlocc::lowering
