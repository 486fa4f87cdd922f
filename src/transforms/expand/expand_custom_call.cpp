// Custom calls that have a meaning on one device: annotations of placement and sharding are
// identities, TopK is the op of that name. Others stay: lowering makes calls of user functions of
// them, or kernels where it knows them.
#include <algorithm>

#include "ops/custom_calls.h"
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
namespace {

// Some of the last dimension's numbers, and where they were.
bool is_topk(const hlo::Shape& from, const Instruction& call) {
  if (call.shape.tuple.size() != 2 || from.rank() == 0) return false;
  const hlo::Shape &values = call.shape.tuple[0], &places = call.shape.tuple[1];
  hlo::Dimensions wanted = from.dimensions;
  if (values.rank() != from.rank()) return false;
  wanted.back() = std::min(wanted.back(), values.dimensions.back());
  return values.element_type == from.element_type && values.dimensions == wanted &&
         places.element_type == hlo::PrimitiveType::kS32 && places.dimensions == wanted;
}

}  // namespace

InstructionId expand_custom_call(Rewriter& r, const Instruction& instruction) {
  const std::string& target = instruction.get<hlo::CustomCallAttributes>().target;
  if (ops::is_annotation(target) && !instruction.operands.empty() &&
      hlo::same_dimensions_and_type(r.shape(instruction.operands[0]), instruction.shape))
    return instruction.operands[0];
  if (target != "TopK" || instruction.operands.size() != 1 ||
      !is_topk(r.shape(instruction.operands[0]), instruction))
    return kNone;
  Instruction topk = hlo::make(Opcode::kTopK, instruction.shape, instruction.operands,
                               hlo::TopKAttributes{instruction.shape.tuple[0].dimensions.back(),
                                                   ops::wants_largest(r.module(), instruction)});
  return expand_topk(r, topk);
}

}  // namespace hlocc::transforms
