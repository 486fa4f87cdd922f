// What LLVM does for want of memory: what `new` of hlocc's does, instead of an abort.
#pragma once

namespace hlocc::backends {

// To be called once, by main.
void end_llvm_when_out_of_memory();

}  // namespace hlocc::backends
