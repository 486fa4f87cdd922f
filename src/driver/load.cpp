// See load.h.
#include "driver/load.h"

#include "ops/verifier.h"
#include "support/text.h"

namespace hlocc::driver {

Result<import::Imported> load_model(const std::string& path, import::Constants constants) {
  const std::string file = path == "-" ? "<stdin>" : path;
  WorkingOn working(cat("reading ", file));
  const auto located = [&](Diagnostic diagnostic) {
    if (diagnostic.location.file.empty()) diagnostic.location.file = file;
    return diagnostic;
  };
  Result<import::Imported> imported = import::read_model_file(path, constants);
  if (!imported) return located(std::move(imported).error());
  if (Status status = ops::verify(imported->module); !status)
    return located(std::move(status).error());
  return imported;
}

}  // namespace hlocc::driver
