// Two floats that lie side by side, loaded by one instruction where registers of 32 bits are halves
// of registers of 64 (VLDR.64 of Arm cores without vectors). LLVM knows such a load for neighbours
// among registers only, and allocates registers before it looks for them.
#pragma once
#include "target/target.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace hlocc::backends {

// Pairs the loads of each block, as far as registers for pairs are free between a load and its last
// use. The last pass before code is generated.
void pair_loads(llvm::Module& module, const Target& target);

}  // namespace hlocc::backends
