// The targets of custom-call that mean something on one device without being anybody's function.
#pragma once
#include <string_view>

#include "hlo/module.h"
#include "support/diagnostic.h"

namespace hlocc::ops {

// Annotations of placement and sharding: over one device the operand itself.
bool is_annotation(std::string_view target);

// Calls back into the Python process that made the program: jax.debug.print and its like.
bool is_host_callback(std::string_view target);
// `call` is one; says which line of the program made it, and what to do.
Diagnostic refuse_host_callback(const hlo::Instruction& call);

// Which end a call of "TopK" wants: its comparator says; without one it is the largest.
bool wants_largest(const hlo::Module& module, const hlo::Instruction& call);

}  // namespace hlocc::ops
