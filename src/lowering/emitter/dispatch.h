// From an instruction to the overload of its opcode, expanded from opcodes.def: an index op has
//   Element element(hlo::Op<opcode>, Emitter&, const hlo::Instruction&, const Index&)
// and a loop op has
//   void schedule(hlo::Op<opcode>, Emitter&, hlo::InstructionId)
// A row that promises one without having it does not compile.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

Element dispatch_element(Emitter& emitter, const hlo::Instruction& instruction, const Index& index);
// Emits the loops of loop op `id` (the hero of the group) and stores the group's roots.
void dispatch_schedule(Emitter& emitter, hlo::InstructionId id);
// True if the op hands lanes along lane_dim on to its operands as lanes (or as one element).
bool lanes_pass(const Emitter& emitter, const hlo::Instruction& instruction, int lane_dim);

}  // namespace hlocc::lowering
