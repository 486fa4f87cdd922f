// From the parsed command line to the verb.
#include "driver/verbs.h"

namespace hlocc::driver {

Result<int> run_verb(const CommandLine& line) {
  switch (line.verb) {
    case Verb::kCompile: return verb_compile(line);
    case Verb::kRun: return verb_run(line);
    case Verb::kVerify: return verb_verify(line);
    case Verb::kSnapshot: return verb_snapshot(line);
    case Verb::kBench: return verb_bench(line);
    case Verb::kInspect: return verb_inspect(line);
    case Verb::kAnalyze: return verb_analyze(line);
    case Verb::kProfile: return verb_profile(line);
    case Verb::kReduce: return verb_reduce(line);
    case Verb::kDoctor: return verb_doctor(line);
    case Verb::kTargets: return verb_targets(line);
    case Verb::kBackends: return verb_backends(line);
    case Verb::kNone: break;
  }
  return error(DiagnosticKind::kUsage, "no verb");
}

}  // namespace hlocc::driver
