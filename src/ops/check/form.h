// The form of an instruction, as its row of opcodes.def states it: number of operands and called
// computations, which attribute struct it holds, ids that exist. Every rule of inference may rely
// on it.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

// Ids, counts and attribute struct. The diagnostic is not located yet.
Status check_form(const hlo::Module& module, const hlo::Computation& computation,
                  const hlo::Instruction& instruction);

// True if the variant holds the struct that the row names.
bool holds_own_attributes(const hlo::Instruction& instruction);

}  // namespace hlocc::ops
