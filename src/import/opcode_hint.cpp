// Nearest by edit distance, if it is near at all.
#include "import/opcode_hint.h"

#include <algorithm>
#include <vector>

#include "hlo/opcode.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// Spellings of other dialects and of old files.
struct OtherName {
  std::string_view name, opcode;
};
constexpr OtherName other_names[] = {
    {"optimization-barrier", "opt-barrier"},
    {"optimization_barrier", "opt-barrier"},
    {"dot_general", "dot"},
    {"exp", "exponential"},
    {"expm1", "exponential-minus-one"},
    {"log1p", "log-plus-one"},
    {"sin", "sine"},
    {"cos", "cosine"},
    {"clz", "count-leading-zeros"},
    {"tuple-select", "select"},
    {"sub", "subtract"},
    {"mul", "multiply"},
    {"div", "divide"},
    {"rem", "remainder"},
    {"max", "maximum"},
    {"min", "minimum"},
    {"neg", "negate"},
    {"broadcast_in_dim", "broadcast"},
};

std::string_view nearest_opcode(std::string_view name) {
  for (const OtherName& row : other_names)
    if (row.name == name) return row.opcode;
  // Opcodes have at most 30 letters; longer words are not near to any.
  if (name.size() > 40) return {};
  std::string_view nearest;
  int best = static_cast<int>(std::max<size_t>(2, name.size() / 3)) + 1;
  for (int i = 0; i < hlo::opcode_count(); ++i) {
    const std::string_view candidate = hlo::opcode_name(static_cast<hlo::Opcode>(i));
    const int distance = edit_distance(name, candidate);
    if (distance < best) best = distance, nearest = candidate;
  }
  return nearest;
}

}  // namespace

Diagnostic unknown_opcode(std::string_view name) {
  Diagnostic diagnostic =
      error(DiagnosticKind::kUnknownOpcode, cat("unknown opcode '", name.substr(0, 100), "'"));
  const std::string_view nearest = nearest_opcode(name);
  if (!nearest.empty())
    return std::move(diagnostic).note(cat("the nearest opcode is '", nearest, "'"));
  return std::move(diagnostic).note("docs/ops.md lists all opcodes");
}

}  // namespace hlocc::import
