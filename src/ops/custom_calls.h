// The targets of custom-call that mean something on one device without being anybody's function.
#pragma once
#include <string_view>

#include "hlo/module.h"

namespace hlocc::ops {

// Annotations of placement and sharding: over one device the operand itself.
bool is_annotation(std::string_view target);

// Which end a call of "TopK" wants: its comparator says; without one it is the largest.
bool wants_largest(const hlo::Module& module, const hlo::Instruction& call);

}  // namespace hlocc::ops
