// Ops that combine elements, on operands of run-time size; see dynamic_reductions.cpp.
#pragma once
#include "transforms/dynamic/dynamic_sizes.h"

namespace hlocc::transforms {

// What the instruction becomes on arrays of the bounds, its sizes noted; kNone if it is no such op
// or can't be served.
InstructionId resolve_reduction(Rewriter& r, SizeMap& sizes, const Instruction& instruction);

}  // namespace hlocc::transforms
