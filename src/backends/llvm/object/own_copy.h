// hlocc_memcpy: what code for targets without a promised C library calls where LLVM would call
// memcpy. See target/memory_functions.h.
#pragma once
#include "backends/llvm/object/object.h"
#include "target/target.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

// Has the code generator write calls of hlocc_memcpy for this module, where the target has no
// operating system. To be called when the functions' attributes are what they stay: LLVM keeps the
// names with the features.
void call_own_copy(const llvm::Module& module, const llvm::TargetMachine& machine,
                   const Target& target);

// An object that defines hlocc_memcpy and nothing else. The same for every level.
Result<Emitted> emit_own_copy(const Target& target);

}  // namespace hlocc::backends
