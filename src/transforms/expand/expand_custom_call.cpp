// Custom calls that have a meaning on one device: annotations of placement and sharding are
// identities, TopK is the op of that name. Others stay: lowering makes calls of user functions of
// them, or kernels where it knows them.
#include "ops/custom_calls.h"
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {

InstructionId expand_custom_call(Rewriter& r, const Instruction& instruction) {
  if (instruction.operands.empty()) return kNone;
  const hlo::Shape& operand = r.shape(instruction.operands[0]);
  if (ops::is_identity(instruction, operand)) return instruction.operands[0];
  if (!ops::is_top_k(instruction, operand)) return kNone;
  Instruction topk = hlo::make(Opcode::kTopK, instruction.shape, instruction.operands,
                               hlo::TopKAttributes{instruction.shape.tuple[0].dimensions.back(),
                                                   ops::wants_largest(r.module(), instruction)});
  return expand_topk(r, topk);
}

}  // namespace hlocc::transforms
