// Tuples, tokens and the ops that only order others.
#include "interpreter/families.h"

namespace hlocc::interpreter {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

Result<Literal> evaluate(Op<Opcode::kTuple>, Context&, const Instruction&, Operands operands) {
  return Literal::make_tuple({operands.begin(), operands.end()});
}

Result<Literal> evaluate(Op<Opcode::kGetTupleElement>, Context&, const Instruction& instruction,
                         Operands operands) {
  return std::move(operands[0].elements()[instruction.get<hlo::TupleIndexAttributes>().index]);
}

Result<Literal> evaluate(Op<Opcode::kOptBarrier>, Context&, const Instruction&, Operands operands) {
  return std::move(operands[0]);
}

Result<Literal> evaluate(Op<Opcode::kDomain>, Context&, const Instruction&, Operands operands) {
  return std::move(operands[0]);
}

Result<Literal> evaluate(Op<Opcode::kAddDependency>, Context&, const Instruction&,
                         Operands operands) {
  return std::move(operands[0]);
}

Result<Literal> evaluate(Op<Opcode::kAfterAll>, Context&, const Instruction&, Operands) {
  return Literal::token();
}

}  // namespace hlocc::interpreter
