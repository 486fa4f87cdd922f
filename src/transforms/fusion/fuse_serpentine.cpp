// The counter is an element of the body's parameter that the body hands on with an odd number added
// to it. Each caller of the body, every other iteration sees it odd; if not, only speed is lost.
#include "transforms/fusion/fuse_serpentine.h"

#include "costs/fusion.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

bool is_odd_constant(const Instruction& i) {
  if (i.opcode != Opcode::kConstant) return false;
  return (static_cast<unsigned>(i.get<hlo::ConstantAttributes>().value.bytes()[0]) & 1) != 0;
}

InstructionId counter_of(const Computation& body) {
  const Instruction& root = body.root_instruction();
  if (root.opcode != Opcode::kTuple || body.parameters.size() != 1) return kNone;
  for (InstructionId id = 0; id < static_cast<InstructionId>(body.instructions.size()); ++id) {
    const Instruction& i = body[id];
    if (i.opcode != Opcode::kGetTupleElement || i.operands[0] != body.parameters[0]) continue;
    const auto type = i.shape.element_type;
    if (!i.shape.is_scalar() ||
        (type != hlo::PrimitiveType::kS32 && type != hlo::PrimitiveType::kU32))
      continue;
    const auto index = static_cast<size_t>(i.get<hlo::TupleIndexAttributes>().index);
    if (index >= root.operands.size()) continue;
    const Instruction& next = body[root.operands[index]];
    if (next.opcode != Opcode::kAdd) continue;
    for (int side : {0, 1})
      if (next.operands[side] == id && is_odd_constant(body[next.operands[1 - side]])) return id;
  }
  return kNone;
}

bool is_large_product(const Computation& c, InstructionId hero, const Target& target) {
  if (hero == kNone || c[hero].opcode != Opcode::kDot || c[hero].shape.rank() != 2) return false;
  const hlo::Shape& right = c.operand(c[hero], 1).shape;
  if (c.operand(c[hero], 1).opcode != Opcode::kConstant || right.rank() != 2) return false;
  const auto& numbers = c[hero].get<hlo::DotAttributes>();
  if (numbers.rhs_contracting != hlo::Dimensions{0}) return false;
  return costs::serpentine_pays(target, c[hero].shape.dimensions[0], right.byte_size());
}

}  // namespace

void plan_serpentines(const Computation& body, const Target& target, FusionPlan& plan) {
  const InstructionId counter = counter_of(body);
  for (FusionGroup& group : plan.groups) {
    if (is_large_product(body, group.hero, target)) group.counter = counter;
  }
}

}  // namespace hlocc::transforms
