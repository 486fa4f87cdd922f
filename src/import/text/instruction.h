// One instruction of HLO text: name = shape opcode(operands), attributes.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "import/text/computation.h"

namespace hlocc::import {

// The computation that is being read.
struct TextScope {
  hlo::Computation computation;
  std::unordered_map<std::string, hlo::InstructionId> names;
  // Of those, what we called operands that are written in place; no number from `next_nested` on.
  std::unordered_set<std::string> given;
  size_t next_nested = 0;
  // Control predecessors may be named before they are defined.
  struct Control {
    hlo::InstructionId instruction;
    std::string predecessor;
    int line;
  };
  std::vector<Control> controls;
  // In the single-instruction form operands define themselves as parameters.
  bool operands_are_parameters = false;
};

// Reads one, behind ROOT if there was one, and appends it to the scope.
Result<hlo::InstructionId> parse_instruction(TextModule& text, TextScope& scope);

}  // namespace hlocc::import
