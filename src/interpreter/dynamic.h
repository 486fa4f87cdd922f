// Bounded dynamic dimensions. A literal of such a shape has room for the bound and says in
// dynamic_sizes how much of it is meant. Ops are evaluated on the meant part alone, as static
// arrays, and their results put back into the room of their bounds: so no op but those in
// dynamic.cpp knows of dynamic sizes.
#pragma once
#include "interpreter/context.h"

namespace hlocc::interpreter {

// True if any operand has run-time sizes and the op is one that computes with elements.
bool needs_compact_operands(const hlo::Instruction& instruction, Operands operands);

// Evaluates on compact operands and expands the result.
Result<Literal> evaluate_compact(Context& context, const hlo::Instruction& instruction,
                                 Operands operands);

}  // namespace hlocc::interpreter
