// `hlocc reduce`: the smallest module that still fails, where failing is a difference from the
// interpreter, a crash, a hang or a diagnostic. Writes a snapshot and prints its text.
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/freeze.h"
#include "driver/reduce/loop.h"
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

size_t instruction_count(const hlo::Module& module) {
  size_t count = 0;
  for (const hlo::Computation& computation : module.computations)
    count += computation.instructions.size();
  return count;
}

// The backend and the clock, from now on.
ReduceTools tools_of(const std::string& backend, Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto symptom = [=](const ReduceCase& one, Strictness strictness) {
    return symptom_of(one, backend, strictness);
  };
  const auto seconds = [start = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto tell = [&progress](const ReduceCase& now, int tries, double spent) {
    progress.now_at(
        cat("try ", tries, ", ", instruction_count(now.module), " instructions are left"),
        {spent, true});
  };
  return {symptom, seconds, tell};
}

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
  Reducer reducer(std::move(first), tools_of(backend, progress));
  Result<std::string> kind = reducer.diagnose(backend);
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
