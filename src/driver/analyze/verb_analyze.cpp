// `hlocc analyze MODEL --target T...`: everything about a compiled model that is known before it is
// flashed. It compiles as `compile` would, and writes no library.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/analyze/analysis_page.h"
#include "driver/analyze/analysis_text.h"
#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/report.h"
#include "driver/cli/text_table.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/budgets.h"
#include "driver/pipeline/fit_flash.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/pipeline/weight_arguments.h"
#include "package/names.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Objects where the backend makes them, for their sections; else what it makes.
std::set<ArtifactKind> smallest_kind(const BackendInfo& backend) {
  return {backend.emits.find("obj") != std::string_view::npos ? ArtifactKind::kObject
                                                              : ArtifactKind::kCSource};
}

Result<Analysis> analyse_for(const std::string& name, const hlo::Module& module,
                             const CommandLine& line, const Options& named, StageClock& clock) {
  HLOCC_TRY_ASSIGN(Target target, resolve_target(name, line));
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend(target.backend, true));
  target.options.stem = named.stem;
  HLOCC_TRY(name_leaves(module, line, target.options));
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(module, target.options));
  const Watch watch{.clock = &clock, .wants_row_floor = true};
  HLOCC_TRY_ASSIGN(
      const FittedModel made,
      fit_flash(
          target, line.budgets.flash,
          [&](const Target& asked) { return plan_module(module, signature, asked, watch); },
          [&](const Planned& planned) {
            return backend.compile(planned.program, planned.plan, target, smallest_kind(backend));
          }));
  const auto& [planned, artifacts] = made;
  Analysis out = analyse(planned.program, planned.plan, artifacts, target);
  out.set_row_floor(planned.row_floor);
  if (line.given.contains("--curve")) {
    HLOCC_TRY_ASSIGN(out.curve, plan_curve(module, signature, target, {.clock = &clock}));
  }
  return out;
}

void print_analyses(const std::vector<Analysis>& all, const std::vector<Diagnostic>& over,
                    const CommandLine& line, const import::Imported& imported) {
  nlohmann::ordered_json out;
  out["model"] = line.models[0];
  out["elided_constants"] = imported.elided_constants;
  out["weight_arguments"] = weight_arguments(imported.module);
  out["targets"] = nlohmann::ordered_json::array();
  for (const Analysis& found : all) out["targets"].push_back(to_json(found, line.clock));
  out["over_budget"] = nlohmann::ordered_json::array();
  for (const Diagnostic& one : over)
    out["over_budget"].push_back({{"message", one.message}, {"notes", one.notes}});
  print_json(out);
}

}  // namespace

Result<int> verb_analyze(const CommandLine& line) {
  Progress progress(line);
  StageClock clock{&progress};
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported,
                   load_frozen(line, line.models[0], import::Constants::kMayBeElided));
  Options named = line.options;
  named.stem = package::stem_of_file(line.models[0], imported.module);
  std::vector<Analysis> all;
  std::vector<Diagnostic> over;
  const std::vector<std::string> targets =
      line.targets.empty() ? std::vector<std::string>{"host"} : line.targets;
  for (const std::string& name : targets) {
    HLOCC_TRY_ASSIGN(Analysis found, analyse_for(name, imported.module, line, named, clock));
    for (Diagnostic& one : over_budget(found, line.budgets, true)) over.push_back(std::move(one));
    all.push_back(std::move(found));
  }
  progress.wipe();
  const std::string note = note_of_weight_arguments(imported.module);
  if (!line.html.empty())
    HLOCC_TRY(write_file_or_output(line.html, bytes_of(to_page(all, line.clock))));
  if (is_output(line.html)) {
    for (const Diagnostic& one : over) report(one, false);
  } else if (line.json) {
    print_analyses(all, over, line, imported);
  } else {
    print_text(to_text(all, line.clock, output_width()));
    if (imported.elided_constants > 0 && !line.quiet)
      print(
          "note     the values of %lld constants are not in the file ({...}); sizes count "
          "all the same\n",
          static_cast<long long>(imported.elided_constants));
    if (!note.empty() && !line.quiet) print_text(wrapped("note     ", note, output_width()));
    std::fflush(stdout);
    for (const Diagnostic& one : over) report(one, false);
  }
  return over.empty() ? kExitDone : kExitInput;
}

}  // namespace hlocc::driver
