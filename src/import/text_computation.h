// Computations and instructions of HLO text. What is read so far of the module lies in TextModule,
// because calls and inferred shapes look at computations that stand before.
#pragma once
#include <string>
#include <unordered_map>

#include "hlo/module.h"
#include "import/elided.h"
#include "import/stack_frames.h"
#include "import/text_cursor.h"

namespace hlocc::import {

struct TextModule {
  TextCursor cursor;
  Elided& elided;
  hlo::Module module;
  std::unordered_map<std::string, hlo::ComputationId> computations;
  StackFrames frames;
  // How deep in operands and inline bodies we are.
  int nesting = 0;
};

// [ENTRY] name [(parameters) -> shape] { instructions }.
Status parse_computation(TextModule& text);
// The body of an inline computation: { instructions }.
Result<hlo::ComputationId> parse_inline_computation(TextModule& text);
// The single-instruction form: a computation around it whose parameters are its operands becomes
// the entry.
Status parse_single_instruction(TextModule& text);

}  // namespace hlocc::import
