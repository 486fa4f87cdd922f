// See report.h.
#include "driver/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace hlocc::driver {

ExitCode exit_code(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::kInternal: return kExitBug;
    case DiagnosticKind::kUsage:
    case DiagnosticKind::kTarget: return kExitUsage;
    default: return kExitInput;
  }
}

int report(const Diagnostic& diagnostic, bool json) {
  std::string text = diagnostic.to_string();
  if (json) {
    nlohmann::ordered_json out;
    out["kind"] = std::string(diagnostic_kind_name(diagnostic.kind));
    out["message"] = diagnostic.message;
    out["file"] = diagnostic.location.file;
    out["line"] = diagnostic.location.line;
    out["notes"] = diagnostic.notes;
    // Names in a module are bytes, not necessarily UTF-8.
    text = out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_code(diagnostic.kind);
}

}  // namespace hlocc::driver
