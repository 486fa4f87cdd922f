// The targets of custom-call that mean something on one device without being anybody's function.
#pragma once
#include <string_view>

#include "hlo/module.h"
#include "support/diagnostic.h"

namespace hlocc::ops {

// Annotations of placement and sharding: over one device the operand itself.
bool is_annotation(std::string_view target);

// A call of this operand that is the operand itself, and one that is TopK: some of the last
// dimension's numbers, and where they were.
bool is_identity(const hlo::Instruction& call, const hlo::Shape& operand);
bool is_top_k(const hlo::Instruction& call, const hlo::Shape& operand);

// Calls back into the Python process that made the program: jax.debug.print and its like.
bool is_host_callback(std::string_view target);
// `call` is one; says which line of the program made it, and what to do.
Diagnostic refuse_host_callback(const hlo::Instruction& call);

// Which end a call of "TopK" wants: its comparator says; without one it is the largest.
bool wants_largest(const hlo::Module& module, const hlo::Instruction& call);

}  // namespace hlocc::ops
