// `hlocc snapshot`: a model with values for its arguments and the result that they give, as one
// file that `run` and `verify` take.
#include <filesystem>

#include "driver/cli/verbs.h"
#include "driver/pipeline/load.h"
#include "driver/run/values.h"
#include "import/writer.h"
#include "package/writer.h"

namespace hlocc::driver {

Result<int> verb_snapshot(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_model(line.models[0]));
  HLOCC_TRY_ASSIGN(std::vector<hlo::Literal> arguments, gather_arguments(imported, line.inputs));
  HLOCC_TRY_ASSIGN(hlo::Literal result, gather_expected(imported, arguments, line.expected));
  HLOCC_TRY(package::write_file(
      line.output,
      import::write_snapshot(imported.module, {std::move(arguments), std::move(result)})));
  return 0;
}

}  // namespace hlocc::driver
