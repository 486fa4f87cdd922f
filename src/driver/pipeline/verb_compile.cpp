// `hlocc compile`: one model, or several that share an arena, for one or several targets. Nothing
// is written before everything has succeeded; after a failure the library of an earlier compile is
// gone.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "driver/analyze/analysis_text.h"
#include "driver/cache/cache.h"
#include "driver/cli/notes.h"
#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/compile_target.h"
#include "driver/pipeline/earlier_interface.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/shared_library.h"
#include "driver/pipeline/targets.h"
#include "import/data_files.h"
#include "package/build_lines.h"
#include "package/facts_json.h"
#include "package/names.h"
#include "package/writer.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {
namespace {

Result<std::vector<Target>> resolve_targets(const CommandLine& line) {
  std::vector<Target> out;
  const std::vector<std::string> names =
      line.targets.empty() ? std::vector<std::string>{"host"} : line.targets;
  for (const std::string& name : names) {
    const auto is_same = [&](const Target& target) { return target.name == name; };
    if (std::any_of(out.begin(), out.end(), is_same)) continue;
    HLOCC_TRY_ASSIGN(Target target, resolve_target(name, line));
    HLOCC_TRY(find_backend(target.backend, true));
    out.push_back(std::move(target));
  }
  return out;
}

void say_what_changed(const CommandLine& line, const std::vector<package::Placed>& files) {
  if (!wants_notes(line)) return;
  for (const std::string& sentence : changed_interfaces(files))
    say_note(line, cat(sentence, ": code for the earlier one does not fit"));
}

Status write_depfile(const CommandLine& line, const std::vector<package::Placed>& files) {
  if (line.depfile.empty()) return {};
  std::vector<std::string> outputs;
  for (const package::Placed& file : files) outputs.push_back(file.path());
  std::vector<std::string> inputs;
  for (const std::string& word : line.models) {
    const std::string path = line.compile.shared_arena ? read_operand(word).path : word;
    if (path != "-") inputs.push_back(path);
    for (std::string& file : import::data_files_of(path)) inputs.push_back(std::move(file));
  }
  const std::string rule = package::make_depfile(outputs, inputs);
  return package::write_file(line.depfile, bytes_of(rule));
}

std::string folder_of(const CommandLine& line) { return line.output.empty() ? "." : line.output; }

std::string folder_of(const CommandLine& line, size_t targets, const Target& target) {
  return targets == 1 ? folder_of(line) : cat(folder_of(line), "/", target.name);
}

// The files of all targets, and what is said about them once they are written: lines, and a row of
// JSON a target.
struct Made {
  std::vector<package::Placed> files;
  std::string summary;
  nlohmann::ordered_json targets = nlohmann::ordered_json::array();
};

// Gives the files their folder, and tells what the verb says of them.
void place(const CommandLine& line, size_t targets, const Target& target, CompiledTarget made,
           Made& out) {
  const std::string folder = folder_of(line, targets, target);
  const size_t before = out.files.size();
  for (package::File& file : made.files) out.files.push_back({folder, std::move(file)});
  const auto lines = lines_to_build(target, std::move(made.build), folder);
  out.summary += made.summary;
  if (!lines.empty()) out.summary += cat("build with it:\n", to_text(lines));
  if (!line.json) return;
  nlohmann::ordered_json row = std::move(made.sizes);
  row["files"] = files_json(std::span(out.files).subspan(before));
  row["build"] = package::build_json(lines);
  out.targets.push_back(std::move(row));
}

Result<Made> make_shared(const CommandLine& line, const std::vector<Target>& targets,
                         StageClock& clock) {
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const std::vector<SharedModel> models, load_models(line));
  end_stage(&clock, "read");
  Made out;
  clock.targets = targets.size();
  for (const Target& target : targets) {
    clock.target = static_cast<size_t>(&target - targets.data());
    say_what_was_assumed(line, target);
    HLOCC_TRY_ASSIGN(SharedCompilation made,
                     compile_shared(models, target, emitted_files(line, target),
                                    {.print_after = line.compile.print_after,
                                     .clock = &clock,
                                     .flash = line.budgets.flash}));
    for (const planning::Plan& plan : made.plans) warn_of_calls(line, plan);
    HLOCC_TRY(keep_budgets(line, made.total));
    end_stage(&clock, "analyze");
    CompiledTarget all;
    all.files = std::move(made.files);
    all.summary = summary(made.total, made.models);
    all.sizes = sizes_json(made.total);
    all.build = std::move(made.built);
    place(line, targets.size(), target, std::move(all), out);
  }
  return out;
}

