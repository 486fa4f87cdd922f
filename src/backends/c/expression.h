// One op of a legalised kernel on scalars as a C expression over the texts of its operands.
#pragma once
#include <span>

#include "backends/c/c_text.h"
#include "backends/c/prelude.h"
#include "kernel/kernel.h"
#include "target/target.h"

namespace hlocc::backends {

// What an expression is made of. Memory and control are not among the ops.
struct ExpressionSite {
  const kernel::Op& op;
  kernel::Type type;                    // of the result
  std::span<const kernel::Type> types;  // of the operands
  std::span<const Code> operands;
  const Target& target;
  Prelude& prelude;
};

// Empty text: there is no C for the op, which legalisation should have rewritten.
Code expression(const ExpressionSite& site);

}  // namespace hlocc::backends
