// What an op costs an element, as far as fusion and schedules ask.
#pragma once
#include "hlo/module.h"

namespace hlocc::ops {

// More than a handful of machine instructions an element: not worth computing twice.
bool is_expensive(const hlo::Instruction& instruction);

// About how many machine instructions an element of an elementwise op takes where the chip has
// floats; 0 for what is no arithmetic.
int instructions_per_element(const hlo::Instruction& instruction);

}  // namespace hlocc::ops
