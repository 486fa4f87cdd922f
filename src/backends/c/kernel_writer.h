// A legalised kernel as one C function: loops as loops, values that are used once inside the
// expression that uses them, all others as constants of their own.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "backends/c/constant_hook.h"
#include "backends/c/expression.h"
#include "kernel/kernel.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

// Gives the name of the C function for a math function that legalisation left as an op; empty where
// there is none.
using MathFunction = std::function<std::string(kernel::OpKind, kernel::Scalar)>;

struct KernelSite {
  std::string symbol;
  std::vector<bool> unshared;  // by bound buffer; beyond its end: shared
  std::vector<Held> held;      // by bound buffer: how every launch binds it; beyond: in memory
  const Target& target;
  Prelude& prelude;
  MathFunction math;
  bool called_again = false;  // from several places
};

// The definition, static, with its comment.
Result<std::string> write_kernel(const kernel::Kernel& kernel, const KernelSite& site);

// A function of scalars, made of a kernel over buffers of one element, the last of which is its
// result.
Result<std::string> write_function(const kernel::Kernel& kernel, const KernelSite& site);

}  // namespace hlocc::backends
