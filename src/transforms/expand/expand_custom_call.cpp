// Custom calls that have a meaning on one device: annotations of placement and sharding are
// identities, TopK is the op of that name. Others stay: lowering makes calls of user functions of
// them, or kernels where it knows them.
#include "ops/custom_calls.h"
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
InstructionId expand_custom_call(Rewriter& r, const Instruction& instruction) {
  const std::string& target = instruction.get<hlo::CustomCallAttributes>().target;
  if (ops::is_annotation(target) && !instruction.operands.empty() &&
      hlo::same_dimensions_and_type(r.shape(instruction.operands[0]), instruction.shape))
    return instruction.operands[0];
  const bool is_topk =
      target == "TopK" && instruction.shape.is_tuple() && instruction.shape.tuple.size() == 2;
  if (!is_topk || instruction.operands.size() != 1) return kNone;
  Instruction topk = hlo::make(Opcode::kTopK, instruction.shape, instruction.operands,
                               hlo::TopKAttributes{instruction.shape.tuple[0].dimensions.back(),
                                                   ops::wants_largest(r.module(), instruction)});
  return expand_topk(r, topk);
}

}  // namespace hlocc::transforms
