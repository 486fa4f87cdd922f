// See compile_target.h.
#include "driver/pipeline/compile_target.h"

#include <cmath>

#include "driver/analyze/analysis_text.h"
#include "driver/analyze/layer_text.h"
#include "driver/cli/notes.h"
#include "driver/pipeline/budgets.h"
#include "driver/pipeline/device_parts.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/pipeline/weight_arguments.h"
#include "package/names.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

void say_what_runs_where(const CommandLine& line, const DeviceParts& parts) {
  say_note(line, cat(parts.instructions, " of ", parts.instructions + parts.of_host,
                     " instructions run on ", parts.device, ", in ", parts.data.size(), " parts"));
}

Result<Compilation> compile_parts(const CommandLine& line, const hlo::Module& module,
                                  const Target& target, StageClock& clock,
                                  const std::string& sha256) {
  const std::set<package::Emit> emit = emitted_files(line, target);
  const Watch watch{
      .print_after = line.compile.print_after, .clock = &clock, .flash = line.budgets.flash};
  if (!has_device(line)) return compile_module(module, target, emit, watch, sha256);
  const std::string backend = line.plugin.empty() ? "vulkan" : "";
  HLOCC_TRY_ASSIGN(DeviceParts parts,
                   parts_for_device(module, {backend, line.plugin, line.device}, target));
  end_stage(&clock, "parts");
  say_what_runs_where(line, parts);
  HLOCC_TRY_ASSIGN(Compilation made, compile_module(parts.host, target, emit, watch, sha256,
                                                    {parts.data, parts.note}));
  for (package::File& file : parts.files) made.files.push_back(std::move(file));
  return made;
}

}  // namespace

nlohmann::ordered_json sizes_json(const Analysis& found) {
  const nlohmann::ordered_json all = to_json(found, std::nullopt);
  nlohmann::ordered_json out;
  for (const char* key :
       {"target", "class", "ram_bytes", "arena_bytes", "instance_bytes", "flash_bytes",
        "weights_bytes", "code_bytes", "stack_bytes", "stack_is_lower_bound", "expected_cycles",
        "palette_layers", "palette_bytes_saved", "palette_cycles_added"})
    out[key] = all.at(key);
  return out;
}

nlohmann::ordered_json layers_json(const Analysis& found) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Layer& layer : found.layers)
    out.push_back({{"layer", layer_name(layer.launch)},
                   {"expected_cycles", std::round(layer.launch.cycles)},
                   {"flash_bytes", layer.flash_bytes}});
  return out;
}

Status keep_budgets(const CommandLine& line, const Analysis& found) {
  std::vector<Diagnostic> over = over_budget(found, line.budgets, true);
  if (over.empty()) return {};
  for (size_t i = 1; i < over.size(); ++i) over[0].notes.push_back(over[i].message);
  return std::move(over[0]);
}

void warn_of_calls(const CommandLine& line, const planning::Plan& plan) {
  for (const planning::UserFunction& function : planning::user_functions(plan))
    say_warning(line, cat("the model calls ", function.symbol, "(", types_of(function),
                          "), a function of yours: the firmware must define it as the header "
                          "declares it"));
}

void say_what_was_assumed(const CommandLine& line, const Target& target) {
  if (line.targets.empty())
    say_note(line, cat("no --target: compiled for host, ", target.triple, " ", target.cpu));
  for (const std::string& sentence : target.assumed)
    say_note(line, cat(target.name, ": assumed ", sentence));
}

std::vector<package::BuildLine> lines_to_build(const Target& target, package::BuildFiles files,
                                               const std::string& folder) {
  if (folder != ".") files.folder = folder;
  return package::build_lines(target, files);
}

Result<const ReadModel*> LazyModel::get() {
  if (read_) return &*read_;
  ReadModel read;
  const SaidScope scope(&read.said);
  begin_stage(&clock_, "reading");
  HLOCC_TRY_ASSIGN(read.imported,
                   load_frozen(line_, line_.models[0], import::Constants::kNeeded, &read.sha256));
  end_stage(&clock_, "read");
  say_note(line_, note_of_weight_arguments(read.imported.module));
  read_ = std::move(read);
  return &*read_;
}

Result<CompiledTarget> compile_target(const CommandLine& line, const ReadModel& model,
                                      Target target, StageClock& clock) {
  std::vector<Said> said;
  const SaidScope scope(&said);
  const hlo::Module& module = model.imported.module;
  target.options.stem = package::stem_of_file(line.models[0], module);
  HLOCC_TRY(name_leaves(module, line, target.options));
  say_what_was_assumed(line, target);
  Result<Compilation> made = compile_parts(line, module, target, clock, model.sha256);
  if (!made) return located_in(line.models[0], std::move(made).error());
  warn_of_calls(line, made->plan);
  const Analysis found = analyse(made->program, made->plan, made->artifacts, target);
  HLOCC_TRY(keep_budgets(line, found));
  CompiledTarget out;
  out.files = std::move(made->files);
  out.summary = summary(found);
  if (!made->price.empty()) out.summary += cat(target.name, ": ", made->price, "\n");
  out.sizes = sizes_json(found);
  out.layers = layers_json(found);
  out.build = package::build_files(made->signature, made->artifacts);
  out.said = model.said;
  out.said.insert(out.said.end(), said.begin(), said.end());
  end_stage(&clock, "analyze");
  return out;
}

}  // namespace hlocc::driver
