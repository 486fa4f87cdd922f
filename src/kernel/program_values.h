// Renaming the values that steps read and write.
#pragma once
#include <functional>

#include "kernel/program.h"

namespace hlocc::kernel {

// Replaces every value that steps read or write, at all depths.
void replace_values(Steps& steps,
                    const std::function<ProgramValueId(ProgramValueId)>& replacement);

// Takes constants that no step reads and no result names out of the program: kernels may read
// copies of their own in another order, and whoever runs the program stores every constant it has.
void drop_unread_constants(Program& program);

}  // namespace hlocc::kernel
