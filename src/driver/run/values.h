// Values that a user gives for a model's arguments and results, as NAME=FILE.npy: for `run`,
// `snapshot` and `verify`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "import/reader.h"
#include "support/result.h"

namespace hlocc::driver {

// One value an entry parameter: the snapshot's, with those of --input in their place. Errors:
// kUsage for a name that the model does not have, kArgument for arguments that are not given.
Result<std::vector<hlo::Literal>> gather_arguments(const import::Imported& imported,
                                                   const std::vector<std::string>& inputs);

// What --freeze makes constants of, by leaf: NAME=FILE.npy, or a pattern ('*' for any characters)
// of names whose values `from`, a snapshot of the model, holds. Errors: kUsage for names that the
// model does not have and for patterns without a snapshot, kArgument for values of another type.
Result<std::vector<std::optional<hlo::Literal>>> frozen_values(
    const hlo::Module& module, const std::vector<std::string>& requests,
    const std::optional<import::Snapshot>& from);

// The expected result of `arguments`: what --expect gives; leaves without a given value
// are computed by the interpreter.
Result<hlo::Literal> gather_expected(const import::Imported& imported,
                                     const std::vector<hlo::Literal>& arguments,
                                     const std::vector<std::string>& expected);

}  // namespace hlocc::driver
