// See report.h.
#include "driver/cli/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/terminal.h"
#include "package/json_text.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// What to_string() says, with its words in colours where stderr has them.
std::string to_terminal(const Diagnostic& diagnostic) {
  const std::string plain = for_terminal(diagnostic.to_string());
  if (!has_colours()) return plain;
  const std::string word = cat("error[", diagnostic_kind_name(diagnostic.kind), "]:");
  std::string out;
  for (const std::string& line : split(plain, '\n')) {
    const size_t at = out.empty() ? line.find(word) : std::string::npos;
    if (at != std::string::npos)
      out += cat(coloured(line.substr(0, at), Colour::kBold), coloured(word, Colour::kRed),
                 line.substr(at + word.size()));
    else if (line.starts_with("note:"))
      out += cat(coloured("note:", Colour::kCyan), line.substr(5));
    else
      out += line;
    out += "\n";
  }
  if (out.ends_with("\n\n")) out.pop_back();  // split() gives what is behind the last break, too
  return out;
}

}  // namespace

std::string error_json(const Diagnostic& diagnostic) {
  nlohmann::ordered_json out = {{"schema", kJsonSchema}};
  out["kind"] = std::string(diagnostic_kind_name(diagnostic.kind));
  out["message"] = diagnostic.message;
  out["file"] = diagnostic.location.file;
  out["line"] = diagnostic.location.line;
  out["notes"] = diagnostic.notes;
  return package::json_text(out, true);
}

int report(const Diagnostic& diagnostic, bool json) {
  const std::string text = json ? error_json(diagnostic) + "\n" : to_terminal(diagnostic);
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_code(diagnostic.kind);
}

}  // namespace hlocc::driver
