// The verbs of the command line (verbs.def), one file each. A verb returns the exit code, or the
// diagnostic that ends it.
#pragma once
#include "driver/cli/command_line.h"
#include "support/result.h"

namespace hlocc::driver {

Result<int> run_verb(const CommandLine& line);

#define HLOCC_VERB(Name, word, ...) Result<int> verb_##word(const CommandLine& line);
#include "driver/cli/verbs.def"

// Of a compile that fails: takes away what the same command line left behind before, and adds to
// the reason of the failure what that was.
Diagnostic remove_stale(const CommandLine& line, Diagnostic why);

}  // namespace hlocc::driver
