// What is known of each operation by name, expanded from ops.def.
#pragma once
#include <string_view>

#include "import/build/builder.h"

namespace hlocc::import::stablehlo {

class Op;

struct OpRow {
  std::string_view name;
  // "dims:permutation": what the pretty form calls an attribute, and the generic form; values
  // without names are called 0, 1, ...
  std::string_view pretty;
  InstructionId (*translate)(const Op& op);
  // What an operation that is one of HLO's becomes.
  Opcode opcode;
};

// Null for operations that are not read.
const OpRow* find_op(std::string_view name);

}  // namespace hlocc::import::stablehlo
