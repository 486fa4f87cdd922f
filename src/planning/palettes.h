// Weights as palettes, for `--weights-compression`: a constant of at most 64 different elements is
// stored as those and an index for each element (kernel/palettes), and the kernels that read it
// look its elements up in scratch first. Bits of results stay. Which constants: all that save
// bytes, or of those the ones that save the most for a cycle, until as many are saved as are
// needed.
#pragma once
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::planning {

// Of a legal program whose kernels are not yet shared or split. What is read in loops counts as
// often as it is. Launches say what became of their operands (kernel::Launch::palettes). Constants
// that other steps than launches read stay as they are.
void store_palettes(kernel::Program& program, const Target& target);

}  // namespace hlocc::planning
