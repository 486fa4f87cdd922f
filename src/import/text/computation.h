// Computations and instructions of HLO text. What is read so far of the module lies in TextModule,
// because calls and inferred shapes look at computations that stand before.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "hlo/module.h"
#include "import/elided.h"
#include "import/text/cursor.h"

namespace hlocc::import {

struct TextModule {
  TextCursor cursor;
  Elided& elided;
  hlo::Module module;
  std::unordered_map<std::string, hlo::ComputationId> computations;
  // How deep in operands and inline bodies we are.
  int nesting = 0;
  // Of the computations' names, those that we gave; no number from `next_given` on.
  std::unordered_set<std::string> given;
  size_t next_given = 0;
};

// A name that no computation has, "inline.3": for those that the file gives none. A computation of
// the file that comes to have it later takes it over.
std::string give_name(TextModule& text, std::string_view stem);
// Appends it under its name.
Result<hlo::ComputationId> enter(TextModule& text, hlo::Computation computation);

// [ENTRY] name [(parameters) -> shape] { instructions }.
Status parse_computation(TextModule& text);
// The body of an inline computation: { instructions }.
Result<hlo::ComputationId> parse_inline_computation(TextModule& text);
// The single-instruction form: a computation around it whose parameters are its operands becomes
// the entry.
Status parse_single_instruction(TextModule& text);

}  // namespace hlocc::import
