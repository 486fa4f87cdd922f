// Collectives, device ids and asynchronous pairs. There is one replica and one partition: a
// collective over one device is the identity, and an asynchronous op is done when it starts.
#include "interpreter/families.h"

namespace hlocc::interpreter {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

namespace {

// Literals of zeros (or tokens) for a whole tree: the context values that a start op carries beside
// its data.
Literal zeros_of(const Shape& shape) {
  if (shape.is_array()) return Literal::zeros(shape);
  if (!shape.is_tuple()) return Literal::token();
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple) elements.push_back(zeros_of(element));
  return Literal::make_tuple(std::move(elements));
}

Result<Literal> identity(Context& context, const Instruction& instruction, Operands operands) {
  if (context.module.replica_count > 1 || context.module.num_partitions > 1)
    return unsupported(instruction, "a collective over several devices");
  if (!instruction.shape.is_tuple()) return std::move(operands[0]);
  return Literal::make_tuple({operands.begin(), operands.end()});
}

// (operands, result, contexts...), where one operand stands bare.
Literal started(const Shape& shape, Operands operands, Literal result) {
  std::vector<Literal> elements;
  elements.push_back(shape.tuple[0].is_tuple()
                         ? Literal::make_tuple({operands.begin(), operands.end()})
                         : operands[0]);
  elements.push_back(std::move(result));
  for (size_t i = 2; i < shape.tuple.size(); ++i) elements.push_back(zeros_of(shape.tuple[i]));
  return Literal::make_tuple(std::move(elements));
}

Literal all_operands(const Shape& shape, Operands operands) {
  return shape.is_tuple() ? Literal::make_tuple({operands.begin(), operands.end()}) : operands[0];
}

Literal take_element(Operands operands, size_t i) { return std::move(operands[0].elements()[i]); }

// What reaches device 0: its own value if it sends to itself, zeros if none does.
Literal permuted(const Instruction& instruction, const Shape& shape, Operands operands) {
  for (const auto& [source, target] :
       instruction.get<hlo::CollectiveAttributes>().source_target_pairs)
    if (source == 0 && target == 0) return all_operands(shape, operands);
  return zeros_of(shape);
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kReplicaId>, Context&, const Instruction&, Operands) {
  return Literal::zeros(Shape::scalar(PrimitiveType::kU32));
}
Result<Literal> evaluate(Op<Opcode::kPartitionId>, Context&, const Instruction&, Operands) {
  return Literal::zeros(Shape::scalar(PrimitiveType::kU32));
}

#define HLOCC_IDENTITY(opcode)                                                                   \
  Result<Literal> evaluate(Op<Opcode::opcode>, Context& context, const Instruction& instruction, \
                           Operands operands) {                                                  \
    return identity(context, instruction, operands);                                             \
  }
HLOCC_IDENTITY(kAllReduce)
HLOCC_IDENTITY(kAllReduceStart)
HLOCC_IDENTITY(kReduceScatter)
HLOCC_IDENTITY(kCollectiveReduce)
HLOCC_IDENTITY(kAllGather)
HLOCC_IDENTITY(kAllToAll)
HLOCC_IDENTITY(kCollectiveBroadcast)
#undef HLOCC_IDENTITY

Result<Literal> evaluate(Op<Opcode::kAllReduceDone>, Context&, const Instruction&,
                         Operands operands) {
  return std::move(operands[0]);
}
Result<Literal> evaluate(Op<Opcode::kAllGatherStart>, Context&, const Instruction& instruction,
                         Operands operands) {
  return started(instruction.shape, operands, all_operands(instruction.shape.tuple[1], operands));
}
Result<Literal> evaluate(Op<Opcode::kAllGatherDone>, Context&, const Instruction&,
                         Operands operands) {
  return take_element(operands, 1);
}
Result<Literal> evaluate(Op<Opcode::kCollectivePermute>, Context&, const Instruction& instruction,
                         Operands operands) {
  return permuted(instruction, instruction.shape, operands);
}
Result<Literal> evaluate(Op<Opcode::kCollectivePermuteStart>, Context&,
                         const Instruction& instruction, Operands operands) {
  return started(instruction.shape, operands,
                 permuted(instruction, instruction.shape.tuple[1], operands));
}
Result<Literal> evaluate(Op<Opcode::kCollectivePermuteDone>, Context&, const Instruction&,
                         Operands operands) {
  return take_element(operands, 1);
}

Result<Literal> evaluate(Op<Opcode::kAsyncStart>, Context& context, const Instruction& instruction,
                         Operands operands) {
  HLOCC_TRY_ASSIGN(Literal result, run_computation(context, instruction.called[0],
                                                   {operands.begin(), operands.end()}));
  return started(instruction.shape, operands, std::move(result));
}
Result<Literal> evaluate(Op<Opcode::kAsyncUpdate>, Context&, const Instruction&,
                         Operands operands) {
  return std::move(operands[0]);
}
Result<Literal> evaluate(Op<Opcode::kAsyncDone>, Context&, const Instruction&, Operands operands) {
  return take_element(operands, 1);
}

// (destination, source, context)
Result<Literal> evaluate(Op<Opcode::kCopyStart>, Context&, const Instruction& instruction,
                         Operands operands) {
  return started(instruction.shape, operands, operands[0]);
}
Result<Literal> evaluate(Op<Opcode::kCopyDone>, Context&, const Instruction&, Operands operands) {
  return take_element(operands, 0);
}

}  // namespace hlocc::interpreter
