// Bodies, headers and the tables of names.
#include "import/text/computation.h"

#include <algorithm>
#include <utility>

#include "import/limits.h"
#include "import/structure.h"
#include "import/text/instruction.h"
#include "import/text/shape.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::ComputationId;
using hlo::kNone;

Status resolve_controls(TextModule& text, TextScope& scope) {
  for (const TextScope::Control& control : scope.controls) {
    const auto found = scope.names.find(control.predecessor);
    if (found == scope.names.end())
      return error(DiagnosticKind::kStructure,
                   cat("control predecessor %", control.predecessor,
                       " is not defined in computation %", scope.computation.name))
          .at({text.module.file, control.line});
    scope.computation[control.instruction].control_predecessors.push_back(found->second);
  }
  return {};
}

// { instructions }: the root is the one marked ROOT, else the last.
Status parse_body(TextModule& text, TextScope& scope) {
  TextCursor& cursor = text.cursor;
  HLOCC_TRY(cursor.expect("{"));
  bool has_root = false;
  while (!cursor.accept("}")) {
    const size_t begin = cursor.position();
    bool is_root = cursor.accept_word("ROOT");
    // An instruction may be called ROOT.
    if (is_root && cursor.looking_at("=")) {
      cursor.rewind(begin);
      is_root = false;
    }
    if (is_root && has_root)
      return cursor.fail(DiagnosticKind::kStructure,
                         cat("computation %", scope.computation.name, " has two roots"));
    HLOCC_TRY_ASSIGN(const hlo::InstructionId id, parse_instruction(text, scope));
    if (is_root || !has_root) scope.computation.root = id;
    has_root = has_root || is_root;
  }
  if (scope.computation.root == kNone)
    return cursor.fail(DiagnosticKind::kStructure,
                       cat("computation %", scope.computation.name, " has no instructions"));
  return {};
}

Result<ComputationId> enter(TextModule& text, TextScope& scope) {
  HLOCC_TRY(resolve_controls(text, scope));
  HLOCC_TRY(enter_parameters(text.module, scope.computation));
  return enter(text, std::move(scope.computation));
}

// False if the file has given the name before; one that we gave is given to the file's.
bool claim_name(TextModule& text, const std::string& name, ComputationId id) {
  const auto [place, is_new] = text.computations.emplace(name, id);
  if (is_new) return true;
  if (text.given.erase(name) == 0) return false;
  const ComputationId ours = std::exchange(place->second, id);
  std::string& other = text.module.computations[static_cast<size_t>(ours)].name;
  other = give_name(text, other.substr(0, other.rfind('.')));
  text.computations.emplace(other, ours);
  return true;
}

// (name: shape, ...) -> shape: what the instructions say counts, so that this is only read over.
Status skip_signature(TextCursor& cursor) {
  if (!cursor.accept("(")) return {};
  while (!cursor.accept(")")) {
    HLOCC_TRY(cursor.name());
    cursor.accept(":");
    HLOCC_TRY(parse_shape(cursor));
    cursor.accept(",");
  }
  HLOCC_TRY(cursor.expect("->"));
  HLOCC_TRY(parse_shape(cursor));
  return {};
}

}  // namespace

// Those that are still open, around this one, have their numbers too.
std::string give_name(TextModule& text, std::string_view stem) {
  size_t number = std::max(text.next_given, text.module.computations.size());
  while (text.computations.contains(cat(stem, ".", number))) ++number;
  text.next_given = number + 1;
  return *text.given.insert(cat(stem, ".", number)).first;
}

Result<ComputationId> enter(TextModule& text, hlo::Computation computation) {
  const auto id = static_cast<ComputationId>(text.module.computations.size());
  if (!claim_name(text, computation.name, id))
    return text.cursor.fail(DiagnosticKind::kStructure,
                            cat("computation %", computation.name, " is defined twice"));
  text.module.computations.push_back(std::move(computation));
  return id;
}

Status parse_computation(TextModule& text) {
  TextCursor& cursor = text.cursor;
  TextScope scope;
  const bool is_entry = cursor.accept_word("ENTRY");
  if (is_entry && text.module.entry != kNone)
    return cursor.fail(DiagnosticKind::kStructure, "the module has two entry computations");
  HLOCC_TRY_ASSIGN(scope.computation.name, cursor.name());
  HLOCC_TRY(skip_signature(cursor));
  HLOCC_TRY(parse_body(text, scope));
  while (cursor.accept(",")) {
    cursor.word();
    HLOCC_TRY(cursor.expect("="));
    HLOCC_TRY(cursor.skip_value());
  }
  HLOCC_TRY_ASSIGN(const ComputationId id, enter(text, scope));
  if (is_entry) text.module.entry = id;
  return {};
}

Result<ComputationId> parse_inline_computation(TextModule& text) {
  if (++text.nesting > kMaxNesting)
    return text.cursor.fail(DiagnosticKind::kLimit,
                            cat("inline computations are nested deeper than ", kMaxNesting));
  TextScope scope;
  scope.computation.name = give_name(text, "inline");
  HLOCC_TRY(parse_body(text, scope));
  --text.nesting;
  return enter(text, scope);
}

Status parse_single_instruction(TextModule& text) {
  TextScope scope;
  scope.operands_are_parameters = true;
  text.cursor.accept_word("ROOT");
  HLOCC_TRY_ASSIGN(scope.computation.root, parse_instruction(text, scope));
  scope.computation.name = cat(scope.computation.root_instruction().name, ".entry");
  HLOCC_TRY_ASSIGN(text.module.entry, enter(text, scope));
  return {};
}

}  // namespace hlocc::import
