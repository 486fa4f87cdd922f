// What hlocc serves: a module may be valid HLO and still hold ops whose row in opcodes.def says
// todo or rejected. This is found before any work is done, and named.
#pragma once
#include "hlo/module.h"
#include "support/result.h"

namespace hlocc::ops {

enum class Stage { kInterpreter, kLowering };

// "the interpreter", "lowering".
std::string_view stage_name(Stage stage);
// The row's answer for a stage.
hlo::Service service_of(hlo::Opcode opcode, Stage stage);
bool is_supported(hlo::Opcode opcode, Stage stage);

// The first unsupported instruction that the entry reaches, as kUnsupported with op, type, stage
// and a way out; also more than one replica or partition. Wants a verified module.
Status check_supported(const hlo::Module& module, Stage stage);

// docs/ops.md: the op table as a page, with the answers of both stages.
std::string ops_table_markdown();

}  // namespace hlocc::ops
