// The custom calls that have a meaning here: annotations are identities, TopK is the op of that
// name.
#include <algorithm>

#include "interpreter/families.h"
#include "support/text.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

// Placement and sharding annotations; over one device they say nothing.
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

// The comparator of the call says which end is wanted; the shape says how many.
Result<Literal> topk(Context& context, const Instruction& call, Operands operands) {
  Instruction instruction = call;
  hlo::TopKAttributes attributes{call.shape.tuple[0].dimensions.back(), true};
  if (!call.called.empty()) {
    const Instruction& root = context.module.computations[call.called[0]].root_instruction();
    if (root.opcode == Opcode::kCompare) {
      const auto direction = root.get<hlo::CompareAttributes>().direction;
      attributes.largest = direction == hlo::Direction::kGt || direction == hlo::Direction::kGe;
    }
  }
  instruction.attributes = attributes;
  return evaluate(Op<Opcode::kTopK>{}, context, instruction, operands.first(1));
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kCustomCall>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const std::string& target = instruction.get<hlo::CustomCallAttributes>().target;
  if (std::find(std::begin(annotations), std::end(annotations), target) != std::end(annotations) &&
      !operands.empty())
    return std::move(operands[0]);
  if (target == "TopK" && instruction.shape.is_tuple() && instruction.shape.tuple.size() == 2)
    return topk(context, instruction, operands);
  return unsupported(instruction, cat("the custom call target \"", target, "\""));
}

}  // namespace hlocc::interpreter
