// `hlocc package`: models compiled for targets, as a package that an ecosystem of firmware takes
// in. All is checked before anything is compiled, and nothing is written before everything is made.
#include <cstdio>
#include <filesystem>
#include <set>

#include "driver/cache/cache.h"
#include "driver/cli/notes.h"
#include "driver/cli/output.h"
#include "driver/cli/text_table.h"
#include "driver/cli/verbs.h"
#include "driver/packages/contents.h"
#include "import/file.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Result<PackagedModel> make_model(const CommandLine& line, const PackageSpec& spec,
                                 const PackageModel& model, CompileCache& cache,
                                 StageClock& clock) {
  const CommandLine own = compile_line(line, model);
  LazyModel lazy(own, clock);
  HLOCC_TRY_ASSIGN(const ReadModel* read, lazy.get());
  PackagedModel out;
  HLOCC_TRY_ASSIGN(out.test, golden_test(own, model, read->imported));
  for (const std::string& sentence : out.test.little.unchecked)
    say_note(line, cat("the package's test of ", model.names.class_name, ": ", sentence));
  for (const PackageTarget& one : spec.targets) {
    Target target = one.target;
    target.options.name = model.names.class_name;
    clock.target = out.targets.size();
    const auto compile = [&] { return compile_target(own, *read, target, clock); };
    HLOCC_TRY_ASSIGN(CompiledTarget made, cache.get(own, target, compile));
    out.targets.push_back(std::move(made));
  }
  return out;
}

// The files of the package that was in the folder before.
std::vector<std::string> earlier_files(const std::string& folder) {
  std::vector<std::string> out;
  const auto bytes = import::read_file(cat(folder, "/", kPackageManifest));
  if (!bytes) return out;
  const char* text = reinterpret_cast<const char*>(bytes->data());
  const auto told = nlohmann::json::parse(text, text + bytes->size(), nullptr, false);
  if (!told.contains("files") || !told["files"].is_array()) return out;
  for (const auto& file : told["files"])
    if (file.contains("path") && file["path"].is_string())
      out.push_back(file["path"].get<std::string>());
  return out;
}

// Within the folder, whatever the manifest there says.
bool is_inside(const std::string& path) {
  return !path.starts_with('/') && (cat("/", path, "/").find("/../") == std::string::npos);
}

Status write_package(const std::string& folder, std::vector<package::File> files) {
  std::set<std::string> stale;
  for (std::string& path : earlier_files(folder))
    if (is_inside(path)) stale.insert(std::move(path));
  std::vector<package::Placed> placed;
  for (package::File& file : files) {
    stale.erase(file.name);
    package::Placed one = package::placed_at(cat(folder, "/", file.name), std::move(file.bytes));
    one.file.is_program = file.is_program;
    placed.push_back(std::move(one));
  }
  HLOCC_TRY(package::write_files(placed));
  for (const std::string& path : stale) std::remove(cat(folder, "/", path).c_str());
  return {};
}

std::string summary_of(const std::string& folder, const TemplateValues& values) {
  TextTable lines = {{"target", "model", "RAM", "flash", "stack"}};
  for (const TemplateValues& target : values["targets"])
    for (const TemplateValues& part : target["parts"])
      lines.push_back({target["target"], part["class"], part["ram_bytes"].dump(),
                       part["flash_bytes"].dump(), part["stack_bytes"].dump()});
  return cat(to_text(lines, 2, 4), "a package for ", values["format_title"].get<std::string>(),
             ": ", folder, "/README.md says how it is used\n");
}

}  // namespace

Result<int> verb_package(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const PackageSpec spec, read_package(line));
  Progress progress(line);
  StageClock clock{&progress};
  clock.targets = spec.targets.size();
  HLOCC_TRY_ASSIGN(CacheOptions options, cache_options(line));
  CompileCache cache(std::move(options));
  std::vector<PackagedModel> models;
  for (const PackageModel& model : spec.models) {
    HLOCC_TRY_ASSIGN(PackagedModel made, make_model(line, spec, model, cache, clock));
    models.push_back(std::move(made));
  }
  cache.finish(line);
  begin_stage(&clock, "writing");
  const TemplateValues values = package_values(spec, line.package, models);
  std::vector<package::File> files = package_files(spec, values, std::move(models));
  const nlohmann::ordered_json told = package_manifest(values, files);
  HLOCC_TRY(write_package(line.output, std::move(files)));
  progress.wipe();
  if (line.json) {
    nlohmann::ordered_json out = {{"folder", line.output}};
    out.update(told);
    out.erase("schema");
    print_json(out);
  }
  if (wants_notes(line)) print_text(summary_of(line.output, values));
  return kExitDone;
}

}  // namespace hlocc::driver
