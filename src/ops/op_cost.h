// What an op costs an element, as far as fusion and schedules ask.
#pragma once
#include "hlo/module.h"

namespace hlocc::ops {

// More than a handful of machine instructions an element: not worth computing twice.
bool is_expensive(const hlo::Instruction& instruction);

}  // namespace hlocc::ops
