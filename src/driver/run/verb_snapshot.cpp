// `hlocc snapshot`: a model with values for its arguments and the result that they give, as one
// file that `run` and `verify` take.
#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/freeze.h"
#include "driver/run/values.h"
#include "import/writer.h"

namespace hlocc::driver {

Result<int> verb_snapshot(const CommandLine& line) {
  Progress progress(line);
  progress.now_at("reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_frozen(line, line.models[0]));
  HLOCC_TRY_ASSIGN(std::vector<hlo::Literal> arguments,
                   gather_arguments(imported, line.values.inputs));
  progress.now_at("computing what is expected");
  HLOCC_TRY_ASSIGN(hlo::Literal result, gather_expected(imported, arguments, line.values.expected));
  return write_only_file(
      line, import::write_snapshot(imported.module, {std::move(arguments), std::move(result)}));
}

}  // namespace hlocc::driver
