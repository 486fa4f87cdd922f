// `hlocc verify`: runs snapshots and compares with what they expect. One line a case that did not
// pass, one line at the end.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/targets.h"
#include "driver/run/execute.h"
#include "driver/run/values.h"
#include "driver/verify/ahead.h"
#include "driver/verify/here.h"
#include "driver/verify/known_gaps.h"
#include "driver/verify/rules.h"
#include "driver/verify/runner.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A model with the values that the command line gives.
Status take_values(const CommandLine& line, Case& one) {
  if (line.targets.empty() && line.backend == "interpreter" && line.values.expected.empty())
    return error(DiagnosticKind::kUsage,
                 "the interpreter would be compared with itself: --expect says what is right");
  HLOCC_TRY_ASSIGN(import::Imported imported, load_frozen(line, one.path));
  HLOCC_TRY_ASSIGN(std::vector<hlo::Literal> arguments,
                   gather_arguments(imported, line.values.inputs));
  HLOCC_TRY_ASSIGN(hlo::Literal result, gather_expected(imported, arguments, line.values.expected));
  imported.snapshot = import::Snapshot{std::move(arguments), std::move(result)};
  one.given = std::make_shared<const import::Imported>(std::move(imported));
  return {};
}

Result<std::vector<Case>> gather_cases(const CommandLine& line, KnownGaps& gaps) {
  std::vector<Case> index;
  if (!line.verify.index.empty()) {
    HLOCC_TRY_ASSIGN(index, read_index(line.verify.index));
    HLOCC_TRY_ASSIGN(gaps, read_known_gaps(line.verify.known_gaps, line.verify.index, index));
  }
  std::vector<Case> all;
  for (const std::string& path : line.models) {
    HLOCC_TRY_ASSIGN(Case one, case_of_snapshot(path, index));
    if (!line.values.inputs.empty() || !line.values.expected.empty())
      HLOCC_TRY(take_values(line, one));
    all.push_back(std::move(one));
  }
  if (line.models.empty()) all = std::move(index);
  if (line.verify.rtol || line.verify.atol)
    for (Case& one : all)
      one.rules = {{.rtol = line.verify.rtol.value_or(0), .atol = line.verify.atol.value_or(0)}};
  std::vector<Case> mine;
  for (size_t i = 0; i < all.size(); ++i)
    if (static_cast<int>(i % line.shards) == line.shard) mine.push_back(std::move(all[i]));
  return mine;
}

class Tally {
 public:
  // `show_ops`: also where all of them ran on one device.
  Tally(const CommandLine& line, bool show_ops, KnownGaps gaps, Progress& progress)
      : json_(line.json),
        quiet_(line.quiet),
        progress_(progress),
        show_ops_(show_ops),
        allow_skips_(line.verify.allow_skips),
        gaps_(std::move(gaps)) {}

  void add(const Case& one, CaseOutcome outcome) {
    if (const auto gap = gaps_.find(one.name); gap != gaps_.end()) {
      if (outcome.verdict != Verdict::kPassed) return ++known_, note_gap(one, gap->second);
      outcome = CaseOutcome::failed(cat("passes, and yet it is a known gap: ", gap->second));
    }
    counts_.add(outcome.verdict);
    if (outcome.verdict == Verdict::kNoTool) missing_ = outcome.why;
    for (const auto& [device, count] : outcome.ops) ops_[device] += count;
    if (json_)
      rows_.push_back({{"name", one.name},
                       {"status", word_of(outcome.verdict)},
                       {"why", outcome.why},
                       {"cpu_seconds", outcome.cpu_seconds}});
    if (json_ || outcome.verdict == Verdict::kPassed) return;
    const std::string word = word_of(outcome.verdict);
    progress_.wipe();
    print("%s %s: %s\n", word == "failed" ? "FAILED" : word.c_str(), one.name.c_str(),
          outcome.why.c_str());
    std::fflush(stdout);
  }

  int finish() const {
    progress_.wipe();
    const ExitCode exit = counts_.exit(known_, allow_skips_);
    if (json_) {
      const nlohmann::ordered_json out = {{"passed", counts_.passed()},
                                          {"failed", counts_.failed()},
                                          {"skipped", counts_.skipped()},
                                          {"known_gaps", known_},
                                          {"exit_code", static_cast<int>(exit)},
                                          {"slowest", slowest()},
                                          {"ops", ops_},
                                          {"cases", rows_}};
      print_json(out);
    } else if (!quiet_) {
      if (ops_.size() > 1 || show_ops_) print_ops();
      print("%d passed, %d failed, %d skipped", counts_.passed(), counts_.failed(),
            counts_.skipped());
      if (!gaps_.empty()) print(", %d known gaps", known_);
      print("\n");
    }
    if (counts_.passed() + counts_.failed() + known_ == 0 && exit != kExitDone)
      report_nothing_ran();
    return exit;
  }

