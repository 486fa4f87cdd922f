// What became of the cells of a matrix, as each report tells it: rows of cells beside the words of
// the table, of JUnit's XML and of Markdown; reports that are read back
// (driver/matrix/cell_result.cpp, reports.cpp, published_reports.cpp).
#include "driver/matrix/reports.h"

#include <catch2/catch.hpp>

#include "driver/verify/child.h"
#include "support/require.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

CellResult told_cell(CellStatus status, const char* verdict = nullptr, const char* why = "") {
  CellResult out;
  out.id = "kws/m4";
  out.model = "kws";
  out.target = "m4";
  out.status = status;
  if (verdict != nullptr) out.verdict = CellVerdict{verdict, why, "ab"};
  if (status == CellStatus::kFailed) out.failure = error(DiagnosticKind::kBudget, "too large");
  if (status == CellStatus::kLeftOut) out.why = "nothing changed";
  return out;
}

TEST_CASE("which cells have files, and which are bad") {
  using enum CellStatus;
  CHECK(told_cell(kCompiled).has_files());
  CHECK(told_cell(kKnown).has_files());
  CHECK_FALSE(told_cell(kFailed).has_files());
  CHECK_FALSE(told_cell(kLeftOut).has_files());
  CHECK(told_cell(kFailed).is_bad());
  CHECK_FALSE(told_cell(kCompiled).is_bad());
  CHECK(told_cell(kCompiled, "failed").is_bad());
  CHECK_FALSE(told_cell(kCompiled, "passed").is_bad());
  CHECK_FALSE(told_cell(kCompiled, "skipped").is_bad());
  CellResult cell = told_cell(kCompiled);
  cell.sizes = {{"ram_bytes", 7}, {"name", "x"}};
  CHECK(cell.figure("ram_bytes") == 7);
  CHECK_FALSE(cell.figure("name"));
  CHECK_FALSE(cell.figure("flash_bytes"));
}

TEST_CASE("what a cell came to, in a few words") {
  using enum CellStatus;
  const std::pair<CellResult, const char*> rows[] = {
      {told_cell(kCompiled), "compiled"},
      {told_cell(kKnown), "known"},
      {told_cell(kFailed), "failed: error[budget]: too large"},
      {told_cell(kLeftOut), "left out: nothing changed"},
      {told_cell(kCompiled, "passed"), "compiled, passed"},
      {told_cell(kKnown, "failed", "differs"), "known, failed: differs"}};
  for (const auto& [cell, words] : rows) CHECK(outcome_of(cell) == words);
}

TEST_CASE("totals, with verdicts where there are any") {
  using enum CellStatus;
  MatrixReport report;
  CHECK(report.totals() == "0 compiled, 0 known, 0 failed, 0 left out");
  report.cells = {told_cell(kCompiled), told_cell(kKnown), told_cell(kKnown), told_cell(kFailed),
                  told_cell(kLeftOut)};
  CHECK(report.totals() == "1 compiled, 2 known, 1 failed, 1 left out");
  report.cells.push_back(told_cell(kCompiled, "passed"));
  report.cells.push_back(told_cell(kCompiled, "failed"));
  report.cells.push_back(told_cell(kCompiled, "skipped"));
  report.cells.push_back(told_cell(kCompiled, "passed"));
  CHECK(report.totals() ==
        "5 compiled, 2 known, 1 failed, 1 left out; verified: 2 passed, 1 failed, 1 skipped");
}

TEST_CASE("the table leaves out what was left out, and says why cells failed below") {
  using enum CellStatus;
  const std::string none = to_text(MatrixReport{{told_cell(kLeftOut)}}, 0);
  CHECK(none == "0 compiled, 0 known, 0 failed, 1 left out\n");
  const std::string all =
      to_text(MatrixReport{{told_cell(kFailed), told_cell(kCompiled, "passed")}, {"RAM grew"}}, 0);
  CHECK(all.starts_with("cell"));
  CHECK(all.find("kws/m4: hlocc: error[budget]: too large\n") != std::string::npos);
  CHECK(all.find("compiled, passed") != std::string::npos);
  CHECK(
      all.ends_with("gate: RAM grew\n1 compiled, 0 known, 1 failed, 0 left out; verified: 1 "
                    "passed, 0 failed, 0 skipped\n"));
}

// The suite's figures: "tests failures errors skipped".
std::string junit_figures(const std::vector<CellResult>& cells,
                          const std::vector<std::string>& gates = {}) {
  const std::string text = to_junit({cells, gates});
  std::vector<std::string> out;
  for (const char* name : {" tests=\"", " failures=\"", " errors=\"", " skipped=\""}) {
    const size_t at = text.find(name) + std::string_view(name).size();
    out.push_back(text.substr(at, text.find('"', at) - at));
  }
  return join(out, " ");
}

