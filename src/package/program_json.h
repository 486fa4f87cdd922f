// The JSON form of a program.
#pragma once
#include <string>

#include "kernel/program.h"

namespace hlocc::package {

// Values, steps and signature as JSON, kernels as their text; constants by size only.
std::string to_json(const kernel::Program& program);

}  // namespace hlocc::package
