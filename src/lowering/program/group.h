// A group: the instructions that become one kernel. Either the body of an HLO fusion, or one
// instruction alone whose operands are all read from memory. Lowering sees groups only, so that
// fused and plain ops take the same road.
#pragma once
#include <map>
#include <vector>

#include "hlo/module.h"

namespace hlocc::lowering {

struct Group {
  const hlo::Module* module = nullptr;
  const hlo::Computation* body = nullptr;
  // What the group computes, one buffer (or pair of parts) an entry.
  std::vector<hlo::InstructionId> roots;
  // Instructions of the body whose values are read from memory: id -> position among `inputs`.
  std::map<hlo::InstructionId, int> externals;
  // Those of them whose value is known at compile time.
  std::map<hlo::InstructionId, const hlo::Literal*> constants;
  // As the fusion says.
  hlo::Schedule schedule = hlo::Schedule::kPlain;
  bool serpentine = false;

  const hlo::Instruction& operator[](hlo::InstructionId id) const { return (*body)[id]; }
  const hlo::Instruction& root() const { return (*body)[roots[0]]; }
  bool is_external(hlo::InstructionId id) const { return externals.count(id) > 0; }
};

// The group of one instruction outside any fusion: operand i is input i (an operand used twice is
// one input).
Group single_group(const hlo::Module& module, const hlo::Computation& computation,
                   hlo::InstructionId id);
// The group of a fusion in `computation`: parameter i of its body is input i; a tuple at the root
// names several results.
Group fusion_group(const hlo::Module& module, const hlo::Computation& computation,
                   const hlo::Instruction& fusion);

// What the inner instructions that compute something are called, for messages and reports.
std::vector<std::string> instruction_names(const Group& group);

// Ids of the group's inner instructions (externals left out), operands before users.
std::vector<hlo::InstructionId> inner_instructions(const Group& group);

}  // namespace hlocc::lowering
