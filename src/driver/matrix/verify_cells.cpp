// See run.h. One child runs all snapshots of a target with the same options: `verify --target`
// links many cases into one program.
#include <map>

#include "driver/matrix/run.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/ahead.h"
#include "driver/verify/child_pool.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Snapshot {
  size_t cell;
  std::string path;
};
using Batch = std::vector<Snapshot>;

Result<std::vector<CaseOutcome>> run_batch(const MatrixSpec& spec, const Batch& batch) {
  const CommandLine& line = spec.cells[batch[0].cell].line;
  HLOCC_TRY_ASSIGN(const Target target, resolve_target(line.targets[0], line));
  std::vector<Case> cases;
  for (const Snapshot& snapshot : batch) {
    HLOCC_TRY_ASSIGN(Case one, case_of_snapshot(snapshot.path, {}));
    cases.push_back(std::move(one));
  }
  return verify_ahead(cases, target);
}

void take(const Batch& batch, const ChildOutcome& child, std::vector<CellResult>& results) {
  const std::vector<CaseOutcome> outcomes = outcomes_of(child, batch.size());
  for (size_t i = 0; i < batch.size(); ++i)
    add_verdict(results[batch[i].cell].verdict, outcomes[i]);
}

}  // namespace

std::string batch_key(const MatrixCell& cell) {
  std::string out = cell.target;
  for (const auto& [flag, values] : cell.line.given)
    if (flag != "--target" && flag != "--name" && flag != "--arg" && flag != "--result")
      out += cat("\n", flag, "=", join(values, ","));
  return out;
}

void add_verdict(std::optional<CellVerdict>& into, const CaseOutcome& outcome) {
  const std::string word = word_of(outcome.verdict);
  if (!into) {
    into = CellVerdict{word, outcome.why, outcome.results_sha256};
    return;
  }
  into->results_sha256 = sha256(cat(into->results_sha256, outcome.results_sha256));
  const auto rank = [](std::string_view status) {
    return status == "failed" ? 2 : status == "passed" ? 1 : 0;
  };
  if (rank(word) <= rank(into->status)) return;
  into->status = word;
  into->why = outcome.why;
}

void verify_cells(const MatrixRun& run, const MatrixSpec& spec, std::vector<CellResult>& results) {
  std::map<std::string, Batch> batches;
  for (size_t i = 0; i < spec.cells.size(); ++i) {
    if (!results[i].has_files()) continue;
    for (const std::string& path : spec.cells[i].snapshots)
      batches[batch_key(spec.cells[i])].push_back({i, path});
  }
  ChildPool pool(run.jobs);
  size_t begun = 0;
  for (const auto& [key, batch] : batches) {
    run.progress.now_at(cat("running on ", spec.cells[batch[0].cell].target),
                        {static_cast<double>(begun++) / static_cast<double>(batches.size())});
    pool.add([&spec, &batch] { return to_text(run_batch(spec, batch), batch.size()); },
             [&batch, &results](const ChildOutcome& child) { take(batch, child, results); });
  }
  pool.finish();
}

}  // namespace hlocc::driver
