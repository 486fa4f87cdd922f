// Lowering: HLO -> kernel program. Every group becomes a kernel (identical ones are made once) and
// a launch; control flow becomes steps; structure (tuples, reshapes, copies) becomes nothing.
// Places and copies are planning's.
#pragma once
#include "hlo/module.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::lowering {

Result<kernel::Program> lower(const hlo::Module& module, const kernel::Signature& signature,
                              const Target& target);

}  // namespace hlocc::lowering
