// infer_shape: the result shape of an instruction, from its operands and attributes. Each op family
// has its rules in a file of its own (elementwise, reduce, dot, ...), which also check the
// attributes and types that the op allows; the verifier compares what they give with what the
// instruction states.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

// The shape, with default layouts: layouts are the program's choice. Ops whose shape does not
// follow from their operands (parameter, constant, convert, iota, reshape, rng, custom-call, ...)
// take the open part, element type or dimensions, from instruction.shape. Fails with a located
// diagnostic where the instruction breaks a rule of its op. The instruction need not be in the
// computation yet, only its operands.
Result<hlo::Shape> infer_shape(const hlo::Module& module, const hlo::Computation& computation,
                               const hlo::Instruction& instruction);

}  // namespace hlocc::ops
