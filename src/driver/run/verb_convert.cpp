// `hlocc convert`: a model of any format that is read, as HLO: what every verb works on.
#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/freeze.h"
#include "import/writer.h"

namespace hlocc::driver {

Result<int> verb_convert(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_frozen(line, line.models[0]));
  return write_only_file(line, import::write_module(imported.module));
}

}  // namespace hlocc::driver
