// The attributes of an instruction on the wire <-> the struct that its row of opcodes.def names.
#pragma once
#include "hlo.pb.h"
#include "hlo/attributes.h"
#include "hlo/opcode.h"
#include "support/result.h"

namespace hlocc::import {

// Diagnostics are not located. A comparison type that is absent comes out as kFloat: its default
// needs the operands.
Result<hlo::Attributes> read_attributes(hlo::Opcode opcode,
                                        const proto::HloInstructionProto& proto);
void write_attributes(const hlo::Attributes& attributes, proto::HloInstructionProto& proto);

}  // namespace hlocc::import