Result<Made> make_all(const CommandLine& line, StageClock& clock) {
  HLOCC_TRY(check_stage_name(line.compile.print_after));
  HLOCC_TRY_ASSIGN(std::vector<Target> targets, resolve_targets(line));
  if (line.compile.shared_arena) {
    if (!line.reading.frozen.empty())
      return error(DiagnosticKind::kUsage, "--shared-arena and --freeze do not go together")
          .note("export models that hold their weights");
    return make_shared(line, targets, clock);
  }
  Made out;
  clock.targets = targets.size();
  HLOCC_TRY_ASSIGN(CacheOptions options, cache_options(line));
  CompileCache cache(std::move(options));
  LazyModel model(line, clock);
  for (const Target& target : targets) {
    clock.target = static_cast<size_t>(&target - targets.data());
    const auto compile = [&]() -> Result<CompiledTarget> {
      HLOCC_TRY_ASSIGN(const ReadModel* read, model.get());
      return compile_target(line, *read, target, clock);
    };
    HLOCC_TRY_ASSIGN(CompiledTarget made, cache.get(line, target, compile));
    place(line, targets.size(), target, std::move(made), out);
  }
  cache.finish(line);
  return out;
}

// -o -: the manifest goes nowhere, since stdout holds one file.
Status write_one_file(const std::vector<package::Placed>& files) {
  std::vector<const package::Placed*> asked;
  for (const package::Placed& placed : files)
    if (!placed.file.name.ends_with(".json")) asked.push_back(&placed);
  if (asked.size() == 1) return write_file_or_output("-", asked[0]->file.bytes);
  std::vector<std::string> names;
  for (const package::Placed* placed : asked) names.push_back(placed->file.name);
  return error(DiagnosticKind::kUsage,
               cat("-o - writes one file to the standard output, here are ", join(names, ", ")))
      .note("-o FOLDER takes them all");
}

Status write_targets(const CommandLine& line) {
  Progress progress(line);
  StageClock clock{&progress};
  HLOCC_TRY_ASSIGN(const Made made, make_all(line, clock));
  begin_stage(&clock, "writing");
  if (is_output(folder_of(line))) return write_one_file(made.files);
  say_what_changed(line, made.files);
  HLOCC_TRY(package::write_files(made.files));
  HLOCC_TRY(write_depfile(line, made.files));
  end_stage(&clock, "write");
  // What --print-after prints is a program that others read.
  if (line.compile.print_after.empty()) {
    if (line.json) print_json({{"models", line.models}, {"targets", made.targets}});
    if (wants_notes(line)) print_text(made.summary);
  }
  if (line.time_report) std::fputs(time_report(clock.times).c_str(), stderr);
  return {};
}

}  // namespace

Diagnostic remove_stale(const CommandLine& line, Diagnostic why) {
  const std::string stem =
      line.options.name.empty()
          ? line.models[0] == "-" ? "" : package::stem_of_file(line.models[0], {})
          : package::stem_of_class(line.options.name);
  if (!is_c_identifier(stem) || is_output(folder_of(line))) return why;
  std::set<std::string> folders = {folder_of(line)};
  const std::set<std::string> targets(line.targets.begin(), line.targets.end());
  if (targets.size() > 1) {
    folders.clear();
    for (const std::string& target : targets) {
      const Chip* chip = find_chip(target);
      folders.insert(
          cat(folder_of(line), "/", chip == nullptr ? std::string_view(target) : chip->name));
    }
  }
  std::vector<std::string> out;
  for (const std::string& folder : folders)
    for (std::string& path : package::remove_compiled(folder, stem)) out.push_back(std::move(path));
  if (!out.empty())
    why.notes.push_back(cat("what an earlier compile wrote is removed: ", join(out, ", ")));
  return why;
}

Result<int> verb_compile(const CommandLine& line) {
  Status done = write_targets(line);
  if (done) return 0;
  return remove_stale(line, std::move(done).error());
}

}  // namespace hlocc::driver
