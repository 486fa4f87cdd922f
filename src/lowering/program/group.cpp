// Making groups out of instructions and fusions.
#include "lowering/program/group.h"

#include <set>

namespace hlocc::lowering {

using hlo::InstructionId;
using hlo::Opcode;

namespace {

// The literal of `outer` if it is a constant, to be known as external `inner` of the group.
void note_constant(Group& group, InstructionId inner, const hlo::Instruction& outer) {
  if (outer.opcode == Opcode::kConstant)
    group.constants.emplace(inner, &outer.get<hlo::ConstantAttributes>().value);
}

}  // namespace

Group single_group(const hlo::Module& module, const hlo::Computation& computation,
                   InstructionId id) {
  Group group;
  group.module = &module;
  group.body = &computation;
  group.roots = {id};
  for (InstructionId operand : computation[id].operands) {
    group.externals.emplace(operand, static_cast<int>(group.externals.size()));
    note_constant(group, operand, computation[operand]);
  }
  return group;
}

Group fusion_group(const hlo::Module& module, const hlo::Computation& computation,
                   const hlo::Instruction& fusion) {
  Group group;
  group.module = &module;
  group.body = &module.computations[fusion.called[0]];
  const auto& attributes = fusion.get<hlo::FusionAttributes>();
  group.schedule = attributes.schedule;
  group.serpentine = attributes.serpentine;
  const hlo::Instruction& root = group.body->root_instruction();
  if (root.opcode == Opcode::kTuple) {
    group.roots = root.operands;
  } else {
    group.roots = {group.body->root};
  }
  for (size_t i = 0; i < group.body->parameters.size(); ++i) {
    group.externals.emplace(group.body->parameters[i], static_cast<int>(i));
    note_constant(group, group.body->parameters[i], computation[fusion.operands[i]]);
  }
  return group;
}

std::vector<std::string> instruction_names(const Group& group) {
  std::vector<std::string> names;
  for (const InstructionId id : inner_instructions(group))
    if (group[id].opcode != Opcode::kConstant) names.push_back(group[id].name);
  return names;
}

std::vector<InstructionId> inner_instructions(const Group& group) {
  std::set<InstructionId> seen;
  std::vector<InstructionId> todo = group.roots;
  while (!todo.empty()) {
    const InstructionId id = todo.back();
    todo.pop_back();
    if (group.is_external(id) || !seen.insert(id).second) continue;
    for (InstructionId operand : group[id].operands) todo.push_back(operand);
  }
  // Ids are in topological order in every module that a pass hands out.
  return {seen.begin(), seen.end()};
}

}  // namespace hlocc::lowering
