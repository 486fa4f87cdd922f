// See shared_library.h. Each model goes through the pipeline alone up to its plan; the backend
// makes one object of all plans.
#include "driver/pipeline/shared_library.h"

#include <algorithm>
#include <map>

#include "driver/analyze/analysis_page.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/capacity.h"
#include "driver/pipeline/fit_flash.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "ops/text/printer.h"
#include "package/library_files.h"
#include "package/names.h"
#include "planning/shared_constants.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct PlannedModel {
  kernel::Signature signature;
  Planned planned;
};

Result<PlannedModel> plan_one(const SharedModel& model, Target target, const Watch& watch) {
  target.options.name = model.class_name;
  target.options.argument_names = model.argument_names;
  target.options.result_names = model.result_names;
  PlannedModel out;
  HLOCC_TRY_ASSIGN(out.signature, package::make_signature(model.module, target.options));
  HLOCC_TRY_ASSIGN(out.planned, plan_module(model.module, out.signature, target, watch));
  HLOCC_TRY(check_capacity(out.signature, out.planned.plan, target));
  return out;
}

void add_text(std::string& out, const std::string& name, const std::string& text) {
  out += cat("// ", name, "\n", text, "\n");
}

// What is made of the models here and not by the backend.
void add_texts(const std::vector<SharedModel>& models, const std::vector<PlannedModel>& planned,
               const SharedCompilation& made, const std::set<package::Emit>& emit,
               Artifacts& artifacts) {
  std::string hlo, kernels;
  for (size_t i = 0; i < models.size(); ++i) {
    if (emit.contains(package::Emit::kHloText))
      add_text(hlo, models[i].class_name, ops::to_text(models[i].module));
    if (emit.contains(package::Emit::kKernelText))
      add_text(kernels, models[i].class_name, kernel::to_text(planned[i].planned.program));
  }
  if (!hlo.empty()) artifacts.files[ArtifactKind::kHloText] = bytes_of(hlo);
  if (!kernels.empty()) artifacts.files[ArtifactKind::kKernelText] = bytes_of(kernels);
  if (!emit.contains(package::Emit::kReport)) return;
  // The page sets what it is given side by side: here models of one target.
  std::vector<Analysis> named = made.models;
  for (Analysis& one : named) one.target = one.class_name;
  artifacts.files[ArtifactKind::kReport] = bytes_of(to_page(named, std::nullopt));
}

// "Kws:0" of --arg Kws:0=mfcc, as model and leaf.
std::pair<std::string, std::string> split_wish(const std::string& leaf) {
  const size_t colon = leaf.find(':');
  return colon == std::string::npos ? std::pair(std::string(), leaf)
                                    : std::pair(leaf.substr(0, colon), leaf.substr(colon + 1));
}

std::map<std::string, std::string> requests_for(const std::string& model,
                                                const std::map<std::string, std::string>& all) {
  std::map<std::string, std::string> out;
  for (const auto& [leaf, name] : all)
    if (split_wish(leaf).first == model) out.emplace(split_wish(leaf).second, name);
  return out;
}

Status check_requests(const std::map<std::string, std::string>& all,
                      const std::vector<std::string>& models, const char* flag) {
  for (const auto& [leaf, name] : all)
    if (std::ranges::find(models, split_wish(leaf).first) == models.end())
      return error(DiagnosticKind::kUsage,
                   cat(flag, " ", leaf, "=", name, ": it does not say which model's leaf"))
          .note(cat("here it is ", flag, " ", models[0], ":0=", name, "; the models are ",
                    join(models, ", ")));
  return {};
}

}  // namespace

ModelOperand read_operand(const std::string& word) {
  const size_t equal = word.find('=');
  if (equal == std::string::npos || !is_c_identifier(word.substr(0, equal))) return {"", word};
  return {word.substr(0, equal), word.substr(equal + 1)};
}

