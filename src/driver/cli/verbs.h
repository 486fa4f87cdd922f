// The verbs of the command line, one file each. A verb returns the exit code, or the diagnostic
// that ends it.
#pragma once
#include "driver/cli/command_line.h"
#include "support/result.h"

namespace hlocc::driver {

Result<int> run_verb(const CommandLine& line);

Result<int> verb_compile(const CommandLine& line);
Result<int> verb_run(const CommandLine& line);
Result<int> verb_verify(const CommandLine& line);
Result<int> verb_snapshot(const CommandLine& line);
Result<int> verb_convert(const CommandLine& line);
Result<int> verb_bench(const CommandLine& line);
Result<int> verb_inspect(const CommandLine& line);
Result<int> verb_analyze(const CommandLine& line);
Result<int> verb_profile(const CommandLine& line);
Result<int> verb_reduce(const CommandLine& line);
Result<int> verb_doctor(const CommandLine& line);
Result<int> verb_matrix(const CommandLine& line);
Result<int> verb_targets(const CommandLine& line);
Result<int> verb_backends(const CommandLine& line);
Result<int> verb_explain(const CommandLine& line);

// Of a compile that fails: takes away what the same command line left behind before, and adds to
// the reason of the failure what that was.
Diagnostic remove_stale(const CommandLine& line, Diagnostic why);

}  // namespace hlocc::driver
