// From the parsed command line to the verb, within the limits of what a file may cost.
#include <cstdlib>

#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "support/temporary_path.h"

namespace hlocc::driver {
namespace {

Result<int> run_unlimited(const CommandLine& line) {
  switch (line.verb) {
    case Verb::kCompile: return verb_compile(line);
    case Verb::kRun: return verb_run(line);
    case Verb::kVerify: return verb_verify(line);
    case Verb::kSnapshot: return verb_snapshot(line);
    case Verb::kConvert: return verb_convert(line);
    case Verb::kBench: return verb_bench(line);
    case Verb::kInspect: return verb_inspect(line);
    case Verb::kAnalyze: return verb_analyze(line);
    case Verb::kProfile: return verb_profile(line);
    case Verb::kReduce: return verb_reduce(line);
    case Verb::kDoctor: return verb_doctor(line);
    case Verb::kMatrix: return verb_matrix(line);
    case Verb::kTargets: return verb_targets(line);
    case Verb::kBackends: return verb_backends(line);
    case Verb::kExplain: return verb_explain(line);
    case Verb::kNone: break;
  }
  return error(DiagnosticKind::kUsage, "no verb");
}

}  // namespace

Result<int> run_verb(const CommandLine& line) {
  const std::string model = !line.profiled_model.empty() ? line.profiled_model
                            : line.models.empty()        ? ""
                                                         : line.models[0];
  Budget budget(line.limits, static_cast<int64_t>(line.targets.size()));
  budget.end_process = [&](const Diagnostic& why) {
    Diagnostic told = located_in(model, why);
    if (line.verb == Verb::kCompile) told = remove_stale(line, std::move(told));
    remove_temporary_paths();
    std::_Exit(report(told, line.json));
  };
  const BudgetScope scope(&budget);
  Result<int> outcome = run_unlimited(line);
  if (!outcome && outcome.error().kind == DiagnosticKind::kLimit)
    return located_in(model, outcome.error());
  return outcome;
}

}  // namespace hlocc::driver
