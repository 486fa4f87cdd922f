// Whether the target has gather instructions that are worth using for vectors of this type.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
class Type;
}  // namespace llvm

namespace hlocc::backends {

bool has_gather(llvm::TargetMachine& machine, llvm::Function& function, llvm::Type* vector,
                int alignment);

}  // namespace hlocc::backends
