// What this thread is working on (WorkingOn of check.h), for diagnostics that name the stage.
#pragma once
#include <string>
#include <vector>

namespace hlocc {

// The outermost first.
const std::vector<std::string>& worked_on();

}  // namespace hlocc
