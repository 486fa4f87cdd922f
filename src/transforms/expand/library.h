// The expansions that front ends write for functions without an opcode, as computations on a
// scalar: what recognize_functions looks for, and what the map that it makes calls.
#pragma once
#include <span>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

struct LibraryFunction {
  // As in hlo::MapAttributes::function.
  const char* name;
  PrimitiveType type;
  InstructionId (*body)(Rewriter& r, InstructionId x);
};
std::span<const LibraryFunction> library();

}  // namespace hlocc::transforms
