// What holds for the values of a program: their roles' names, and renaming those that steps read
// and write.
#pragma once
#include <functional>
#include <string_view>

#include "kernel/program.h"

namespace hlocc::kernel {

// "temporary", "argument", "state", "constant": in texts and JSON.
std::string_view role_name(ValueRole role);

// Replaces every value that steps read or write, at all depths.
void replace_values(Steps& steps, const std::function<ProgramValueId(ProgramValueId)>& replacement);

// Takes constants that no step reads and no result names out of the program: kernels may read
// copies of their own in another order, and running the program takes every constant that it has.
// Tells what became of each value: its new id, or kNone.
std::vector<ProgramValueId> drop_unread_constants(Program& program);

}  // namespace hlocc::kernel
