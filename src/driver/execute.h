// Runs a module on this machine, whatever the backend: literals in, the entry's result out.
#pragma once
#include <span>

#include "hlo/module.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::driver {

// The way that is taken when none is named: `cpu` where it is built, else the interpreter.
std::string default_way();

// One argument an entry parameter. `backend` must be able to run (see backend_table.h).
Result<hlo::Literal> execute(const hlo::Module& module, std::span<const hlo::Literal> arguments,
                             const std::string& backend, const Options& options);

}  // namespace hlocc::driver
