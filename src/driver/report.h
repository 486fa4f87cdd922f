// How the tool speaks: diagnostics on stderr, as text or as JSON, and the exit code that each
// means.
#pragma once
#include "support/diagnostic.h"

namespace hlocc::driver {

enum ExitCode : int { kExitDone = 0, kExitInput = 1, kExitUsage = 2, kExitBug = 3 };

ExitCode exit_code(DiagnosticKind kind);

// Prints the diagnostic and returns its exit code.
int report(const Diagnostic& diagnostic, bool json);

}  // namespace hlocc::driver
