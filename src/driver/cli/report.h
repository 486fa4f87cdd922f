// How the tool speaks: diagnostics on stderr, as text or as JSON.
#pragma once
#include "support/diagnostic.h"

namespace hlocc::driver {

// Prints the diagnostic and returns its exit code.
int report(const Diagnostic& diagnostic, bool json);

}  // namespace hlocc::driver
