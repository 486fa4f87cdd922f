// From the parsed command line to the verb, within the limits of what a file may cost.
#include <cstdlib>

#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "support/temporary_path.h"

namespace hlocc::driver {
namespace {

using RunVerb = Result<int> (*)(const CommandLine& line);
constexpr RunVerb kVerbs[] = {
    nullptr,
#define HLOCC_VERB(Name, word, ...) verb_##word,
#include "driver/cli/verbs.def"
};

Result<int> run_unlimited(const CommandLine& line) {
  const RunVerb run = kVerbs[static_cast<size_t>(line.verb)];
  if (run == nullptr) return error(DiagnosticKind::kUsage, "no verb");
  return run(line);
}

}  // namespace

Result<int> run_verb(const CommandLine& line) {
  const std::string model = !line.profile.model.empty() ? line.profile.model
                            : line.models.empty()       ? ""
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
