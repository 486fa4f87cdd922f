// `hlocc run`: a snapshot on its own arguments, or a module on .npy files; results printed, or
// written as a literal or as .npy files. Nothing is compared: that is what verify does.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/freeze.h"
#include "driver/run/execute.h"
#include "driver/run/literal_json.h"
#include "driver/run/values.h"
#include "import/npy.h"
#include "import/writer.h"
#include "ops/text/literal_text.h"
#include "package/names.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::Literal;

// What --output names, and what is in it.
std::vector<package::Placed> output_files(const Literal& result, const std::string& path) {
  std::error_code none;
  if (!path.ends_with('/') && !fs::is_directory(path, none))
    return {package::placed_at(path, import::write_literal(result))};
  std::vector<package::Placed> files;
  for (const Literal& leaf : leaves(result))
    files.push_back({path, {cat("result", files.size(), ".npy"), import::write_npy(leaf)}});
  return files;
}

nlohmann::ordered_json results_json(const hlo::Module& module, const Literal& result,
                                    bool with_values) {
  const std::vector<std::string> names = package::leaf_names(module).results;
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Literal& leaf : leaves(result)) {
    out.push_back(
        {{"index", out.size()}, {"name", names[out.size()]}, {"shape", to_string(leaf.shape())}});
    if (with_values) out.back()["values"] = literal_json(leaf);
  }
  return out;
}

void print_result(const hlo::Module& module, const Literal& result) {
  const std::vector<std::string> labels = package::result_labels(module);
  size_t index = 0;
  for (const Literal& leaf : leaves(result)) {
    std::string text = cat(labels[index++], " ", leaf.shape(), " ");
    ops::append_literal(text, leaf);
    print_text(text + "\n");
  }
}

}  // namespace

Result<int> verb_run(const CommandLine& line) {
  Progress progress(line);
  progress.now_at("reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_frozen(line, line.models[0]));
  HLOCC_TRY_ASSIGN(const std::vector<Literal> arguments,
                   gather_arguments(imported, line.values.inputs));
  progress.now_at("compiling");
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(imported.module, arguments, platform_choice(line), line.options));
  progress.now_at("running");
  HLOCC_TRY_ASSIGN(const Literal result, prepared->run());
  progress.wipe();
  if (is_output(line.output)) {
    HLOCC_TRY(write_file_or_output(line.output, import::write_literal(result)));
    return kExitDone;
  }
  std::vector<package::Placed> files;
  if (!line.output.empty()) files = output_files(result, line.output);
  HLOCC_TRY(package::write_files(files));
  const bool shows_values = line.print || line.output.empty();
  if (line.json)
    print_json({{"model", line.models[0]},
                {"results", results_json(imported.module, result, shows_values)},
                {"files", files_json(files)}});
  else if (shows_values)
    print_result(imported.module, result);
  return kExitDone;
}

}  // namespace hlocc::driver
