// See known_bias.h.
#include "lowering/contraction/known_bias.h"

#include <algorithm>

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;

namespace {

// The only instruction of the group that reads it; kNone if there are others, or it is a result.
InstructionId only_user(const Group& group, InstructionId id) {
  InstructionId user = hlo::kNone;
  if (std::ranges::find(group.roots, id) != group.roots.end()) return user;
  for (const InstructionId other : inner_instructions(group))
    for (const InstructionId operand : group[other].operands) {
      if (operand != id) continue;
      if (user != hlo::kNone) return hlo::kNone;
      user = other;
    }
  return user;
}

}  // namespace

std::optional<KnownBias> known_bias(const Emitter& e, InstructionId id, int64_t dimension,
                                    bool corrected) {
  const Group& group = e.group();
  if ((e.target().vector_bits > 0 && !corrected) ||
      group[id].shape.element_type != hlo::PrimitiveType::kS32)
    return std::nullopt;
  const InstructionId user = only_user(group, id);
  if (user == hlo::kNone || group[user].opcode != hlo::Opcode::kAdd) return std::nullopt;
  const Instruction& addition = group[user];
  InstructionId numbers = addition.operands[addition.operands[0] == id ? 1 : 0];
  if (!group.is_external(numbers)) {
    const Instruction& spread = group[numbers];
    if (spread.opcode != hlo::Opcode::kBroadcast ||
        spread.get<hlo::DimensionsAttributes>().dimensions != hlo::Dimensions{dimension})
      return std::nullopt;
    numbers = spread.operands[0];
  }
  // As they lie: one a place of that dimension.
  const hlo::Literal* known = group.is_external(numbers) ? e.constant_of(numbers) : nullptr;
  if (known == nullptr || known->element_count() != group[id].shape.dimensions[dimension])
    return std::nullopt;
  return KnownBias{user, numbers};
}

}  // namespace hlocc::lowering
