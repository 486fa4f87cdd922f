// The custom calls that have a meaning here: annotations are identities, TopK is the op of that
// name, LAPACK's routines are kernels, which the evaluator runs.
#include <algorithm>

#include "interpreter/families.h"
#include "kernel/evaluator.h"
#include "kernel/lapack/lapack.h"
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

Result<Literal> lapack(const Instruction& instruction, Operands operands) {
  const auto& call = instruction.get<hlo::CustomCallAttributes>();
  const std::vector<hlo::Shape> leaves = hlo::leaf_shapes(instruction.shape);
  std::vector<hlo::Shape> shapes;
  std::vector<std::span<std::byte>> buffers;
  for (Literal& operand : operands) {
    shapes.push_back(operand.shape());
    buffers.push_back(operand.mutable_bytes());
  }
  std::vector<Literal> results;
  for (const hlo::Shape& leaf : leaves) results.push_back(Literal::zeros(leaf));
  for (Literal& result : results) buffers.push_back(result.mutable_bytes());
  Result<kernel::Kernel> kernel =
      kernel::lapack_kernel(call.target, call.backend_config, shapes, leaves);
  if (!kernel)
    return std::move(kernel).error().note(cat("in custom-call %", instruction.name));
  HLOCC_TRY(kernel::evaluate(*kernel, buffers, {}));
  return instruction.shape.is_tuple() ? Literal::make_tuple(std::move(results))
                                      : std::move(results[0]);
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
  if (kernel::is_lapack_call(target)) return lapack(instruction, operands);
  return unsupported(instruction, cat("the custom call target \"", target, "\""));
}

}  // namespace hlocc::interpreter
