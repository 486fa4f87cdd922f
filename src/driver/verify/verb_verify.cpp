// `hlocc verify`: runs snapshots and compares with what they expect. One line a case that did not
// pass, one line at the end.
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/targets.h"
#include "driver/pipeline/windows.h"
#include "driver/run/execute.h"
#include "driver/run/values.h"
#include "driver/verify/ahead.h"
#include "driver/verify/board.h"
#include "driver/verify/child_pool.h"
#include "driver/verify/here.h"
#include "driver/verify/known_gaps.h"
#include "driver/verify/rules.h"
#include "driver/verify/runner.h"
#include "driver/verify/tally.h"
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

// Guards stand round code that is called here, or on a board by a program of ours.
Status check_guard(const CommandLine& line, const std::string& backend) {
  const bool called_here = backend == "cpu" || backend == "c";
  if (!line.verify.guard || (line.verify.runner.empty() && line.plugin.empty() &&
                             line.verify.streams < 0 && (called_here || !line.targets.empty())))
    return {};
  return error(DiagnosticKind::kUsage, "--guard is for compiled code that verify itself calls")
      .note("--backend cpu or c, or --target without --runner");
}

// Rows are pushed into libraries that are compiled ahead of time.
Status check_pushed(const CommandLine& line, const std::string& backend) {
  if (line.stream.empty()) return {};
  if (line.verify.guard)
    return error(DiagnosticKind::kUsage, "--guard and --stream do not go together")
        .note("verify with one of them, then with the other");
  if (line.verify.streams >= 0 || (line.targets.empty() && backend != "cpu" && backend != "c"))
    return error(DiagnosticKind::kUsage, "--stream is for compiled libraries")
        .note("--backend cpu or c, or --target");
  return {};
}

Result<std::vector<CaseOutcome>> run_on(const CommandLine& line, const std::vector<Case>& cases,
                                        const Target& target, const BeginCase& begin) {
  const VerifyFlags& flags = line.verify;
  if (flags.runner.empty())
    return verify_ahead(cases, target, {flags.guard, line.stream, window_spacing(line)}, begin);
  return verify_with_runner(
      cases, target,
      {flags.runner, flags.case_seconds, !line.board.empty(), line.stream, window_spacing(line)},
      begin);
}

Result<Target> served_target(const CommandLine& line, const std::string& name) {
  HLOCC_TRY_ASSIGN(Target target, resolve_target(name, line));
  HLOCC_TRY(find_backend(target.backend, true));
  return target;
}

Status verify_on_target(const CommandLine& line, const std::vector<Case>& cases, Tally& tally,
                        const BeginCase& begin) {
  HLOCC_TRY_ASSIGN(const Target target, served_target(line, line.targets[0]));
  HLOCC_TRY_ASSIGN(const std::vector<CaseOutcome> outcomes, run_on(line, cases, target, begin));
  tally.begin_target(target.name);
  for (size_t i = 0; i < cases.size(); ++i) tally.add(cases[i], outcomes[i]);
  return {};
}

// A child a target, as many at once as -j allows; what is said comes in the order of the targets.
Status verify_on_targets(const CommandLine& line, const std::vector<Case>& cases, Tally& tally,
                         Progress& progress) {
  std::vector<Target> targets;
  for (const std::string& name : line.targets) {
    HLOCC_TRY_ASSIGN(Target target, served_target(line, name));
    if (line.verify.runner.empty() || !line.board.empty()) HLOCC_TRY(find_board(target));
    targets.push_back(std::move(target));
  }
  std::vector<std::vector<CaseOutcome>> outcomes(targets.size());
  ChildPool pool(line.jobs);
  for (size_t i = 0; i < targets.size(); ++i) {
    progress.now_at(cat("running on ", targets[i].name),
                    {static_cast<double>(i) / static_cast<double>(targets.size())});
    pool.add([&, i] { return to_text(run_on(line, cases, targets[i], nullptr), cases.size()); },
             [&, i](const ChildOutcome& child) { outcomes[i] = outcomes_of(child, cases.size()); });
  }
  pool.finish();
  for (size_t i = 0; i < targets.size(); ++i) {
    tally.begin_target(targets[i].name);
    for (size_t k = 0; k < cases.size(); ++k) tally.add(cases[k], std::move(outcomes[i][k]));
  }
  return {};
}

}  // namespace

Result<int> verb_verify(const CommandLine& line) {
  Progress progress(line);
  const std::string backend = way_of(line);
  HLOCC_TRY(check_guard(line, backend));
  HLOCC_TRY(check_pushed(line, backend));
  if (line.verify.streams >= 0) {
    if (line.plugin.empty()) HLOCC_TRY(find_backend(backend, false));
    Case suite;
    suite.name = "streams";
    Tally streams(line, false, {}, progress);
    streams.add(suite, verify_streams(platform_choice(line), line.verify.streams,
                                      line.verify.case_seconds));
    return streams.finish();
  }
  KnownGaps gaps;
  HLOCC_TRY_ASSIGN(const std::vector<Case> cases, gather_cases(line, gaps));
  Tally tally(line, !line.plugin.empty(), std::move(gaps), progress);
  const BeginCase begin = [&](size_t i) {
    progress.now_at(cat("case ", i + 1, " of ", cases.size(), ": ", cases[i].name),
                    {static_cast<double>(i) / static_cast<double>(cases.size())});
  };
  // C, and libraries that rows are pushed into, are made in batches, here as for any board.
  if (!line.targets.empty() || ((backend == "c" || !line.stream.empty()) && line.plugin.empty())) {
    CommandLine named = line;
    if (line.targets.empty()) {
      if (backend == "c") named.backend = backend;
      named.targets = {"host"};
    }
    HLOCC_TRY(line.targets.size() > 1 ? verify_on_targets(named, cases, tally, progress)
                                      : verify_on_target(named, cases, tally, begin));
    return tally.finish();
  }
  if (line.plugin.empty()) HLOCC_TRY(find_backend(backend, false));
  for (const Case& one : cases) {
    begin(static_cast<size_t>(&one - cases.data()));
    tally.add(one, line.verify.guard ? verify_guarded(one, line.options, line.verify.case_seconds)
                                     : verify_here(one, platform_choice(line), line.options,
                                                   line.verify.case_seconds));
  }
  return tally.finish();
}

}  // namespace hlocc::driver
