// Windows of rows that are put together and taken apart without moving: fusions of one
// concatenation or one slice, which lowering makes steps of that join values (kernel::Join) where
// rows are neighbours in memory. As a fusion it stays apart from what makes and reads the rows.
#pragma once
#include <vector>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

InstructionId joined(Rewriter& r, const std::vector<InstructionId>& parts, int64_t dimension);
// Rows [start, limit) along one dimension.
InstructionId part_of(Rewriter& r, InstructionId rows, int64_t dimension, int64_t start,
                      int64_t limit);

}  // namespace hlocc::transforms
