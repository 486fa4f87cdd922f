// The canonical forms of the two contractions; see canonicalize_contractions.cpp.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// What stands for a dot or convolution, kNone if it is canonical already.
InstructionId canonical_dot(Rewriter& rewriter, const Instruction& dot);
InstructionId canonical_convolution(Rewriter& rewriter, const Instruction& convolution);

// True for a constant seen through views and converts: its transposes and reversals cost nothing at
// run time.
bool is_constant_view(const Rewriter& rewriter, InstructionId id);

}  // namespace hlocc::transforms
