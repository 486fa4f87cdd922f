// How much of a module runs somewhere, in instructions: what `verify` and `inspect` show.
#pragma once
#include "hlo/module.h"

namespace hlocc::device {

// False for what only names values: parameters, constants, tuples and their elements.
bool is_computation(hlo::Opcode opcode);
// Of the entry and of all that it calls, each computation once.
int64_t count_ops(const hlo::Module& module);

}  // namespace hlocc::device
