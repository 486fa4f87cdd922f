// See count_ops.h.
#include "devices/count_ops.h"

namespace hlocc::device {

bool is_computation(hlo::Opcode opcode) {
  return opcode != hlo::Opcode::kParameter && opcode != hlo::Opcode::kConstant &&
         opcode != hlo::Opcode::kTuple && opcode != hlo::Opcode::kGetTupleElement;
}

int64_t count_ops(const hlo::Module& module) {
  int64_t count = 0;
  for (const hlo::ComputationId id : hlo::computation_order(module))
    for (const hlo::Instruction& one : module.computations[id].instructions)
      count += is_computation(one.opcode) ? 1 : 0;
  return count;
}

}  // namespace hlocc::device
