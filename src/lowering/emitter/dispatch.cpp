// The dispatch tables, and which ops let lanes pass.
#include "lowering/emitter/dispatch.h"

#include "lowering/emitter/index_ops.h"
#include "lowering/emitter/loop_ops.h"
#include "support/text.h"

namespace hlocc::lowering {
namespace {

using hlo::Opcode;
using hlo::Service;

void wrong_kind(Emitter& emitter, const hlo::Instruction& instruction, const char* wanted) {
  emitter.fail(error(DiagnosticKind::kInternal,
                     cat("%", instruction.name, " (", hlo::opcode_name(instruction.opcode),
                         ") stands where lowering wants ", wanted)));
}

template <Opcode opcode, Service service>
Element element_of(Emitter& emitter, const hlo::Instruction& instruction, const Index& index) {
  if constexpr (service == Service::kIndexOp) {
    return element(hlo::Op<opcode>{}, emitter, instruction, index);
  } else {
    wrong_kind(emitter, instruction, "an index op");
    return emitter.zero(instruction.shape, index.has_lanes() ? index.lanes : 1);
  }
}

template <Opcode opcode, Service service>
void schedule_of(Emitter& emitter, hlo::InstructionId id) {
  if constexpr (service == Service::kLoopOp) {
    schedule(hlo::Op<opcode>{}, emitter, id);
  } else {
    wrong_kind(emitter, emitter.instruction(id), "a loop op");
  }
}

}  // namespace

Element dispatch_element(Emitter& emitter, const hlo::Instruction& instruction,
                         const Index& index) {
  using Function = Element (*)(Emitter&, const hlo::Instruction&, const Index&);
  static constexpr Function table[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  element_of<Opcode::enumerator, Service::lowering>,
#include "hlo/opcodes.def"
  };
  return table[static_cast<int>(instruction.opcode)](emitter, instruction, index);
}

void dispatch_schedule(Emitter& emitter, hlo::InstructionId id) {
  using Function = void (*)(Emitter&, hlo::InstructionId);
  static constexpr Function table[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, called, interpreter, \
                     lowering)                                                            \
  schedule_of<Opcode::enumerator, Service::lowering>,
#include "hlo/opcodes.def"
  };
  table[static_cast<int>(emitter.instruction(id).opcode)](emitter, id);
}

}  // namespace hlocc::lowering