 private:
  void report_nothing_ran() const {
    report(error(missing_.empty() ? DiagnosticKind::kArgument : DiagnosticKind::kMissingTool,
                 cat("nothing ran", missing_.empty() ? "" : ": ", missing_))
               .note("--allow-skips takes that for a success"),
           json_);
  }

  void note_gap(const Case& one, const std::string& why) {
    if (json_)
      rows_.push_back(
          {{"name", one.name}, {"status", "known gap"}, {"why", why}, {"cpu_seconds", 0.0}});
  }

  // The names of the ten cases that took most time, slowest first.
  nlohmann::ordered_json slowest() const {
    std::vector<const nlohmann::ordered_json*> order;
    for (const auto& row : rows_) order.push_back(&row);
    const size_t most = std::min<size_t>(order.size(), 10);
    std::partial_sort(order.begin(), order.begin() + most, order.end(),
                      [](auto* a, auto* b) { return (*a)["cpu_seconds"] > (*b)["cpu_seconds"]; });
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (size_t i = 0; i < most; ++i) names.push_back((*order[i])["name"]);
    return names;
  }

  void print_ops() const {
    std::string text;
    for (const auto& [device, count] : ops_)
      text += cat(text.empty() ? "ops: " : ", ", device, " ", count);
    print("%s\n", text.c_str());
  }

  bool json_, quiet_;
  Progress& progress_;
  bool show_ops_, allow_skips_;
  device::OpsByDevice ops_;
  const KnownGaps gaps_;
  VerdictCounts counts_;
  int known_ = 0;
  std::string missing_;  // the tool for want of which a case was skipped
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

// Guards stand round code that is called here, or on a board by a program of ours.
Status check_guard(const CommandLine& line, const std::string& backend) {
  const bool called_here = backend == "cpu" || backend == "c";
  if (!line.verify.guard || (line.verify.runner.empty() && line.plugin.empty() &&
                             line.verify.streams < 0 && (called_here || !line.targets.empty())))
    return {};
  return error(DiagnosticKind::kUsage, "--guard is for compiled code that verify itself calls")
      .note("--backend cpu or c, or --target without --runner");
}

}  // namespace

Result<int> verb_verify(const CommandLine& line) {
  Progress progress(line);
  const std::string backend = way_of(line);
  HLOCC_TRY(check_guard(line, backend));
  if (line.verify.streams >= 0) {
    if (line.plugin.empty()) HLOCC_TRY(find_backend(backend, false));
    Case suite;
    suite.name = "streams";
    Tally streams(line, false, {}, progress);
    streams.add(
        suite, verify_streams(backend, line.plugin, line.verify.streams, line.verify.case_seconds));
    return streams.finish();
  }
  KnownGaps gaps;
  HLOCC_TRY_ASSIGN(const std::vector<Case> cases, gather_cases(line, gaps));
  Tally tally(line, !line.plugin.empty(), std::move(gaps), progress);
  const BeginCase begin = [&](size_t i) {
    progress.now_at(cat("case ", i + 1, " of ", cases.size(), ": ", cases[i].name),
                    {static_cast<double>(i) / static_cast<double>(cases.size())});
  };
  // C is compiled in batches, here as for any board.
  if (!line.targets.empty() || (backend == "c" && line.plugin.empty())) {
    CommandLine named = line;
    if (line.targets.empty()) named.backend = backend;
    HLOCC_TRY_ASSIGN(const Target target,
                     resolve_target(line.targets.empty() ? "host" : line.targets[0], named));
    HLOCC_TRY(find_backend(target.backend, true));
    HLOCC_TRY_ASSIGN(
        const std::vector<CaseOutcome> outcomes,
        line.verify.runner.empty()
            ? verify_ahead(cases, target, line.verify.guard, begin)
            : verify_with_runner(
                  cases, target,
                  {line.verify.runner, line.verify.case_seconds, !line.board.empty()}, begin));
    for (size_t i = 0; i < cases.size(); ++i) tally.add(cases[i], outcomes[i]);
    return tally.finish();
  }
  if (line.plugin.empty()) HLOCC_TRY(find_backend(backend, false));
  for (const Case& one : cases) {
    begin(static_cast<size_t>(&one - cases.data()));
    tally.add(one, line.verify.guard ? verify_guarded(one, line.options, line.verify.case_seconds)
                                     : verify_here(one, backend, line.options, line.plugin,
                                                   line.verify.case_seconds));
  }
  return tally.finish();
}

}  // namespace hlocc::driver
