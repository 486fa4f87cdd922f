// `hlocc convert`: a model of any format that is read, as HLO: what every verb works on.
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "import/writer.h"
#include "package/writer.h"

namespace hlocc::driver {

Result<int> verb_convert(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_model(line.models[0]));
  Pieces bytes = import::write_module(imported.module);
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
