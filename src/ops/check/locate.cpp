// Prefixes and default notes of located diagnostics.
#include "ops/check/locate.h"

#include <algorithm>
#include <iterator>

#include "support/text.h"

namespace hlocc::ops {
namespace {

// What helps in general where the rule has no better advice.
struct DefaultNote {
  DiagnosticKind kind;
  const char* text;
};
constexpr DefaultNote default_notes[] = {
    {DiagnosticKind::kStructure,
     "the module is malformed: export it again, or correct the HLO text"},
    {DiagnosticKind::kArity, "docs/ops.md lists the operands and called computations of every op"},
    {DiagnosticKind::kAttribute, "correct the attribute, or export the module again"},
    {DiagnosticKind::kShape,
     "correct the shape, or the operands and attributes that it follows from"},
    {DiagnosticKind::kType, "put a convert to a type that the op allows in front of it"},
    {DiagnosticKind::kLimit, "make the value smaller: no target could hold it"},
};

Diagnostic finish(Diagnostic diagnostic, const hlo::Module& module, const std::string& prefix,
                  int line) {
  diagnostic.message = prefix + ": " + diagnostic.message;
  if (diagnostic.location.file.empty()) diagnostic.location.file = module.file;
  if (diagnostic.location.line == 0) diagnostic.location.line = line;
  const DefaultNote* note =
      std::find_if(std::begin(default_notes), std::end(default_notes),
                   [&](const DefaultNote& row) { return row.kind == diagnostic.kind; });
  if (diagnostic.notes.empty() && note != std::end(default_notes))
    diagnostic.notes.push_back(note->text);
  return diagnostic;
}

}  // namespace

Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module,
                  const hlo::Computation& computation, const hlo::Instruction& instruction) {
  const std::string prefix = cat("%", instruction.name, " (", hlo::opcode_name(instruction.opcode),
                                 ") in computation %", computation.name);
  return finish(std::move(diagnostic), module, prefix, instruction.line);
}

Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module,
                  const hlo::Computation& computation) {
  return finish(std::move(diagnostic), module, cat("computation %", computation.name), 0);
}

Diagnostic locate(Diagnostic diagnostic, const hlo::Module& module) {
  return finish(std::move(diagnostic), module, cat("module ", module.name), 0);
}

}  // namespace hlocc::ops
