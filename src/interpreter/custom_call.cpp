// The custom calls that have a meaning here: annotations are identities, TopK is the op of that
// name, LAPACK's routines are kernels, which the evaluator runs.
#include "interpreter/families.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/lapack/lapack.h"
#include "ops/custom_calls.h"
#include "support/text.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

// The shape says how many.
Result<Literal> topk(Context& context, const Instruction& call, Operands operands) {
  Instruction instruction = call;
  instruction.attributes = hlo::TopKAttributes{call.shape.tuple[0].dimensions.back(),
                                               ops::wants_largest(context.module, call)};
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
  if (!kernel) return std::move(kernel).error().note(cat("in custom-call %", instruction.name));
  HLOCC_TRY(kernel::evaluate(*kernel, buffers, {}));
  return instruction.shape.is_tuple() ? Literal::make_tuple(std::move(results))
                                      : std::move(results[0]);
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kCustomCall>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const std::string& target = instruction.get<hlo::CustomCallAttributes>().target;
  if (ops::is_annotation(target) && !operands.empty()) return std::move(operands[0]);
  if (target == "TopK" && instruction.shape.is_tuple() && instruction.shape.tuple.size() == 2)
    return topk(context, instruction, operands);
  if (kernel::is_lapack_call(target)) return lapack(instruction, operands);
  if (ops::is_host_callback(target)) return ops::refuse_host_callback(instruction);
  return unsupported(instruction, cat("the custom call target \"", target, "\""));
}

}  // namespace hlocc::interpreter
