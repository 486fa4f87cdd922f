// LLVM 19 makes "less or greater" of floats "not equal" on Hexagon, which a NaN is too: its tables
// say that there is such a comparison. Told that there is none, it writes two.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

// To be called when the functions' attributes are what they stay: LLVM keeps the tables with the
// features.
void mend_condition_codes(const llvm::Module& module, const llvm::TargetMachine& machine);

}  // namespace hlocc::backends
