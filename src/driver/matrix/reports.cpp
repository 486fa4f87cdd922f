// See reports.h: the table of a terminal, and JSON.
#include "driver/matrix/reports.h"

#include <algorithm>
#include <cmath>

#include "driver/cli/text_table.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string figure_text(const CellResult& cell, const char* name) {
  const std::optional<double> value = cell.figure(name);
  return value ? cat(static_cast<int64_t>(std::llround(*value))) : "";
}

size_t count_verdicts(const MatrixReport& report, std::string_view status) {
  return static_cast<size_t>(std::ranges::count_if(report.cells, [&](const CellResult& cell) {
    return cell.verdict && cell.verdict->status == status;
  }));
}

}  // namespace

size_t MatrixReport::count(CellStatus status) const {
  return static_cast<size_t>(
      std::ranges::count_if(cells, [&](const CellResult& cell) { return cell.status == status; }));
}

std::string MatrixReport::totals() const {
  std::vector<std::string> words;
  for (const CellStatus status :
       {CellStatus::kCompiled, CellStatus::kKnown, CellStatus::kFailed, CellStatus::kLeftOut})
    words.push_back(cat(count(status), " ", name_of(status)));
  std::string out = join(words, ", ");
  std::vector<std::string> verdicts;
  for (const char* status : {"passed", "failed", "skipped"})
    verdicts.push_back(cat(count_verdicts(*this, status), " ", status));
  const bool has_verdicts =
      std::ranges::any_of(cells, [](const CellResult& cell) { return cell.verdict.has_value(); });
  if (has_verdicts) out += cat("; verified: ", join(verdicts, ", "));
  return out;
}

std::string outcome_of(const CellResult& cell) {
  if (cell.failure)
    return cat("failed: error[", diagnostic_kind_name(cell.failure->kind),
               "]: ", cell.failure->message);
  if (cell.status == CellStatus::kLeftOut) return cat("left out: ", cell.why);
  if (!cell.verdict) return name_of(cell.status);
  return cat(name_of(cell.status), ", ", cell.verdict->status,
             cell.verdict->why.empty() ? "" : ": ", cell.verdict->why);
}

std::string to_text(const MatrixReport& report, size_t width) {
  TextTable lines;
  std::string below;
  for (const CellResult& cell : report.cells) {
    if (cell.status == CellStatus::kLeftOut) continue;
    const std::string outcome = cell.failure ? "failed" : outcome_of(cell);
    lines.push_back({cell.id, figure_text(cell, "ram_bytes"), figure_text(cell, "flash_bytes"),
                     figure_text(cell, "stack_bytes"), figure_text(cell, "expected_cycles"),
                     outcome});
    if (cell.failure) below += cat(cell.id, ": ", cell.failure->to_string());
  }
  std::string out;
  if (!lines.empty())
    out = to_text({{"cell"},
                   {"RAM", true, 1},
                   {"flash", true, 2},
                   {"stack", true, 4},
                   {"cycles", true, 3},
                   {"outcome"}},
                  lines, width);
  out += below;
  for (const std::string& gate : report.broken_gates) out += cat("gate: ", gate, "\n");
  return cat(out, report.totals(), "\n");
}

nlohmann::ordered_json to_json(const MatrixReport& report) {
  nlohmann::ordered_json out = {{"shard", nullptr},
                                {"cells", nlohmann::ordered_json::array()},
                                {"broken_gates", report.broken_gates}};
  if (report.shard) out["shard"] = *report.shard;
  for (const CellResult& cell : report.cells) out["cells"].push_back(to_json(cell));
  for (const CellStatus status :
       {CellStatus::kCompiled, CellStatus::kKnown, CellStatus::kFailed, CellStatus::kLeftOut})
    out["totals"][name_of(status)] = report.count(status);
  return out;
}

}  // namespace hlocc::driver
