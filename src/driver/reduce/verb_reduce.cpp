// `hlocc reduce`: the smallest module that still fails, where failing is a difference from the
// interpreter, a crash, a hang or a diagnostic. Writes a snapshot and prints its text.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/freeze.h"
#include "driver/reduce/steps.h"
#include "driver/run/execute.h"
#include "driver/run/random_arguments.h"
#include "driver/verify/rules.h"
#include "import/writer.h"
#include "ops/text/printer.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::Literal;

constexpr int kMostTries = 3000;
constexpr double kMostSeconds = 1800;

size_t instruction_count(const hlo::Module& module) {
  size_t count = 0;
  for (const hlo::Computation& computation : module.computations)
    count += computation.instructions.size();
  return count;
}

class Reducer {
 public:
  Reducer(ReduceCase first, std::string backend, Progress& progress)
      : now_(std::move(first)), backend_(std::move(backend)), progress_(progress) {}

  // Finds out how the case fails; the least strict way that shows it.
  Result<std::string> diagnose() {
    for (const Strictness strictness :
         {Strictness::kGross, Strictness::kClear, Strictness::kRules}) {
      strictness_ = strictness;
      symptom_ = symptom_of(now_, backend_, strictness);
      if (symptom_.is_environment) return cannot_run(symptom_);
      if (!symptom_.kind.empty()) return symptom_.kind;
    }
    return error(DiagnosticKind::kArgument,
                 cat("does not fail: ", backend_, " and interpreter agree on it by verify's rule"))
        .note(
            "reduce wants a model that crashes, is refused, or gives another result than the "
            "interpreter");
  }

  // Errors: kEnvironment, where there are no processes any more.
  Status run() {
    static const ReduceStep steps[] = {drop_results,      cut_operands,      drop_annotations,
                                       open_control_flow, shrink_dimensions, simplify_values};
    const Keep keep([this](const ReduceCase& candidate) { return fails(candidate); },
                    [this](ReduceCase candidate) { now_ = std::move(candidate); });
    for (bool any = true; any && left();) {
      any = false;
      for (const ReduceStep step : steps)
        // A step sees the case as it was when it began, while `keep` moves on.
        while (left() && step(ReduceCase(now_), keep)) any = true;
    }
    return broken_ ? Status(*broken_) : Status();
  }

  const ReduceCase& now() const { return now_; }
  const Symptom& symptom() const { return symptom_; }
  int tries() const { return tries_; }

 private:
  using Clock = std::chrono::steady_clock;

  static Diagnostic cannot_run(const Symptom& symptom) {
    return error(DiagnosticKind::kEnvironment, cat("cannot run it: ", symptom.detail));
  }

  bool left() const { return !broken_ && tries_ < kMostTries && seconds() < kMostSeconds; }

  bool fails(const ReduceCase& candidate) {
    if (!left()) return false;
    tell_progress();
    ++tries_;
    const Symptom symptom = symptom_of(candidate, backend_, strictness_);
    if (symptom.is_environment) broken_ = cannot_run(symptom);
    if (broken_ || symptom.kind != symptom_.kind) return false;
    symptom_ = symptom;
    return true;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell_progress() {
    progress_.now_at(
        cat("try ", tries_ + 1, ", ", instruction_count(now_.module), " instructions are left"),
        {std::max(static_cast<double>(tries_) / kMostTries, seconds() / kMostSeconds), true});
  }

  ReduceCase now_;
  std::string backend_;
  Progress& progress_;
  Strictness strictness_ = Strictness::kGross;
  Symptom symptom_;
  std::optional<Diagnostic> broken_;  // why it cannot go on
  int tries_ = 0;
  Clock::time_point start_ = Clock::now();
};

// What the interpreter says of the case; an empty tuple where it does not say.
Result<Literal> expected_of(const ReduceCase& least) {
  HLOCC_TRY_ASSIGN(const std::vector<Literal> values, entry_values(least));
  if (values.empty()) return Literal();
  const hlo::Computation& entry = least.module.entry_computation();
  const hlo::Instruction& root = entry.root_instruction();
  if (root.shape.is_array()) return values[static_cast<size_t>(entry.root)];
  if (root.opcode != hlo::Opcode::kTuple) return Literal();
  std::vector<Literal> elements;
  for (const hlo::InstructionId id : root.operands)
    elements.push_back(values[static_cast<size_t>(id)]);
  return Literal::make_tuple(std::move(elements));
}

}  // namespace

Result<int> verb_reduce(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(import::Imported imported, load_frozen(line, line.models[0]));
  const std::string backend = line.backend.empty() ? default_way() : line.backend;
  HLOCC_TRY(find_backend(backend, false));
  HLOCC_TRY_ASSIGN(const Case named, case_of_snapshot(line.models[0], {}));
  ReduceCase first{std::move(imported.module), {}, loosest_rule(named.rules)};
  first.arguments =
      imported.snapshot ? std::move(imported.snapshot->arguments) : random_arguments(first.module);
  const size_t before = instruction_count(first.module);
  Progress progress(line);
  progress.now_at("finding how it fails");
  Reducer reducer(std::move(first), backend, progress);
  Result<std::string> kind = reducer.diagnose();
  if (!kind) return std::move(kind).error().at({line.models[0], 0});
  HLOCC_TRY(reducer.run());

  const ReduceCase& least = reducer.now();
  HLOCC_TRY_ASSIGN(const Literal expected, expected_of(least));
  progress.wipe();
  Pieces bytes = import::write_snapshot(least.module, {least.arguments, expected});
  if (is_output(line.output)) {
    HLOCC_TRY(write_file_or_output(line.output, std::move(bytes)));
    return kExitDone;
  }
  const package::Placed file = package::placed_at(line.output, std::move(bytes));
  HLOCC_TRY(package::write_files({file}));
  ops::PrintOptions readable;
  readable.max_constant_elements = 16;
  readable.metadata = false;
  const std::string text = ops::to_text(least.module, readable);
  if (line.json)
    print_json({{"model", line.models[0]},
                {"symptom", *kind},
                {"detail", reducer.symptom().detail},
                {"instructions", instruction_count(least.module)},
                {"instructions_before", before},
                {"tries", reducer.tries()},
                {"text", text},
                {"files", files_json({&file, 1})}});
  else if (!line.quiet)
    print("%s\n%s: %s\n%zu of %zu instructions left after %d tries\n", text.c_str(), kind->c_str(),
          reducer.symptom().detail.c_str(), instruction_count(least.module), before,
          reducer.tries());
  return 0;
}

}  // namespace hlocc::driver
