// See tally.h.
#include "driver/verify/tally.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "driver/cli/output.h"
#include "driver/cli/report.h"
#include "driver/cli/text_table.h"
#include "support/text.h"

namespace hlocc::driver {

using Json = nlohmann::ordered_json;

Tally::Tally(const CommandLine& line, bool show_ops, KnownGaps gaps, Progress& progress)
    : json_(line.json),
      quiet_(line.quiet),
      progress_(progress),
      show_ops_(show_ops),
      allow_skips_(line.verify.allow_skips),
      names_targets_(line.targets.size() > 1),
      gaps_(std::move(gaps)) {}

void Tally::begin_target(const std::string& target) { rows_.push_back({target, {}}); }

void Tally::add_json(const Case& one, const char* status, const std::string& why, double seconds) {
  if (!json_) return;
  Json row = {{"name", one.name}, {"status", status}, {"why", why}, {"cpu_seconds", seconds}};
  if (!rows_.back().target.empty()) row["target"] = rows_.back().target;
  cases_.push_back(std::move(row));
}

void Tally::add(const Case& one, CaseOutcome outcome) {
  if (rows_.empty()) begin_target("");
  Row& row = rows_.back();
  if (const auto gap = gaps_.find(one.name); gap != gaps_.end()) {
    if (outcome.verdict != Verdict::kPassed) {
      ++row.known;
      return add_json(one, "known gap", gap->second, 0);
    }
    outcome = CaseOutcome::failed(cat("passes, and yet it is a known gap: ", gap->second));
  }
  row.counts.add(outcome.verdict);
  if (outcome.verdict == Verdict::kNoTool) row.missing = outcome.why;
  for (const auto& [device, count] : outcome.ops) ops_[device] += count;
  const std::string word = word_of(outcome.verdict);
  add_json(one, word.c_str(), outcome.why, outcome.cpu_seconds);
  if (json_ || outcome.verdict == Verdict::kPassed) return;
  progress_.wipe();
  print("%s %s%s: %s\n", word == "failed" ? "FAILED" : word.c_str(), one.name.c_str(),
        names_targets_ ? cat(" on ", row.target).c_str() : "", outcome.why.c_str());
  std::fflush(stdout);
}

ExitCode Tally::exit_of(const Row& row) const { return row.counts.exit(row.known, allow_skips_); }

ExitCode Tally::exit() const {
  if (rows_.empty()) return Row{}.counts.exit(0, allow_skips_);
  const auto is = [&](ExitCode code) {
    return std::ranges::any_of(rows_, [&](const Row& row) { return exit_of(row) == code; });
  };
  return is(kExitInput) ? kExitInput : is(kExitEnvironment) ? kExitEnvironment : kExitDone;
}

int Tally::total(int (VerdictCounts::*count)() const) const {
  return std::accumulate(rows_.begin(), rows_.end(), 0,
                         [&](int sum, const Row& row) { return sum + (row.counts.*count)(); });
}

int Tally::total_known() const {
  return std::accumulate(rows_.begin(), rows_.end(), 0,
                         [](int sum, const Row& row) { return sum + row.known; });
}

int Tally::finish() const {
  progress_.wipe();
  if (json_)
    print_json(to_json());
  else if (!quiet_)
    print_end();
  const Row none;
  for (const Row& row : rows_.empty() ? std::vector<Row>{none} : rows_)
    if (row.counts.passed() + row.counts.failed() + row.known == 0 && exit_of(row) != kExitDone)
      report_nothing_ran(row);
  return exit();
}

void Tally::print_end() const {
  if (ops_.size() > 1 || show_ops_) {
    std::string text;
    for (const auto& [device, count] : ops_)
      text += cat(text.empty() ? "ops: " : ", ", device, " ", count);
    print("%s\n", text.c_str());
  }
  if (names_targets_) {
    TextTable lines = {{"target", "passed", "failed", "skipped"}};
    if (!gaps_.empty()) lines[0].push_back("known gaps");
    for (const Row& row : rows_) {
      lines.push_back({row.target, cat(row.counts.passed()), cat(row.counts.failed()),
                       cat(row.counts.skipped())});
      if (!gaps_.empty()) lines.back().push_back(cat(row.known));
    }
    print_text(to_text(lines, 1, 4));
  }
  print("%d passed, %d failed, %d skipped", total(&VerdictCounts::passed),
        total(&VerdictCounts::failed), total(&VerdictCounts::skipped));
  if (!gaps_.empty()) print(", %d known gaps", total_known());
  print("\n");
}

Json Tally::to_json() const {
  Json out = {{"passed", total(&VerdictCounts::passed)},
              {"failed", total(&VerdictCounts::failed)},
              {"skipped", total(&VerdictCounts::skipped)},
              {"known_gaps", total_known()},
              {"exit_code", static_cast<int>(exit())},
              {"targets", Json::array()},
              {"slowest", slowest()},
              {"ops", ops_},
              {"cases", cases_}};
  for (const Row& row : rows_)
    if (!row.target.empty())
      out["targets"].push_back({{"target", row.target},
                                {"passed", row.counts.passed()},
                                {"failed", row.counts.failed()},
                                {"skipped", row.counts.skipped()},
                                {"known_gaps", row.known},
                                {"exit_code", static_cast<int>(exit_of(row))}});
  return out;
}

void Tally::report_nothing_ran(const Row& row) const {
  report(error(row.missing.empty() ? DiagnosticKind::kArgument : DiagnosticKind::kMissingTool,
               cat("nothing ran", names_targets_ ? cat(" on ", row.target) : "",
                   row.missing.empty() ? "" : ": ", row.missing))
             .note("--allow-skips takes that for a success"),
         json_);
}

// The names of the ten cases that took most time, slowest first.
Json Tally::slowest() const {
  std::vector<const Json*> order;
  for (const Json& row : cases_) order.push_back(&row);
  const size_t most = std::min<size_t>(order.size(), 10);
  std::partial_sort(order.begin(), order.begin() + most, order.end(),
                    [](auto* a, auto* b) { return (*a)["cpu_seconds"] > (*b)["cpu_seconds"]; });
  Json names = Json::array();
  for (size_t i = 0; i < most; ++i) names.push_back((*order[i])["name"]);
  return names;
}

}  // namespace hlocc::driver
