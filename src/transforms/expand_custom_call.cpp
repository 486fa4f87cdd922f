// Custom calls that have a meaning on one device: annotations of placement and sharding are
// identities, TopK is the op of that name. Others stay: lowering makes calls of user functions of
// them, or kernels where it knows them.
#include <algorithm>

#include "transforms/build.h"
#include "transforms/expansions.h"

namespace hlocc::transforms {
namespace {

constexpr std::string_view annotations[] = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "PinToDevice",
};

bool is_annotation(std::string_view target) {
  return std::find(std::begin(annotations), std::end(annotations), target) != std::end(annotations);
}

// The call's comparator says which end is wanted; without one it is the largest.
bool wants_largest(Rewriter& r, const Instruction& instruction) {
  if (instruction.called.empty()) return true;
  const Instruction& root = r.module().computations[instruction.called[0]].root_instruction();
  if (root.opcode != Opcode::kCompare) return true;
  const hlo::Direction direction = root.get<hlo::CompareAttributes>().direction;
  return direction == hlo::Direction::kGt || direction == hlo::Direction::kGe;
}

}  // namespace

InstructionId expand_custom_call(Rewriter& r, const Instruction& instruction) {
  const std::string& target = instruction.get<hlo::CustomCallAttributes>().target;
  if (is_annotation(target) && !instruction.operands.empty() &&
      hlo::same_dimensions_and_type(r.shape(instruction.operands[0]), instruction.shape))
    return instruction.operands[0];
  const bool is_topk =
      target == "TopK" && instruction.shape.is_tuple() && instruction.shape.tuple.size() == 2;
  if (!is_topk || instruction.operands.size() != 1) return kNone;
  Instruction topk = hlo::make(Opcode::kTopK, instruction.shape, instruction.operands,
                               hlo::TopKAttributes{instruction.shape.tuple[0].dimensions.back(),
                                                   wants_largest(r, instruction)});
  return expand_topk(r, topk);
}

}  // namespace hlocc::transforms
