// Ops that bring elements to places, on operands of run-time size; see dynamic_positions.cpp.
#pragma once
#include "transforms/dynamic/dynamic_sizes.h"

namespace hlocc::transforms {

// As resolve_reduction (dynamic_reductions.h), for sorts, gathers, scatters and slices at run-time
// positions.
InstructionId resolve_positions(Rewriter& r, SizeMap& sizes, const Instruction& instruction);

}  // namespace hlocc::transforms
