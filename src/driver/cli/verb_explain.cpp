// `hlocc explain KIND`: what a kind of diagnostic means, an example that ends with it, what cures
// it. Without a kind, all of them.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Explanation {
  DiagnosticKind kind;
  std::string_view cause, model, command, cure;
};

constexpr Explanation kExplanations[] = {
#define HLOCC_EXPLANATION(kind, cause, model, command, cure) \
  {DiagnosticKind::kind, cause, model, command, cure},
#include "driver/cli/explanations.def"
};

// A row for each kind, in the same order.
constexpr bool is_complete() {
  for (size_t i = 0; i < std::size(kExplanations); ++i)
    if (static_cast<size_t>(kExplanations[i].kind) != i) return false;
  return std::size(kExplanations) == static_cast<size_t>(DiagnosticKind::kInternal) + 1;
}
static_assert(is_complete());

std::string kind_of(const Explanation& row) { return std::string(diagnostic_kind_name(row.kind)); }

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string& line : split(std::string(text), '\n'))
    if (!line.empty()) out += cat("    ", line, "\n");
  return out;
}

std::string explained(const Explanation& row) {
  std::string out = cat("error[", kind_of(row), "], exit code ",
                        static_cast<int>(exit_code(row.kind)), "\n", row.cause, "\n");
  if (!row.model.empty()) out += cat("\nmodel.hlo.txt:\n", indented(row.model));
  if (!row.command.empty()) out += cat("\nends with it:\n", indented(row.command));
  return cat(out, "\ncure: ", row.cure, "\n");
}

nlohmann::ordered_json row_json(const Explanation& row) {
  return {{"kind", kind_of(row)},   {"exit_code", static_cast<int>(exit_code(row.kind))},
          {"cause", row.cause},     {"model", row.model},
          {"command", row.command}, {"cure", row.cure}};
}

Result<std::span<const Explanation>> rows_called(const std::string& kind) {
  if (kind.empty()) return std::span<const Explanation>(kExplanations);
  std::vector<std::string> names;
  for (const Explanation& row : kExplanations) {
    if (kind_of(row) == kind) return std::span<const Explanation>(&row, 1);
    names.push_back(kind_of(row));
  }
  return suggest(error(DiagnosticKind::kUsage, cat("there is no kind '", kind, "'")), kind, names)
      .note("kinds are " + join(names, ", "));
}

}  // namespace

Result<int> verb_explain(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const std::span<const Explanation> rows, rows_called(line.name));
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Explanation& row : rows) {
    text += cat(text.empty() ? "" : "\n", explained(row));
    all.push_back(row_json(row));
  }
  if (line.json)
    print_json({{"kinds", all}});
  else
    print_text(text);
  return kExitDone;
}

}  // namespace hlocc::driver
