// Small programs for the tests of the ops room: shapes are written as HLO text has them, and one
// call asks a rule of inference about one instruction, so that a test reads like a table.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "hlo/module.h"

namespace hlocc::ops::testing {

using namespace hlo;

// f32[2,<=3]{0,1}, (s32[], f32[2]), token[].
Shape shape(std::string_view text);

// The attribute struct that the op's row names, default-constructed.
Attributes default_attributes(Opcode opcode);

// A module under construction: computation 0 is the entry.
struct Program {
  Module module;
  Program();
  Computation& entry() { return module.computations[0]; }

  InstructionId parameter(std::string_view shape_text, ComputationId in = 0);
  // Attributes of NoAttributes become the default ones of the op.
  InstructionId add(Opcode opcode, std::string_view shape_text, std::vector<InstructionId> operands,
                    Attributes attributes = {}, std::vector<ComputationId> called = {},
                    ComputationId in = 0);
  ComputationId computation(std::string name);
  // Two scalar parameters of the type, and the op on them.
  ComputationId reducer(Opcode opcode, std::string_view type);
  // A computation of parameters and one root: the op on all of them.
  ComputationId body(std::string name, std::vector<std::string> parameters, Opcode root,
                     std::string result, Attributes attributes = {});
  // The last instruction of every computation becomes its root, and entry layouts follow.
  const Module& finish();
};

// What a rule says of one instruction: the shape as text, or "kind: message".
struct Question {
  Opcode opcode;
  std::vector<std::string> operands;
  Attributes attributes = {};
  // The shape that the instruction states; () where the rule does not look at it.
  std::string declared = "()";
  // Ids of computations of `program`, made before.
  std::vector<ComputationId> called = {};
};
std::string infer(const Question& question, Program program = {});

}  // namespace hlocc::ops::testing
