// `hlocc compile`: one model, or several that share an arena, for one or several targets. Nothing
// is written before everything has succeeded; after a failure the library of an earlier compile is
// gone.
#include <algorithm>
#include <cstdio>

#include "driver/analyze/analysis_text.h"
#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/budgets.h"
#include "driver/pipeline/device_parts.h"
#include "driver/pipeline/earlier_interface.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/shared_library.h"
#include "driver/pipeline/targets.h"
#include "driver/pipeline/weight_arguments.h"
#include "package/names.h"
#include "package/writer.h"
#include "planning/interface.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {
namespace {

void say_what_was_assumed(const CommandLine& line, const Target& target) {
  // With --json, stderr holds nothing but the error.
  if (line.json || line.quiet) return;
  if (line.targets.empty())
    std::fprintf(stderr, "note: no --target: compiled for host, %s %s\n", target.triple.c_str(),
                 target.cpu.c_str());
  for (const std::string& sentence : target.assumed)
    std::fprintf(stderr, "note: %s: assumed %s\n", target.name.c_str(), sentence.c_str());
}

void say_note(const CommandLine& line, const std::string& note) {
  if (!note.empty() && !line.json && !line.quiet) std::fprintf(stderr, "note: %s\n", note.c_str());
}

void warn_of_calls(const planning::Plan& plan) {
  for (const planning::UserFunction& function : planning::user_functions(plan))
    std::fprintf(
        stderr,
        "warning: the model calls %s(%s), a function of yours: the firmware must define it as "
        "the header declares it\n",
        function.symbol.c_str(), types_of(function).c_str());
}

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
  if (line.json || line.quiet) return;
  for (const std::string& sentence : changed_interfaces(files))
    std::fprintf(stderr, "note: %s: code for the earlier one does not fit\n", sentence.c_str());
}

Status write_depfile(const CommandLine& line, const std::vector<package::Placed>& files) {
  if (line.depfile.empty()) return {};
  std::vector<std::string> outputs;
  for (const package::Placed& file : files) outputs.push_back(file.path());
  std::vector<std::string> inputs;
  for (const std::string& word : line.models) {
    const std::string path = line.shared_arena ? read_operand(word).path : word;
    if (path != "-") inputs.push_back(path);
  }
  const std::string rule = package::make_depfile(outputs, inputs);
  return package::write_file(line.depfile, bytes_of(rule));
}

void say_what_runs_where(const CommandLine& line, const DeviceParts& parts) {
  if (line.json || line.quiet) return;
  std::fprintf(stderr, "note: %zu of %zu instructions run on %s, in %zu parts\n",
               parts.instructions, parts.instructions + parts.of_host, parts.device.c_str(),
               parts.symbols.size());
}

Result<Compilation> compile_one(const CommandLine& line, const hlo::Module& module,
                                const Target& target, StageClock& clock,
                                const std::string& sha256) {
  const std::set<package::Emit> emit = emitted_files(line, target);
  const Watch watch{line.print_after, line.options.verify_each, &clock};
  if (line.plugin.empty()) return compile_module(module, target, emit, watch, sha256);
  HLOCC_TRY_ASSIGN(DeviceParts parts, parts_for_device(module, line.plugin, target.options));
  end_stage(&clock, "parts");
  say_what_runs_where(line, parts);
  HLOCC_TRY_ASSIGN(Compilation made,
                   compile_module(parts.host, target, emit, watch, sha256, parts.symbols));
  for (package::File& file : parts.files) made.files.push_back(std::move(file));
  return made;
}

std::string folder_of(const CommandLine& line) { return line.output.empty() ? "." : line.output; }

// The files of all targets, and the lines about them that are printed once they are written.
struct Made {
  std::vector<package::Placed> files;
  std::string summary;
};

// A budget that is exceeded is a failure like any other: nothing is written.
Status keep_budgets(const CommandLine& line, const Analysis& found) {
  std::vector<Diagnostic> over = over_budget(found, line.budgets, true);
  if (over.empty()) return {};
  for (size_t i = 1; i < over.size(); ++i) over[0].notes.push_back(over[i].message);
  return std::move(over[0]);
}

