// The value of one instruction whose operands are known: what shape arithmetic is made of. Few
// elements; what a program computes is for the compiler's passes to fold.
#pragma once
#include <optional>
#include <vector>

#include "hlo/module.h"

namespace hlocc::import {

// Nothing for ops, types and sizes that are not evaluated. `reducer`: the plain operation of the
// computation that a reduction calls.
std::optional<hlo::Literal> evaluate(const hlo::Instruction& instruction,
                                     const std::vector<hlo::Literal>& operands,
                                     std::optional<hlo::Opcode> reducer);

}  // namespace hlocc::import
