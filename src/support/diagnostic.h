// A diagnostic is what a user sees when the input or the environment is at fault: a kind (a row of
// diagnostic_kinds.def), a place, a message that names the thing, and notes that say what would
// help. Printed as `file:line: error[kind]: message` followed by `note: ...` lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hlocc {

enum class DiagnosticKind {
#define HLOCC_DIAGNOSTIC(enumerator, text, exit) enumerator,
#include "support/diagnostic_kinds.def"
};

// How the tool ends: 0 done; 1 the input, or a comparison; 2 the command line; 3 a bug of ours; 4
// what is around us: disk, permission, folder, tool, process, memory.
enum ExitCode : int {
  kExitDone = 0,
  kExitInput = 1,
  kExitUsage = 2,
  kExitBug = 3,
  kExitEnvironment = 4
};

// The exit code of a verb that ends with a diagnostic of this kind.
ExitCode exit_code(DiagnosticKind kind);

// The text inside error[...].
std::string_view diagnostic_kind_name(DiagnosticKind kind);

// Where: a file (empty: unknown, filled in where it is known) and a line (0: none, as in binary
// files). Inside binary modules the message itself names computation and instruction.
struct Location {
  std::string file;
  int line = 0;
  bool operator==(const Location&) const = default;
};

struct Diagnostic {
  DiagnosticKind kind = DiagnosticKind::kInternal;
  std::string message;
  Location location;
  std::vector<std::string> notes;

  // Adds a note and returns itself, for chaining in a return statement.
  Diagnostic note(std::string text) &&;
  Diagnostic at(Location where) &&;
  // The lines printed to stderr, each ended by a newline.
  std::string to_string() const;
};

// The usual way to make one: `return error(DiagnosticKind::kShape, "…").note("…");`
Diagnostic error(DiagnosticKind kind, std::string message);

}  // namespace hlocc
