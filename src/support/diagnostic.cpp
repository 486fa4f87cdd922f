// Names and the printed form of diagnostics.
#include "support/diagnostic.h"

namespace hlocc {

std::string_view diagnostic_kind_name(DiagnosticKind kind) {
  static constexpr std::string_view names[] = {
#define HLOCC_DIAGNOSTIC(enumerator, text, exit) text,
#include "support/diagnostic_kinds.def"
  };
  return names[static_cast<int>(kind)];
}

ExitCode exit_code(DiagnosticKind kind) {
  static constexpr ExitCode codes[] = {
#define HLOCC_DIAGNOSTIC(enumerator, text, exit) kExit##exit,
#include "support/diagnostic_kinds.def"
  };
  return codes[static_cast<int>(kind)];
}

Diagnostic Diagnostic::note(std::string text) && {
  notes.push_back(std::move(text));
  return std::move(*this);
}

Diagnostic Diagnostic::at(Location where) && {
  location = std::move(where);
  return std::move(*this);
}

std::string Diagnostic::to_string() const {
  std::string out = location.file.empty() ? std::string("hlocc") : location.file;
  if (location.line > 0) out += ":" + std::to_string(location.line);
  out += ": error[" + std::string(diagnostic_kind_name(kind)) + "]: " + message + "\n";
  for (const std::string& note : notes) out += "note: " + note + "\n";
  return out;
}

Diagnostic error(DiagnosticKind kind, std::string message) {
  return Diagnostic{kind, std::move(message), {}, {}};
}

}  // namespace hlocc
