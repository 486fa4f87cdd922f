// See report.h.
#include "driver/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace hlocc::driver {

namespace {

// The length of the UTF-8 sequence that starts here, or 0 where none does.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80             ? 1
                        : (byte(0) & 0xe0) == 0xc0 ? 2
                        : (byte(0) & 0xf0) == 0xe0 ? 3
                        : (byte(0) & 0xf8) == 0xf0 ? 4
                                                   : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

// Messages quote names and lines of files, which may hold anything: what a terminal would not print
// is written as \xNN.
std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t length = sequence_length(text);
    const bool is_control =
        static_cast<unsigned char>(text[0]) < 0x20 && text[0] != '\n' && text[0] != '\t';
    if (length == 0 || is_control || text[0] == 0x7f) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(text[0]));
      out += escaped;
      length = 1;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

ExitCode exit_code(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::kInternal: return kExitBug;
    case DiagnosticKind::kUsage:
    case DiagnosticKind::kTarget: return kExitUsage;
    default: return kExitInput;
  }
}

int report(const Diagnostic& diagnostic, bool json) {
  std::string text = printable(diagnostic.to_string());
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
