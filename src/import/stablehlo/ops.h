// The functions that rows of ops.def name, in files by family.
#pragma once
#include "import/stablehlo/op.h"

namespace hlocc::import::stablehlo::ops {

// The opcode of the row, of all operands; the second takes result_accuracy.
InstructionId plain(const Op& op);
InstructionId math(const Op& op);

#define HLOCC_STABLEHLO_OP(name, pretty, function) InstructionId function(const Op& op);
#include "import/stablehlo/ops.def"

}  // namespace hlocc::import::stablehlo::ops
