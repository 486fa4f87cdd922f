// Puts a diagnostic of a rule in its place: rules say only what is wrong ("dimension 3 is out of
// range"), this adds the instruction, the computation, the file, and a note for kinds whose rule
// gave none.
#pragma once
#include "hlo/module.h"
#include "support/diagnostic.h"

namespace hlocc::ops {

// "%add.3 (add) in computation %main: ..."
Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module,
                  const hlo::Computation& computation, const hlo::Instruction& instruction);
// "computation %main: ..."
Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module,
                  const hlo::Computation& computation);
// "module jit_f: ..."
Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module);

}  // namespace hlocc::ops
