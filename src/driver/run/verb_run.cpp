// `hlocc run`: a snapshot on its own arguments, or a module on .npy files; results printed, or
// written as a literal or as .npy files. Nothing is compared: that is what verify does.
#include <filesystem>

#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "driver/run/execute.h"
#include "driver/run/values.h"
#include "import/npy.h"
#include "import/writer.h"
#include "ops/text/literal_text.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::Literal;

Status write_output(const Literal& result, const std::string& path) {
  std::error_code none;
  if (!path.ends_with('/') && !fs::is_directory(path, none))
    return package::write_file(path, import::write_literal(result));
  std::vector<package::Placed> files;
  for (const Literal& leaf : leaves(result))
    files.push_back({path, {cat("result", files.size(), ".npy"), import::write_npy(leaf)}});
  return package::write_files(files);
}

void print_result(const Literal& result) {
  int index = 0;
  for (const Literal& leaf : leaves(result)) {
    std::string text = cat("result", index++, " ", leaf.shape(), " ");
    ops::append_literal(text, leaf);
    print_text(text + "\n");
  }
}

}  // namespace

Result<int> verb_run(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_model(line.models[0]));
  HLOCC_TRY_ASSIGN(const std::vector<Literal> arguments, gather_arguments(imported, line.inputs));
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(imported.module, arguments, way_of(line), line.options, line.plugin));
  HLOCC_TRY_ASSIGN(const Literal result, prepared->run());
  if (!line.output.empty()) HLOCC_TRY(write_output(result, line.output));
  if (line.print || line.output.empty()) print_result(result);
  return 0;
}

}  // namespace hlocc::driver
