// How many iterations the loops of a kernel take, all together, in one invocation.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "kernel/kernel.h"

namespace hlocc::backends {

// At most so many, whatever the first parameter from 0 to `invocations` - 1 is; `integers` are the
// parameters behind it, or all where there is one invocation. None where a loop's bounds or its end
// hang on data.
std::optional<int64_t> most_iterations(const kernel::Kernel& kernel, int64_t invocations,
                                       std::span<const int64_t> integers);

}  // namespace hlocc::backends