Status check_shared(const CommandLine& line) {
  const auto refuse = [](const std::string& message, const std::string& cure) -> Status {
    return error(DiagnosticKind::kUsage, message).note(cure);
  };
  if (line.models.size() < 2)
    return refuse("--shared-arena needs two models or more",
                  "hlocc compile Kws=kws.pb Vad=vad.pb --shared-arena --name acme::Both");
  if (line.options.name.empty())
    return refuse("--shared-arena needs a --name for the library",
                  "--name acme::Both: libboth.a, both.h and the arena acme::Both::Arena");
  if (!line.plugin.empty())
    return refuse("--shared-arena and --plugin do not go together",
                  "compile the models one by one; hlocc_arena.h lays out an arena for all");
  if (!line.device.empty())
    return refuse("--shared-arena and --backend vulkan do not go together",
                  "compile the models one by one");
  if (line.options.weights_external)
    return refuse("--shared-arena and --weights external do not go together",
                  "compile the models one by one; hlocc_arena.h lays out an arena for all");
  for (size_t i = 0; i < line.models.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (read_operand(line.models[i]).path == "-" && read_operand(line.models[j]).path == "-")
        return refuse("standard input is one model, here it is to be two", "name a file");
  return {};
}

Result<std::vector<SharedModel>> load_models(const CommandLine& line) {
  std::vector<SharedModel> out;
  std::vector<std::string> names;
  std::map<std::string, int> seen;
  for (const std::string& word : line.models) {
    const ModelOperand operand = read_operand(word);
    SharedModel model;
    HLOCC_TRY_ASSIGN(import::Imported imported,
                     load_frozen(line, operand.path, import::Constants::kNeeded, &model.sha256));
    model.module = std::move(imported.module);
    model.path = operand.path;
    std::string name = operand.name;
    if (name.empty()) {
      name = package::class_of_module(model.module);
      if (const int number = ++seen[name]; number > 1) name = cat(name, number);
    }
    names.push_back(name);
    model.class_name = package::class_beside(line.options.name, name);
    HLOCC_TRY_ASSIGN(model.argument_names,
                     package::names_by_leaf(requests_for(name, line.compile.argument_names),
                                            package::hlo_argument_names(model.module), "--arg"));
    HLOCC_TRY_ASSIGN(
        model.result_names,
        package::names_by_leaf(requests_for(name, line.compile.result_names), {}, "--result"));
    out.push_back(std::move(model));
  }
  HLOCC_TRY(check_requests(line.compile.argument_names, names, "--arg"));
  HLOCC_TRY(check_requests(line.compile.result_names, names, "--result"));
  return out;
}

namespace {

Result<SharedCompilation> compile_once(const std::vector<SharedModel>& models, const Target& target,
                                       const std::set<package::Emit>& emit, const Watch& watch) {
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend(target.backend, true));
  if (backend.compile_library == nullptr)
    return error(DiagnosticKind::kUsage,
                 cat("--shared-arena: the backend ", target.backend, " makes no libraries"))
        .note("compile the models one by one; hlocc_arena.h lays out an arena for all");
  HLOCC_TRY_ASSIGN(const kernel::Signature names,
                   package::make_library_signature(target.options.name));
  std::vector<PlannedModel> planned;
  Target asked = target;
  for (const SharedModel& model : models) {
    Result<PlannedModel> one = plan_one(model, asked, watch);
    if (!one) return located_in(model.path, std::move(one).error());
    // What the palettes of one model do not save is asked of the next.
    asked.options.bytes_to_save = std::max<int64_t>(
        0, asked.options.bytes_to_save - palettes_of(one->planned.plan.steps).bytes_saved);
    planned.push_back(std::move(*one));
  }
  std::vector<planning::Plan> pooled;
  for (const PlannedModel& one : planned) pooled.push_back(one.planned.plan);
  const int64_t shared_weights = planning::share_constants(pooled);
  backends::Library library{names.stem, names.prefix, {}, true};
  std::vector<package::LibraryModel> described;
  for (size_t i = 0; i < models.size(); ++i) {
    library.units.push_back({&planned[i].planned.program, &pooled[i]});
    described.push_back({&planned[i].signature, &planned[i].planned.plan,
                         package::origin_of(models[i].module, models[i].sha256)});
  }
  HLOCC_TRY(package::check_names_apart(names, described));
  begin_stage(watch.clock, "code generation", "for " + target.name);
  HLOCC_TRY_ASSIGN(Artifacts artifacts,
                   backend.compile_library(library, target, artifacts_for(emit)));
  if (watch.clock != nullptr)
    for (const StageTime& time : artifacts.times) watch.clock->times.add(time);
  end_stage(watch.clock, "transfer");
  SharedCompilation out;
  for (size_t i = 0; i < models.size(); ++i)
    out.models.push_back(analyse(library, i, artifacts, target));
  out.total = total_of(out.models);
  out.total.class_name = names.class_name;
  out.total.shared_weights_bytes = shared_weights;
  out.built = package::build_files(names, artifacts);
  add_texts(models, planned, out, emit, artifacts);
  HLOCC_TRY_ASSIGN(out.files,
                   package::make_library_files(names, described, target, artifacts, emit));
  for (PlannedModel& one : planned) out.plans.push_back(std::move(one.planned.plan));
  end_stage(watch.clock, "package");
  return out;
}

}  // namespace

Result<SharedCompilation> compile_shared(const std::vector<SharedModel>& models,
                                         const Target& target, const std::set<package::Emit>& emit,
                                         const Watch& watch) {
  Target asked = target;
  for (;;) {
    HLOCC_TRY_ASSIGN(SharedCompilation out, compile_once(models, asked, emit, watch));
    int64_t saved = 0;
    for (const planning::Plan& plan : out.plans) saved += palettes_of(plan.steps).bytes_saved;
    const int64_t more = more_to_save(asked, watch.flash, out.total.flash_bytes(), saved);
    if (more == 0) return out;
    asked.options.bytes_to_save = more;
  }
}

}  // namespace hlocc::driver
