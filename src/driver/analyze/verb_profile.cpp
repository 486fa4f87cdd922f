// `hlocc profile DUMP --model MODEL`: what a board counted, with the names that HLO has for it. The
// model is planned as it was for the library; a hash of the steps says whether it is the same plan.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/analyze/profile.h"
#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "import/file.h"
#include "package/names.h"
#include "package/writer.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Result<std::vector<ProfileDump>> read_dump_file(const std::string& path) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  return read_dumps({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

// What the dump says of target and level, where the command line says nothing.
Result<Target> target_of(const ProfileDump& dump, const CommandLine& given) {
  CommandLine line = given;
  if (!line.profile.has_level)
    for (Level level : {Level::kO0, Level::kO1, Level::kO2, Level::kO3, Level::kOs, Level::kOz})
      if (level_name(level) == dump.level) line.options.level = level;
  return resolve_target(line.targets.empty() ? dump.target : line.targets[0], line);
}

// The hashes of what was planned, by target and level: a day's log holds thousands of dumps of few
// libraries.
using KnownPlans = std::map<std::pair<std::string, std::string>, std::string>;

// The hash says that it is of this plan, the number of its steps that it is not.
Diagnostic of_other_steps(const ProfileDump& dump, size_t steps, const CommandLine& line) {
  return error(DiagnosticKind::kFormat, cat("the profile of ", dump.model, " has ",
                                            dump.steps.size(), " steps, its plan ", steps))
      .at({line.models[0], 0})
      .note("its first line is damaged: dump it again");
}

// The dump's profile, if it is of this model; else nothing.
Result<std::optional<Profile>> read_as(const ProfileDump& dump, const hlo::Module& module,
                                       const CommandLine& line, KnownPlans& known,
                                       StageClock& clock) {
  const auto same = known.find({dump.target, dump.level});
  if (same != known.end() && same->second != dump.hash) return std::optional<Profile>();
  HLOCC_TRY_ASSIGN(Target target, target_of(dump, line));
  target.options.stem = package::stem_of_file(line.profile.model, module);
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(module, target.options));
  HLOCC_TRY_ASSIGN(const Planned planned,
                   plan_module(module, signature, target, {.clock = &clock}));
  const std::string hash = planning::steps_hash(planned.program, planned.plan);
  known[{dump.target, dump.level}] = hash;
  if (hash != dump.hash) return std::optional<Profile>();
  Analysis found = analyse(planned.program, planned.plan, {}, target);
  std::map<const kernel::Step*, Layer*> by_step;
  for (Layer& layer : found.layers) by_step[layer.launch.step] = &layer;
  std::vector<Layer> layers;
  for (const kernel::Step* step : planning::timed_steps(planned.plan))
    layers.push_back(*by_step.at(step));
  if (layers.size() != dump.steps.size()) return of_other_steps(dump, layers.size(), line);
  return std::optional(join_profile(dump, layers));
}

Diagnostic none_is_of(const std::vector<ProfileDump>& dumps, const CommandLine& line) {
  std::set<std::string> names;
  for (const ProfileDump& dump : dumps)
    names.insert(cat(dump.model, " for ", dump.target, " at ", dump.level));
  return error(DiagnosticKind::kMismatch,
               cat("is no profile of ", line.profile.model, " as this command plans it"))
      .at({line.models[0], 0})
      .note(cat("it is of ", join(names, ", ")))
      .note(
          "give the file, and --target, --cpu, --features, -O, --keep-arguments, --no-winograd, "
          "--no-integer-qdq and --ram-budget, that the library was compiled with");
}

}  // namespace

Result<int> verb_profile(const CommandLine& line) {
  Progress progress(line);
  StageClock clock{&progress};
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const std::vector<ProfileDump> dumps, read_dump_file(line.models[0]));
  HLOCC_TRY_ASSIGN(const import::Imported imported,
                   load_frozen(line, line.profile.model, import::Constants::kMayBeElided));
  KnownPlans known;
  for (const ProfileDump& dump : dumps) {
    HLOCC_TRY_ASSIGN(const std::optional<Profile> profile,
                     read_as(dump, imported.module, line, known, clock));
    if (!profile) continue;
    progress.wipe();
    if (!line.html.empty())
      HLOCC_TRY(write_file_or_output(line.html, bytes_of(to_page(*profile, line.clock))));
    if (is_output(line.html)) return kExitDone;
    if (line.json)
      print_json(to_json(*profile, line.clock));
    else
      print_text(to_text(*profile, line.clock, output_width()));
    return kExitDone;
  }
  return none_is_of(dumps, line);
}

}  // namespace hlocc::driver
