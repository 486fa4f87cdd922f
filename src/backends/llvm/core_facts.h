// Which facts of core_facts.def a target needs, by the features that LLVM resolves from triple,
// processor and feature text.
#pragma once
#include "support/result.h"
#include "target/core_facts.h"
#include "target/target.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

CoreNeeds core_needs(const Target& target, const llvm::TargetMachine& machine);
// Before anything is compiled. The row must be complete; errors as make_target_machine's.
Result<CoreNeeds> core_needs(const Target& target);

}  // namespace hlocc::backends
