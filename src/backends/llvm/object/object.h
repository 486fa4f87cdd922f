// From an LLVM module to the bytes that are packaged: object, assembly, IR text; and the stack
// frame of every function.
#pragma once
#include <vector>

#include "backends/llvm/object/lazy_bytes.h"
#include "support/result.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hlocc::backends {

struct Emitted {
  LazyBytes bytes;
  // Functions that have a frame; the others use no stack beyond what a call itself pushes.
  std::vector<StackFrame> frames;
};

// Code generation rewrites the module: nothing can be emitted from it afterwards.
Result<Emitted> emit_object(llvm::Module& module, llvm::TargetMachine& machine,
                            const Target& target);
Result<Emitted> emit_assembly(llvm::Module& module, llvm::TargetMachine& machine,
                              const Target& target);
std::vector<std::byte> print_module(const llvm::Module& module);

}  // namespace hlocc::backends
