// Buffers: values of a type b(f32[4]) that a program changes in place. As plain values they mean
// the same where each is used up by what changes it, as HLO demands: pinned, carried through loops
// and tuples, unpinned. What else takes one (functions of the user's that write into their operand)
// is refused.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::import {

// Readers: notes that the instruction's stated shape has a buffer; the shape itself is read as that
// of its contents.
void mark_buffer(hlo::Instruction& instruction);
// Turns pins into copies and new buffers into zeros, and takes all marks away.
Status settle_buffers(hlo::Module& module);

}  // namespace hlocc::import
