// The generated header: C99 and C++11 in one file, freestanding, warning-free also as a main file.
// It holds the instance struct, `init`, every accessor as an inline function, and the C++ class;
// only `run` lies in the library. It refuses a compiler whose core or calling convention the
// library does not fit.
#pragma once
#include <string>

#include "kernel/program.h"
#include "package/origin.h"
#include "planning/plan.h"
#include "target/core_facts.h"
#include "target/target.h"

namespace hlocc::package {

std::string write_header(const kernel::Signature& signature, const planning::Plan& plan,
                         const Target& target, const CoreNeeds& core, const Origin& origin);

}  // namespace hlocc::package
