// A reduction of rows that come one after the other (reduces_rows).
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// `sum` with some more rows; `reduction` is of all of them, and begins from `initial`.
InstructionId with_reduced_rows(Rewriter& r, Instruction reduction, Literal initial,
                                InstructionId sum, InstructionId rows);

}  // namespace hlocc::transforms
