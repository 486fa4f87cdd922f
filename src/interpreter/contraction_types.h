// Contractions whose operands and result are of different kinds of types.
#pragma once
#include "interpreter/context.h"

namespace hlocc::interpreter {

bool has_mixed_types(const hlo::Instruction& instruction, Operands operands);
Result<Literal> evaluate_mixed(Context& context, const hlo::Instruction& instruction,
                               Operands operands);

}  // namespace hlocc::interpreter
