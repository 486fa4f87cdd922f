// Contractions of mixed types, for expand.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Of dot, convolution and ragged-dot: converts around one whose types are of one kind; kNone where
// they are already.
InstructionId expand_mixed_types(Rewriter& rewriter, const Instruction& instruction);
InstructionId expand_scaled_dot(Rewriter& rewriter, const Instruction& instruction);

}  // namespace hlocc::transforms