void place(const CommandLine& line, size_t targets, const Target& target,
           std::vector<package::File> files, Made& out) {
  const std::string folder = folder_of(line);
  for (package::File& file : files)
    out.files.push_back({targets == 1 ? folder : folder + "/" + target.name, std::move(file)});
}

Result<Made> make_shared(const CommandLine& line, const std::vector<Target>& targets,
                         StageClock& clock) {
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const std::vector<SharedModel> models, load_models(line));
  end_stage(&clock, "read");
  Made out;
  for (const Target& target : targets) {
    say_what_was_assumed(line, target);
    HLOCC_TRY_ASSIGN(SharedCompilation made,
                     compile_shared(models, target, emitted_files(line, target),
                                    {line.print_after, line.options.verify_each, &clock}));
    if (!line.json && !line.quiet)
      for (const planning::Plan& plan : made.plans) warn_of_calls(plan);
    HLOCC_TRY(keep_budgets(line, made.total));
    out.summary += summary(made.total, made.models);
    end_stage(&clock, "analyze");
    place(line, targets.size(), target, std::move(made.files), out);
  }
  return out;
}

Result<Made> make_all(const CommandLine& line, StageClock& clock) {
  HLOCC_TRY(check_stage_name(line.print_after));
  HLOCC_TRY_ASSIGN(std::vector<Target> targets, resolve_targets(line));
  if (line.shared_arena) {
    if (!line.frozen.empty())
      return error(DiagnosticKind::kUsage, "--shared-arena and --freeze do not go together")
          .note("export models that hold their weights");
    return make_shared(line, targets, clock);
  }
  std::string input_sha256;
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported,
                   load_frozen(line, line.models[0], import::Constants::kNeeded, &input_sha256));
  end_stage(&clock, "read");
  say_note(line, note_of_weight_arguments(imported.module));
  const std::string stem = package::stem_of_file(line.models[0], imported.module);
  Made out;
  for (Target& target : targets) {
    target.options.stem = stem;
    HLOCC_TRY(name_leaves(imported.module, line, target.options));
    say_what_was_assumed(line, target);
    Result<Compilation> made = compile_one(line, imported.module, target, clock, input_sha256);
    if (!made) return located_in(line.models[0], std::move(made).error());
    if (!line.json && !line.quiet) warn_of_calls(made->plan);
    const Analysis found = analyse(made->program, made->plan, made->artifacts, target);
    HLOCC_TRY(keep_budgets(line, found));
    out.summary += summary(found);
    end_stage(&clock, "analyze");
    place(line, targets.size(), target, std::move(made->files), out);
  }
  return out;
}

Status write_all(const CommandLine& line) {
  Progress progress(line.json || line.quiet ? nullptr : terminal_of_user());
  StageClock clock{&progress};
  HLOCC_TRY_ASSIGN(const Made made, make_all(line, clock));
  begin_stage(&clock, "writing");
  say_what_changed(line, made.files);
  HLOCC_TRY(package::write_files(made.files));
  HLOCC_TRY(write_depfile(line, made.files));
  end_stage(&clock, "write");
  // What --print-after prints is a program that others read.
  if (!line.json && !line.quiet && line.print_after.empty()) print_text(made.summary);
  if (line.time_report) std::fputs(time_report(clock.times).c_str(), stderr);
  return {};
}

}  // namespace

std::vector<std::string> remove_stale(const CommandLine& line) {
  const std::string stem =
      line.options.name.empty()
          ? line.models[0] == "-" ? "" : package::stem_of_file(line.models[0], {})
          : package::stem_of_class(line.options.name);
  if (!is_c_identifier(stem)) return {};
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
  return out;
}

Result<int> verb_compile(const CommandLine& line) {
  Status done = write_all(line);
  if (done) return 0;
  Diagnostic why = std::move(done).error();
  if (const std::vector<std::string> gone = remove_stale(line); !gone.empty())
    why.notes.push_back(cat("what an earlier compile wrote is removed: ", join(gone, ", ")));
  return why;
}

}  // namespace hlocc::driver
