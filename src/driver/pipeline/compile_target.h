// One model for one target: from the module that was read to the files, with what is known of them.
// `compile` and `matrix` both end here, and this is what the cache holds.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/analyze/analysis.h"
#include "driver/cli/command_line.h"
#include "driver/cli/notes.h"
#include "driver/pipeline/stage_clock.h"
#include "import/reader.h"
#include "package/build_lines.h"
#include "package/file_set.h"
#include "target/target.h"

namespace hlocc::driver {

// Whether a part of the model is for a device beside the target: a plug-in's, or a GPU.
inline bool has_device(const CommandLine& line) {
  return !line.plugin.empty() || !line.device.empty();
}

// What a target was compiled to, wherever its files will lie.
struct CompiledTarget {
  std::vector<package::File> files;
  std::string summary;           // RAM and stack, flash, cycles: lines for people
  nlohmann::ordered_json sizes;  // the same, as a row of `compile --json` has it
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();  // name, cycles, flash
  package::BuildFiles build;  // of which the folder is left empty
  std::vector<Said> said;     // while the model was read, and compiled for this target
};

struct ReadModel {
  import::Imported imported;  // as --freeze left it
  std::string sha256;         // of the file
  std::vector<Said> said;
};

// The command line's model, which is read when it is first asked for, and then once.
class LazyModel {
 public:
  LazyModel(const CommandLine& line, StageClock& clock) : line_(line), clock_(clock) {}
  Result<const ReadModel*> get();

 private:
  const CommandLine& line_;
  StageClock& clock_;
  std::optional<ReadModel> read_;
};

// Notes and warnings are said on the way. Errors are located in the model; kBudget where --ram,
// --flash or --stack is exceeded.
Result<CompiledTarget> compile_target(const CommandLine& line, const ReadModel& model,
                                      Target target, StageClock& clock);

// The sizes of `analyze --json`.
nlohmann::ordered_json sizes_json(const Analysis& found);
// {"layer", "expected_cycles", "flash_bytes"} of each, in the order in which they run.
nlohmann::ordered_json layers_json(const Analysis& found);
// A budget that is exceeded is a failure like any other: nothing is written.
Status keep_budgets(const CommandLine& line, const Analysis& found);
// A warning for each function of the user's that the model calls.
void warn_of_calls(const CommandLine& line, const planning::Plan& plan);
// What was guessed of the target.
void say_what_was_assumed(const CommandLine& line, const Target& target);

// Lines that build a firmware with the files in `folder`, and their JSON.
std::vector<package::BuildLine> lines_to_build(const Target& target, package::BuildFiles files,
                                               const std::string& folder);

}  // namespace hlocc::driver
