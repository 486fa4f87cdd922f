// See reports.h: JUnit's XML, Markdown, and the page.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "driver/analyze/page_parts.h"
#include "driver/matrix/reports.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

// --- JUnit ---

// XML has no control characters but white space, and for_html() leaves none.
std::string attribute(const char* name, const std::string& value) {
  return cat(" ", name, "=\"", for_html(value), "\"");
}

std::string junit_case(const CellResult& cell, const std::string& name, const char* outcome,
                       const std::string& why, double time) {
  std::string out = cat("  <testcase", attribute("classname", "hlocc." + cell.target),
                        attribute("name", name), attribute("time", seconds(time)));
  if (outcome == nullptr) return out + "/>\n";
  return cat(out, "><", outcome, attribute("message", why), "/></testcase>\n");
}

struct Suite {
  std::string cases;
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double time = 0;

  void add(const CellResult& cell, const std::string& name, const char* outcome,
           const std::string& why, double seconds) {
    const std::string_view word = outcome == nullptr ? "" : outcome;
    cases += junit_case(cell, name, outcome, why, seconds);
    ++tests;
    time += seconds;
    failures += word == "failure";
    errors += word == "error";
    skipped += word == "skipped";
  }
};

// Our own faults and the environment's are errors, the model's are failures.
const char* junit_word(const CellResult& cell) {
  if (cell.status == CellStatus::kLeftOut) return "skipped";
  if (!cell.failure) return nullptr;
  return exit_code(cell.failure->kind) == kExitInput ? "failure" : "error";
}

// --- Markdown ---

// As text in a cell of a table.
std::string markdown(const std::string& text) {
  std::string out;
  for (const char c : for_line(text))
    out += std::string_view("|\\`*_<>[]").find(c) == std::string_view::npos
               ? std::string(1, c)
               : cat("\\", std::string(1, c));
  return out;
}

std::string kilobytes(const CellResult& cell, const char* name) {
  const std::optional<double> bytes = cell.figure(name);
  if (!bytes) return "?";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", *bytes / 1024);
  return text;
}

// What follows the target in the id: the axes.
std::string row_of(const CellResult& cell) {
  const std::string front = cat(cell.model, "/", cell.target);
  return cat(cell.model, cell.id.size() > front.size() ? " " : "",
             cell.id.substr(std::min(cell.id.size(), front.size() + 1)));
}

struct Grid {
  std::vector<std::string> rows, targets;
  std::map<std::pair<std::string, std::string>, const CellResult*> cells;

  explicit Grid(const MatrixReport& report) {
    const auto add = [](std::vector<std::string>& into, const std::string& name) {
      if (std::ranges::find(into, name) == into.end()) into.push_back(name);
    };
    for (const CellResult& cell : report.cells) {
      add(rows, row_of(cell));
      add(targets, cell.target);
      cells[{row_of(cell), cell.target}] = &cell;
    }
  }
  const CellResult* at(const std::string& row, const std::string& target) const {
    const auto found = cells.find({row, target});
    return found == cells.end() ? nullptr : found->second;
  }
};

std::string markdown_cell(const CellResult* cell) {
  if (cell == nullptr || cell->status == CellStatus::kLeftOut) return "";
  if (cell->failure) return "**failed**";
  std::string out = cat(kilobytes(*cell, "ram_bytes"), " / ", kilobytes(*cell, "flash_bytes"));
  if (cell->verdict && cell->verdict->status == "failed") out += " **wrong**";
  if (cell->verdict && cell->verdict->status == "passed") out += " ✓";
  return out;
}

std::string page_cell(const CellResult& cell) {
  std::string out = cat("<tr>", driver::cell(cell.id));
  for (const char* name : {"ram_bytes", "flash_bytes", "stack_bytes", "expected_cycles"}) {
    const std::optional<double> value = cell.figure(name);
    out +=
        value ? driver::cell(static_cast<int64_t>(std::llround(*value))) : "<td class=\"n\"></td>";
  }
  return cat(out, driver::cell(outcome_of(cell)), "</tr>\n");
}

}  // namespace

std::string to_junit(const MatrixReport& report) {
  std::map<std::string, Suite> suites;
  for (const CellResult& cell : report.cells) {
    Suite& suite = suites[cell.target];
    suite.add(cell, cell.id, junit_word(cell), outcome_of(cell), cell.cpu_seconds);
    if (!cell.verdict) continue;
    const char* word = cell.verdict->status == "failed"    ? "failure"
                       : cell.verdict->status == "skipped" ? "skipped"
                                                           : nullptr;
    suite.add(cell, cell.id + " verify", word, cell.verdict->why, 0);
  }
  if (!report.broken_gates.empty()) {
    CellResult gates;
    gates.target = "gates";
    for (const std::string& sentence : report.broken_gates)
      suites["gates"].add(gates, sentence.substr(0, sentence.find(':')), "failure", sentence, 0);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [target, suite] : suites)
    out += cat(" <testsuite", attribute("name", target), attribute("tests", cat(suite.tests)),
               attribute("failures", cat(suite.failures)), attribute("errors", cat(suite.errors)),
               attribute("skipped", cat(suite.skipped)), attribute("time", seconds(suite.time)),
               ">\n", suite.cases, " </testsuite>\n");
  return out + "</testsuites>\n";
}

std::string to_markdown(const MatrixReport& report) {
  const Grid grid(report);
  std::string out = cat("### hlocc: ", report.totals(), "\n\nRAM / flash in KiB\n\n| model |");
  for (const std::string& target : grid.targets) out += cat(" ", markdown(target), " |");
  out += "\n|---|";
  for (size_t i = 0; i < grid.targets.size(); ++i) out += "---:|";
  for (const std::string& row : grid.rows) {
    out += cat("\n| ", markdown(row), " |");
    for (const std::string& target : grid.targets)
      out += cat(" ", markdown_cell(grid.at(row, target)), " |");
  }
  out += "\n";
  std::string below;
  for (const CellResult& cell : report.cells)
    if (cell.is_bad()) below += cat("- ", markdown(cat(cell.id, ": ", outcome_of(cell))), "\n");
  for (const std::string& gate : report.broken_gates)
    below += cat("- gate: ", markdown(gate), "\n");
  return below.empty() ? out : cat(out, "\n", below);
}

std::string to_page(const MatrixReport& report) {
  std::string out = cat("<p>", for_html(report.totals()), "</p>\n");
  for (const std::string& gate : report.broken_gates)
    out += cat("<p><b>Gate:</b> ", for_html(gate), "</p>\n");
  out += cat("<table><thead><tr>", head_cell("Cell", false), head_cell("RAM", true),
             head_cell("Flash", true), head_cell("Stack", true), head_cell("Cycles", true),
             head_cell("Outcome", false), "</tr></thead><tbody>\n");
  for (const CellResult& cell : report.cells) out += page_cell(cell);
  return page_around("hlocc matrix", out + "</tbody></table>\n");
}

}  // namespace hlocc::driver