TEST_CASE("JUnit's failures are the model's, errors are ours and the environment's") {
  using enum CellStatus;
  CHECK(junit_figures({told_cell(kCompiled)}) == "1 0 0 0");
  CHECK(junit_figures({told_cell(kLeftOut)}) == "1 0 0 1");
  CHECK(junit_figures({told_cell(kFailed)}) == "1 1 0 0");
  for (const DiagnosticKind kind : {DiagnosticKind::kInternal, DiagnosticKind::kEnvironment}) {
    CellResult cell = told_cell(kFailed);
    cell.failure = error(kind, "why");
    CHECK(junit_figures({cell}) == "1 0 1 0");
  }
  // One case more for the snapshots.
  CHECK(junit_figures({told_cell(kCompiled, "passed")}) == "2 0 0 0");
  CHECK(junit_figures({told_cell(kCompiled, "failed")}) == "2 1 0 0");
  CHECK(junit_figures({told_cell(kCompiled, "skipped")}) == "2 0 0 1");
  CHECK(junit_figures({}, {"a: RAM grew", "b: RAM grew"}) == "2 2 0 0");
  const std::string text = to_junit({{told_cell(kCompiled, "failed", "a < b")}, {}});
  CHECK(text.find("name=\"kws/m4 verify\"") != std::string::npos);
  CHECK(text.find("<failure message=\"a &lt; b\"/>") != std::string::npos);
}

TEST_CASE("Markdown has a row a model and a column a target") {
  using enum CellStatus;
  CellResult a = told_cell(kCompiled, "passed"), b = told_cell(kCompiled, "failed", "x"),
             c = told_cell(kFailed), d = told_cell(kLeftOut), e = told_cell(kKnown, "skipped"),
             f = told_cell(kCompiled);
  a.sizes = {{"ram_bytes", 1024}, {"flash_bytes", 1536}};
  b.target = "m7";
  b.id = "kws/m7";
  c.id = "kws/m4/O=s";
  d.target = "m7";
  d.id = "kws/m7/O=s";
  e.model = e.id = "v|w";
  e.id += "/m4";
  f.model = "x";
  f.id = "x/m4";
  const std::string text = to_markdown({{a, b, c, d, e, f}, {"RAM grew"}});
  CHECK(text.find("| model | m4 | m7 |\n|---|---:|---:|\n"
                  "| kws | 1.0 / 1.5 ✓ | ? / ? **wrong** |\n"
                  "| kws O=s | **failed** |  |\n"
                  "| v\\|w | ? / ? |  |\n| x | ? / ? |  |\n") != std::string::npos);
  CHECK(
      text.ends_with("\n- kws/m7: compiled, failed: x\n"
                     "- kws/m4/O=s: failed: error\\[budget\\]: too large\n- gate: RAM grew\n"));
  CHECK(to_markdown({{a}}).ends_with("✓ |\n"));
}

TEST_CASE("the page has a figure where there is one") {
  using enum CellStatus;
  CellResult cell = told_cell(kCompiled);
  cell.sizes = {{"ram_bytes", 7}};
  const std::string text = to_page({{cell}, {"RAM grew"}});
  CHECK(text.find("<b>Gate:</b> RAM grew") != std::string::npos);
  CHECK(text.find(">7</td><td class=\"n\"></td>") != std::string::npos);
}

TEST_CASE("a report is read back as it was written") {
  using enum CellStatus;
  const tests::TemporaryFolder folder;
  MatrixReport report{{told_cell(kCompiled, "passed", "w"), told_cell(kFailed)}, {"g"}, 2};
  report.cells[0].shard = 3;
  report.cells[0].sizes = {{"ram_bytes", 5}};
  report.cells[0].layers = {{"conv", 10, 20}};
  report.cells[0].said = {{true, "careful"}};
  report.cells[0].cpu_seconds = 1.5;
  report.cells[1].failure->notes = {"a note"};
  const std::string text = to_json(report).dump();
  const MatrixReport back = tests::require(read_report(folder.write("r.json", text)));
  CHECK(to_json(back).dump() == text);
  CHECK(back.shard == 2);
  CHECK(back.cells[1].failure->kind == DiagnosticKind::kBudget);
  CHECK_FALSE(back.cells[1].verdict);
  CHECK(to_json(MatrixReport{})["shard"].is_null());
  // What is none.
  nlohmann::ordered_json none = to_json(report);
  none["cells"][0].erase("why");
  for (const std::string& other :
       {std::string(), std::string("[]"), std::string("{}"), std::string("7"),
        std::string(R"({"cells": [1]})"), std::string(R"({"cells": []})"), none.dump()}) {
    INFO(other);
    const Result<MatrixReport> read = read_report(folder.write("r.json", other));
    REQUIRE_FALSE(read);
    CHECK(read.error().message == "is not what `hlocc matrix --json` prints");
  }
}

TEST_CASE("what a child says of a cell") {
  using enum CellStatus;
  const CellResult cell = told_cell(kCompiled, "passed");
  const auto told = [&](const ChildOutcome& child) {
    CellResult into = told_cell(kLeftOut);
    read_child(child, into);
    CHECK(into.cpu_seconds == child.cpu_seconds);
    return cat(outcome_of(into), into.failure ? join(into.failure->notes, "") : "");
  };
  const std::string by = "failed: error[internal]: the process that compiled it: ";
  CHECK(told({.finished = true, .output = to_text(cell), .cpu_seconds = 2}) == "compiled, passed");
  CHECK(told({.output = to_text(cell), .failure = "signal 9"}) == by + "signal 9");
  for (const char* output : {"", "7", "[]", "{}", "{\"id\": 1}"})
    CHECK(told({.finished = true, .output = output}) == by + "gave no answer");
  CHECK(told({.failure = "exit code 3", .errors = "first\nsecond"}) == by + "exit code 3first");
  CHECK(told({.failure = "no process", .environment = true}) ==
        "failed: error[environment]: the process that compiled it: no process");
}

}  // namespace
}  // namespace hlocc::driver
