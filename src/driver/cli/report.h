// How the tool speaks: diagnostics on stderr, as text or as JSON.
#pragma once
#include <string>

#include "support/diagnostic.h"

namespace hlocc::driver {

// The diagnostic as docs/schemas/error.schema.json describes it, without a line break.
std::string error_json(const Diagnostic& diagnostic);

// Prints the diagnostic and returns its exit code.
int report(const Diagnostic& diagnostic, bool json);

}  // namespace hlocc::driver
