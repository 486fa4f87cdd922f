// See report.h.
#include "driver/cli/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "package/json_text.h"
#include "support/foreign_text.h"

namespace hlocc::driver {

int report(const Diagnostic& diagnostic, bool json) {
  std::string text = for_terminal(diagnostic.to_string());
  if (json) {
    nlohmann::ordered_json out;
    out["kind"] = std::string(diagnostic_kind_name(diagnostic.kind));
    out["message"] = diagnostic.message;
    out["file"] = diagnostic.location.file;
    out["line"] = diagnostic.location.line;
    out["notes"] = diagnostic.notes;
    text = package::json_text(out, true) + "\n";
  }
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_code(diagnostic.kind);
}

}  // namespace hlocc::driver
