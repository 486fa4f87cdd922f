// The canonical forms of the two contractions; see canonicalize_contractions.cpp.
#pragma once
#include "target/target.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// What stands for a dot or convolution, kNone if it is canonical already.
InstructionId canonical_dot(Rewriter& rewriter, const Instruction& dot, const Target& target);
InstructionId canonical_convolution(Rewriter& rewriter, const Instruction& convolution);
// What stands for a convolution without company that does better with its channels first; kNone for
// all others.
InstructionId channels_first_convolution(Rewriter& rewriter, const Instruction& convolution,
                                         const Target& target);
// What stands for a convolution in canonical form that dilates its input; kNone if none of ours
// does.
InstructionId convolution_without_dilation(Rewriter& rewriter, const Shape& shape,
                                           InstructionId input, InstructionId kernel,
                                           const hlo::ConvolutionAttributes& attributes);

// True for a constant seen through views and converts: its transposes and reversals cost nothing at
// run time.
bool is_constant_view(const Rewriter& rewriter, InstructionId id);

}  // namespace hlocc::transforms
