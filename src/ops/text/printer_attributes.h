// The printing side of printer_fields.h: appends ", name=value" for each attribute of an
// instruction's struct.
#pragma once
#include <string>

#include "hlo/module.h"

namespace hlocc::ops {

// `first_operand` decides the default comparison type of compare; kTuple where there is no operand.
void append_attributes(std::string& out, const hlo::Instruction& instruction,
                       hlo::PrimitiveType first_operand);

}  // namespace hlocc::ops
