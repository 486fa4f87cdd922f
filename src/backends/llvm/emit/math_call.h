// Calls of math functions that legalisation left as ops (kernel/legalize/math_functions.h).
#pragma once
#include <span>
#include <string_view>

#include "kernel/legalize/math_functions.h"
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace llvm {
class TargetMachine;
}

namespace hlocc::backends {

// Names of such functions begin with this, which no C identifier does; they are local to the
// object.
inline constexpr std::string_view kMathFunctionPrefix = "math.";

// Calls the module's one function of this kind, which is made at the first call: once for every
// part of the operands that has its lanes. Null where it cannot be made.
llvm::Value* call_math_function(llvm::IRBuilder<>& builder, const kernel::MathFunction& kind,
                                std::span<llvm::Value* const> operands, const Target& target,
                                llvm::TargetMachine& machine);

}  // namespace hlocc::backends
