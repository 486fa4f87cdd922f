// What the user decides of a model: --dim, sizes that its file leaves open, and --freeze: arguments
// become constants, so that they lie in flash and are laid out for the kernels.
#pragma once
#include "driver/cli/command_line.h"
#include "import/reader.h"
#include "support/result.h"

namespace hlocc::driver {

// Makes constants of the arguments that the command line names, and says on stderr, unless it is to
// be quiet, which they were and which arguments are left by which numbers. Those behind them move
// up; a snapshot's values of the frozen ones are dropped. Errors: kUsage for names that there are
// not, donated arguments, parts of tuples, and where no argument would be left; kArgument for
// values of another type; kFile and kFormat for files.
Status freeze_arguments(const CommandLine& line, import::Imported& imported);

// load_model, with --dim, --freeze and --every.
Result<import::Imported> load_frozen(const CommandLine& line, const std::string& path,
                                     import::Constants constants = import::Constants::kNeeded,
                                     std::string* sha256 = nullptr);

}  // namespace hlocc::driver
