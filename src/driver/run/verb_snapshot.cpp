// `hlocc snapshot`: a model with values for its arguments and the result that they give, as one
// file that `run` and `verify` take.
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "driver/run/values.h"
#include "import/writer.h"
#include "package/writer.h"

namespace hlocc::driver {

Result<int> verb_snapshot(const CommandLine& line) {
  Progress progress(line);
  progress.now_at("reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_model(line.models[0]));
  HLOCC_TRY_ASSIGN(std::vector<hlo::Literal> arguments, gather_arguments(imported, line.inputs));
  progress.now_at("computing what is expected");
  HLOCC_TRY_ASSIGN(hlo::Literal result, gather_expected(imported, arguments, line.expected));
  Pieces bytes = import::write_snapshot(imported.module, {std::move(arguments), std::move(result)});
  if (is_output(line.output)) {
    HLOCC_TRY(write_file_or_output(line.output, std::move(bytes)));
    return kExitDone;
  }
  const package::Placed file = package::placed_at(line.output, std::move(bytes));
  HLOCC_TRY(package::write_files({file}));
  if (line.json) print_json({{"model", line.models[0]}, {"files", files_json({&file, 1})}});
  return kExitDone;
}

}  // namespace hlocc::driver
