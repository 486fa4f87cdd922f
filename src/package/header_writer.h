// The generated header: C99 and C++11 in one file, freestanding, warning-free also as a main file.
// It holds the instance struct, `init`, every accessor as an inline function, and the C++ class;
// only `run` lies in the library.
#pragma once
#include <string>

#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::package {

std::string write_header(const kernel::Signature& signature, const planning::Plan& plan);

}  // namespace hlocc::package
