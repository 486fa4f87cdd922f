// Tuples, loops that never run, branches that are known, sorts of one element.
#include <algorithm>

#include "transforms/build.h"
#include "transforms/simplify/simplify_rules.h"

namespace hlocc::transforms {
namespace {

InstructionId element_of_tuple(Rewriter& r, const Instruction& i) {
  const Instruction& operand = r[i.operands[0]];
  return operand.opcode == Opcode::kTuple
             ? operand.operands[i.get<hlo::TupleIndexAttributes>().index]
             : kNone;
}

// tuple(element 0 of t, element 1 of t, ...) is t.
InstructionId tuple_of_elements(Rewriter& r, const Instruction& i) {
  InstructionId whole = kNone;
  for (size_t at = 0; at < i.operands.size(); ++at) {
    const Instruction& part = r[i.operands[at]];
    if (part.opcode != Opcode::kGetTupleElement) return kNone;
    if (part.get<hlo::TupleIndexAttributes>().index != static_cast<int64_t>(at)) return kNone;
    if (at > 0 && part.operands[0] != whole) return kNone;
    whole = part.operands[0];
  }
  return whole != kNone && r.shape(whole) == i.shape ? whole : kNone;
}

// The value of a computation's root if it is a constant.
const Literal* known_result(Rewriter& r, ComputationId id) {
  const Instruction& root = r.module().computations[id].root_instruction();
  return root.opcode == Opcode::kConstant ? &root.get<hlo::ConstantAttributes>().value : nullptr;
}

InstructionId while_never(Rewriter& r, const Instruction& i) {
  const Literal* condition = known_result(r, i.called[1]);
  return condition != nullptr && integer_at(*condition, 0) == 0 ? i.operands[0] : kNone;
}

InstructionId conditional_known(Rewriter& r, const Instruction& i) {
  const Literal* selector = constant_value(r, i.operands[0]);
  const int64_t last = static_cast<int64_t>(i.called.size()) - 1;
  int64_t branch = 0;
  if (selector != nullptr) {
    const int64_t value = integer_at(*selector, 0);
    branch = is_pred(selector->type()) ? (value != 0 ? 0 : 1)
             : value < 0               ? last
                                       : std::min(value, last);
  } else if (last > 0) {
    return kNone;
  }
  return r.inline_computation(i.called[branch], {i.operands[1 + branch]});
}

InstructionId sort_of_one(Rewriter& r, const Instruction& i) {
  if (r.shape(i.operands[0]).dimensions[i.get<hlo::SortAttributes>().dimension] > 1) return kNone;
  return i.shape.is_tuple() ? tuple(r, i.operands) : i.operands[0];
}

constexpr SimplifyRule control_rule_rows[] = {
    {Opcode::kGetTupleElement, element_of_tuple},
    {Opcode::kTuple, tuple_of_elements},
    {Opcode::kWhile, while_never},
    {Opcode::kConditional, conditional_known},
    {Opcode::kSort, sort_of_one},
};

}  // namespace

std::span<const SimplifyRule> control_rules() { return control_rule_rows; }

}  // namespace hlocc::transforms
