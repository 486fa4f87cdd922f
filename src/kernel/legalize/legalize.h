// Rewrites a kernel into ops that the target's emitter keeps: one table (op, type, target feature)
// -> keep | expand, and one file a theme of expansions. After it only kept rows are left, so that a
// gap is our diagnostic and not LLVM's abort.
#pragma once
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::kernel {

Result<Kernel> legalize(const Kernel& kernel, const Target& target);
// Legalises every kernel of the program and merges those that became identical.
Status legalize(Program& program, const Target& target);

}  // namespace hlocc::kernel
