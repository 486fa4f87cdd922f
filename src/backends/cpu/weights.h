// The constant pool: one read-only array of bytes in the target's byte order, in a section of its own, so that a linker script
// can place it. Constants are found by their planned offsets.
#pragma once
#include "kernel/program.h"
#include "planning/plan.h"
#include "target/target.h"

namespace llvm {
class GlobalVariable;
class Module;
}  // namespace llvm

namespace hlocc::backends {

// Null when the program has no constants.
llvm::GlobalVariable* emit_weights(llvm::Module& module, const kernel::Program& program, const planning::Plan& plan,
                                   const Target& target);
std::string weights_section(const kernel::Program& program, const Target& target);

}  // namespace hlocc::backends
