// Values that a user gives for a model's arguments and results, as NAME=FILE.npy: for `run`,
// `snapshot` and `verify`.
#pragma once
#include <string>
#include <vector>

#include "import/reader.h"
#include "support/result.h"

namespace hlocc::driver {

// One value an entry parameter: the snapshot's, with those of --input in their place. Errors:
// kUsage for a name that the model does not have, kArgument for arguments that nobody gives.
Result<std::vector<hlo::Literal>> gather_arguments(const import::Imported& imported,
                                                   const std::vector<std::string>& inputs);

// The expected result of `arguments`: what --expect gives; leaves for which nobody gives a value
// are computed by the interpreter.
Result<hlo::Literal> gather_expected(const import::Imported& imported,
                                     const std::vector<hlo::Literal>& arguments,
                                     const std::vector<std::string>& expected);

}  // namespace hlocc::driver
