// The attributes behind an instruction: ", name=value" as often as they come.
#pragma once
#include "import/text/instruction.h"

namespace hlocc::import {

// Fills in attribute struct, called computations, metadata, frontend attributes and (by name, in
// the scope) control predecessors. Attributes that we don't know are skipped. A nested operand has
// none (a comma behind it belongs to the list of operands) and gets the defaults.
Status parse_attributes(TextModule& text, TextScope& scope, hlo::Instruction& instruction,
                        bool nested);

}  // namespace hlocc::import
