// See type_table.h.
#include "fuzz/type_table.h"

#include "fuzz/values.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

constexpr std::string_view kHead =
    R"(# Ops and element types

Which op is served on which element type. This page is generated, and takes minutes:
`hlo_fuzz grid --table docs/ops_types.md`. Each cell is a module with edge values of the type (every
code of types up to 16 bits for ops with one operand), or eight modules with random shapes and
attributes, run by the interpreter and as code for this machine.

- `yes`: both give the same, up to the roundings of docs/numerics.md
- `interp`: the interpreter alone; compiling is refused with a diagnostic
- `differs`: roundings that HLO leaves open carry results further apart than the grid allows
- `no`: refused by both
- empty: the op does not take the type

The type is that of the first array operand; other operands and results follow from the op.

)";

std::string mark(const Finding& finding) {
  switch (finding.outcome) {
    case Outcome::kAgree: return "yes";
    case Outcome::kUnsupported: return finding.what.starts_with("cpu") ? "interp" : "no";
    default: return "differs";
  }
}

}  // namespace

void TypeTable::add(const std::string& cell, const Finding& finding) {
  const std::string name = cell.starts_with("some ") ? cell.substr(5) : cell;
  const size_t space = name.rfind(' ');
  cells_[name.substr(0, space)][name.substr(space + 1)] = mark(finding);
}

std::string TypeTable::page() const {
  std::string out(kHead), rule = "|---|";
  out += "| op |";
  for (const PrimitiveType type : all_types()) {
    out += cat(" ", type, " |");
    rule += "---|";
  }
  out += cat("\n", rule, "\n");
  for (const auto& [op, row] : cells_) {
    out += cat("| ", op, " |");
    for (const PrimitiveType type : all_types()) {
      const auto found = row.find(cat(type));
      out += found == row.end() ? " |" : cat(" ", found->second, " |");
    }
    out += "\n";
  }
  return out;
}

}  // namespace hlocc::fuzz
